/**
 * Measures what other exporters on npm cost for the same rollouts, as ratios of processes that run in turn.
 *
 *     npm run bench:peers [-- --sessions N --bytes B] [--runs N]
 *
 * They are installed into a temporary folder, in the versions below.
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeArchive, rolloutsOf, root } from './archive.ts'
import { bareParse, type Cost, run, scratch } from './measure.ts'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20' },
    bytes: { type: 'string', default: '1m' },
    runs: { type: 'string', default: '3' },
  },
})

/** An exporter, and what its output lacks compared to the rollouts. */
interface Exporter {
  name: string
  lacks: string
  /** Writes all rollouts into a folder. */
  run: (out: string) => Cost
}

const home = makeArchive(values)
const rollouts = rolloutsOf([home])
const installed = join(scratch, 'peers')
const packages = ['claude-replay@0.9.0', '@act0r/codex-transcript-md@0.1.0']
execFileSync('npm', ['install', '--prefix', installed, '--silent', '--ignore-scripts', '--no-save', ...packages])
const bin = (name: string): string => join(installed, 'node_modules', name)

/** Runs one process per rollout, as these programs are called. */
function eachRollout(out: string, argsOf: (path: string, target: string) => string[]): Cost {
  const costs = rollouts.map(({ path }, index) => run(argsOf(path, join(out, String(index)))))
  return {
    cpu: costs.reduce((sum, { cpu }) => sum + cpu, 0),
    wall: costs.reduce((sum, { wall }) => sum + wall, 0),
    peak: Math.max(...costs.map(({ peak }) => peak)),
  }
}

function own(name: string, lacks: string, flags: readonly string[]): Exporter {
  return {
    name: `codex-export, ${name}`,
    lacks,
    run: (out) =>
      run(
        [join(root, 'dist/cli.js'), 'build', '--codex-home', home, '--out', out, '--cache', `${out}-cache`, ...flags],
        {
          CODEX_EXPORT_JOBS: '1',
        },
      ),
  }
}

const exporters: Exporter[] = [
  own('HTML and Markdown', '', ['--no-search']),
  own('HTML and Markdown, as recorded', 'redaction', ['--no-search', '--no-redact']),
  own('Markdown', 'HTML', ['--no-search', '--format', 'md']),
  {
    name: 'claude-replay 0.9.0, a page a session',
    lacks: 'HTML without script: the page holds data that a browser renders; reasoning, forks, exit codes, Markdown',
    run: (out) =>
      eachRollout(out, (path, target) => [bin('claude-replay/bin/claude-replay.mjs'), path, '-o', `${target}.html`]),
  },
  {
    name: '@act0r/codex-transcript-md 0.1.0, a file a session',
    lacks: 'all but the words of user and agent: commands, outputs, edits, reasoning; HTML; redaction',
    run: (out) =>
      eachRollout(out, (path, target) => [
        bin('@act0r/codex-transcript-md/bin/codex-transcript-md.js'),
        path,
        '-o',
        `${target}.md`,
      ]),
  },
]

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const total = rollouts.reduce((sum, { size }) => sum + size, 0)
say(`${rollouts.length} rollouts, ${(total / 1e6).toFixed(1)} MB. Medians of ${values.runs} rounds of CPU time.\n`)
say('| exporter | / bare parse | CPU s a MB | peak | written | lacks |\n| --- | --- | --- | --- | --- | --- |')
for (const { name, lacks, run: write } of exporters) {
  const out = join(scratch, 'out')
  const rounds = Array.from({ length: Number(values.runs) }, () => {
    for (const folder of [out, `${out}-cache`]) rmSync(folder, { recursive: true, force: true })
    if (!name.startsWith('codex-export')) execFileSync('mkdir', [out])
    const bare = run(['-e', bareParse, home])
    const cost = write(out)
    return { ...cost, ratio: cost.cpu / bare.cpu, written: bytesIn(out) }
  }).toSorted((a, b) => a.ratio - b.ratio)
  const middle = rounds[Math.floor(rounds.length / 2)]
  if (middle === undefined) continue
  const { ratio, cpu, peak, written } = middle
  const cells = [ratio.toFixed(1), (cpu / (total / 1e6)).toFixed(3), `${(peak / 2 ** 20).toFixed(0)} MiB`]
  say(`| ${[name, ...cells, `${(written / 1e6).toFixed(1)} MB`, lacks].join(' | ')} |`)
}
