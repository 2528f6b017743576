/**
 * Asks a real Codex how it reads homes, and prints where that differs from our reading:
 *
 *     CODEX_BIN=path/to/codex npm run test:oracle [-- CODEX_HOME ...]
 *
 * Without homes it uses those of the corpus; with `--recorded` it uses the answers in the corpus and needs no Codex. Ends
 * with 1 if a difference has no explanation.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { survey } from '../../src/survey/survey.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { type Comparison, compareThread, type Difference, type OracleAnswers, subjects } from '../helpers/oracle.ts'

const sharedFolder = fileURLToPath(new URL('../../../shared', import.meta.url))
const corpus = resolve(process.env['CODEX_EXPORT_CORPUS'] ?? sharedFolder)
const recorded = process.argv.includes('--recorded')
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(2)
}

/** Codex's answers for a home; `undefined` if it read no thread there. */
function ask(home: string): OracleAnswers {
  if (recorded) return JSON.parse(readFileSync(join(corpus, 'oracle', `${basename(home)}.json`), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'oracle-'))
  try {
    const out = join(folder, 'answers.json')
    const tool = join(corpus, 'tools', 'oracle', 'codex-oracle.mjs')
    const { status, stderr } = spawnSync(process.execPath, [tool, home, out], { encoding: 'utf8' })
    if (status !== 0) fail(`Codex did not read \`${home}\`: ${stderr.trim()}`)
    return JSON.parse(readFileSync(out, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Result extends Comparison {
  threads: number
  /** Threads that Codex answered for but we did not find. */
  missing: string[]
}

async function compareHome(home: string): Promise<Result> {
  const options = { spoolDir: () => tmpdir() }
  const { catalog } = await survey(findRoots([home], { env: {}, homeDir: home }), options)
  const threads = new Map(catalog.threads.map((thread) => [thread.id, thread]))
  const counts = Object.fromEntries(subjects.map((subject) => [subject, { ours: 0, codex: 0 }])) as Comparison['counts']
  const result: Result = { threads: 0, missing: [], counts, differences: [] }
  for (const answer of ask(home).threads) {
    const thread = threads.get(answer.id)
    if (thread === undefined) {
      result.missing.push(answer.id)
      continue
    }
    const { session } = await transcribeThread(thread, { ...options, family: catalog.threads })
    const compared = compareThread(answer, session)
    result.threads++
    for (const subject of subjects) {
      result.counts[subject].ours += compared.counts[subject].ours
      result.counts[subject].codex += compared.counts[subject].codex
    }
    result.differences.push(...compared.differences)
  }
  return result
}

/** One line for each difference: which side has it, what it is, and why. */
function describe({ thread, subject, side, what, why }: Difference): string {
  const line = JSON.stringify(what.length > 100 ? `${what.slice(0, 99)}…` : what)
  const reason =
    why === undefined
      ? 'NOT EXPLAINED'
      : `${why.better === 'equal' ? 'equal' : `${why.better} better`}, row ${why.row}: ${why.because}`
  return `  ${thread} ${subject}, only ${side}: ${line}\n    ${reason}`
}

if (!recorded && process.env['CODEX_BIN'] === undefined)
  fail('Set CODEX_BIN to a Codex binary, or give `--recorded` to take the answers that the corpus keeps.')
const homes =
  named.length > 0
    ? named.map((home) => resolve(home))
    : readdirSync(join(corpus, 'rollouts'))
        .sort()
        .map((name) => join(corpus, 'rollouts', name))
const table = [
  `| home | threads | ${subjects.map((name) => `${name}: ours / Codex / differences / not explained`).join(' | ')} |`,
]
table.push(`|---|---|${'---|'.repeat(subjects.length)}`)
let unexplained = 0
for (const home of homes) {
  const { threads, missing, counts, differences } = await compareHome(home)
  const cells = subjects.map((subject) => {
    const here = differences.filter((item) => item.subject === subject)
    const open = here.filter(({ why }) => why === undefined).length
    return `${counts[subject].ours} / ${counts[subject].codex} / ${here.length} / ${open}`
  })
  table.push(`| ${basename(home)} | ${threads} | ${cells.join(' | ')} |`)
  unexplained += missing.length + differences.filter(({ why }) => why === undefined).length
  if (missing.length + differences.length > 0) print(`${basename(home)}:`)
  for (const id of missing) print(`  ${id} only codex: the thread itself\n    NOT EXPLAINED`)
  for (const difference of differences) print(describe(difference))
}
print(`\n${table.join('\n')}\n\n${unexplained} not explained`)
process.exitCode = unexplained === 0 ? 0 : 1
