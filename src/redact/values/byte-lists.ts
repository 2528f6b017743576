/** Keys as lists of their bytes after a name: `secretKey = [12, 255, …]`, `SECRET: [u8; 32] = [0x0c, …]`, `<Buffer 0c ff …>`. */

import { none, type Secret } from '../rule.ts'
import { isSecretOf } from './named-value.ts'
import type { NameKind } from './names.ts'

/** How the bytes of a list are written. */
interface Notation {
  /** What is between the name and the first byte. */
  between: RegExp
  /** Matches one byte with what separates it from the next. */
  byte: RegExp
  base: 10 | 16
  /** Pairs of digits are also how fingerprints are written, so the name must leave no doubt. */
  isOfPairs?: true
}

const assigned =
  '\\\\{0,3}["\'`]?(?:\\[\\w{0,20}\\])?(?:[ \\t]?:[ \\t]?&?\\[\\w{1,8}(?:; ?\\w{1,12})?\\](?=[ \\t]?=))?[ \\t]{0,24}(?:=>|:=|[:=])\\s{0,12}'
/** What constructs an array of bytes. */
const made = '(?:(?:new )?[&*]?[\\w.!]{0,24}(?:\\[\\w{0,8}\\]\\w{0,8})?(?:\\(\\d{1,4}\\))?[ \\t]?(?:\\(\\s{0,12})?)?'
const json =
  '\\{\\s{0,20}\\\\{0,3}"type\\\\{0,3}"\\s?:\\s?\\\\{0,3}"Buffer\\\\{0,3}",\\s{0,40}\\\\{0,3}"data\\\\{0,3}"\\s?:\\s{0,4}\\['
const opening = `${assigned}(?:${json}|${made}[[{(])\\s{0,40}`

const notations: readonly Notation[] = [
  {
    between: new RegExp(`${opening}(?=-?\\d{1,3}(?:,|[ ]\\d{1,3}[ ]))`, 'y'),
    byte: /(-?\d{1,3})(?:,?\s{1,60}|,|(?=\s{0,60}[\])}.]))/y,
    base: 10,
  },
  {
    between: new RegExp(`${opening}(?=(?:\\(byte\\)\\s?)?0x)`, 'y'),
    byte: /(?:\(byte\)\s?)?0x([\da-fA-F]{1,2})(?:u8)?(?:,\s{0,60}|(?=\s{0,60}[\])}]))/y,
    base: 16,
  },
  {
    between: new RegExp(`${assigned}${made}<(?:Buffer|Bytes)[ ]`, 'y'),
    byte: /([\da-f]{2})(?: |(?=>))/y,
    base: 16,
  },
  {
    between: new RegExp(`${assigned}(?=[\\da-fA-F]{2}[: -][\\da-fA-F]{2}[: -])`, 'y'),
    byte: /([\da-fA-F]{2})(?:[: -]\s{0,24}|(?![\w:-]))/y,
    base: 16,
    isOfPairs: true,
  },
]

const minBytes = 16
const maxBytes = 512
/** The lengths of keys. After a name that says little, nothing else is one. */
const keyLengths: ReadonlySet<number> = new Set([16, 24, 32, 48, 64])
const sureName = /priv|secret|shared|symm|master|encrypt/i

/** A part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

/** The key that a name binds as a list of bytes. */
export function secretBytes(text: string, name: Range, kind: NameKind): readonly Secret[] {
  for (const notation of notations) {
    notation.between.lastIndex = name.end
    if (!notation.between.test(text)) continue
    if (notation.isOfPairs && !sureName.test(text.slice(Math.max(0, name.start - 12), name.end))) return none
    return keyOf(text, notation.between.lastIndex, notation, kind)
  }
  return none
}

function keyOf(text: string, start: number, { byte, base }: Notation, kind: NameKind): readonly Secret[] {
  const bytes: number[] = []
  let end = start
  for (let at = start; bytes.length < maxBytes; at = byte.lastIndex) {
    byte.lastIndex = at
    const [whole = '', digits = ''] = byte.exec(text) ?? []
    if (whole === '') break
    bytes.push(Number.parseInt(digits, base))
    end = at + whole.lastIndexOf(digits) + digits.length
  }
  return isKey(bytes, kind) ? [{ start, end, value: text.slice(start, end) }] : none
}

/** Whether bytes are random, or a secret text. */
function isKey(bytes: readonly number[], kind: NameKind): boolean {
  if (bytes.length < minBytes || bytes.some((byte) => byte < -128 || byte > 255)) return false
  if (kind === 'weak' && !keyLengths.has(bytes.length)) return false
  if (bytes.every((byte) => byte >= 32 && byte < 127)) return isSecretOf(kind, String.fromCharCode(...bytes), 'literal')
  const steps = bytes.slice(1).map((byte, index) => byte - (bytes[index] ?? 0))
  const high = bytes.filter((byte) => byte < 0 || byte > 127).length
  const least = Math.min(bytes.length, 64) / 2
  // Numbers that count up, in any step, are not random.
  return high * 6 > bytes.length && new Set(bytes).size > least && new Set(steps).size > least
}
