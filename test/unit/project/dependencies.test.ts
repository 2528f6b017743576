/** docs/dependencies.md gives a reason for every dependency. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const manifest: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(
  read('package.json'),
)
const reasons = read('docs/dependencies.md')
const rows = reasons.split('\n')

it.each(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))(
  '%s has a reason in docs/dependencies.md',
  (name) => {
    expect(rows.some((row) => row.startsWith('|') && row.split('|')[1]?.includes(name))).toBe(true)
  },
)

it('every version is exact', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  }
})
