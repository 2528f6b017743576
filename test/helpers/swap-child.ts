/** A process that replaces one site by another and kills itself in the middle of it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { openStagingArea } from '../../src/site/output/staging-fs.ts'

/** Counts changes on disk; at one of them, from the journal on, the process kills itself. */
const program = `
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
const [module, name, from, out, kill] = process.argv.slice(1)
const { [name]: open } = await import(module)
let count = -1
const beforeStep = ({ path }) => {
  if (count === -1 && !path.endsWith('journal.json')) return
  if (++count === Number(kill)) process.kill(process.pid, 'SIGKILL')
}
const stage = await open(out, { beforeStep })
for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  const path = relative(from, file)
  if (entry.isFile() && path !== 'manifest.json') stage.put({ path, content: readFileSync(file) })
}
await stage.commit()
process.stdout.write(String(count))
`

const source = new URL('../../src/site/output/staging-fs.ts', import.meta.url).pathname
let bundled: Promise<string> | undefined

/** The module as JavaScript in one file, because many processes load it. */
async function bundle(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'swap-')), 'staging.mjs')
  await build({ input: source, platform: 'node', output: { file }, logLevel: 'silent' })
  return file
}

/**
 * Replaces the site in `out` by that in `from`; killed before the change with the given number, counted from the journal
 * on. Returns the number of changes if it was not killed.
 */
export async function swapIn(from: string, out: string, kill = -2): Promise<number | 'killed'> {
  bundled ??= bundle()
  const args = [await bundled, openStagingArea.name, from, out, String(kill)]
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let count = ''
  child.stdout.on('data', (text: Buffer) => {
    count += text.toString('utf8')
  })
  const [status, signal] = await once(child, 'close')
  if (status !== 0 && signal !== 'SIGKILL') throw new Error(`the swap ended with ${status ?? signal}`)
  return signal === 'SIGKILL' ? 'killed' : Number(count)
}
