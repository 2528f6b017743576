/** A text that a terminal of a fixed width cut into lines, as it was before: what stood in one line then tells what is secret. */

import { readings, type View } from './view.ts'

/** Terminals are no narrower. */
const minWidth = 40
/** Widths that terminals are opened with; of another one, two lines at least were cut. */
const usual: ReadonlySet<number> = new Set([80, 100, 120, 132, 160, 200])
const minOther = 2

/** What stands on both sides of a cut in a value, a name or an address. */
const cuttable = new Uint8Array(128)
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.:@~%-"\'\\')
  cuttable[sign.charCodeAt(0)] = 1

function isCuttable(code: number): boolean {
  return code < 128 && cuttable[code] === 1
}

/** The width at which a text was cut; 0 where it was not. */
export function widthOfWraps(text: string): number {
  let width = minWidth - 1
  let cuts = 0
  for (let start = 0; text.length - start > width; ) {
    const end = lineEnd(text, start)
    const length = lengthOfLine(text, start, end)
    if (length > width) [width, cuts] = [length, 0]
    if (length === width && isCut(text, start, start + length, end + 1)) cuts++
    start = end + 1
  }
  return cuts >= minOther || (cuts > 0 && usual.has(width)) ? width : 0
}

function lineEnd(text: string, start: number): number {
  const found = text.indexOf('\n', start)
  return found < 0 ? text.length : found
}

/** Without the return before a line's end. */
function lengthOfLine(text: string, start: number, end: number): number {
  return end - start - (text.charCodeAt(end - 1) === 13 ? 1 : 0)
}

/** Lines of a key or of encoded bytes are read elsewhere: they are cut wherever they are written. */
const encodedLine = /^[A-Za-z0-9+/=]+$/

/** Whether a line that ends at `end` goes on at `next`. */
function isCut(text: string, start: number, end: number, next: number): boolean {
  return (
    isCuttable(text.charCodeAt(next)) &&
    (isCuttable(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 32) &&
    !encodedLine.test(text.slice(start, end))
  )
}

/** The parts of a text in which lines were cut at such a width, with those joined. */
export function withoutWraps(view: View, width: number): View[] {
  return readings(view, (text, from) => {
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', end + 1)) {
      const start = text.lastIndexOf('\n', end - 1) + 1
      const length = lengthOfLine(text, start, end)
      if (length === width && isCut(text, start, start + length, end + 1))
        return { start: start + length, end: end + 1, instead: '' }
    }
    return undefined
  })
}
