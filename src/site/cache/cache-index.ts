/**
 * The index of a cache as text: JSON with one line for each entry and blob. Most of it stays unchanged in a build, so those parts
 * are not converted to text again, and not even read if nobody asks for them.
 */

import { type Line, lineBuffers, readLines } from '../../rollout/read/lines.ts'
import { type ByteSource, bufferSource } from '../../rollout/read/source.ts'
import { hasher, sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { PackedTexts } from '../../util/packed-texts.ts'
import { indexSchema } from './cache-folder-fs.ts'

/** The contents of an index. */
export interface CacheIndex {
  /** Values by key. */
  entries: JsonLines
  /** SHA-256 of blobs by key. */
  blobs: JsonLines
}

/** Returns the bytes between two positions of a text that may be on disk. They are valid until the next call. */
export type ReadBytes = (start: number, end: number) => Buffer

/** A range of a build's log: the JSON of what was set there, which is not kept in memory as well. */
export interface LogRange {
  start: number
  bytes: number
}

/**
 * Version of the form of entries and blobs. It must change whenever either does, because what an older program kept is read as
 * ours.
 */
const version = 5

/** The text between the entries and the blobs. */
const between = '},"blobs":{\n'

function headOf(stamp: string): string {
  return `${JSON.stringify({ schema: indexSchema, version, stamp }).slice(0, -1)},"entries":{\n`
}

/** The text after the blobs: SHA-256 of everything before it. A single changed letter in a fact would change pages. */
function footOf(hash: string): string {
  return `},"sha256":"${hash}"}\n`
}

const footLength = footOf(sha256('')).length

/** The text of an index, which may be on disk. */
export interface IndexText {
  /** The whole text, read from its beginning. */
  source: ByteSource
  /** Reads parts of it when values are asked for. */
  read: ReadBytes
}

/** A text in memory. */
export function textInMemory(bytes: Buffer): IndexText {
  return { source: bufferSource(bytes), read: (start, end) => bytes.subarray(start, end) }
}

/**
 * Reads an index; `undefined` if it is damaged or was written under another stamp. Its values are read when they are asked for;
 * `readLog` reads those that are in a log. Throws what its source throws.
 */
export function decodeIndex(text: IndexText, stamp: string, readLog?: ReadBytes): CacheIndex | undefined {
  const { source } = text
  const head = Buffer.byteLength(headOf(stamp))
  const foot = source.size - footLength
  if (foot < head || partOf(source, 0, head) !== headOf(stamp)) return undefined
  if (partOf(source, foot, source.size) !== footOf(hashOf(source, foot))) return undefined
  const entries = new JsonLines({ text, start: head, readLog })
  const start = entries.end + between.length
  if (partOf(source, entries.end, start) !== between) return undefined
  const blobs = new JsonLines({ text, start })
  return blobs.end === foot ? { entries, blobs } : undefined
}

/** A short part of a source, as text. */
function partOf(source: ByteSource, start: number, end: number): string {
  const bytes = Buffer.alloc(end - start)
  return bytes.toString('utf8', 0, source.read(bytes, 0, bytes.length, start))
}

/** SHA-256 of the first `end` bytes, read in pieces because an index of thousands of sessions is long. */
function hashOf(source: ByteSource, end: number): string {
  const whole = hasher()
  const memory = lineBuffers.acquire()
  for (let at = 0; at < end; ) {
    const length = source.read(memory, 0, Math.min(memory.length, end - at), at)
    if (length === 0) break
    whole.add(memory.subarray(0, length))
    at += length
  }
  lineBuffers.release(memory)
  return whole.digest()
}

/** The text of an index, piece by piece. */
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

/** The stamp under which an index was written; `undefined` if the bytes are not an index. */
export function stampOf(bytes: Buffer): string | undefined {
  const line = bytes.toString('utf8', 0, Math.max(0, bytes.indexOf('\n')))
  const head = parseJson(`${line}}}`) as Record<string, unknown> | null | undefined
  const stamp = head?.['stamp']
  return typeof stamp === 'string' && `${line}\n` === headOf(stamp) ? stamp : undefined
}

// An object of thousands of values as JSON, one line for each.

const quote = 0x22
const backslash = 0x5c

/** A value under a key; thousands of sessions have tens of thousands of these. */
interface Entry {
  /** Position of the line that was read, without the separator after it; `end` is 0 if there is no line. */
  start: number
  end: number
  /** What was set: a text, the number of its packed JSON, or the offset of the JSON in the log. */
  set: string | number | undefined
  /** Length of the JSON in the log in bytes; 0 if it is not there. */
  logBytes: number
  isUsed: boolean
}

/** UTF-16 units of text that are written at once. */
const maxPiece = 64 * 1024

/** The separator between two lines. */
const parting = ',\n'

/** What `JsonLines` is made from. */
interface LinesSource {
  /** A text that contains the lines from `start` on, as far as they go. */
  text?: IndexText
  start?: number
  readLog?: ReadBytes | undefined
}

/**
 * JSON values by key, in the order in which they were first set. A value is parsed when it is asked for, and stays the same
 * object until another value is asked for. Values that were read are written back as the same bytes. Values that were set wait as
 * packed text or are in a log; for thousands of sessions, that takes a tenth of the memory of objects.
 */
export class JsonLines {
  readonly #read: ReadBytes
  readonly #readLog: ReadBytes | undefined
  readonly #entries = new Map<string, Entry>()
  #packed = new PackedTexts()
  /** Number of texts in `#packed` that are no longer used. */
  #stale = 0
  #isOther = false
  #last: { entry: Entry | undefined; value: unknown } = { entry: undefined, value: undefined }

  /** Takes the lines of a text; `end` is the offset after them. */
  constructor({ text = textInMemory(Buffer.alloc(0)), start = 0, readLog }: LinesSource = {}) {
    const { source, read } = text
    this.#read = read
    this.#readLog = readLog
    let end = start
    const take = ({ bytes, byteOffset, byteLength, terminated }: Line): boolean => {
      const valueAt = terminated ? valueOffset(bytes) : undefined
      if (valueAt === undefined) return false
      const name = bytes.toString('utf8', 0, valueAt - 1)
      const key = parseJson(name)
      // The offset of the value is not stored, because it follows from the key.
      if (typeof key !== 'string' || JSON.stringify(key) !== name) return false
      end = byteOffset + byteLength + 1
      const entry = newEntry()
      entry.start = byteOffset
      entry.end = byteOffset + bytes.length - (bytes[bytes.length - 1] === comma ? 1 : 0)
      this.#entries.set(key, entry)
      return true
    }
    // A line with everything that is known about a large site is long, and must be read completely.
    readLines(source, take, { start, end: source.size, firstLine: 1 }, { maxLineBytes: Number.POSITIVE_INFINITY })
    this.end = end
  }

  /** Offset in the text after the lines that were read. */
  readonly end: number

  keys(): IterableIterator<string> {
    return this.#entries.keys()
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The value under a key, which is a copy if it was set; `undefined` if there is none or its text is damaged. */
  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (typeof entry.set === 'string') return entry.set
    if (this.#last.entry !== entry) this.#last = { entry, value: parseJson(this.#jsonOf(key, entry)) }
    return this.#last.value
  }

  set(key: string, value: unknown): void {
    const entry = this.#change(key)
    // Texts are hashes, which packing does not shorten.
    entry.set = typeof value === 'string' ? value : this.#packed.add(JSON.stringify(value))
    if (this.#stale > this.#entries.size) this.#repack()
  }

  /** Sets a value whose JSON is in the log. */
  setAt(key: string, { start, bytes }: LogRange): void {
    const entry = this.#change(key)
    entry.set = start
    entry.logBytes = bytes
  }

  /** The entry under a key, without the value that was set before. */
  #change(key: string): Entry {
    const entry = this.#entries.get(key) ?? newEntry()
    if (isPacked(entry)) this.#stale++
    if (this.#last.entry === entry) this.#last = { entry: undefined, value: undefined }
    entry.set = undefined
    entry.logBytes = 0
    this.#entries.set(key, entry)
    return entry
  }

  /** Drops the texts of values that were set again later, because a process that watches sessions may run forever. */
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

  /** Marks what is under a key, if anything, as used. */
  use(key: string): void {
    this.#mark(key, true)
  }

  /** Removes that mark. */
  release(key: string): void {
    this.#mark(key, false)
  }

  #mark(key: string, isUsed: boolean): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) entry.isUsed = isUsed
  }

  /** Deletes what is not marked as used, removes all marks, and returns how many were deleted. */
  deleteUnused(): number {
    const before = this.#entries.size
    for (const [key, entry] of this.#entries) {
      if (!entry.isUsed) this.delete(key)
      entry.isUsed = false
    }
    return before - this.#entries.size
  }

  /** Whether the text differs from the one that was read. */
  isChanged(): boolean {
    if (this.#isOther) return true
    for (const [key, entry] of this.#entries) {
      const { start, end } = entry
      if (isSet(entry) && (end === 0 || textAt(this.#read, start, end) !== this.#lineOf(key, entry))) return true
    }
    return false
  }

  /** The lines, piece by piece; those that were not set are unchanged. A piece is valid until the next one is asked for. */
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

  /** Lines that were set, and between them the ranges of lines that follow each other in the text that was read. */
  *#runs(): Generator<string | { start: number; end: number }> {
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

/** Whether a value was set since the line, if there is one, was read. */
function isSet({ set }: Entry): boolean {
  return set !== undefined
}

function isPacked(entry: Entry): entry is Entry & { set: number } {
  return typeof entry.set === 'number' && entry.logBytes === 0
}

function textAt(read: ReadBytes, start: number, end: number): string {
  return read(start, end).toString('utf8')
}

const comma = 0x2c
const colon = 0x3a

/** Offset of the value in a line, after its key; `undefined` if there is none. */
function valueOffset(line: Buffer): number | undefined {
  if (line[0] !== quote) return undefined
  let close = 1
  while (close < line.length && line[close] !== quote) close += line[close] === backslash ? 2 : 1
  return line[close + 1] === colon ? close + 2 : undefined
}
