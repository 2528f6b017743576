import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { moduleLoads, readImportGraph } from '../../../src/config/import-graph-fs.ts'

import { loadRead } from '../../../src/config/load-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** A folder with a configuration and the files that it imports. */
function folderWith(files: Record<string, string>): { folder: string; file: string } {
  const folder = realpathSync(useTempDir())
  writeFolder(folder, files)
  return { folder, file: join(folder, 'site.config.ts') }
}

describe('the imports in the text of a module', () => {
  it.each([
    ["import a from './a.ts'", './a.ts'],
    ["import { a,\n  b } from './a.ts'", './a.ts'],
    ["import * as all from './a.ts'", './a.ts'],
    ['import "./a.ts"', './a.ts'],
    ["import'./a.ts'", './a.ts'],
    ["export * from './a.ts'", './a.ts'],
    ["export { a } from './a.ts'", './a.ts'],
    ["const a = await import('./a.ts')", './a.ts'],
    ["await import( './a.json', { with: { type: 'json' } })", './a.json'],
    ['await import(`./a.ts`)', './a.ts'],
    ["const a = require('./a.cjs')", './a.cjs'],
    ["import a = require('./a.cjs')", './a.cjs'],
    ["// one day import './a.ts'", './a.ts'],
    [String.raw`import a from './\u0061.ts'`, './a.ts'],
    [String.raw`r\u0065quire('./\x61.cjs')`, './a.cjs'],
    ["import plugin from 'some-plugin'", 'some-plugin'],
    ["import plugin from '#plugin'", '#plugin'],
  ])('are found: %s', (text, specifier) => expect(moduleLoads(text)).toEqual({ specifiers: [specifier], unclear: [] }))

  it.each([
    ['await import(name)', 'import('],
    ["await import('./' + name)", 'import('],
    [`await import(\`./\${name}.ts\`)`, 'import('],
    ["await import(/* webpack */ './a.ts')", 'import('],
    ["import /* a */ './a.ts'", 'import'],
    ["import a from // b\n './a.ts'", 'from'],
    [
      String.raw`import a from './a\
.ts'`,
      'from',
    ],
    ["import.meta.resolve('./a.ts')", undefined],
    ['import.defer(name)', 'import'],
    ['const load = require', 'require'],
    ['require(name)', 'require('],
    ["require.resolve('./a')", 'require'],
    ["module.require?.('./a')", 'require'],
    ["import { createRequire } from 'node:url'", 'createRequire'],
    ["process.getBuiltinModule('module')", 'getBuiltinModule('],
    ["new Function('return 1')", 'Function('],
    ["eval('1')", 'eval('],
  ])('are unclear: %s', (text, word) => {
    expect(moduleLoads(text).unclear).toEqual(word === undefined ? [] : [word])
  })

  it.each([
    "import type { Root } from 'hast'",
    "import type Root from './types.ts'",
    'const list = Array.from(set)',
    "const from = { import: 1, 'x': 2 }",
    'const folder = import.meta.dirname',
    'export default { title: "Sessions" }',
  ])('are none: %s', (text) => expect(moduleLoads(text)).toEqual({ specifiers: [], unclear: [] }))

  it('are not hidden by a type import that has not ended', () => {
    const text = "import type {\nimport './a.ts'\nconst b = {} } from './b.ts'"
    expect(moduleLoads(text).specifiers).toEqual(['./a.ts', './b.ts'])
  })
})

