/** Lets somebody mark items on a terminal. */
import type { PruneOptions } from '../app/prune.ts'
import { Interrupted } from './interrupted.ts'
import { keysOf } from './prune-keys.ts'
import { drawList, listRows } from './prune-screen.ts'
import { type ListState, namedBy, openList, press } from './prune-state.ts'
import type { Terminal } from './terminal.ts'
import type { Sink } from './world.ts'

/** A screen of its own, so that what stood on the terminal stands there again afterwards; no blinking cursor. */
const enter = '\x1b[?1049h\x1b[?25l'
const leave = '\x1b[?25h\x1b[?1049l'

/** What the list is shown on, and what it asks. */
export interface ListPlace {
  terminal: Terminal
  /** Where the screen is drawn. */
  out: Sink
  signal: AbortSignal
  /** Asked before anything is written. */
  question: string
}

/** Shows the list until somebody leaves it. The terminal is as it was afterwards, however it ends. */
export function editList(place: ListPlace): NonNullable<PruneOptions['edit']> {
  return async (view) => {
    const { out } = place
    await out.write(enter)
    try {
      const state = await readList(openList(view), place)
      return state.done === 'apply' ? namedBy(state) : undefined
    } finally {
      await out.write(leave)
    }
  }
}

/** The list as somebody left it. Throws `Interrupted` for Ctrl-C, and what the signal says. */
async function readList(opened: ListState, place: ListPlace): Promise<ListState> {
  const { terminal, signal } = place
  let state = opened
  for await (const text of terminal.input(signal)) {
    for (const key of keysOf(text)) {
      if (key === 'interrupt') throw new Interrupted()
      state = press(state, key, listRows(terminal.size()))
      if (state.done !== undefined) return state
    }
    await draw(state, place)
  }
  signal.throwIfAborted()
  return state
}

/** Draws over what stood there: a screen that is cleared first would flicker. */
async function draw(state: ListState, { terminal, out, question }: ListPlace): Promise<void> {
  const { lines, current } = drawList(state, terminal.size(), question)
  const rows = lines.map((line, at) => (at === current ? `\x1b[7m${line}\x1b[27m\x1b[K` : `${line}\x1b[K`))
  await out.write(`\x1b[H${rows.join('\r\n')}\x1b[J`)
}
