/** What a terminal would leave of a text: no escape sequences, no controls, overwritten parts gone. */

/** Any control but tab and newline: a text without one is plain already. */
const control = /[\0-\x08\x0B-\x1F\x7F-\x9F]/
/** Strings such as OSC (titles, links, clipboard) with their end on the same line, then CSI, then short escapes. */
const escapes =
  /\x1B[\]PX^_][^\x07\x1B\x9C\n]*(?:\x07|\x1B\\|\x9C)|(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B[ -/]*[0-~]|\x1B/g
const controls = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g
/** What moves inside a line: a carriage return, and CSI K, which erases from the cursor, to the cursor or all. */
const moves = /(\r|(?:\x1B\[|\x9B)[0-2]?K)/

/** A text without escape sequences and controls; a carriage return lets what follows overwrite its line. */
export function stripAnsi(text: string): string {
  if (!control.test(text)) return text
  const unix = text.replaceAll('\r\n', '\n')
  if (!unix.includes('\r')) return stripEscapes(unix)
  return unix
    .split('\n')
    .map((line) => (line.includes('\r') ? overwrite(line) : stripEscapes(line)))
    .join('\n')
}

/**
 * A text of prose: every kind of line ending is a newline, nothing is overwritten. Byte order marks go too: a parser
 * drops one that begins a text, so that the same words would read differently further down.
 */
export function stripControls(text: string): string {
  const body = text.replaceAll('\uFEFF', '')
  return control.test(body) ? stripEscapes(body.replace(/\r\n?/g, '\n')) : body
}

function stripEscapes(text: string): string {
  return text.replace(escapes, '').replace(controls, '')
}

/** One line as it stands after its carriage returns. */
function overwrite(line: string): string {
  let cells: string[] = []
  let column = 0
  for (const part of line.split(moves)) {
    if (part === '\r') column = 0
    else if (moves.test(part)) cells = erased(cells, column, part.at(-2))
    else {
      for (const character of stripEscapes(part)) {
        cells[column] = character
        column += 1
      }
    }
  }
  return Array.from(cells, (cell) => cell ?? ' ').join('')
}

function erased(cells: string[], column: number, mode: string | undefined): string[] {
  if (mode === '2') return []
  return mode === '1' ? cells.map((cell, at) => (at <= column ? ' ' : cell)) : cells.slice(0, column)
}
