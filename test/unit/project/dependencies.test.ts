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
    const reason = rows.flatMap((row) => {
      const [, names = '', why = ''] = row.startsWith('|') ? row.split('|') : []
      return names.split(/[\s,`]+/).includes(name) ? [why.trim()] : []
    })
    expect(reason).toEqual([expect.stringMatching(/\w/)])
  },
)

it('every version is exact', () => {
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  }
})
