/** Structure of JSON text and values, without recursion that a hostile file could exhaust. */

import { gzipSync } from 'node:zlib'

const quote = 0x22
const backslash = 0x5c

/** Whether arrays and objects nest deeper than `limit`. Costs a visit of every inner value. */
export function isDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  // `for…in` would be slower, and a JSON object has no inherited keys.
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, limit - 1)) return true
  }
  return false
}

/** How deep a JSON text nests and how many arrays and objects it opens, counted up to `max`. Broken texts count too. */
export function measureJson(text: string, max: number): { depth: number; containers: number } {
  let [depth, deepest, containers] = [0, 0, 0]
  for (let at = 0; at < text.length && containers <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x7b || code === 0x5b) {
      containers++
      depth++
      if (depth > deepest) deepest = depth
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return { depth: deepest, containers }
}

/**
 * Cuts a text behind every complete top-level object that another `{` follows: `{…}{…}` gives two parts.
 * One pass; a text without such a place is given back whole, and what stands behind `max` parts is the last one.
 */
export function splitObjects(text: string, max: number = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      depth--
      if (depth === 0 && text[at + 1] === '{' && parts.length < max) {
        parts.push(text.slice(start, at + 1))
        start = at + 1
      }
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Index behind the object or array that begins at `start`; `undefined` where the text ends before it does. One pass. */
export function endOfJson(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
  return undefined
}

/** The value of a JSON text; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How an object or a list of objects begins that has at least one key. */
const jsonHead = /^\s*(?:\[\s*)?\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

/**
 * Whether a text is an object or a list in JSON and nothing else, also one a line. One that was cut counts too, if it begins
 * with a key: nobody writes prose like that.
 */
export function isJson(text: string): boolean {
  let start = text.search(/\S/)
  if (start < 0 || !/[{[]/.test(text.charAt(start))) return false
  while (start < text.length) {
    if (!/[{[]/.test(text.charAt(start))) return false
    const end = endOfJson(text, start)
    if (end === undefined) return jsonHead.test(text.slice(start, start + 1000))
    const value = parseJson(text.slice(start, end))
    if (value === undefined) return false
    const gap = /^\s*/.exec(text.slice(end))?.[0] ?? ''
    if (end + gap.length < text.length && !gap.includes('\n')) return false
    start = end + gap.length
  }
  return true
}

/** Index of the quote that closes the string opened at `open`, or the text's length. */
function stringEnd(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}

// JSON for people.

/** JSON text indented by two spaces; `undefined` where it is no object or list, or where a reader would lose anything. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    // Large numbers, repeated keys and odd escapes do not survive parsing: such text stays as it was written.
    return JSON.stringify(value) === withoutSpace(text) ? JSON.stringify(value, null, 2) : undefined
  } catch {
    return undefined
  }
}

/** JSON text without white space outside its strings. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

/** Bytes that zlib sets aside at least. */
const minChunk = 1024

/**
 * A script that adds a value, as base64 of its gzipped JSON, to the list that is the global `name`: pages ask for data so,
 * because a script loads from a folder on disk too.
 */
export function packedScript(name: string, value: unknown): string {
  const text = Buffer.from(JSON.stringify(value))
  // Level 5 takes 1.6 times as long, for scripts of 0.89 of the length. In one piece, which is not put together from others.
  const bytes = gzipSync(text, { level: 1, chunkSize: Math.max(minChunk, text.length >> 1) })
  // The system that packed it: equal input gives equal bytes on all of them.
  bytes[9] = 255
  return `;(self.${name}??=[]).push("${bytes.toString('base64')}")\n`
}

/**
 * A copy of a JSON value that keeps nothing alive but itself: engines hold a whole line of a rollout for a piece that was cut out
 * of it.
 */
export function detached<T>(value: T): T {
  // JSON gives back what it was given, where that is JSON.
  return JSON.parse(JSON.stringify(value)) as T
}

// An object of thousands of values as JSON, a line for each.

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
