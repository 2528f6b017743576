/** An object of thousands of values as JSON, a line for each. */

import { parseJson } from '../../util/json.ts'

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
  value: unknown
  /** `value` is what the line says. */
  isParsed: boolean
  /** `value` was set, and the line says what was there before. */
  isSet: boolean
  isUsed: boolean
}

/** UTF-16 units of a text that are written at once. */
const maxPiece = 64 * 1024

/** What stands between two lines. */
const parting = ',\n'

/**
 * JSON values by key, in the order in which they were first set. A value that was read is parsed when it is asked for; written, it
 * is the same bytes again.
 */
export class JsonLines {
  readonly #bytes: Buffer
  readonly #entries = new Map<string, Entry>()
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

  /** The value under a key; `undefined` also where its text is damaged. */
  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry !== undefined && !entry.isParsed && !entry.isSet) {
      entry.value = parseJson(this.#bytes.toString('utf8', entry.valueAt, entry.end))
      entry.isParsed = true
    }
    return entry?.value
  }

  set(key: string, value: unknown): void {
    const entry = this.#entries.get(key) ?? newEntry()
    entry.value = value
    entry.isSet = true
    this.#entries.set(key, entry)
  }

  delete(key: string): boolean {
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
    for (const [key, { start, end, value, isSet }] of this.#entries) {
      if (isSet && (end === 0 || this.#bytes.toString('utf8', start, end) !== lineOf(key, value))) return true
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
    for (const [key, { start, end, value, isSet }] of this.#entries) {
      const goesOn = !isSet && to > 0 && start === to + parting.length
      if (!goesOn && to > 0) yield this.#bytes.subarray(from, to)
      if (!goesOn) from = start
      to = isSet ? 0 : end
      if (isSet) yield lineOf(key, value)
    }
    if (to > 0) yield this.#bytes.subarray(from, to)
  }
}

function newEntry(): Entry {
  return { start: 0, end: 0, valueAt: 0, value: undefined, isParsed: false, isSet: false, isUsed: false }
}

const newline = 10
const comma = 0x2c
const colon = 0x3a

function lineOf(key: string, value: unknown): string {
  return `${JSON.stringify(key)}:${JSON.stringify(value)}`
}

/** The line at a place of a text; `undefined` where there is none. */
function lineAt(bytes: Buffer, start: number): Line | undefined {
  if (bytes[start] !== quote) return undefined
  const end = bytes.indexOf(newline, start)
  let close = start + 1
  while (close < end && bytes[close] !== quote) close += bytes[close] === backslash ? 2 : 1
  if (close >= end || bytes[close + 1] !== colon) return undefined
  return { start, end: bytes[end - 1] === comma ? end - 1 : end, valueAt: close + 2 }
}
