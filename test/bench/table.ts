/**
 * Measures what builds and commands cost, as ratios of processes that run in turn.
 *
 *     npm run bench [-- --codex-home DIR] [--sessions N --bytes B] [--runs N] [--rows PATTERN] [--compare REF] [--large]
 *
 * `--large` measures generated archives instead: thousands of sessions, and single rollouts of many bytes and lines.
 * Without homes it generates an archive of N sessions of B bytes with the generator of the corpus if there is one, and
 * otherwise uses the sample home. `--compare REF` builds another commit and compares this one with it.
 */

import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ArchiveSize, makeArchive, makeShortLines, rolloutsOf, root } from './archive.ts'
import { bareParse, type Cost, run, scratch, transcribeAll } from './measure.ts'

const { values } = parseArgs({
  options: {
    'codex-home': { type: 'string', multiple: true },
    sessions: { type: 'string', default: '100' },
    bytes: { type: 'string', default: '300k' },
    runs: { type: 'string', default: '3' },
    rows: { type: 'string', default: '' },
    compare: { type: 'string' },
    large: { type: 'boolean', default: false },
  },
})

const git = (...args: string[]): string => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' })

/** A version of the program: the folder with its `dist`. */
interface Program {
  name: string
  folder: string
}

/**
 * What costs are divided by: the least work that a reader of the archive must do, a Node that does nothing, or one
 * with a parser.
 */
const yardsticks = {
  'bare parse': () => run(['-e', bareParse, ...homes]),
  'empty Node': () => run(['-e', '0']),
  'Node with yargs': () => run([join(root, 'node_modules/yargs/index.mjs')]),
}

/** What is measured of a program in each round. A row that needs a state restores it itself. */
interface Row {
  name: string
  /** What its cost is divided by; overridden by `yard` if the row has a separate archive. */
  by: keyof typeof yardsticks
  yard?: () => Cost
  cost?: keyof Cost
  /** Prepares what the row needs before its first round. */
  prepare?: (program: Program) => void
  run: (program: Program) => Cost
}

