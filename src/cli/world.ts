/** The process as a value, so that commands can be run without one. */

import { homedir } from 'node:os'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { UsageError } from '../diagnostics/errors.ts'
import { printable } from '../util/printable.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { calledAs } from './called-as-fs.ts'

/** A stream that text is written to. */
export interface Sink {
  /** Resolves when text or bytes were handed over, also where the reader went away. Throws `UsageError` where a disk refuses. */
  write(text: string | Uint8Array): Promise<void>
  isTerminal: boolean
  /** Width of the terminal. */
  columns: number | undefined
  /** Called before each write, while a bar may stand where it goes. */
  clear?: (() => void) | undefined
}

/** Where answers come from. */
export interface Source {
  /** The next line without its end; `undefined` where there is none, or when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | undefined>
  isTerminal: boolean
}

/** What a command may know of its surroundings. */
export interface World {
  /** Arguments behind the program's name. */
  args: readonly string[]
  /** The command that calls the program again from this folder: `codex-export`, `npx codex-export`, `node dist/cli.js` … */
  program: string
  cwd: string
  homeDir: string
  env: Readonly<Record<string, string | undefined>>
  stdin: Source
  /** The product. */
  stdout: Sink
  /** Text for people. */
  stderr: Sink
  /** How much is said on standard error. */
  verbosity: 'quiet' | 'normal' | 'verbose'
  /** The terminal that lists are shown on; absent where there is none. */
  terminal?: Terminal | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** Calls `listener` at each Ctrl-C or request to end; the result stops that. */
  onInterrupt(listener: (signal: StopSignal) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
  /** Brings the heap close to what lives in it, and keeps it so for a little more CPU time; absent where that cannot be done. */
  boundHeap?: () => void
}

/** Says something to people that warns of nothing and asks for nothing: `--quiet` leaves it out. */
export async function note({ stderr, verbosity }: World, text: string): Promise<void> {
  if (verbosity !== 'quiet') await stderr.write(text)
}

/**
 * Asks a question on the terminal, which `y` and `yes` answer with yes and all else with no; `undefined` where nobody can
 * be asked.
 */
export function confirm(
  { stdin, stderr }: Pick<World, 'stdin' | 'stderr'>,
  signal: AbortSignal,
): ((question: string) => Promise<boolean>) | undefined {
  if (!stdin.isTerminal || !stderr.isTerminal) return undefined
  return async (question) => {
    await stderr.write(`${printable(question)} [y/N] `)
    return /^y(?:es)?$/i.test((await stdin.readLine(signal))?.trim() ?? '')
  }
}

/** Whether a stream is shown by a terminal that may get colours (https://no-color.org). */
export function hasColour({ isTerminal }: Sink, env: World['env']): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === ''
}

/** The world of this process. */
export function processWorld(): World {
  const { platform } = process
  let program: string | undefined
  return {
    args: process.argv.slice(2),
    get program() {
      program ??= calledAs({ script: process.argv[1] ?? '', cwd: process.cwd(), env: process.env, platform })
      return program
    },
    cwd: process.cwd(),
    homeDir: homedir(),
    env: process.env,
    stdin: { isTerminal: process.stdin.isTTY === true, readLine },
    stdout: sink(process.stdout, true),
    stderr: sink(process.stderr, false),
    verbosity: 'normal',
    terminal: processTerminal(),
    now: Date.now,
    onInterrupt,
    exit: (code) => process.exit(code),
    boundHeap,
  }
}

/** Of 5,000 sessions 100 MB live: that the heap may be twice of it (`cli.ts`) costs as much again. */
function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

/** Opens standard input for one line only: a process that listens to it would never end. */
async function readLine(signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  // Not as a terminal of its own, which would keep Ctrl-C from us.
  const lines = createInterface({ input: process.stdin, terminal: false, signal })
  try {
    for await (const line of lines) return line
    return undefined
  } finally {
    lines.close()
  }
}

/** What a stream says when its reader went away, as in `list | head`: that reader has what it wanted. */
const endCodes: readonly (string | undefined)[] = ['EPIPE', 'EOF']

/** A stream of this process; `isProduct` says whether it fails where it cannot be written. */
function sink(stream: NodeJS.WriteStream, isProduct: boolean): Sink {
  let hasEnded = false
  // Without a listener it would end the process; what failed is told where it was written.
  stream.on('error', (error) => {
    hasEnded ||= endCodes.includes(errorCode(error))
  })
  const own: Sink = {
    write: (text) =>
      new Promise((resolve, reject) => {
        own.clear?.()
        stream.write(text, (cause) => {
          if (cause == null || !isProduct || hasEnded || endCodes.includes(errorCode(cause))) resolve()
          else reject(new UsageError(`Cannot write to standard output: ${reasonOf(cause)}.`, { cause }))
        })
      }),
    isTerminal: stream.isTTY === true && process.env['TERM'] !== 'dumb',
    columns: stream.columns,
  }
  return own
}

function onInterrupt(listener: (signal: StopSignal) => void): () => void {
  const signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, listener)
  process.on('SIGHUP', endByHangup)
  return () => {
    for (const signal of signals) process.off(signal, listener)
    process.off('SIGHUP', endByHangup)
  }
}

