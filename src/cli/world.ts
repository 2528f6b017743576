/** Represents the process as a value, so that commands can run without one. */

import { homedir } from 'node:os'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { UsageError } from '../diagnostics/errors.ts'
import { printable } from '../util/printable.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { calledAs } from './called-as-fs.ts'

/** A stream to write to. */
export interface Sink {
  /** Resolves when the text or bytes were handed over, even if the reader has gone. Throws a `UsageError` if the disk refuses. */
  write(text: string | Uint8Array): Promise<void>
  isTerminal: boolean
  /** Width of the terminal. */
  columns: number | undefined
  /** Called before each write while a progress bar may be on the line. */
  clear?: (() => void) | undefined
}

/** Where answers come from. */
interface Source {
  /** The next line without its line ending; `undefined` if there is none, or when the signal aborts. */
  readLine(signal: AbortSignal): Promise<string | undefined>
  isTerminal: boolean
}

/** What a command may know of its surroundings. */
export interface World {
  /** Arguments after the program's name. */
  args: readonly string[]
  /** The command that calls the program again from this folder: `codex-export`, `npx codex-export`, `node dist/cli.js` … */
  program: string
  cwd: string
  homeDir: string
  env: Readonly<Record<string, string | undefined>>
  stdin: Source
  /** For the product of a command. */
  stdout: Sink
  /** For messages to people. */
  stderr: Sink
  /** How much is printed on standard error. */
  verbosity: 'quiet' | 'normal' | 'verbose'
  /** The terminal on which lists are shown; absent if there is none. */
  terminal?: Terminal | undefined
  /** Milliseconds since the epoch. */
  now: () => number
  /** Calls `listener` at each Ctrl-C or request to end, until the returned function is called. */
  onInterrupt(listener: (signal: StopSignal) => void): () => void
  /** Ends the process at once. */
  exit(code: number): void
  /**
   * Keeps the heap close to the size of its live objects from now on, at the cost of a little more CPU time; absent if this is
   * not possible.
   */
  boundHeap?: () => void
}

/** Prints something for people that neither warns nor asks; `--quiet` suppresses it. */
export async function note({ stderr, verbosity }: World, text: string): Promise<void> {
  if (verbosity !== 'quiet') await stderr.write(text)
}

/** The streams on which somebody is asked. */
type Dialogue = Pick<World, 'stdin' | 'stderr'>

/** Whether somebody can be asked. */
export function canAsk({ stdin, stderr }: Dialogue): boolean {
  return stdin.isTerminal && stderr.isTerminal
}

/** Asks a question on standard error, and returns the answer without whitespace around it; empty if there is none. */
export async function ask(question: string, { stdin, stderr }: Dialogue, signal: AbortSignal): Promise<string> {
  await stderr.write(question)
  return (await stdin.readLine(signal))?.trim() ?? ''
}

/** Returns a function that asks: `y` and `yes` mean yes, anything else no. `undefined` if nobody can be asked. */
export function confirm(dialogue: Dialogue, signal: AbortSignal): ((question: string) => Promise<boolean>) | undefined {
  if (!canAsk(dialogue)) return undefined
  return async (question) => /^y(?:es)?$/i.test(await ask(`${printable(question)} [y/N] `, dialogue, signal))
}

/** Columns that lines should fit into; `undefined` for a file or pipe. A terminal that does not know its width reports 0. */
export function widthOf({ isTerminal, columns }: Sink): number | undefined {
  return isTerminal ? columns || 80 : undefined
}

/** Whether a stream is a terminal that may show colours (https://no-color.org). */
export function hasColour({ isTerminal }: Sink, env: World['env']): boolean {
  return isTerminal && (env['NO_COLOR'] ?? '') === ''
}

