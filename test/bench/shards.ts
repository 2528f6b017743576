/**
 * Measures what shards cost, and the size of a site.
 *
 *     npm run bench:shards -- --codex-home DIR [--total 4]
 *
 * Builds the complete site, then each shard and the merge, each in its own process without a cache, and reports CPU time
 * relative to the complete build, highest memory of Node, and files and bytes of the site per session.
 */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Cost, run, scratch } from './measure.ts'

const { values } = parseArgs({
  options: { 'codex-home': { type: 'string' }, total: { type: 'string', default: '4' } },
})
const home = resolve(values['codex-home'] ?? 'fixtures/home')
const total = Number(values.total)
const program = resolve(import.meta.dirname, '../../dist/cli.js')
const [whole, site, shards] = [join(scratch, 'whole'), join(scratch, 'site'), join(scratch, 'shards')]

const call = (command: string, ...args: string[]): Cost =>
  run([program, command, '--codex-home', home, '--jobs', '1', ...args])
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const ratio = (cost: Cost, base: Cost): string => (cost.cpu / base.cpu).toFixed(2)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function sizeOf(folder: string): { files: number; bytes: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  return { files: entries.length, bytes }
}

const base = call('build', '--out', whole, '--cache', join(scratch, 'cache'))
const report = JSON.parse(readFileSync(join(whole, 'build-report.json'), 'utf8')) as { sessions: number }
const input = sizeOf(home)
const output = sizeOf(whole)
const index = sizeOf(join(whole, 'pagefind'))
say(
  `${report.sessions} sessions, ${megabytes(input.bytes)}; the site: ${output.files} files, ${megabytes(output.bytes)}`,
)
say(`of it the search: ${index.files} files, ${megabytes(index.bytes)}`)
say(
  `for each session: ${(output.files / report.sessions).toFixed(1)} files, ${megabytes(output.bytes / report.sessions)}`,
)
say('| process | CPU beside the whole build | memory of Node |')
say('|---|---|---|')
say(`| whole build | 1.00 | ${megabytes(base.peak)} |`)
let sum = 0
for (let part = 1; part <= total; part++) {
  const cost = call('build', '--shard', `${part}/${total}`, '--shards', shards)
  sum += cost.cpu
  say(`| shard ${part}/${total} | ${ratio(cost, base)} | ${megabytes(cost.peak)} |`)
}
const merge = call('merge', '--shards', shards, '--out', site, '--cache', join(scratch, 'merge-cache'))
say(`| merge | ${ratio(merge, base)} | ${megabytes(merge.peak)} |`)
say(`| all of them | ${((sum + merge.cpu) / base.cpu).toFixed(2)} | |`)
rmSync(shards, { recursive: true })
