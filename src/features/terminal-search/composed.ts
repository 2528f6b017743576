/** What scripts of code mode put together: words that are in no bytes of a rollout, such as `page_39` from `page_${n}`. */

import { asObject, asString } from '../../rollout/parse/decode.ts'
import type { ByteSource } from '../../rollout/read/source.ts'
import { readScript } from '../../rollout/script/read-script-fs.ts'
import { plainOf } from '../../rollout/script/value.ts'
import { parseJson } from '../../util/json.ts'

/**
 * Yields the arguments of the calls, as JSON, in each script that may put one of the words together. `offsets` are in the
 * lines of scripts.
 */
export function* composedTexts(
  source: ByteSource,
  offsets: readonly number[],
  words: readonly string[],
): Generator<string> {
  const asked = words.map((word) => word.toLowerCase())
  for (const offset of offsets) {
    const code = scriptIn(lineAround(source, offset))
    if (code === undefined) continue
    // Reading all scripts would take as long as the rest of a search for a word that no session holds.
    const text = code.toLowerCase()
    if (!asked.some((word) => hasPieces(text, word))) continue
    for (const { args } of readScript(code).calls) yield JSON.stringify(args.map((arg) => plainOf(arg).value))
  }
}

/** Average letters of the pieces from which a word may be built; words of shorter pieces are not found. */
const pieceLength = 3

/**
 * Whether a text contains the letters of a word in few pieces, each as long as possible. Digits and signs may come from
 * anywhere.
 */
function hasPieces(text: string, word: string): boolean {
  const letters = word.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
  let remaining = Math.max(1, Math.floor(letters.join('').length / pieceLength))
  for (const run of letters) {
    for (let at = 0; at < run.length; remaining--) {
      if (remaining === 0) return false
      let end = at + 1
      while (end < run.length && text.includes(run.slice(at, end + 1))) end++
      at = end
    }
  }
  return true
}

/** Bytes that are read on each side of an offset: at first, and at most. A longer line is no script that could be read. */
const [reach, maxReach] = [1 << 13, 1 << 22]

/** The line around an offset; empty if it is too long. */
function lineAround(source: ByteSource, offset: number): string {
  for (let around = reach; around <= maxReach; around *= 8) {
    const from = Math.max(0, offset - around)
    const to = Math.min(source.size, offset + around)
    const bytes = Buffer.allocUnsafe(to - from)
    source.read(bytes, 0, to - from, from)
    const start = bytes.lastIndexOf('\n', offset - from)
    const end = bytes.indexOf('\n', offset - from)
    if ((start !== -1 || from === 0) && (end !== -1 || to === source.size))
      return bytes.toString('utf8', start + 1, end === -1 ? bytes.length : end)
  }
  return ''
}

/** The script of a line; `undefined` if it has none. */
function scriptIn(line: string): string | undefined {
  // A damaged or too long line is reported when the session itself is read.
  return asString(asObject(asObject(parseJson(line))?.['payload'])?.['input'])
}
