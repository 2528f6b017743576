/** Drives an installed Firefox by its own protocol, Marionette: JSON messages prefixed with their length. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** An open window. */
export interface Firefox {
  open(url: string): Promise<void>
  /** Value that a function body in the page passes to its last argument, a callback. */
  ask<T>(body: string): Promise<T>
  close(): Promise<void>
}

/** Path of a Firefox: `FIREFOX_PATH`, or the first one on `PATH`. */
export function findFirefox(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => ['firefox', 'firefox-esr'].map((name) => join(folder, name)))
  return [process.env['FIREFOX_PATH'] ?? '', ...candidates].find((path) => path !== '' && existsSync(path))
}

/** No updates, no welcome page, no requests of the browser itself; any free port. */
const preferences = {
  'marionette.port': 0,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
}

/** Starts a Firefox with a new profile. */
export async function launchFirefox(path: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'codex-export-firefox-'))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const process = spawn(path, ['--headless', '--no-remote', '--marionette', '--profile', profile], { stdio: 'ignore' })
  const port = await activePort(profile, process)
  const socket = connect(port, '127.0.0.1')
  const call = caller(socket)
  await call('WebDriver:NewSession', { capabilities: { alwaysMatch: { timeouts: { script: 20_000 } } } })
  return {
    async open(url) {
      await call('WebDriver:Navigate', { url })
    },
    async ask<T>(script: string) {
      // The caller knows the type of its script's value.
      return ((await call('WebDriver:ExecuteAsyncScript', { script, args: [] })) as { value: T }).value
    },
    async close() {
      const ended = once(process, 'exit')
      await call('Marionette:Quit', { flags: ['eForceQuit'] })
      socket.destroy()
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The port that the browser writes into its profile as soon as it listens. */
async function activePort(profile: string, process: ChildProcess): Promise<number> {
  const file = join(profile, 'MarionetteActivePort')
  const read = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
  const changes = watch(profile)
  try {
    return await new Promise((resolve, reject) => {
      changes.on('change', () => read() > 0 && resolve(read()))
      process.once('error', reject)
      process.once('exit', () => reject(new Error('Firefox ended before it could be reached')))
    })
  } finally {
    changes.close()
  }
}

type Call = (command: string, parameters: object) => Promise<unknown>

/** Sends commands, each as `[0, id, name, parameters]`, and returns the answers, `[1, id, error, result]`. */
function caller(socket: Socket): Call {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>()
  let last = 0
  let held = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    held = Buffer.concat([held, bytes])
    for (let colon = held.indexOf(':'); colon > 0; colon = held.indexOf(':')) {
      const end = colon + 1 + Number(held.toString('latin1', 0, colon))
      if (held.length < end) return
      const message: unknown = JSON.parse(held.toString('utf8', colon + 1, end))
      held = held.subarray(end)
      // The first message of the browser is an object.
      if (!Array.isArray(message)) continue
      const [, id, error, result] = message as [number, number, { message: string } | null, unknown]
      if (error === null) waiting.get(id)?.resolve(result)
      else waiting.get(id)?.reject(new Error(error.message))
      waiting.delete(id)
    }
  })
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      const text = JSON.stringify([0, id, command, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}
