/** Texts written as their bytes: `[103, 104, 112]`, `0x67, 0x68`, `67:68:70`, `chr(103).chr(104)`. */

import type { Anchors } from '../anchors.ts'
import { none, type Rule, type Secret } from '../rule.ts'
import { searchNumber } from '../search.ts'

/** Returns the id of the rule that finds a secret in a decoded text. */
export type RuleIn = (decoded: string, anchors?: Anchors) => string | undefined

/** How bytes are written. */
interface Notation {
  /** Parts of it that rarely occur elsewhere. */
  anchors: readonly string[]
  follows: string
  /** Matches one byte of a list with what separates it from the next; the digits are a group. */
  run: RegExp
  /** Characters before an anchor that may belong to the list, too. */
  before: RegExp
  base: 10 | 16
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
/**
 * Bytes of two digits, one of them a letter, between separators: twenty encoded letters and digits nearly always include one of
 * these.
 */
const pairs = [...'ABCDEFabcdef'].flatMap((letter) => ['4', '5', '6', '7'].map((digit) => digit + letter))

const notations: readonly Notation[] = [
  {
    anchors: numbers(100, 126).flatMap((code) => [`${code},`, `${code}u8,`]),
    follows: '(?:\\s{0,40}\\d{1,3}(?:u8)?,){2}\\s{0,40}\\d{1,3}(?!\\d)',
    run: /(\d{1,9})(?:u8)?(?:,\s{0,40}|(?=\D|$))/y,
    before: /[\du,\s]/,
    base: 10,
  },
  {
    anchors: ['0x6', '0x7'],
    follows: '[\\da-fA-F](?:u8)?,\\s{0,40}0x[\\da-fA-F]{2}(?:u8)?,',
    run: /0x([\da-fA-F]{1,8})(?:u8)?(?:,\s{0,40}|(?=\W|$))/y,
    before: /[\da-fA-Fux,\s]/,
    base: 16,
  },
  {
    anchors: [' ', ':', '-'].flatMap((sign) => pairs.map((pair) => sign + pair + sign)),
    follows: '(?:[\\da-fA-F]{2}[ :-]){5}',
    run: /([\da-fA-F]{1,16})(?:[ :-]{0,2}\r?\n[ \t]{0,40}|[ :-]{1,2}|(?=\W|$))/y,
    before: /[\da-fA-F \t\n:-]/,
    base: 16,
  },
  {
    anchors: ['chr(', 'Chr(', 'CHR(', '[char]'],
    follows: '\\s?\\d{2,3}',
    run: /(?:[cC]hr\(|CHR\(|\[char\])\s?(\d{2,3})\)?[\s.+&|,]{0,12}/y,
    before: /[^\s\S]/,
    base: 10,
  },
]

/** Fewer bytes are not a token. */
const minBytes = 16
const maxBefore = 1024
const maxBytes = 4096
const overlap = 512

/** The rules for lists of bytes; `ruleIn` searches the text that the bytes encode. */
export function byteRules(ruleIn: RuleIn): readonly Rule[] {
  return notations.map((notation) => {
    // What was read last, because most bytes of a list are anchors.
    let last = { search: 0, end: 0 }
    return {
      id: 'encoded-secret',
      anchors: notation.anchors,
      follows: notation.follows,
      read(text, offset, anchors) {
        const search = searchNumber()
        if (last.search === search && offset < last.end) return none
        const { bytes, end } = bytesAround(text, offset, notation)
        last = { search, end }
        return secretsOf(text, bytes, (decoded) => ruleIn(decoded, anchors))
      },
    }
  })
}

interface Byte {
  start: number
  end: number
  code: number
}

/** Returns the bytes of the list around an offset, and the offset up to which they need not be read again. */
function bytesAround(text: string, offset: number, { run, before, base }: Notation): { bytes: Byte[]; end: number } {
  const bytes: Byte[] = []
  let at = listStart(text, offset, before)
  while (bytes.length < maxBytes) {
    run.lastIndex = at
    const [whole, digits = ''] = run.exec(text) ?? []
    if (whole === undefined) break
    const end = at + whole.indexOf(digits) + digits.length
    bytes.push({
      start: at,
      end: text.startsWith('u8', end) ? end + 2 : end,
      code: Number.parseInt(digits, base),
    })
    at += whole.length
  }
  // A token that the end cuts is read again with what follows.
  const end = bytes.length < maxBytes ? at : (bytes[maxBytes - overlap]?.start ?? at)
  return { bytes, end: Math.max(end, offset + 1) }
}

/** Offset at which a list begins, or at which its first whole byte does if the list is too long to look back. */
function listStart(text: string, offset: number, before: RegExp): number {
  let start = offset
  while (start > 0 && offset - start < maxBefore && before.test(text.charAt(start - 1))) start--
  const isCut = offset - start === maxBefore
  while (start < offset && isCut && !/[,\s:-]/.test(text.charAt(start))) start++
  while (start < offset && !/[\da-zA-Z[]/.test(text.charAt(start))) start++
  return start
}

const isPrintable = (code: number): boolean => (code >= 32 && code < 127) || code === 10

/** Returns the secrets that the bytes encode. Each run of printable bytes is searched by itself. */
function secretsOf(text: string, bytes: readonly Byte[], ruleIn: (decoded: string) => string | undefined): Secret[] {
  const found: Secret[] = []
  for (let from = 0; from < bytes.length; ) {
    let to = from
    while (to < bytes.length && isPrintable(bytes[to]?.code ?? 0)) to++
    const own = bytes.slice(from, to)
    const rule = own.length < minBytes ? undefined : ruleIn(own.map(({ code }) => String.fromCharCode(code)).join(''))
    const [start, end] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0]
    if (rule !== undefined) found.push({ start, end, value: text.slice(start, end), rule })
    from = to + 1
  }
  return found
}
