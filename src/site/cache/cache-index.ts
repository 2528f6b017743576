/**
 * The index of a cache as text: JSON with a line for each entry and blob. Most of what a build finds in it stays as it is, so
 * it is neither made again as text nor, where nobody asks for it, read.
 */

import { hasher, sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { PackedTexts } from '../../util/packed-texts.ts'

/** What an index holds. */
export interface CacheIndex {
  /** Values by key. */
  entries: JsonLines
  /** SHA-256 of blobs by key. */
  blobs: JsonLines
}

const schema = 'codex-export/cache'
/** Of the form of entries and blobs: a new one wherever either changes, for what an older program kept is read as ours. */
const version = 5

/** What stands between the entries and the blobs. */
const between = '},"blobs":{\n'

function headOf(stamp: string): string {
  return `${JSON.stringify({ schema, version, stamp }).slice(0, -1)},"entries":{\n`
}

/** Whether bytes are an index of any version, whole or not. */
export function isIndex(bytes: Uint8Array): boolean {
  const head = JSON.stringify({ schema }).slice(0, -1)
  return Buffer.from(bytes.subarray(0, head.length)).toString('latin1') === head
}

/** What stands behind the blobs: SHA-256 of all that stands before it. A letter that flips in a fact would change pages. */
function footOf(hash: string): string {
  return `},"sha256":"${hash}"}\n`
}

const footLength = footOf(sha256('')).length

/** Reads an index; `undefined` for one that is damaged, or written under another stamp. */
export function decodeIndex(bytes: Buffer, stamp: string): CacheIndex | undefined {
  const head = Buffer.byteLength(headOf(stamp))
  if (bytes.toString('utf8', 0, head) !== headOf(stamp)) return undefined
  const foot = bytes.length - footLength
  if (foot < head || bytes.toString('utf8', foot) !== footOf(sha256(bytes.subarray(0, foot)))) return undefined
  const entries = new JsonLines(bytes, head)
  const start = entries.end + between.length
  if (bytes.toString('utf8', entries.end, start) !== between) return undefined
  const blobs = new JsonLines(bytes, start)
  return blobs.end === foot ? { entries, blobs } : undefined
}

/** An index, piece by piece. */
export function* encodeIndex(stamp: string, index: CacheIndex): Generator<string | Uint8Array> {
  const whole = hasher()
  for (const piece of hashedPieces(stamp, index)) {
    whole.add(piece)
    yield piece
  }
  yield footOf(whole.digest())
}

function* hashedPieces(stamp: string, { entries, blobs }: CacheIndex): Generator<string | Uint8Array> {
  yield headOf(stamp)
  yield* entries.pieces()
  yield between
  yield* blobs.pieces()
}

/** The stamp under which an index was written; `undefined` for what is none. */
export function stampOf(bytes: Buffer): string | undefined {
  const line = bytes.toString('utf8', 0, Math.max(0, bytes.indexOf('\n')))
  const head = parseJson(`${line}}}`) as Record<string, unknown> | null | undefined
  const stamp = head?.['stamp']
  return typeof stamp === 'string' && `${line}\n` === headOf(stamp) ? stamp : undefined
}

// An object of thousands of values as JSON, a line for each.

const quote = 0x22
const backslash = 0x5c

/** A line in a text, without what parts it from the next one. */
interface Line {
  start: number
  end: number
  /** Where its value begins, behind the key. */
  valueAt: number
}

/** A value under a key, and the line that it was read from; where there is none, `end` is 0. */
interface Entry extends Line {
  /** What the line says, or the text that was set. */
  value: unknown
  /** `value` is there. */
  isParsed: boolean
  /** A value was set, and the line says what was there before. */
  isSet: boolean
  /** Number of the JSON of what was set, where that is no text; else -1. */
  place: number
  isUsed: boolean
}

/** UTF-16 units of a text that are written at once. */
const maxPiece = 64 * 1024

/** What stands between two lines. */
const parting = ',\n'

/**
 * JSON values by key, in the order in which they were first set. A value that was read is parsed when it is asked for; written, it
 * is the same bytes again. What was set waits as packed text: of thousands of sessions it weighs a tenth of the objects.
 */
export class JsonLines {
  readonly #bytes: Buffer
  readonly #entries = new Map<string, Entry>()
  #packed = new PackedTexts()
  /** Texts in `#packed` that nothing leads to any more. */
  #stale = 0
  #isOther = false

  /** Takes the lines of `bytes` from `start` on, as far as they go: behind them is `end`. */
  constructor(bytes: Buffer = Buffer.alloc(0), start: number = 0) {
    this.#bytes = bytes
    this.end = start
    for (let line = lineAt(bytes, start); line !== undefined; line = lineAt(bytes, this.end)) {
      const key = parseJson(bytes.toString('utf8', line.start, line.valueAt - 1))
      if (typeof key !== 'string') return
      this.end = bytes.indexOf(newline, line.end) + 1
      const entry = newEntry()
      entry.start = line.start
      entry.end = line.end
      entry.valueAt = line.valueAt
      this.#entries.set(key, entry)
    }
  }

  /** Place in the text behind the lines that were read. */
  readonly end: number

  keys(): IterableIterator<string> {
    return this.#entries.keys()
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The value under a key, or its copy where it was set; `undefined` also where its text is damaged. */
  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.isParsed) return entry?.value
    if (entry.place >= 0) return this.#packed.value(entry.place)
    entry.value = parseJson(this.#bytes.toString('utf8', entry.valueAt, entry.end))
    entry.isParsed = true
    return entry.value
  }

  set(key: string, value: unknown): void {
    const entry = this.#entries.get(key) ?? newEntry()
    if (entry.place >= 0) this.#stale++
    // The texts are hashes, which do not get shorter.
    const isText = typeof value === 'string'
    entry.isParsed = isText
    entry.isSet = true
    entry.value = isText ? value : undefined
    entry.place = isText ? -1 : this.#packed.add(JSON.stringify(value))
    this.#entries.set(key, entry)
    if (this.#stale > this.#entries.size) this.#repack()
  }

  /** Lets go what was set and then set anew: a process that watches sessions never ends. */
  #repack(): void {
    const packed = new PackedTexts()
    for (const entry of this.#entries.values()) {
      if (entry.place >= 0) entry.place = packed.add(this.#packed.get(entry.place))
    }
    this.#packed = packed
    this.#stale = 0
  }

  delete(key: string): boolean {
    if ((this.#entries.get(key)?.place ?? -1) >= 0) this.#stale++
    const isThere = this.#entries.delete(key)
    this.#isOther ||= isThere
    return isThere
  }

  /** Marks what is under a key, if there is anything, as used, or as not used. */
  use(key: string, isUsed: boolean): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) entry.isUsed = isUsed
  }

  /** Lets parsed values go that are parsed again where somebody asks for them. */
  letGo(): void {
    for (const entry of this.#entries.values()) {
      if (entry.isSet) continue
      entry.isParsed = false
      entry.value = undefined
    }
  }

  /** Deletes what is not used, takes all marks away, and gives how many were deleted. */
  deleteUnused(): number {
    const before = this.#entries.size
    for (const [key, entry] of this.#entries) {
      if (!entry.isUsed) this.delete(key)
      entry.isUsed = false
    }
    return before - this.#entries.size
  }

  /** Whether its text is another one than that which was read. */
  isChanged(): boolean {
    if (this.#isOther) return true
    for (const [key, entry] of this.#entries) {
      const { start, end, isSet } = entry
      if (isSet && (end === 0 || this.#bytes.toString('utf8', start, end) !== this.#lineOf(key, entry))) return true
    }
    return false
  }

  /** Its lines, piece by piece; those that were not set as they were read. */
  *pieces(): Generator<string | Uint8Array> {
    let text = ''
    let isFirst = true
    for (const run of this.#runs()) {
      const isRead = typeof run !== 'string'
      text += `${isFirst ? '' : parting}${isRead ? '' : run}`
      isFirst = false
      if (!isRead && text.length < maxPiece) continue
      yield text
      text = ''
      if (isRead) yield run
    }
    if (!isFirst) yield `${text}\n`
  }

  /** Lines that were set, and between them those that stand behind each other in the text that was read. */
  *#runs(): Generator<string | Uint8Array> {
    let [from, to] = [0, 0]
    for (const [key, entry] of this.#entries) {
      const { start, end, isSet } = entry
      const goesOn = !isSet && to > 0 && start === to + parting.length
      if (!goesOn && to > 0) yield this.#bytes.subarray(from, to)
      if (!goesOn) from = start
      to = isSet ? 0 : end
      if (isSet) yield this.#lineOf(key, entry)
    }
    if (to > 0) yield this.#bytes.subarray(from, to)
  }

  /** The line of a value that was set. */
  #lineOf(key: string, { value, isParsed, place }: Entry): string {
    return `${JSON.stringify(key)}:${isParsed ? JSON.stringify(value) : this.#packed.get(place)}`
  }
}

function newEntry(): Entry {
  return { start: 0, end: 0, valueAt: 0, value: undefined, isParsed: false, isSet: false, place: -1, isUsed: false }
}

const newline = 10
const comma = 0x2c
const colon = 0x3a

/** The line at a place of a text; `undefined` where there is none. */
function lineAt(bytes: Buffer, start: number): Line | undefined {
  if (bytes[start] !== quote) return undefined
  const end = bytes.indexOf(newline, start)
  let close = start + 1
  while (close < end && bytes[close] !== quote) close += bytes[close] === backslash ? 2 : 1
  if (close >= end || bytes[close + 1] !== colon) return undefined
  return { start, end: bytes[end - 1] === comma ? end - 1 : end, valueAt: close + 2 }
}