/** Node resets the terminal as it ends, and where that is gone aborts with a dump of its memory: the signal ends it before. */
function endByHangup(): void {
  if (process.platform === 'win32') return
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

/** The user stopped the program by Ctrl-C, or the system by a request to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: StopSignal

  constructor(signal: StopSignal = 'SIGINT', options?: ErrorOptions) {
    super('interrupted', options)
    this.signal = signal
  }
}

/** What stops the program: Ctrl-C, a request of the system, or the end of its terminal. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

// A terminal that is drawn on and read key by key.

/** How long keys that were typed before are waited for. */
const earlyMs = 50

const ctrlC = '\x03'

/** The terminal of a command, where standard input and standard error are one. */
export interface Terminal {
  size(): { columns: number; rows: number }
  /**
   * What is typed, as it comes; an empty text at first, and when the size changes. What was typed before is not told, but
   * for Ctrl-C: it was meant for something else. While it is read, keys are not shown and Ctrl-C is a key; afterwards the
   * terminal is as it was. Ends when the signal aborts.
   */
  input(signal: AbortSignal): AsyncIterable<string>
}

/** The terminal of this process; `undefined` where there is none. */
function processTerminal(): Terminal | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY || process.env['TERM'] === 'dumb') return undefined
  return {
    // A terminal that does not know its size says 0.
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
    input: (signal) => rawInput(signal),
  }
}

async function* rawInput(signal: AbortSignal): AsyncGenerator<string> {
  const { stdin, stderr } = process
  const waiting: string[] = []
  let wake = (): void => {}
  const take = (text: string): void => {
    waiting.push(text)
    wake()
  }
  let stands = false
  const onData = (data: Buffer): void => {
    const text = data.toString('utf8')
    if (stands || text.includes(ctrlC)) take(text)
  }
  const onResize = (): void => take('')
  const onAbort = (): void => wake()
  // The terminal is gone: in raw mode no key ends it.
  const onEnd = (): void => {
    endByHangup()
    take(ctrlC)
  }
  stdin.setRawMode(true)
  stdin.on('end', onEnd).on('error', onEnd)
  stdin.on('data', onData).resume()
  stderr.on('resize', onResize)
  signal.addEventListener('abort', onAbort)
  try {
    // What waits in the terminal comes at once when it is read; a busy process hears of the time before it reads.
    await delay(earlyMs)
    await new Promise((resolve) => setImmediate(resolve))
    stands = true
    // Only now keys are not shown any more: time to draw.
    waiting.unshift('')
    while (!signal.aborted) {
      const text = waiting.shift()
      if (text !== undefined) yield text
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    stderr.off('resize', onResize)
    stdin.off('data', onData).pause()
    stdin.setRawMode(false)
    stdin.off('end', onEnd).off('error', onEnd)
  }
}
