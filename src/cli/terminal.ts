/** A terminal that is drawn on and read key by key. */

import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

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
export function processTerminal(): Terminal | undefined {
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
  stdin.setRawMode(true)
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
  }
}
