/** Text of unknown origin and output of programs, made safe for a terminal or reduced to plain text. */

/**
 * Characters that move the cursor, change the order of letters or are invisible. Tags that are not part of a region's flag and
 * variation selectors that do not follow a Chinese character are among them, because both can carry hidden messages.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0000}-\u{e007f}]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu

/**
 * Text of unknown origin on one line of a terminal: whitespace is collapsed to single spaces, control characters become `\x1b`,
 * and characters that reorder or hide others become `\u{202e}`.
 */
export function printable(text: string): string {
  return text.replace(/[\t\n\v\f\r \u2028\u2029]+/g, ' ').replace(unsafe, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for several lines, which stay lines and keep their indentation. */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(line.search(/[^ ]|$/)) + printable(line.replace(/^ +/, '')))
    .join('\n')
}

const unsafeInJson = new RegExp(`\\p{Cf}|${unsafe.source}`, 'gu')

/** The same JSON, with every character escaped that controls a terminal, formats text invisibly or can hide a message. */
export function printableJson(json: string): string {
  return json.replace(unsafeInJson, (character) => {
    if (character === '\n') return character
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/** A value as an indented JSON document that ends in a newline, for people and programs. */
export function jsonDocument(value: unknown): string {
  return `${printableJson(JSON.stringify(value, undefined, 2))}\n`
}

// Output of programs, reduced to what a terminal would still show.

/** Any control character but tab and newline: a text without one is already plain. */
const control = /[\0-\x08\x0B-\x1F\x7F-\x9F]/
/**
 * The source of a pattern for escape sequences: first strings such as OSC (titles, links, clipboard) that end on the same line,
 * then CSI, then short escapes.
 */
export const escapeSequence: string = String.raw`\x1B[\]PX^_][^\x07\x1B\x9C\n]*(?:\x07|\x1B\\|\x9C)|(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B[ -/]*[0-~]`
const escapes = new RegExp(String.raw`${escapeSequence}|\x1B`, 'g')
const controls = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g
/**
 * What moves the cursor or erases within a line: a carriage return, and CSI K, which erases from the cursor on, up to the cursor,
 * or the whole line.
 */
const moves = /(\r|(?:\x1B\[|\x9B)[0-2]?K)/

/** A text without escape sequences and control characters; after a carriage return, the following text overwrites its line. */
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
 * A text as prose: every line ending becomes a newline, and nothing is overwritten. Byte order marks are removed: a parser drops
 * one at the start of a text only, so the same words would read differently further down.
 */
export function stripControls(text: string): string {
  const body = text.replaceAll('\uFEFF', '')
  return control.test(body) ? stripEscapes(body.replace(/\r\n?/g, '\n')) : body
}

function stripEscapes(text: string): string {
  return text.replace(escapes, '').replace(controls, '')
}

/** A line as it looks after its carriage returns. */
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
