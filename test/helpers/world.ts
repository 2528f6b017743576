/** A world for commands that run without a process. */
import type { Sink, StopSignal, World } from '../../src/cli/world.ts'

/** What a command wrote, and ways to disturb it. */
export interface FakeWorld extends World {
  out: () => string
  err: () => string
  /** Presses Ctrl-C. */
  interrupt: (signal?: StopSignal) => void
  /** Advances the clock. */
  pass: (milliseconds: number) => void
  exits: number[]
}

/** A terminal and what is typed in it, one line per answer. */
interface Terminal {
  columns: number
  answers?: string[]
}

/** Creates a world with its own clock and streams; `change` replaces parts of it. */
export function fakeWorld(args: string[], change: Partial<World> = {}, terminal?: Terminal): FakeWorld {
  const out: string[] = []
  const err: string[] = []
  const exits: number[] = []
  const answers = [...(terminal?.answers ?? [])]
  const listeners = new Set<(signal: StopSignal) => void>()
  let time = Date.UTC(2026, 2, 14, 9, 26, 53)
  const sink = (parts: string[]): Sink => ({
    async write(text) {
      this.clear?.()
      parts.push(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'))
    },
    isTerminal: terminal !== undefined,
    columns: terminal?.columns,
  })
  return {
    args,
    program: 'codex-export',
    verbosity: 'normal',
    cwd: '/work-folder',
    homeDir: '/home/sam',
    env: {},
    stdin: {
      isTerminal: terminal !== undefined,
      readLine: async () => answers.shift(),
    },
    stdout: sink(out),
    stderr: sink(err),
    now: () => time,
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    exit: (code) => exits.push(code),
    out: () => out.join(''),
    err: () => err.join(''),
    interrupt(signal = 'SIGINT') {
      for (const listener of listeners) listener(signal)
    },
    pass(milliseconds) {
      time += milliseconds
    },
    exits,
    ...change,
  }
}
