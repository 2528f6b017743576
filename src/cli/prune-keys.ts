/** Keys of a terminal in raw mode. */

/** What was pressed: a name for keys that give no character, else the character. */
export type Key =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'interrupt'
  | 'delete'
  | 'backspace'
  | (string & {})

const sequences: Readonly<Record<string, Key>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  '\x1b[5~': 'pageUp',
  '\x1b[6~': 'pageDown',
  '\x1b[H': 'home',
  '\x1bOH': 'home',
  '\x1b[1~': 'home',
  '\x1b[F': 'end',
  '\x1bOF': 'end',
  '\x1b[4~': 'end',
  '\x1b[3~': 'delete',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\x03': 'interrupt',
  '\x04': 'escape',
}

/** One key: an escape sequence whole, a lone escape, or a character. */
const key = /\x1b(?:\[[\d;]*[ -/]*[@-~]|O[A-Z])|[\s\S]/gu

/** The keys of a piece of input. Sequences that mean nothing here are left out. */
export function keysOf(input: string): Key[] {
  return (input.match(key) ?? []).flatMap((text) => {
    const name = Object.hasOwn(sequences, text) ? sequences[text] : undefined
    if (name !== undefined) return [name]
    return /^\P{Cc}$/u.test(text) ? [text] : []
  })
}
