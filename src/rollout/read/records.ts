/**
 * Finds the records on a line where several ran together or were torn: where each begins and ends, and which are
 * complete.
 */

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Replaces lone surrogates, which cut texts leave: they cannot be written as UTF-8 (hazard 8). */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(loneSurrogate, '\ufffd') : value
}

/** The value of a JSON text, with lone surrogates replaced; `undefined`, which JSON cannot express, if it is not JSON. */
export function parseRecord(text: string, hasEscapes: boolean = true): unknown {
  try {
    // Only an escape can produce a lone surrogate: decoded bytes never contain one.
    const mayContainHalves = hasEscapes && (text.includes('\\ud') || text.includes('\\uD'))
    return mayContainHalves ? JSON.parse(text, wellFormed) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Most parts of one line. All records of a file are on one line if its lines end with CR alone. */
const maxRecords = 100_000

/** A part of a line that is not one JSON value; together the parts make up the line. */
interface LinePart {
  text: string
  /** The value of a complete record; `undefined`, which JSON cannot express, for anything else. */
  value: unknown
  /** Whether it begins like a record. */
  startsRecord: boolean
  /** Whether it can be dropped without loss: whitespace, commas, separators. */
  isEmpty: boolean
}

/** A part, and how it relates to its neighbours. */
interface Piece extends LinePart {
  /**
   * `outside`: it begins where what precedes it cannot continue. `inside`: it may be a value of what precedes it.
   * `anywhere`: neither is known.
   */
  begins: 'outside' | 'inside' | 'anywhere'
  /** The next part that is not empty. */
  next: Piece | undefined
  /** Whether it may be in the tail of a torn record, as a member of a list. */
  isInTail: boolean
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** What may be between records without having a meaning. */
const nothing = /^[\s,;\0-\x1f\ufeff]*$/
/** How a record continues after an object in it. */
const recordTail = /^\s*(?:[}\]:]|,\s*")/
/** The beginning of an object that has a key. */
const keyed = /\{\s*"[^"\\{}[\]]{1,80}"\s*:/y

/**
 * Cuts a line that is not one JSON value into its parts, at most `maxRecords` before the rest. Records that follow each
 * other are each a part. After a torn one, a value counts as a record only if it is a complete envelope, begins where the
 * torn one could not continue, and is followed by nothing but another record: records nest objects that look like
 * records.
 */
export function recordsOf(text: string): LinePart[] {
  const pieces = new Cutter(text).pieces()
  join(pieces)
  let isAfterTorn = false
  for (const piece of pieces) {
    if (piece.isEmpty) continue
    if (!(isAfterTorn ? isRecordAfterTorn(piece) : isRecordAfterRecords(piece))) piece.value = undefined
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
      piece.isInTail = next?.startsRecord === false ? recordTail.test(next.text) : hasComma && next?.isInTail === true
      ;[next, hasComma] = [piece, false]
    }
  }
}

/** Whether a part is a record, if only records precede it. */
function isRecordAfterRecords({ value, next, isInTail }: Piece): boolean {
  return value !== undefined && !isInTail && (next === undefined || next.startsRecord || isEnvelope(value))
}

/** Whether a part is a record, if a torn one precedes it. */
function isRecordAfterTorn({ value, begins, next }: Piece): boolean {
  return begins !== 'inside' && (next === undefined || next.startsRecord) && isEnvelope(value)
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

/** Whitespace that may occur within a record; a CR ends one. */
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09
/** Whether a character may precede a value inside a record. */
const mayPrecedeValue = (code: number): boolean => code === colon || code === comma || code === openBracket
/** Keys whose values are texts, so that no object follows them (rollout-format 2.2, 3.2, 3.3). */
const textKey =
  /"(?:timestamp|type|role|phase|id|turn_id|call_id|name|text|message|arguments|input|cwd|model|status|originator|cli_version|encrypted_content|last_agent_message)"\s*:\s*$/
const maxKeyLength = 32

/** Cuts a text in one pass. */
class Cutter {
  readonly #text: string
  readonly #pieces: Piece[] = []
  #start = 0
  #begins: Piece['begins'] = 'anywhere'
  /** The open brackets; `true` for those of lists. */
  #open: boolean[] = []
  #isString = false
  /** The last character that is not a space or tab. */
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
      else this.#step(code, at)
      if (!isBlank(code)) this.#before = code
    }
    this.#end(text.length, this.#open.length > 0 || this.#pieces.length === maxRecords, false)
    return this.#pieces
  }

  /**
   * Whether a new record begins at a brace because the open one cannot continue there: no string ends directly before a
   * key, and an object is not allowed everywhere.
   */
  #isTornAt(at: number): boolean {
    if (this.#open.length === 0 || (!this.#isString && this.#mayContainObject(at))) return false
    keyed.lastIndex = at
    return keyed.test(this.#text)
  }

  /** Whether an object may begin at an offset that is not in a string. */
  #mayContainObject(at: number): boolean {
    if (this.#before === comma) return this.#open.at(-1) === true
    if (this.#before === colon) return !textKey.test(this.#text.slice(Math.max(0, at - maxKeyLength), at))
    return this.#before === openBracket
  }

  #tear(at: number): void {
    this.#end(at, true, false)
    this.#begins = 'outside'
    this.#open = [false]
    this.#isString = false
  }

  #step(code: number, at: number): void {
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
      this.#begins = mayPrecedeValue(this.#before) ? 'inside' : 'anywhere'
    }
    this.#open.push(code === openBracket)
  }

  /** Ends a piece before an offset. */
  #end(at: number, startsRecord: boolean, isClosed: boolean): void {
    if (at === this.#start) return
    const text = this.#text.slice(this.#start, at)
    const isEmpty = !startsRecord && nothing.test(text)
    const value = isClosed ? parseRecord(text) : undefined
    this.#pieces.push({
      text,
      value,
      startsRecord,
      isEmpty,
      begins: this.#begins,
      next: undefined,
      isInTail: false,
    })
    this.#start = at
    this.#begins = 'anywhere'
  }
}
