/** The part of CBOR that Pagefind writes: lists of known length, texts, and whole numbers of at most 32 bits. */

import { gunzipSync, gzipSync } from 'node:zlib'
import { SearchError } from './service-fs.ts'

/** Every unpacked file of Pagefind begins with this. */
export const signature = 'pagefind_dcd'

/** Kinds of values. */
export const whole = 0
export const listKind = 4
const [negative, textKind] = [1, 3]

type Plain = string | number | readonly Plain[]

/** The bytes of a value. */
export function encode(value: Plain): Buffer {
  if (typeof value === 'number') return value < 0 ? head(negative, -1 - value) : head(whole, value)
  return typeof value === 'string'
    ? encodeBytes(Buffer.from(value))
    : Buffer.concat([head(listKind, value.length), ...value.map(encode)])
}

function encodeBytes(content: Buffer): Buffer {
  return Buffer.concat([head(textKind, content.length), content])
}

/** The bytes that precede a value: its kind, and its length or the number itself. */
export function head(kind: number, size: number): Buffer {
  const first = kind << 5
  if (size < 24) return Buffer.of(first | size)
  if (size < 1 << 8) return Buffer.of(first | 24, size)
  if (size < 1 << 16) return Buffer.of(first | 25, size >> 8, size & 255)
  const bytes = Buffer.of(first | 26, 0, 0, 0, 0)
  bytes.writeUInt32BE(size, 1)
  return bytes
}

/**
 * Packs a file of values, at a lower level than usual: the usual one takes a quarter more time to save two bytes in a thousand.
 */
export function pack(pieces: readonly Uint8Array[]): Uint8Array {
  return gzipSync(Buffer.concat([Buffer.from(signature), ...pieces]), { level: 5 })
}

/** Writes values one after the other. */
export interface CborWriter {
  head: (kind: number, size: number) => void
  text: (content: Uint8Array) => void
  /** Writes the bytes of complete values. */
  bytes: (content: Uint8Array) => void
  /** Number of bytes that are written and not taken yet. */
  length: () => number
  /** Removes the first bytes and returns them; the others stay. */
  take: (length: number) => Buffer
}

/** A writer into a single buffer that is kept, because a file has thousands of values of a few bytes. */
export function cborWriter(): CborWriter {
  let bytes = Buffer.allocUnsafeSlow(64 << 10)
  let end = 0
  const write = (content: Uint8Array): void => {
    if (end + content.length > bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (end + content.length))
      bytes.copy(larger, 0, 0, end)
      bytes = larger
    }
    bytes.set(content, end)
    end += content.length
  }
  const writeHead = (kind: number, size: number): void => {
    if (size < 24 && end < bytes.length) bytes[end++] = (kind << 5) | size
    else write(head(kind, size))
  }
  return {
    head: writeHead,
    bytes: write,
    text(content: Uint8Array): void {
      writeHead(textKind, content.length)
      write(content)
    },
    length: () => end,
    take(length: number): Buffer {
      const taken = Buffer.from(bytes.subarray(0, length))
      bytes.copyWithin(0, length, end)
      end -= length
      return taken
    },
  }
}

/** Reads values one after the other. Each call says what must come next, and fails if it is something else. */
export interface CborReader {
  fail: () => never
  /** Offset of the next value. */
  at: () => number
  /** The bytes from an offset up to the next value. */
  span: (from: number) => Buffer
  /** Begins a list, and returns how many values follow. */
  list: () => number
  /** Begins a list that must have this many values. */
  tuple: (length: number) => void
  listOf: <T>(read: () => T) => T[]
  /** Reads a number that is not negative. */
  count: () => number
  number: () => number
  /** Skips a list of numbers, and returns how many there are. */
  passNumbers: () => number
  bytesOfText: () => Buffer
  text: () => string
  end: () => void
}

/**
 * In how many bytes a size is stored that does not fit into the first byte of a value; that byte then contains 24 plus the index
 * here.
 */
const sizeLengths = [1, 2, 4]

/** A reader for a packed file. If the file does not have the expected form, it throws a `SearchError` that names `extension`. */
export function cborReader(packed: Uint8Array, extension: string): CborReader {
  const fail = (): never => {
    throw new SearchError(
      `A file \`.${extension}\` of Pagefind has a form that this version does not know. Build with \`--no-search\`.`,
    )
  }
  const bytes = unpack(packed) ?? fail()
  let at = signature.length
  const take = (length: number): number => {
    at += length
    return at > bytes.length ? fail() : at - length
  }
  const size = (kind: number): number => {
    const first = bytes[take(1)] ?? 0
    const short = first & 31
    if (first >> 5 !== kind) fail()
    if (short < 24) return short
    const length = sizeLengths[short - 24] ?? fail()
    return bytes.readUIntBE(take(length), length)
  }
  const number = (): number => ((bytes[at] ?? 0) >> 5 === negative ? -1 - size(negative) : size(whole))
  const bytesOfText = (): Buffer => {
    const from = take(size(textKind))
    return bytes.subarray(from, at)
  }
  const list = (): number => size(listKind)
  return {
    fail,
    at: () => at,
    span: (from: number): Buffer => bytes.subarray(from, at),
    list,
    tuple(length: number): void {
      if (list() !== length) fail()
    },
    listOf: <T>(read: () => T): T[] => Array.from({ length: list() }, read),
    count: (): number => size(whole),
    number,
    passNumbers(): number {
      const count = list()
      for (let remaining = count; remaining > 0; remaining--) {
        const first = bytes[at] ?? 0
        const short = first & 31
        if (first >> 5 > negative || at >= bytes.length) fail()
        at += short < 24 ? 1 : 1 + (sizeLengths[short - 24] ?? fail())
      }
      return at > bytes.length ? fail() : count
    },
    bytesOfText,
    text: (): string => bytesOfText().toString(),
    end(): void {
      if (at !== bytes.length) fail()
    },
  }
}

function unpack(packed: Uint8Array): Buffer | undefined {
  try {
    const bytes = gunzipSync(packed)
    return bytes.toString('latin1', 0, signature.length) === signature ? bytes : undefined
  } catch {
    // The file is not packed, or not complete any more.
    return undefined
  }
}
