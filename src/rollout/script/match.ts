/** Matches a text with a value that a script prints, and finds what the text then says about the results of calls. */

import { append } from '../../util/groups.ts'
import { parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { asObject, asString } from '../parse/decode.ts'
import {
  callsOf,
  hasOthers,
  isKind,
  isKnown,
  type List,
  type Piece,
  piecesOf,
  type ResultField,
  sureItems,
  type Unknown,
  type Value,
} from './value.ts'

/** What a text says about the result of one call. */
export interface Fact {
  call: number
  field: ResultField
  text: string
}

/** What a text says if it is a print of a value. */
export interface Match {
  facts: Fact[]
  /** Calls whose results a list would contain if its loop had continued. */
  absent: number[]
  /** The text contains nothing but these facts and the script's own words. */
  complete: boolean
  /** How many UTF-16 units of the text are the script's own: the more, the less likely it is a print of another value. */
  evidence: number
}

/** Reads a text as a print of a value; `undefined` if it cannot be one. `code` is the value's expression. */
export function match(value: Value, text: string, code: string): Match | undefined {
  if (isKind(value, 'list') || isKind(value, 'fields')) return matchJson(value, text)
  if (isKind(value, 'unknown')) return matchHole(value, text)
  return matchPieces(piecesOf(value, code), text)
}

const nothing = (): Match => ({ facts: [], absent: [], complete: true, evidence: 0 })

/** The script's own words appear in the text unchanged; between them is what the script did not know. */
function matchPieces(pieces: readonly Piece[], text: string): Match | undefined {
  const matched = nothing()
  let at = 0
  let holes: Unknown[] = []
  for (const [index, piece] of [...pieces, ''].entries()) {
    if (typeof piece !== 'string') {
      holes.push(piece)
      continue
    }
    const isLast = index >= pieces.length - 1
    const end = holes.length === 0 ? at : endOfHole(text, at, index < pieces.length ? piece : undefined, isLast)
    if (end === undefined || !text.startsWith(piece, end) || !matchHoles(holes, text.slice(at, end), matched))
      return undefined
    matched.evidence += piece.length
    at = end + piece.length
    holes = []
  }
  return at === text.length ? matched : undefined
}

/** Reads what is between two of the script's own words. If several holes are adjacent, nothing shows which part is whose. */
function matchHoles(holes: readonly Unknown[], text: string, into: Match): boolean {
  const [hole, ...others] = holes
  if (hole === undefined) return true
  const inner = others.length === 0 ? matchHole(hole, text) : { ...nothing(), complete: false }
  if (inner === undefined) return false
  into.complete &&= inner.complete
  into.evidence += inner.evidence
  for (const fact of inner.facts) into.facts.push(fact)
  for (const call of inner.absent) into.absent.push(call)
  return true
}

function endOfHole(text: string, at: number, next: Piece | undefined, isLast: boolean): number | undefined {
  if (typeof next !== 'string') return text.length
  const end = isLast ? text.length - next.length : text.indexOf(next, at)
  return end < at || !text.startsWith(next, end) ? undefined : end
}

function matchHole(hole: Unknown, text: string): Match | undefined {
  // What the script prints instead of a result is not a result.
  const instead = evidenceOf(hole.or, text)
  if (instead > 0) return { ...nothing(), complete: false, evidence: instead }
  if (hole.json !== undefined) return matchJson(hole.json, text)
  if (hole.result !== undefined) return matchResult(hole.result, text)
  const [only] = hole.calls
  // A value that depends on one call alone is attributed to that call.
  const isOne = hole.calls.length === 1 && only !== undefined
  const field = execResult(text) === undefined ? 'piece' : 'whole'
  return { ...nothing(), facts: isOne ? [{ call: only, field, text }] : [], complete: isOne }
}

function matchResult({ call, field }: NonNullable<Unknown['result']>, text: string): Match | undefined {
  if (field === 'exit' && !/^-?\d{1,10}$|^(?:null|undefined)?$/.test(text)) return undefined
  return { ...nothing(), facts: [{ call, field, text }], evidence: field === 'exit' ? 1 : 0 }
}

/** How much of a text is what the script prints instead of a value; 0 if the text is something else. */
function evidenceOf(others: readonly Value[] = [], text: string): number {
  const queue = others.slice(0, maxShared)
  let max = 0
  for (const other of queue) {
    // The object in which the script keeps what it uses instead may itself have become unknown.
    if (isKind(other, 'unknown')) append(queue, (other.or ?? []).slice(0, maxShared - queue.length))
    // An empty text counts 0, because it may also be a result.
    else max = Math.max(max, match(other, text, '')?.evidence ?? 0, sharedWith(other, text))
  }
  return max
}

/** Most values that are compared with a text: one may occur in another any number of times. */
const maxShared = 1000

/** How much of a text comes from a text of the script, or from one in an object; the text may be a piece of it. */
function sharedWith(other: Value, text: string): number {
  const queue = [other]
  let max = 0
  for (let index = 0; index < queue.length && index < maxShared; index++) {
    const value = queue[index]
    if (isKind(value, 'fields')) append(queue, [...value.entries.values()].slice(0, maxShared - queue.length))
    else max = Math.max(max, sharedWithText(value, text))
  }
  return max
}

function sharedWithText(other: Value, text: string): number {
  const [first] = isKind(other, 'mixed') ? other.pieces : [other]
  if (typeof first !== 'string' || text === '') return 0
  if (isKind(other, 'mixed') && text.startsWith(first)) return first.length
  return first.includes(text) ? text.length : 0
}

/** Matches JSON that the script makes from an object whose fields are results. */
function matchJson(value: Value, text: string): Match | undefined {
  const data = parseJson(text)
  const matched = nothing()
  return data !== undefined && sameShape(value, data, matched) ? matched : undefined
}

function sameShape(value: Value, data: unknown, into: Match): boolean {
  if (isKind(value, 'unknown')) return matchField(value, data, into)
  if (isKind(value, 'list')) return sameList(value, data, into)
  if (isKind(value, 'fields')) {
    const object = asObject(data)
    const entries = [...value.entries].filter(([key]) => object !== undefined && Object.hasOwn(object, key))
    for (const [key] of entries) into.evidence += key.length
    return object !== undefined && entries.every(([key, item]) => sameShape(item, object[key], into))
  }
  if (isKnown(value)) return sameKnown(value, data, into)
  into.complete = false
  return typeof data === 'string'
}

/** The list may be shorter than expected, because a loop that was left early made fewer items. */
function sameList(list: List, data: unknown, into: Match): boolean {
  const { items } = list
  const open = list.open && list.missing?.past === undefined
  if (!Array.isArray(data) || (data.length > items.length && !hasOthers(list))) return false
  const hasAllItems = data.length === items.length
  if (hasAllItems) into.evidence++
  else if (open) into.complete = false
  if (!open) for (const call of callsOf(items.slice(data.length))) into.absent.push(call)
  const sure = open && !hasAllItems ? sureItems(list) : items.length
  return data.every(
    (item, index) =>
      index >= items.length || (index < sure ? sameShape(items[index], item, into) : mayBe(items[index], item, into)),
  )
}

/** Another item may be at this index, unless the script's own words identify this one. */
function mayBe(value: Value, data: unknown, into: Match): boolean {
  const matched = nothing()
  if (!sameShape(value, data, matched)) return false
  into.evidence += matched.evidence
  into.complete &&= matched.complete
  if (matched.evidence === 0) into.complete = false
  else append(into.facts, matched.facts)
  return true
}

function sameKnown(value: Value, data: unknown, into: Match): boolean {
  if (value !== data && !(value === undefined && data === null)) return false
  into.evidence += String(value).length
  return true
}

function matchField(value: Unknown, data: unknown, into: Match): boolean {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const instead = evidenceOf(value.or, text)
  into.evidence += instead
  if (instead > 0 || value.json !== undefined || value.result === undefined) {
    into.complete = false
    return true
  }
  const { call, field } = value.result
  if (field !== 'exit') into.facts.push({ call, field, text })
  else into.facts.push({ call, field, text: typeof data === 'number' ? text : '' })
  return true
}

// The form of results of tools that a script prints.

/** If Codex has to cut a script's texts, it joins them and says so at the beginning. */
const cutHead = /^(?:[^\n]{1,200}\n)?Total output lines: \d+\n\n/

/** Whether Codex cut a text. */
export function isCut(text: string): boolean {
  return cutHead.test(text)
}

/** A text without Codex's note about its length. */
export function withoutCutHead(text: string): string {
  return text.replace(cutHead, '')
}

/** Whether a text is only what tools return when they have nothing to say. */
export function isBoilerplate(text: string): boolean {
  return ['', '{}', 'Plan updated'].includes(text.trim())
}

const resultHead = /^\s*(?:Exit code: -?\d+\nWall time: |(?:Chunk ID: \S+\n)?Wall time: [\d.]+ seconds?\nProcess )/

/** Whether a text is the whole result of a command. */
export function isResult(text: string): boolean {
  return resultHead.test(text) || execResult(text) !== undefined
}

/** What `exec_command` returns to a script: output, exit code or session number, and how long it took. */
interface ExecResult {
  output: string
  exitCode?: number
  sessionId?: string
  seconds?: number
}

/** Reads the JSON of such a result. */
export function execResult(text: string): ExecResult | undefined {
  if (!/^\s*\{/.test(text) || !text.includes('"output"')) return undefined
  const object = asObject(parseJson(text))
  const output = asString(object?.['output'])
  if (object === undefined || output === undefined) return undefined
  const [code, session, seconds] = ['exit_code', 'session_id', 'wall_time_seconds'].map((key) => numberIn(object[key]))
  const exitCode = codeIn(code)
  if (exitCode === undefined && session === undefined) return undefined
  const sessionId = session === undefined || exitCode !== undefined ? undefined : String(session)
  return { output, ...defined({ exitCode, sessionId, seconds }) }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e12 ? value : undefined
}

/** A number that can be an exit code, else `undefined`. */
export function codeIn(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 32 ? value : undefined
}
