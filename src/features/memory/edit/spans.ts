/**
 * Finds values in the text of a record by bytes, so that a part can be removed while the rest stays as it was written,
 * down to the notation of its numbers.
 */

/** A range of bytes, `end` exclusive. */
export interface Span {
  start: number
  end: number
}

/** Bytes to remove, and what replaces them: the bytes of `insert`, then as many spaces as `blanks` says. */
export interface Edit extends Span {
  insert?: Uint8Array
  blanks?: number
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/**
 * The elements of the array at a path of keys, without surrounding whitespace; `undefined` if there is no array. The
 * bytes must be valid JSON. Keys are compared as they are written; of repeated keys, the last counts.
 */
export function elementSpans(bytes: Uint8Array, keys: readonly string[]): Span[] | undefined {
  const value = valueSpan(bytes, keys)
  return value !== undefined && bytes[firstByte(bytes, value)] === 0x5b ? partsOf(bytes, value) : undefined
}

/** The value at a path of keys in an object in the bytes; `undefined` if there is none. */
export function valueSpan(
  bytes: Uint8Array,
  keys: readonly string[],
  object: Span = { start: 0, end: bytes.length },
): Span | undefined {
  let value: Span | undefined = object
  for (const key of keys) {
    const at: Span = value
    value = bytes[firstByte(bytes, at)] === 0x7b ? memberOf(bytes, at, key) : undefined
    if (value === undefined) return undefined
  }
  return value
}

/**
 * The bytes to remove so that these elements are deleted and the text stays valid JSON. Each element goes with the comma
 * before it, or with the one after it if no earlier element is kept. `indices` must be ascending. Spans that touch are
 * joined.
 */
export function elementCuts(elements: readonly Span[], indices: readonly number[]): Span[] {
  const deleted = new Set(indices)
  const firstKept = elements.findIndex((_, index) => !deleted.has(index))
  const cuts = indices.flatMap((index): Span[] => {
    const element = elements[index]
    if (element === undefined) return []
    const before = elements[index - 1]
    if (firstKept === -1 || index < firstKept)
      return [{ start: element.start, end: elements[index + 1]?.start ?? element.end }]
    return [{ start: before?.end ?? element.start, end: element.end }]
  })
  return joined(cuts)
}

/** Whether two edits make the same change to the same bytes. */
export function isSameEdit(a: Edit, b: Edit | undefined): boolean {
  if (a.start !== b?.start || a.end !== b.end || a.blanks !== b.blanks) return false
  return Buffer.from(a.insert ?? []).equals(b.insert ?? new Uint8Array())
}

/** Sorts edits, and joins cuts that touch or overlap. */
export function joined(edits: readonly Edit[]): Edit[] {
  const result: Edit[] = []
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    const isCut = edit.insert === undefined && last?.insert === undefined
    if (isCut && last !== undefined && edit.start <= last.end) last.end = Math.max(last.end, edit.end)
    else result.push({ ...edit })
  }
  return result
}

function memberOf(bytes: Uint8Array, object: Span, key: string): Span | undefined {
  const wanted = Buffer.from(JSON.stringify(key))
  let found: Span | undefined
  for (const member of partsOf(bytes, object)) {
    const keyEnd = stringEnd(bytes, member.start) + 1
    if (!wanted.equals(bytes.subarray(member.start, keyEnd))) continue
    const colon = bytes.indexOf(0x3a, keyEnd)
    found = { start: firstByte(bytes, { start: colon + 1, end: member.end }), end: member.end }
  }
  return found
}

/** The members of an object or the elements of an array. */
function partsOf(bytes: Uint8Array, container: Span): Span[] {
  const parts: Span[] = []
  const open = firstByte(bytes, container)
  let start = open + 1
  let depth = 0
  for (let at = open; at < container.end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = stringEnd(bytes, at)
    else if (opening.has(byte)) depth++
    else if (byte === comma && depth === 1) {
      parts.push(trimmed(bytes, { start, end: at }))
      start = at + 1
    } else if (closing.has(byte) && --depth === 0) {
      const last = trimmed(bytes, { start, end: at })
      return last.start < last.end ? [...parts, last] : parts
    }
  }
  return parts
}

/** Index of the quote that closes the string opened at `open`. */
function stringEnd(bytes: Uint8Array, open: number): number {
  let at = open + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function firstByte(bytes: Uint8Array, { start, end }: Span): number {
  let at = start
  while (at < end && isBlank(bytes[at])) at++
  return at
}

function trimmed(bytes: Uint8Array, span: Span): Span {
  const start = firstByte(bytes, span)
  let { end } = span
  while (end > start && isBlank(bytes[end - 1])) end--
  return { start, end }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
}
