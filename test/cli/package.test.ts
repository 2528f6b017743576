/** What npm would publish: the program and what it reads, and nothing that only a clone needs. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { options, settingNames } from '../../src/config/schema.ts'
import { requireBuild } from '../helpers/cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let packed: string[] = []

beforeAll(() => {
  requireBuild()
  // One string, because on Windows npm is a script that only a shell starts.
  const run = spawnSync('npm pack --dry-run --json --ignore-scripts', { cwd: root, encoding: 'utf8', shell: true })
  const [tarball] = JSON.parse(run.stdout) as { files: { path: string }[] }[]
  packed = (tarball?.files ?? []).map(({ path }) => path)
})

test('the package contains the program, templates, examples and documents', () => {
  expect(new Set(packed.map((path) => path.split('/')[0]))).toEqual(
    new Set([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'dist',
      'docs',
      'examples',
      'package.json',
      'templates',
    ]),
  )
  expect(packed.filter((path) => path.startsWith('docs/') && !path.endsWith('.md'))).toEqual([])
})

test('the package contains exactly the published files of the repository, and the schema', () => {
  const run = spawnSync('git', ['ls-files', 'templates', 'examples', 'docs/*.md', '*.md', 'LICENSE', 'package.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const forContributors = /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^(?!docs|templates|examples).*\/|^docs\/.*\//
  const kept = run.stdout
    .trimEnd()
    .split('\n')
    .filter((path) => !forContributors.test(path) && !path.endsWith('.d.ts'))
  const carried = packed.filter((path) => !path.startsWith('dist/') && !path.endsWith('.d.ts'))
  expect(carried.sort()).toEqual(kept.sort())
  const others = packed.filter((path) => path.startsWith('dist/') && !/\.js$|\.d\.ts$/.test(path))
  expect(others).toEqual(['dist/LICENSES.txt', 'dist/transcript.schema.json'])
})

test('modules are ASCII, which the engine keeps in half the memory', () => {
  const modules = packed.filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
  const others = modules.filter((path) => readFileSync(join(root, path)).some((byte) => byte > 0x7f))
  expect({ modules: modules.length > 0, others }).toEqual({ modules: true, others: [] })
})

test('every packed module was made by the last build, from an existing source', () => {
  const modules = packed.filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
  const reached = new Set(['dist/cli.js', 'dist/index.js', 'dist/worker.js'])
  for (const path of reached) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, given, lazy] of text.matchAll(
      /^import [^'"\n]*["'](\.[^"']+\.js)["'];$|\bimport\("(\.[^"]+\.js)"\)/gm,
    ))
      reached.add(posix.join(posix.dirname(path), given ?? lazy ?? ''))
  }
  expect(modules.length).toBeGreaterThan(20)
  expect(modules.sort()).toEqual([...reached].sort())
  const declared = packed.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts'))
  const sources = declared.map((path) => path.replace(/^dist/, 'src').replace(/\.d\.ts$/, '.ts'))
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([])
})

test('bundled code of other packages has its licence, and imported packages are dependencies', () => {
  const notices = readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const imported = new Set<string>()
  for (const path of packed.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/^import (?:[^'"\n]* from )?["']((?:@[\w-]+\/)?[\w-]+)["']/gm))
      imported.add(name)
    for (const [, name = ''] of text.matchAll(/^\/\/#region node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//gm))
      expect(notices, path).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  expect([...imported].filter((name) => !(name in dependencies)).filter((name) => name in devDependencies)).toEqual([])
  expect(notices).toContain('lowlight')
})

test('the packed declarations are those that a compiler reads for the entry', () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--listFiles', '--noEmit', '--ignoreConfig', '--strict', '--module', 'nodenext', '--types', 'node']
  const args = [compiler, ...flags, '--target', 'es2023', 'dist/index.d.ts']
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  expect(run.stdout).not.toContain('error TS')
  const read = run.stdout.split('\n').map((file) => relative(root, file.trim()).replaceAll('\\', '/'))
  const declared = packed.filter((path) => path.endsWith('.d.ts'))
  expect(read.filter((path) => !/^(?:\.\.|node_modules)\//.test(path) && path !== '').sort()).toEqual(declared.sort())
})

test('the declarations show the help of each key of a configuration file', () => {
  const tables = packed.filter((path) => /^dist\/config\/options\/\w+\.d\.ts$/.test(path))
  const text = tables.map((path) => readFileSync(join(root, path), 'utf8')).join('')
  for (const name of settingNames.filter((key) => options[key].config))
    expect(text, name).toContain(`/** ${options[name].help} */\n    readonly ${name}: {`)
})
