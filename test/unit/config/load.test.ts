import { readFileSync, writeFileSync } from 'node:fs'
import path, { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load-fs.ts'
import { resolveSettings } from '../../../src/config/resolve.ts'
import { ConfigError } from '../../../src/diagnostics/errors.ts'
import { useTempDir } from '../../helpers/temp.ts'

function folderWith(files: Record<string, string>): string {
  const folder = useTempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('a folder without a configuration file has no configuration', async () => {
  expect(await loadConfig(useTempDir())).toBeUndefined()
})

test.each([
  ['site.config.ts', "export default { title: 'Mine' as string }"],
  ['site.config.mts', "const title: string = 'Mine'\nexport default { title }"],
  ['site.config.js', "export default { title: 'Mine' }"],
  ['site.config.mjs', "export default { title: 'Mine' }"],
])('%s in the working folder is found and loaded', async (name, text) => {
  const cwd = folderWith({ [name]: text })
  expect(await loadConfig(cwd)).toEqual({ name, folder: cwd, values: { title: 'Mine' } })
})

test.each([
  ['site.config.ts', "const preset = 'public'"],
  ['site.config.ts', "export const preset = 'public'"],
  ['site.config.mjs', "export const preset = 'public'"],
])('%s without a default export is rejected, because its settings would be lost: %s', async (name, text) => {
  const message = `\`${name}\` has no plain object as its default export`
  await expect(loadConfig(folderWith({ [name]: text }))).rejects.toThrow(message)
})

test('a syntax error is reported with its file and line', async () => {
  const cwd = folderWith({ 'site.config.ts': "export default {\n  title: 'Mine',\n  out:\n}\n" })
  const message = /^`site\.config\.ts` does not load: ParseError: .*\S \(site\.config\.ts:4\)$/
  await expect(loadConfig(cwd)).rejects.toThrow(message)
})

test('a folder is rejected as a configuration file', async () => {
  const cwd = useTempDir()
  const message = `The configuration file \`${basename(cwd)}\` cannot be read: it is a folder.`
  await expect(loadConfig(dirname(cwd), cwd)).rejects.toThrow(new ConfigError(message))
})

test('a CommonJS file is accepted', async () => {
  const cwd = folderWith({ 'site.config.js': "module.exports = { title: 'Mine' }" })
  expect((await loadConfig(cwd))?.values).toEqual({ title: 'Mine' })
})

test('a TypeScript file can import `codex-export` from anywhere, and files next to it', async () => {
  const cwd = folderWith({
    'site.config.ts': `import { defineConfig } from 'codex-export'
      import { title } from './title.ts'
      export default defineConfig({ title, plugins: [() => (tree: unknown) => tree] })`,
    'title.ts': "export const title: string = 'Of the team'",
  })
  const config = await loadConfig(cwd)
  expect(config?.values).toEqual({ title: 'Of the team', plugins: [expect.any(Function)] })
})

test('a file can import everything that the package exports', async () => {
  const cwd = folderWith({
    'site.config.ts': `import { defineConfig, rolloutToMdast } from 'codex-export'
      export default defineConfig({ plugins: [rolloutToMdast] })`,
  })
  expect((await loadConfig(cwd))?.values).toEqual({ plugins: [expect.any(Function)] })
})

test('a plugin package is looked up from the folder of the file', async () => {
  const cwd = folderWith({ 'site.config.ts': "import 'no-such-plugin'\nexport default {}" })
  await expect(loadConfig(cwd)).rejects.toThrow(/^`site\.config\.ts` does not load: .*no-such-plugin/)
})

test('an error that a file throws is reported with the line of the code that is to be changed', async () => {
  const faultOf = async (files: Record<string, string>): Promise<unknown> =>
    loadConfig(folderWith(files)).catch((error: unknown) => error)
  expect(await faultOf({ 'site.config.ts': "\nthrow new Error('no way')" })).toMatchObject({
    message: '`site.config.ts` does not load: no way (site.config.ts:2)',
  })
  const files = {
    'site.config.ts': "import { plugin } from './plugin.ts'\nexport default { plugins: [plugin] }",
    'plugin.ts':
      "import { definePlugin } from 'codex-export'\n\nexport const plugin = definePlugin({ name: 'x', sesion() {} })",
  }
  expect(await faultOf(files)).toMatchObject({ message: expect.stringMatching(/`sesion`.* \(plugin\.ts:3\)$/) })
  expect(await faultOf({ 'site.config.ts': "import 'no-such-plugin'" })).toMatchObject({
    message: "`site.config.ts` does not load: Cannot find module 'no-such-plugin' (site.config.ts:1)",
  })
})

test('a file named by its path is loaded instead of the one in the working folder', async () => {
  const cwd = folderWith({ 'site.config.ts': 'export default {}', 'other.ts': "export default { out: 'elsewhere' }" })
  expect(await loadConfig(cwd, join(cwd, 'other.ts'))).toMatchObject({ name: 'other.ts', values: { out: 'elsewhere' } })
})

test('a file that changed is loaded again', async () => {
  const cwd = folderWith({ 'site.config.ts': "export default { title: 'One' }" })
  expect((await loadConfig(cwd))?.values).toEqual({ title: 'One' })
  writeFileSync(join(cwd, 'site.config.ts'), "export default { title: 'Two' }")
  expect((await loadConfig(cwd))?.values).toEqual({ title: 'Two' })
})

test.each([
  ['export default 12', '`site.config.ts` has no plain object as its default export'],
  ['export default []', '`site.config.ts` has no plain object as its default export'],
  ["export default new Map([['preset', 'public']])", '`site.config.ts` has no plain object as its default export'],
  ["export default Object.create({ preset: 'public' })", '`site.config.ts` has no plain object as its default export'],
  ["export default { get title() { throw new Error('no title') } }", '`site.config.ts` does not load: no title'],
  ["throw new Error('')", '`site.config.ts` does not load: it threw an error without a message'],
  ["throw new Error('no way\\nsecond line')", '`site.config.ts` does not load: no way'],
  ['export default {', '`site.config.ts` does not load: '],
])('a file that does not fit is rejected by name: %j', async (text, message) => {
  const cwd = folderWith({ 'site.config.ts': text })
  const load = loadConfig(cwd)
  await expect(load).rejects.toThrow(ConfigError)
  await expect(load).rejects.toThrow(message)
  await expect(load).rejects.not.toThrow('second line')
})

test('a missing file is rejected, and so are two files in one folder', async () => {
  const cwd = folderWith({ 'site.config.ts': 'export default {}', 'site.config.js': 'export default {}' })
  await expect(loadConfig(cwd, join(cwd, 'gone.ts'))).rejects.toThrow(
    new ConfigError('The configuration file `gone.ts` does not exist.'),
  )
  await expect(loadConfig(cwd)).rejects.toThrow(
    new ConfigError('There are `site.config.ts` and `site.config.js`. Keep one of them, or name one with `--config`.'),
  )
})

test.each(['site.config.json', 'site.config.cjs', 'site.config.cts', 'site.config.yaml'])(
  '%s is rejected, unless a file with a supported name is next to it',
  async (name) => {
    const cwd = folderWith({ [name]: '{"preset":"public"}' })
    await expect(loadConfig(cwd)).rejects.toThrow(
      new ConfigError(
        `\`${name}\` is not read: a configuration file is a module that ends in \`.ts\`, \`.mts\`, \`.js\`, \`.mjs\`. ` +
          'Rename it, or use `--no-config` to continue without it.',
      ),
    )
    writeFileSync(join(cwd, 'site.config.mts'), "export default { title: 'Mine' }")
    expect((await loadConfig(cwd))?.values).toEqual({ title: 'Mine' })
  },
)

test('backup copies and type declarations are no configuration', async () => {
  const cwd = folderWith({ 'site.config.ts.bak': '', 'site.config.ts~': '', 'site.config.d.ts': '' })
  expect(await loadConfig(cwd)).toBeUndefined()
})

test('the example in docs/config.md loads and fits', async () => {
  const docs = readFileSync(new URL('../../../docs/config.md', import.meta.url), 'utf8')
  const example = docs.match(/```ts\n(.*?)```/s)?.[1] ?? ''
  const cwd = folderWith({ 'site.config.ts': example })
  const config = await loadConfig(cwd)
  const inputs = { command: 'build' as const, flags: {}, env: {}, config, cwd, homeDir: '/home/sam', path }
  expect(resolveSettings(inputs).settings).toMatchObject({
    title: 'Sessions of the shop team',
    homes: [{ label: 'Alice' }, { label: 'Bob' }],
    formats: ['html', 'md', 'json'],
  })
})