/** The world of this process. Where its folder was deleted, whoever asks for `cwd` gets a `UsageError`. */
export function processWorld(): World {
  const { platform } = process
  const folder = workingFolder()
  let program: string | undefined
  return {
    args: process.argv.slice(2),
    get program() {
      program ??= calledAs({ script: process.argv[1] ?? '', cwd: folder ?? homedir(), env: process.env, platform })
      return program
    },
    get cwd() {
      if (folder !== undefined) return folder
      throw new UsageError('The working folder was deleted. Change to a folder that exists and call the command again.')
    },
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

function workingFolder(): string | undefined {
  try {
    return process.cwd()
  } catch {
    return undefined
  }
}

/** With 5,000 sessions, 100 MB stay alive; letting the heap grow to twice that (`cli.ts`) would cost another 100 MB. */
function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=25')
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
}

/** Opens standard input for a single line: a process that keeps listening to it would never end. */
async function readLine(signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  // Not as a terminal, which would take Ctrl-C away from us.
  const lines = createInterface({ input: process.stdin, terminal: false, signal })
  try {
    for await (const line of lines) return line
    return undefined
  } finally {
    lines.close()
  }
}

/** Error codes of a stream whose reader has gone, as in `list | head`: that reader has all it wanted. */
const endCodes: readonly (string | undefined)[] = ['EPIPE', 'EOF']

/** A stream of this process; `isProduct` says whether a write that fails is an error. */
function sink(stream: NodeJS.WriteStream, isProduct: boolean): Sink {
  let hasEnded = false
  // Without a listener, an error would end the process; it is reported by the write that failed.
  stream.on('error', (error) => {
    hasEnded ||= endCodes.includes(errorCode(error))
  })
  const result: Sink = {
    write: (text) =>
      new Promise((resolve, reject) => {
        result.clear?.()
        stream.write(text, (cause) => {
          if (cause == null || !isProduct || hasEnded || endCodes.includes(errorCode(cause))) resolve()
          else reject(new UsageError(`Cannot write to standard output: ${reasonOf(cause)}.`, { cause }))
        })
      }),
    isTerminal: stream.isTTY === true && process.env['TERM'] !== 'dumb',
    // A terminal can change its width.
    get columns() {
      return stream.columns
    },
  }
  return result
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

/**
 * Ends the process by the signal. Otherwise Node resets the terminal as it exits, and if the terminal has disappeared, aborts
 * with a core dump.
 */
function endByHangup(): void {
  if (process.platform === 'win32') return
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  })
}

/** The user stopped the program by Ctrl-C, or the system asked it to end. */
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

/** How long to wait for keys that were typed earlier. */
const earlyMs = 50

const ctrlC = '\x03'

/** The terminal of a command whose standard input and standard error are both terminals. */
export interface Terminal {
  size(): { columns: number; rows: number }
  /**
   * What is typed, as it arrives, and an empty text at first and when the size changes. What was typed earlier is dropped, except
   * for Ctrl-C, because it was meant for something else. While this runs, keys are not echoed and Ctrl-C is a key; afterwards the
   * terminal is as it was. Ends when the signal aborts.
   */
  input(signal: AbortSignal): AsyncIterable<string>
}

/** The terminal of this process; `undefined` if there is none. */
function processTerminal(): Terminal | undefined {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY || process.env['TERM'] === 'dumb') return undefined
  return {
    // A terminal that does not know its size reports 0.
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
    input: (signal) => rawInput(signal),
  }
}

async function* rawInput(signal: AbortSignal): AsyncGenerator<string> {
  const { stdin, stderr } = process
  const waiting: string[] = []
  let wake = (): void => {}
  const push = (text: string): void => {
    waiting.push(text)
    wake()
  }
  let isReading = false
  const onData = (data: Buffer): void => {
    const text = data.toString('utf8')
    if (isReading || text.includes(ctrlC)) push(text)
  }
  const onResize = (): void => push('')
  const onAbort = (): void => wake()
  // The terminal has disappeared, and in raw mode no key can end the program.
  const onEnd = (): void => {
    endByHangup()
    push(ctrlC)
  }
  stdin.setRawMode(true)
  stdin.on('end', onEnd).on('error', onEnd)
  stdin.on('data', onData).resume()
  stderr.on('resize', onResize)
  signal.addEventListener('abort', onAbort)
  try {
    // Input that waits in the terminal arrives as soon as it is read, but a busy process sees the timer fire before it reads.
    await delay(earlyMs)
    await new Promise((resolve) => setImmediate(resolve))
    isReading = true
    // Keys are no longer echoed, and earlier ones are dropped: time to draw.
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
