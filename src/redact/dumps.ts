/** Dumps of bytes as a reading of a text: what `xxd`, `hexdump` and `od` print, as the text that it shows. */

import type { View } from './view.ts'

/** No dump of a token is shorter than two lines, whose second begins with sixteen. */
const secondLine = '0000010'
const secondLineOfOd = '0000020'
/** Begins both; engines look for texts so short in a fraction of the time. */
const zeros = '00000'
const line = /^[ \t]*(?:[|+>] ?)?([0-9a-fA-F]{6,10})(:?)[ \t]+(\S[^\n]*)$/gm
const bytesOf = /^(?:[0-9a-fA-F]{2}){1,8}(?: {1,3}(?:[0-9a-fA-F]{2}){1,8}){0,15}(?= {2}|\s*$|\s*\|)/
const maxBytes = 16

export function mayHoldDumps(text: string): boolean {
  return text.includes(zeros) && (text.includes(secondLine) || text.includes(secondLineOfOd))
}

/** The dumps of a text, as one view; none where there are none. Each byte stands for its whole line. */
export function dumpsIn(below: View): View[] {
  const { text } = below
  if (!mayHoldDumps(text)) return []
  let shown = ''
  const pieces: number[] = []
  for (const { 0: whole, 1: offset = '', 2: colon = '', 3: rest = '', index } of text.matchAll(line)) {
    const bytes = lettersOf(rest) ?? hexOf(rest, colon === '' && offset.length === 7)
    const head = whole.indexOf(offset)
    if (bytes !== '') pieces.push(shown.length, index + head, whole.length - head)
    shown += bytes
  }
  return shown === '' ? [] : [{ text: shown, origin: { below, pieces } }]
}

/** Bytes in hexadecimal digits; words of two bytes stand the wrong way round in `hexdump` without options. */
function hexOf(rest: string, isSwapped: boolean): string {
  const digits = (bytesOf.exec(rest)?.[0] ?? '').split(/ +/)
  const bytes = digits.flatMap((word) => {
    const pairs = word.match(/../g) ?? []
    return isSwapped && pairs.length === 2 ? pairs.toReversed() : pairs
  })
  return bytes
    .slice(0, maxBytes)
    .map((pair) => String.fromCharCode(Number.parseInt(pair, 16)))
    .join('')
}

/** `od -c` prints the characters themselves. */
function lettersOf(rest: string): string | undefined {
  const cells = rest.split(/ {2,3}/)
  if (cells.length < 4 || !cells.every((cell) => /^(?:\S|\\[0nrtabfv]|\d{3})?$/.test(cell))) return undefined
  return cells.map((cell) => (cell.length === 1 ? cell : '\n')).join('')
}
