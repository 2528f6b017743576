/**
 * The code in the documents: TypeScript is type-checked against the package, data are parsed, and commands are run in
 * a sample home if possible. Exceptions are listed here with the reason.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { main } from '../../../src/cli/main.ts'
import { runCommand } from '../../../src/cli/parser.ts'
import { commands, features } from '../../../src/program.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { fakeWorld } from '../../helpers/world.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const documents = [
  ...['README.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

interface Block {
  place: string
  language: string
  code: string
}

const blocks = documents.flatMap((name): Block[] => {
  const text = readFileSync(join(root, name), 'utf8')
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ 1: indent = '', 2: language = '', 3: code = '', index }) => {
      const line = text.slice(0, index).split('\n').length
      return { place: `${name}:${line}`, language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
    },
  )
})
const of = (...languages: string[]): Block[] => blocks.filter(({ language }) => languages.includes(language))

/** Languages that other tests check, or none, and why. */
const others: Readonly<Record<string, string>> = {
  '': 'lists of files and commands, which are no code: tests of templates and of the command line compare them',
  text: 'what a program prints',
  idl: 'types of the tree: `render/ast-doc` compares them with the source',
  css: 'the example of a theme: `render/tokens` compares it with the file',
  toml: 'settings of another program, for whose format no parser is installed',
  nginx: 'settings of another program',
}

test('every code block has a language that a test knows', () => {
  const known = ['ts', 'json', 'yaml', 'sh', ...Object.keys(others)]
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([])
  expect(blocks.length).toBeGreaterThan(100)
})

describe('data in code blocks', () => {
  test.each(of('json'))('are JSON: $place', ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow()
  })

  test.each(of('yaml'))('are YAML: $place', ({ code }) => {
    expect(parseAllDocuments(code).flatMap(({ errors }) => errors)).toEqual([])
  })
})

test('TypeScript in code blocks has no type error', () => {
  const folder = useTempDir()
  for (const name of ['hastscript', 'unist-util-visit', 'unified', 'remark-stringify', '@types/node']) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  }
  symlinkSync(root, join(folder, 'node_modules/codex-export'), 'dir')
  cpSync(join(root, 'examples'), folder, { recursive: true })
  const code = of('ts')
  for (const { place, code: text } of code) {
    // A part of a configuration lacks the import at its beginning.
    const imports = /^import .*\bdefineConfig\b/m.test(text) ? '' : "import { defineConfig } from 'codex-export'\n"
    const own = /\bdefineConfig\b/.test(text) ? imports : ''
    writeFileSync(join(folder, `${place.replace(/\W+/g, '-')}.ts`), `${own}${text}\nexport {}\n`)
  }
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023'], types: ['node'], noEmit: true, strict: true },
    ...{ skipLibCheck: true, allowImportingTsExtensions: true, resolveJsonModule: true },
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(code.length).toBeGreaterThan(15)
})

// Commands.

/** The rollout of the sample home that documents name. */
const sampleName = 'rollout-2025-10-02T09-15-27-0199a434-7c0e-7f27-bf35-403c78c2faa8.jsonl'

/** Why a line is not run. */
const unrun: readonly [line: RegExp, reason: string][] = [
  [/^(?:npm|npx|podman|git|aws|sbatch) |^\w+=|^0 \*/, 'another program, a cluster, or a timer'],
  [/^codex-export (?:serve|mcp)\b/, 'runs until it is stopped: `cli/serve` and `cli/mcp` run it'],
  [/^codex-export open\b/, 'opens a browser: `cli/setup` runs it with another program'],
  [/^codex-export prune\b/, 'asks on a terminal: `cli/prune` answers'],
  [
    /^codex-export (?:publish\b|share .*--to )/,
    'needs a remote or a folder of a server: `cli/publish`, `cli/share` make some',
  ],
  [/^codex-export (?:build --shard|merge)\b/, 'needs the other machines: `cli/shards` plays them'],
]

const lines = of('sh').flatMap(({ place, code }) =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => line.replace(/(?:^|\s)#\s.*$/, '').split('&&'))
    .map((line) => ({ place, line: line.trim() }))
    .filter(({ line }) => line !== ''),
)
const ours = lines.filter(({ line }) => line.startsWith('codex-export '))

/** Words of a line after the program, without a pipe or redirection. */
function wordsOf(line: string): string[] {
  const words = line.replace(/ [>|].*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)
  return [...words].slice(1).map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}

describe('commands in code blocks', () => {
  test('are ours, or have a reason for not being run', () => {
    const isKnown = ({ line }: { line: string }) =>
      line.startsWith('codex-export ') || unrun.some(([form]) => form.test(line))
    expect(lines.filter((line) => !isKnown(line))).toEqual([])
    for (const [form, reason] of unrun)
      expect(
        lines.some(({ line }) => form.test(line)),
        reason,
      ).toBe(true)
  })

  test.each(ours)('can be parsed: $place $line', async ({ line }) => {
    const given: string[] = []
    const idle = commands.map((command) => ({ ...command, run: async () => given.push(command.name) }))
    await runCommand(fakeWorld(wordsOf(line)), { commands: idle, features })
    expect(given).toEqual([wordsOf(line)[0]])
  })

  test('run in a sample home, each line once', async () => {
    const folder = useTempDir()
    const sample = join(root, 'fixtures/home/sessions/2025/10/02', sampleName)
    cpSync(sample, join(folder, '.codex/sessions/2025/10/02', sampleName))
    cpSync(sample, join(folder, 'rollout.jsonl'))
    // The index takes longer than everything else, and no line needs it.
    const env = { XDG_CACHE_HOME: join(folder, 'cache'), CODEX_EXPORT_SEARCH: 'false' }
    const now = () => Date.parse('2025-10-20T12:00:00Z')
    const runnable = ours.map(({ line }) => line).filter((line) => !unrun.some(([form]) => form.test(line)))
    for (const line of new Set(runnable)) {
      const args = wordsOf(line).map((word) => word.replace(/^~/, folder))
      const world = fakeWorld(args, { cwd: folder, homeDir: folder, env, now })
      const code = await main(world, async () => ({ commands, features }))
      // Exit code 1 means that it ran and found something.
      expect([0, 1], `${line}\n${world.err()}`).toContain(code)
    }
  })
})
