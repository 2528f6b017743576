/** Records that ran together on one line, or were torn: where each begins and ends, and which of them are whole. */

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Half a character, as a cut text has it, is no character: it could not be written as UTF-8 (hazard 8). */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(loneSurrogate, '\ufffd') : value
}

/** The value of a JSON text, half characters replaced; else `undefined`, which JSON cannot express. */
export function parseRecord(text: string, hasEscapes: boolean = true): unknown {
  try {
    // Only an escape can bring half a character: decoded bytes never hold one.
    const mayHoldHalves = hasEscapes && (text.includes('\\ud') || text.includes('\\uD'))
    return mayHoldHalves ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parts of one line: so many records may have run together, as in a file whose lines end with returns alone. */
const maxRecords = 100_000

/** A part of a line that is not one JSON value; the parts of a line are the line. */
interface LinePart {
  text: string
  /** What it says, where it is a whole record; `undefined`, which JSON cannot express, for all else. */
  value: unknown
  /** Whether it begins like a record. */
  isBegun: boolean
  /** Whether nothing is lost with it: white space, commas, marks of separation. */
  isEmpty: boolean
}

/** A part, and how it stands to others. */
interface Piece extends LinePart {
  /** Whether it begins where what stands before it could not go on, or may be a value of that. */
  begins: 'apart' | 'inside' | 'anywhere'
  /** The part behind it that is not empty. */
  next: Piece | undefined
  /** Whether it may stand in a list at the end of a torn record. */
  isOfRest: boolean
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** What may stand between records without a meaning of its own. */
const nothing = /^[\s,;\0-\x1f\ufeff]*$/
/** How the rest of a record goes on behind an object in it. */
const rest = /^\s*(?:[}\]:]|,\s*")/
/** How an object begins that has a key. */
const keyed = /\{\s*"[^"\\{}[\]]{1,80}"\s*:/y

/**
 * Cuts a line that is not one JSON value into its parts, at most `maxRecords` before the rest. Records that stand behind each other are
 * each a part. Behind a torn one, only a whole envelope is a record, at a place where the torn one could not go on, and where
 * nothing but another record follows: records nest objects that look like records.
 */
export function recordsOf(text: string): LinePart[] {
  const pieces = new Cutter(text).pieces()
  join(pieces)
  let isAfterTorn = false
  for (const piece of pieces) {
    if (piece.isEmpty) continue
    if (!(isAfterTorn ? standsBehindTorn(piece) : standsFirst(piece))) piece.value = undefined
    isAfterTorn = piece.value === undefined
  }
  return pieces
}

function join(pieces: readonly Piece[]): void {
  let [next, hasComma]: [Piece | undefined, boolean] = [undefined, false]
  for (const piece of pieces.toReversed()) {
    if (piece.isEmpty) hasComma = piece.text.includes(',')
    else {
      piece.next = next
      piece.isOfRest = next?.isBegun === false ? rest.test(next.text) : hasComma && next?.isOfRest === true
      ;[next, hasComma] = [piece, false]
    }
  }
}

/** Whether a value is a record with nothing but records before it. */
function standsFirst({ value, next, isOfRest }: Piece): boolean {
  return value !== undefined && !isOfRest && (next === undefined || next.isBegun || isEnvelope(value))
}

/** Whether a value is a record behind a torn one. */
function standsBehindTorn({ value, begins, next }: Piece): boolean {
  return begins !== 'inside' && (next === undefined || next.isBegun) && isEnvelope(value)
}

function isEnvelope(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'payload' in value &&
    typeof value.payload === 'object'
  )
}

/** Blanks within a record; a return ends one. */
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09
/** What a value stands behind, inside a record. */
const leadsOn = (code: number): boolean => code === colon || code === comma || code === openBracket
/** Keys of texts, before which no object stands (rollout-format 2.2, 3.2, 3.3). */
const textKey =
  /"(?:timestamp|type|role|phase|id|turn_id|call_id|name|text|message|arguments|input|cwd|model|status|originator|cli_version|encrypted_content|last_agent_message)"\s*:\s*$/
const maxKeyLength = 32

/** Cuts a text in one pass. */
class Cutter {
  readonly #text: string
  readonly #pieces: Piece[] = []
  #start = 0
  #begins: Piece['begins'] = 'anywhere'
  /** Brackets that are open, those of lists as `true`. */
  #open: boolean[] = []
  #isString = false
  /** The last character that is not blank. */
  #before = 0

  constructor(text: string) {
    this.#text = text
  }

  pieces(): Piece[] {
    const text = this.#text
    for (let at = 0; at < text.length && this.#pieces.length < maxRecords; at++) {
      const code = text.charCodeAt(at)
      // A brace is never escaped.
      if (this.#isString && code === backslash && text.charCodeAt(at + 1) !== openBrace) at++
      else if (code === openBrace && this.#isTornAt(at)) this.#tear(at)
      else this.#take(code, at)
      if (!isBlank(code)) this.#before = code
    }
    this.#end(text.length, this.#open.length > 0 || this.#pieces.length === maxRecords, false)
    return this.#pieces
  }

  /** Whether a record begins at a brace where the open one cannot go on: no string ends before a key, and not all places are for objects. */
  #isTornAt(at: number): boolean {
    if (this.#open.length === 0 || (!this.#isString && this.#mayHoldObject(at))) return false
    keyed.lastIndex = at
    return keyed.test(this.#text)
  }

  /** Whether an object may stand at a place that is in no string. */
  #mayHoldObject(at: number): boolean {
    if (this.#before === comma) return this.#open.at(-1) === true
    if (this.#before === colon) return !textKey.test(this.#text.slice(Math.max(0, at - maxKeyLength), at))
    return this.#before === openBracket
  }

  #tear(at: number): void {
    this.#end(at, true, false)
    this.#begins = 'apart'
    this.#open = [false]
    this.#isString = false
  }

  #take(code: number, at: number): void {
    if (code === quote) this.#isString = this.#open.length > 0 && !this.#isString
    else if (this.#isString) return
    else if (code === openBrace || code === openBracket) this.#begin(code, at)
    else if ((code === closeBrace || code === closeBracket) && this.#open.length > 0) {
      this.#open.pop()
      if (this.#open.length === 0) this.#end(at + 1, true, true)
    }
  }

  #begin(code: number, at: number): void {
    if (this.#open.length === 0) {
      this.#end(at, false, false)
      this.#begins = leadsOn(this.#before) ? 'inside' : 'anywhere'
    }
    this.#open.push(code === openBracket)
  }

  /** Ends a piece before a place. */
  #end(at: number, isBegun: boolean, isClosed: boolean): void {
    if (at === this.#start) return
    const text = this.#text.slice(this.#start, at)
    const isEmpty = !isBegun && nothing.test(text)
    const value = isClosed ? parseRecord(text) : undefined
    this.#pieces.push({ text, value, isBegun, isEmpty, begins: this.#begins, next: undefined, isOfRest: false })
    this.#start = at
    this.#begins = 'anywhere'
  }
}
