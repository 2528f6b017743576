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

/** Gives the bytes between two places of a text that may lie on disk. They are there until it is called again. */
export type ReadBytes = (start: number, end: number) => Buffer

/** A place in the log of a build: what was set there is JSON, which is not kept in memory as well. */
export interface LogPlace {
  start: number
  bytes: number
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

/**
 * Reads an index; `undefined` for one that is damaged, or written under another stamp. Its values are read by `read` when they
 * are asked for, those that stand in a log by `readLog`.
 */
export function decodeIndex(
  bytes: Buffer,
  stamp: string,
  { read = reader(bytes), readLog }: { read?: ReadBytes | undefined; readLog?: ReadBytes | undefined } = {},
): CacheIndex | undefined {
  const head = Buffer.byteLength(headOf(stamp))
  if (bytes.toString('utf8', 0, head) !== headOf(stamp)) return undefined
  const foot = bytes.length - footLength
  if (foot < head || bytes.toString('utf8', foot) !== footOf(sha256(bytes.subarray(0, foot)))) return undefined
  const entries = new JsonLines({ bytes, start: head, read, readLog })
  const start = entries.end + between.length
  if (bytes.toString('utf8', entries.end, start) !== between) return undefined
  const blobs = new JsonLines({ bytes, start, read })
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

/** A value under a key: of thousands of sessions there are tens of thousands of these. */
interface Entry {
  /** The line that was read, without what parts it from the next one; where there is none, `end` is 0. */
  start: number
  end: number
  /** What was set: a text, the number of its packed JSON, or where that begins in the log. */
  set: string | number | undefined
  /** Bytes of the JSON in the log; 0 where it is not there. */
  logBytes: number
  isUsed: boolean
}

/** Units of a text that are written at once. */
const maxPiece = 64 * 1024

/** What stands between two lines. */
const parting = ',\n'

/** What `JsonLines` are made of. */
interface LinesSource {
  /** A text with the lines from `start` on, as far as they go. */
  bytes?: Buffer
  start?: number
  /** Reads that text again. */
  read?: ReadBytes | undefined
  readLog?: ReadBytes | undefined
}

/**
 * JSON values by key, in the order in which they were first set. A value is parsed when it is asked for, and is one and the same
 * until another one is; what was read is written as the same bytes again. What was set waits as packed text, or stands in a log:
 * of thousands of sessions it weighs a tenth of the objects.
 */
export class JsonLines {
  readonly #read: ReadBytes
  readonly #readLog: ReadBytes | undefined
  readonly #entries = new Map<string, Entry>()
  #packed = new PackedTexts()
  /** Texts in `#packed` that nothing leads to any more. */
  #stale = 0
  #isOther = false
  #last: { entry: Entry | undefined; value: unknown } = { entry: undefined, value: undefined }

  /** Takes the lines of `bytes`: behind them is `end`. */
  constructor({ bytes = Buffer.alloc(0), start = 0, read = reader(bytes), readLog }: LinesSource = {}) {
    this.#read = read
    this.#readLog = readLog
    this.end = start
    for (let line = lineAt(bytes, start); line !== undefined; line = lineAt(bytes, this.end)) {
      const text = bytes.toString('utf8', line.start, line.valueAt - 1)
      const key = parseJson(text)
      // Where its value begins is not kept: it follows from the key.
      if (typeof key !== 'string' || JSON.stringify(key) !== text) return
      this.end = bytes.indexOf(newline, line.end) + 1
      const entry = newEntry()
      entry.start = line.start
      entry.end = line.end
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
    if (entry === undefined) return undefined
    if (typeof entry.set === 'string') return entry.set
    if (this.#last.entry !== entry) this.#last = { entry, value: parseJson(this.#jsonOf(key, entry)) }
    return this.#last.value
  }

  set(key: string, value: unknown): void {
    const entry = this.#change(key)
    // The texts are hashes, which do not get shorter.
    entry.set = typeof value === 'string' ? value : this.#packed.add(JSON.stringify(value))
    if (this.#stale > this.#entries.size) this.#repack()
  }

  /** Sets a value whose JSON stands in the log. */
  setAt(key: string, { start, bytes }: LogPlace): void {
    const entry = this.#change(key)
    entry.set = start
    entry.logBytes = bytes
  }

  /** The entry under a key, without what was set before. */
  #change(key: string): Entry {
    const entry = this.#entries.get(key) ?? newEntry()
    if (isPacked(entry)) this.#stale++
    if (this.#last.entry === entry) this.#last = { entry: undefined, value: undefined }
    entry.set = undefined
    entry.logBytes = 0
    this.#entries.set(key, entry)
    return entry
  }

  /** Lets go what was set and then set anew: a process that watches sessions never ends. */
  #repack(): void {
    const packed = new PackedTexts()
    for (const entry of this.#entries.values()) {
      if (isPacked(entry)) entry.set = packed.add(this.#packed.get(entry.set))
    }
    this.#packed = packed
    this.#stale = 0
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry !== undefined && isPacked(entry)) this.#stale++
    const isThere = this.#entries.delete(key)
    this.#isOther ||= isThere
    return isThere
  }

  /** Marks what is under a key, if there is anything, as used, or as not used. */
  use(key: string, isUsed: boolean): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) entry.isUsed = isUsed
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
      const { start, end } = entry
      if (isSet(entry) && (end === 0 || textAt(this.#read, start, end) !== this.#lineOf(key, entry))) return true
    }
    return false
  }

  /** Its lines, piece by piece; those that were not set as they were read. A piece is there until the next one is asked for. */
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
      if (!isRead) continue
      for (let at = run.start; at < run.end; at += maxPiece) yield this.#read(at, Math.min(at + maxPiece, run.end))
    }
    if (!isFirst) yield `${text}\n`
  }

  /** Lines that were set, and between them the places of those that stand behind each other in the text that was read. */
  *#runs(): Generator<string | Pick<Line, 'start' | 'end'>> {
    let [from, to] = [0, 0]
    for (const [key, entry] of this.#entries) {
      const { start, end } = entry
      const goesOn = !isSet(entry) && to > 0 && start === to + parting.length
      if (!goesOn && to > 0) yield { start: from, end: to }
      if (!goesOn) from = start
      to = isSet(entry) ? 0 : end
      if (isSet(entry)) yield this.#lineOf(key, entry)
    }
    if (to > 0) yield { start: from, end: to }
  }

  /** The line of a value that was set. */
  #lineOf(key: string, entry: Entry): string {
    return `${JSON.stringify(key)}:${this.#jsonOf(key, entry)}`
  }

  /** The value under a key as JSON. */
  #jsonOf(key: string, { start, end, set, logBytes }: Entry): string {
    if (typeof set === 'string') return JSON.stringify(set)
    if (set !== undefined && logBytes === 0) return this.#packed.get(set)
    if (set !== undefined) return this.#readLog === undefined ? '' : textAt(this.#readLog, set, set + logBytes)
    return textAt(this.#read, start + Buffer.byteLength(JSON.stringify(key)) + 1, end)
  }
}

function newEntry(): Entry {
  return { start: 0, end: 0, set: undefined, logBytes: 0, isUsed: false }
}

/** Whether a value was set since the line was read, if there is one. */
function isSet({ set }: Entry): boolean {
  return set !== undefined
}

function isPacked(entry: Entry): entry is Entry & { set: number } {
  return typeof entry.set === 'number' && entry.logBytes === 0
}

/** Reads bytes that are in memory. */
function reader(bytes: Buffer): ReadBytes {
  return (start, end) => bytes.subarray(start, end)
}

function textAt(read: ReadBytes, start: number, end: number): string {
  return read(start, end).toString('utf8')
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
