/** Complete processes and their costs: CPU time including their children, time, memory. Needs a POSIX shell. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The cost of one process: seconds of CPU and of the clock, and the highest memory of Node itself in bytes. */
export interface Cost {
  cpu: number
  wall: number
  peak: number
}

/** A folder for the files of measurements; removed at the end of the process. */
export const scratch: string = mkdtempSync(join(tmpdir(), 'codex-export-bench-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
// For users without a folder for caches, `list` stores nothing.
mkdirSync(join(scratch, '.cache'))

const [peakFile, hook] = [join(scratch, 'peak'), join(scratch, 'peak.cjs')]
writeFileSync(
  hook,
  `process.once('exit', () => require('node:fs').writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS * 1024)))`,
)

/** Runs Node in an empty folder, with that folder as the user's home; throws its error output if it fails. */
export function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Cost {
  // The shell prints the CPU time of all processes that it waited for, and of theirs: the second line of `times`.
  const script = '"$0" "$@" >/dev/null || exit; times'
  rmSync(peakFile, { force: true })
  const begin = process.hrtime.bigint()
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, process.execPath, '-r', hook, ...args], {
    cwd: scratch,
    env: { ...process.env, HOME: scratch, LC_ALL: 'C', ...env },
    encoding: 'utf8',
  })
  const wall = Number(process.hrtime.bigint() - begin) / 1e9
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(-2000)}`)
  const [user = 0, system = 0] = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  return { cpu: user + system, wall, peak: existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) : 0 }
}

/**
 * Reads rollouts with the least work that any program must do: in pieces through one buffer, each line as UTF-8,
 * `JSON.parse`. Compressed rollouts are ignored.
 */
export const bareParse = `
const { openSync, readSync, closeSync, readdirSync, statSync } = require('node:fs')
const { join } = require('node:path')
const buffer = Buffer.allocUnsafe(1 << 16)
let lines = 0
const parse = (text) => {
  if (text === '') return
  try { JSON.parse(text); lines++ } catch {}
}
const read = (file) => {
  const handle = openSync(file)
  let rest = []
  for (let size; (size = readSync(handle, buffer)) > 0; ) {
    let start = 0
    for (let end; (end = buffer.indexOf(10, start)) !== -1 && end < size; start = end + 1) {
      if (rest.length === 0) parse(buffer.utf8Slice(start, end))
      else {
        parse(Buffer.concat([...rest, buffer.subarray(start, end)]).utf8Slice())
        rest = []
      }
    }
    if (start < size) rest.push(Buffer.from(buffer.subarray(start, size)))
  }
  parse(Buffer.concat(rest).utf8Slice())
  closeSync(handle)
}
for (const root of process.argv.slice(1))
  for (const name of statSync(root).isDirectory() ? readdirSync(root, { recursive: true }) : [''])
    if (join(root, name).endsWith('.jsonl')) read(join(root, name))
`

/** Reads each rollout to a tree through the package's entry, as recorded. */
export const transcribeAll = `
const [entry, ...roots] = process.argv.slice(1)
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
import(entry).then(async ({ transcribe }) => {
  for (const root of roots)
    for (const name of readdirSync(root, { recursive: true }))
      if (/rollout-[^/]*\\.jsonl$/.test(name)) await transcribe(join(root, name), { redact: false }).catch(() => {})
})
`