/** Builds another commit with this checkout's packages, or with its own if its lock file differs. */
function checkOut(ref: string): Program {
  const folder = join(scratch, 'other')
  git('worktree', 'add', '--detach', '--quiet', folder, ref)
  process.prependListener('exit', () => git('worktree', 'remove', '--force', folder))
  const lock = (path: string): string => readFileSync(join(path, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--silent'], { cwd: folder, stdio: 'inherit' })
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' })
  return { name: git('rev-parse', '--short', ref).trim(), folder }
}

const homes = values['codex-home']?.map((path) => resolve(path)) ?? [makeArchive(values)]
const rollouts = rolloutsOf(homes)
const middle = rollouts[Math.floor(rollouts.length / 2)]
const newest = rollouts
  .filter(({ path }) => !path.includes('archived_sessions'))
  .toSorted((a, b) => (a.path < b.path ? 1 : -1))[0]
if (middle === undefined || newest === undefined) throw new Error('These homes hold no rollouts.')

const from = (paths: readonly string[]): string[] => paths.flatMap((path) => ['--codex-home', path])
const state = (program: Program, name: string): string => join(scratch, `${name}-${program.name}`)
type Environment = Readonly<Record<string, string>>

/** CPU is compared for one thread; commits without threads ignore this. */
const oneThread: Environment = { CODEX_EXPORT_JOBS: '1' }
const cli = (program: Program, args: readonly string[], env: Environment = oneThread): Cost =>
  run([join(program.folder, 'dist/cli.js'), ...args], env)

/** A build into a folder that is kept. */
function build(program: Program, name: string, paths: readonly string[], flags: readonly string[], env?: Environment) {
  const [out, cache] = [state(program, name), state(program, `${name}-cache`)]
  return cli(program, ['build', ...from(paths), '--out', out, '--cache', cache, ...flags], env)
}

function cold(
  name: string,
  paths: readonly string[],
  flags: readonly string[],
  env?: Environment,
): Pick<Row, 'name' | 'run'> {
  return {
    name,
    run(program) {
      for (const part of ['cold', 'cold-cache']) rmSync(state(program, part), { recursive: true, force: true })
      return build(program, 'cold', paths, flags, env)
    },
  }
}

/** Builds the archive without the newest rollout's last turn, then measures a build with it. */
function grown(name: string, flags: readonly string[]): Pick<Row, 'name' | 'prepare' | 'run'> {
  const home = (program: Program): string => state(program, 'grown-home')
  const origin = homes.find((path) => newest?.path.startsWith(path)) ?? ''
  const file = (program: Program): string => join(home(program), relative(origin, newest?.path ?? ''))
  const parts = ['grown', 'grown-cache']
  const copy = (source: string, target: string): void => {
    rmSync(target, { recursive: true, force: true })
    cpSync(source, target, { recursive: true, preserveTimestamps: true })
  }
  return {
    name,
    prepare(program) {
      for (const path of homes) cpSync(path, home(program), { recursive: true, preserveTimestamps: true })
      const lines = readFileSync(newest?.path ?? '', 'utf8').split('\n')
      writeFileSync(file(program), `${lines.slice(0, -12).join('\n')}\n`)
      for (const part of parts) rmSync(state(program, part), { recursive: true, force: true })
      build(program, 'grown', [home(program)], flags)
      for (const part of parts) copy(state(program, part), state(program, `${part}-kept`))
      cpSync(newest?.path ?? '', file(program))
    },
    run(program) {
      for (const part of parts) copy(state(program, `${part}-kept`), state(program, part))
      return build(program, 'grown', [home(program)], flags)
    },
  }
}

const noSearch = ['--no-search']
const withRedaction = cold('cold build without search', homes, noSearch)
const withoutRedaction = cold('cold build without search and redaction', homes, [...noSearch, '--no-redact'])

const rows: Row[] = [
  { ...withRedaction, by: 'bare parse' },
  { ...withoutRedaction, by: 'bare parse' },
  {
    name: 'what redaction adds to that',
    by: 'bare parse',
    run(program) {
      const [redacted, plain] = [withRedaction.run(program), withoutRedaction.run(program)]
      return { cpu: redacted.cpu - plain.cpu, wall: redacted.wall - plain.wall, peak: redacted.peak }
    },
  },
  { ...cold('cold build with search', homes, []), by: 'bare parse' },
  { ...cold('cold build with search, in several threads: time', homes, [], {}), by: 'bare parse', cost: 'wall' },
  {
    name: 'scan, parse and normalise (`transcribe` of each rollout, as recorded)',
    by: 'bare parse',
    run: ({ folder }) => run(['-e', transcribeAll, join(folder, 'dist/index.js'), ...homes]),
  },
  { ...cold('build of one session of middle size, without search', [middle.path], noSearch), by: 'empty Node' },
  {
    name: 'build without a change, without search: time',
    ...{ by: 'Node with yargs', cost: 'wall' },
    prepare: (program) => void build(program, 'same', homes, noSearch),
    run: (program) => build(program, 'same', homes, noSearch),
  },
  { ...grown('one session grew by a turn, without search', noSearch), by: 'empty Node' },
  { ...grown('one session grew by a turn, with search', []), by: 'empty Node' },
  {
    name: '`list`, second time',
    by: 'empty Node',
    prepare: (program) => void cli(program, ['list', ...from(homes)]),
    run: (program) => cli(program, ['list', ...from(homes)]),
  },
  {
    name: '`show` of the session of middle size',
    by: 'empty Node',
    run: (program) => cli(program, ['show', middle.path]),
  },
]

/** A build of an archive that is generated for it. */
function large(name: string, make: () => string): Row {
  let home: string | undefined
  const own = (): string => {
    home ??= make()
    return home
  }
  return {
    name,
    by: 'bare parse',
    yard: () => run(['-e', bareParse, own()]),
    run: (program) => cold(name, [own()], noSearch).run(program),
  }
}

const sized = (name: string, size: ArchiveSize): Row => large(name, () => makeArchive(size))
const largeRows: Row[] = [
  sized('1,000 sessions of 50 kB', { sessions: '1000', bytes: '50k' }),
  sized('5,000 sessions of 50 kB', { sessions: '5000', bytes: '50k' }),
  sized('20,000 sessions of 50 kB', { sessions: '20000', bytes: '50k' }),
  sized('one rollout of 100 MB', { sessions: '1', bytes: '100m' }),
  sized('one rollout of 1 GB', { sessions: '1', bytes: '1000m' }),
  large('a million short lines in one rollout', () => makeShortLines(1_000_000)),
]

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const shown = (numbers: readonly number[]): string =>
  `${median(numbers).toFixed(2)} (${Math.min(...numbers).toFixed(2)}–${Math.max(...numbers).toFixed(2)})`

/** Measures a row: in each round the yardstick and every program once. Returns its line of the table. */
function measure(row: Row, programs: readonly Program[]): string {
  const cost = row.cost ?? 'cpu'
  for (const program of programs) row.prepare?.(program)
  const rounds = Array.from({ length: Number(values.runs) }, () => ({
    yard: (row.yard ?? yardsticks[row.by])(),
    each: programs.map((program) => row.run(program)),
  }))
  const ratios = programs.map((_, index) => rounds.map(({ yard, each }) => (each[index]?.[cost] ?? 0) / yard[cost]))
  const between = rounds.map(({ each }) => (each[0]?.[cost] ?? 0) / (each[1]?.[cost] ?? 0))
  const peak = Math.min(...rounds.map(({ each }) => each[0]?.peak ?? 0))
  const seconds = Math.min(...rounds.map(({ each }) => each[0]?.[cost] ?? 0))
  const cells = [row.name, row.by, ...ratios.map(shown)]
  if (programs.length > 1) cells.push(shown(between))
  return `| ${[...cells, `${seconds.toFixed(2)} s`, `${(peak / 2 ** 20).toFixed(0)} MiB`].join(' | ')} |`
}

const own: Program = { name: 'here', folder: root }
const programs = values.compare === undefined ? [own] : [own, checkOut(values.compare)]
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const total = rollouts.reduce((sum, { size }) => sum + size, 0)
say(
  `${rollouts.length} rollouts, ${(total / 1e6).toFixed(1)} MB; the one of middle size has ${(middle.size / 1e3).toFixed(0)} kB. Medians, least and most of ${values.runs} rounds.\n`,
)
const heads = [
  'case',
  'divided by',
  ...programs.map(({ name }) => name),
  ...(programs[1] ? [`here / ${programs[1].name}`] : []),
]
say(`| ${[...heads, 'least', 'peak of Node'].join(' | ')} |\n|${' --- |'.repeat(heads.length + 2)}`)
for (const row of values.large ? largeRows : rows) if (row.name.includes(values.rows)) say(measure(row, programs))