describe('the hash of a configuration', () => {
  const files = {
    'site.config.ts': "import { a } from './a.js'\nexport default { title: a }",
    'a.ts': "export * from './deep/b'",
    'deep/b.mjs': "import data from '../data.json' with { type: 'json' }\nexport const a = data.a",
    'data.json': '{"a":"A"}',
    'other.ts': 'export {}',
  }

  it('covers everything that it imports, at any depth, and nothing else', () => {
    const { folder, file } = folderWith(files)
    const before = readImportGraph(file)
    expect(before.imports).toEqual(['a.ts', 'data.json', 'deep/b.mjs'])
    expect(before.unclear).toEqual([])
    writeFileSync(join(folder, 'other.ts'), 'export const changed = true')
    expect(readImportGraph(file).hash).toBe(before.hash)
    for (const name of ['site.config.ts', 'a.ts', 'deep/b.mjs', 'data.json']) {
      const { hash } = readImportGraph(file)
      writeFolder(folder, { [name]: `${files[name as keyof typeof files]} ` })
      expect([name, readImportGraph(file).hash === hash]).toEqual([name, false])
    }
  })

  it.each(['a.js', 'a.js.ts', 'a.js/index.ts', 'deep/b.ts', 'deep/b/index.js'])(
    'changes if %s appears, which an import may mean instead',
    (name) => {
      const { folder, file } = folderWith(files)
      const { hash } = readImportGraph(file)
      writeFolder(folder, { [name]: 'export const a = 1' })
      expect(readImportGraph(file).hash).not.toBe(hash)
    },
  )

  it('follows links, so that it changes with their targets', () => {
    const { folder, file } = folderWith({ 'site.config.ts': "import './a.ts'", 'real/a.ts': "import './b.ts'" })
    writeFolder(folder, { 'real/b.ts': '1' })
    symlinkSync(join(folder, 'real/a.ts'), join(folder, 'a.ts'))
    const { hash } = readImportGraph(file)
    writeFolder(folder, { 'real/b.ts': '2' })
    expect(readImportGraph(file).hash).not.toBe(hash)
  })

  it('can be computed even if modules import each other or a link leads to itself', () => {
    const { folder, file } = folderWith({
      'site.config.ts': "import './a.ts'\nimport './loop.ts'",
      'a.ts': "import './site.config.ts'",
    })
    symlinkSync(join(folder, 'loop.ts'), join(folder, 'loop.ts'))
    expect(readImportGraph(file).unclear).toContain('`ELOOP` in `loop.ts`')
  })

  it.each([
    ["import plugin from 'some-plugin'", '`some-plugin`'],
    ["import plugin from '#plugin'", '`#plugin`'],
    ["import a from 'file:///a.ts'", '`file:///a.ts`'],
    ["import a from './a.ts?v=1'", '`./a.ts?v=1`'],
    ["import a from './folder'", '`./folder`'],
    ["import { execSync } from 'node:child_process'", '`node:child_process`'],
    ["import vm from 'vm'", '`vm`'],
    ["import './addon.node'", '`machine code`'],
    ["import './big.ts'", '`the size or number of files`'],
    ['await import(name)', '`import(`'],
  ])('may miss something because of %s', (text, reason) => {
    const { file } = folderWith({
      'site.config.ts': text,
      'folder/package.json': '{"main":"x.js"}',
      'addon.node': '',
      'big.ts': ' '.repeat(300_000),
    })
    expect(readImportGraph(file).unclear.join()).toContain(reason)
  })

  it('is computed in bounded time, even for a folder that was made to keep it busy', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `import './m${index}'`)
      .join('\n')
      .slice(0, 250_000)
    const { file } = folderWith({ 'site.config.ts': many })
    expect(readImportGraph(file).unclear).toEqual(['`the number of imports` in `site.config.ts`'])
    const texts = [
      "from'".repeat(50_000),
      'from/*'.repeat(40_000),
      'import type '.repeat(20_000),
      'import('.repeat(35_000),
    ]
    for (const text of texts) expect(moduleLoads(text)).toBeDefined()
  })
})

describe('a configuration that was hashed', () => {
  const marks = (name: string): string => `globalThis.ran = [...(globalThis.ran ?? []), '${name}']`

  test('runs with what it imports if nothing changed', async () => {
    const { file } = folderWith({
      'site.config.ts':
        "import { defineConfig } from 'codex-export'\nimport { title } from './title.ts'\nexport default defineConfig({ title })",
      'title.ts': "export const title: string = 'Ours'",
    })
    expect((await loadRead(file, readImportGraph(file))).values).toEqual({ title: 'Ours' })
  })

  test.each(['site.config.ts', 'title.ts', 'module.mjs'])(
    'does not run if %s changed in the meantime',
    async (name) => {
      const { folder, file } = folderWith({
        'site.config.ts': `import './title.ts'\nimport './module.mjs'\nexport default {}`,
        'title.ts': 'export {}',
        'module.mjs': 'export {}',
      })
      const graph = readImportGraph(file)
      writeFileSync(join(folder, name), `${marks(name)}\nexport default {}`)
      await expect(loadRead(file, graph)).rejects.toThrow('`site.config.ts` or what it imports changed in the meantime')
      expect(globalThis).not.toHaveProperty('ran')
    },
  )

  test('does not run a module that changes while it is being loaded', async () => {
    const { folder, file } = folderWith({
      'site.config.ts': "import './first.ts'\nconst { title } = await import('./second.ts')\nexport default { title }",
      'second.ts': "export const title: string = 'Ours'",
    })
    mkdirSync(join(folder, 'second'))
    writeFolder(folder, {
      'first.ts': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(folder, 'second.ts'))}, ${JSON.stringify(`${marks('second')}\nexport const title: string = 'x'`)})`,
    })
    await expect(loadRead(file, readImportGraph(file))).rejects.toThrow('changed while it was being loaded')
    expect(globalThis).not.toHaveProperty('ran')
  })
})
