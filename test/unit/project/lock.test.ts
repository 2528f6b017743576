/** package-lock.json works on every platform: it names what each of them installs, and no registry. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useTempDir } from '../../helpers/temp.ts'

interface Package {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const parse = <T>(name: string): T => JSON.parse(readFileSync(join(root, name), 'utf8')) as T
const manifest = parse<Package>('package.json')
const { packages, lockfileVersion } = parse<{ packages: Record<string, Package>; lockfileVersion: number }>(
  'package-lock.json',
)

/**
 * Platform packages whose hash no available registry could provide; see CONTRIBUTING.md. npm installs them unchecked.
 */
const withoutIntegrity = ['darwin-arm64', 'darwin-x64', 'freebsd-x64', 'windows-arm64', 'windows-x64'].map(
  (platform) => `node_modules/@pagefind/${platform}`,
)

/** Where Node finds a package that is imported from another, in the nearest folder. */
function resolve(from: string, name: string): string | undefined {
  const chain = from.split(/\/?node_modules\//).slice(1)
  const paths = chain.map((_, depth) => [...chain.slice(0, chain.length - depth), name]).concat([[name]])
  return paths.map((names) => names.map((one) => `node_modules/${one}`).join('/')).find((path) => packages[path])
}

const needed = Object.entries(packages).flatMap(([from, one]) =>
  Object.entries({ ...one.dependencies, ...one.optionalDependencies }).map(([name, range]) => ({ from, name, range })),
)

describe('the lock file', () => {
  it('has version 3, which names each package by its folder', () => expect(lockfileVersion).toBe(3))

  it('contains every package of every platform with its version', () => {
    const missing = needed.filter(({ from, name }) => packages[resolve(from, name) ?? '']?.version === undefined)
    expect(missing).toEqual([])
  })

  it('has the exact version if a package requires one', () => {
    const others = needed.filter(
      ({ from, name, range }) =>
        /^\d+\.\d+\.\d+$/.test(range) && packages[resolve(from, name) ?? '']?.version !== range,
    )
    expect(others).toEqual([])
  })

  it('has a hash for every package except the listed ones', () => {
    const without = Object.keys(packages).filter(
      (path) => path !== '' && !packages[path]?.integrity?.startsWith('sha512-'),
    )
    expect(without).toEqual(withoutIntegrity)
  })

  it('names no registry', () => {
    expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([])
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  })

  it('requires the same as package.json', () => {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
    expect(packages['']).toMatchObject(
      Object.fromEntries(
        Object.entries({ dependencies, devDependencies, peerDependencies, optionalDependencies }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
    )
  })

  it('is sufficient for `npm ci`', () => {
    const folder = useTempDir()
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(root, name), join(folder, name))
    const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    const shown = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' })
    expect(shown).toMatch(/added \d+ packages/)
  })
})
