/**
 * What a script printed, given back to the calls that it comes from: the texts that the script prints, with what it knows
 * of them, laid over the texts that came.
 */

import { append } from '../../util/groups.ts'
import { parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { asObject, asString } from '../parse/decode.ts'
import type { Emission, Script } from './read-script-fs.ts'
import {
  callsOf,
  isKind,
  isKnown,
  joinPieces,
  type List,
  type Piece,
  piecesOf,
  type Unknown,
  unknown,
  type Value,
} from './value.ts'

/** What is known of the result of one call. */
export interface Found {
  /** The result as it was given to the script. */
  whole?: string
  /** What it printed, or the pieces of it that the script printed. */
  output?: string
  exitCode?: number
}

/** Results by number of their call, and the texts that belong to the script alone. */
export interface Attribution {
  found: Map<number, Found>
  rest: string[]
  /** Calls that the script did not come to. */
  absent: Set<number>
  /** What the script prints last came: it did not end before. */
  complete: boolean
}

/** Lays what a script prints over what came. `ended`: the script ran to its end, so that nothing can be missing. */
export function attribute({ emissions, calls }: Script, parts: readonly string[], ended: boolean): Attribution {
  const result: Attribution = { found: new Map(), rest: [], absent: new Set(), complete: false }
  const texts = emissions.filter(({ kind }) => kind === 'text')
  const [only] = parts
  if (ended && texts.length > 1 && parts.length === 1 && only !== undefined && isCut(only)) {
    const isTaken = take(asOne(texts), withoutCutHead(only), result)
    if (!isTaken) result.rest.push(only)
    return result
  }
  const straight = ended ? layOver(texts, parts, ({ branch }) => !branch, ended) : []
  result.complete = ended && straight.length === parts.length && texts.some(({ branch }) => !branch)
  const laid = result.complete ? straight : layOver(texts, parts, ({ certain }) => certain, ended)
  for (const [index, part] of parts.entries()) {
    const emission = laid[index]
    if (emission === undefined || !take(emission, part, result)) result.rest.push(part)
  }
  if (ended && laid.length === parts.length) leaveOut(laid.at(-1), calls.length, result)
  if (calls.length > 1 && result.rest.length === parts.length) byShape(calls.length, parts, result)
  return result
}

/** Behind a print with which the script ends, it calls nothing. */
function leaveOut(last: Emission | undefined, calls: number, { absent, found }: Attribution): void {
  if (last?.ends === true) for (let call = last.calls; call < calls; call++) absent.add(call)
  for (const call of found.keys()) absent.delete(call)
}

function isCut(text: string): boolean {
  return cutHead.test(text)
}

/** Codex joins the texts of a script where it has to cut them, and tells so in front of them. */
const cutHead = /^(?:[^\n]{1,200}\n)?Total output lines: \d+\n\n/

/** A text without the words of Codex about how long it was. */
export function withoutCutHead(text: string): string {
  return text.replace(cutHead, '')
}

/** Whether a text is only what tools say that have nothing to tell. */
export function isBoilerplate(text: string): boolean {
  return ['', '{}', 'Plan updated'].includes(text.trim())
}

function asOne(texts: readonly Emission[]): Pick<Emission, 'value' | 'code'> {
  const pieces = texts.flatMap(({ value, code }, index): Piece[] => [
    ...(index === 0 ? [] : ['\n']),
    ...(isKind(value, 'list') || isKind(value, 'fields') ? [unknown(code, [value])] : piecesOf(value, code)),
  ])
  return { value: joinPieces(pieces), code: '' }
}

/** For each part that came the print that it is of. `isMust` says which prints must have come. */
function layOver(
  texts: readonly Emission[],
  parts: readonly string[],
  isMust: (emission: Emission) => boolean,
  ended: boolean,
): Emission[] {
  let left = texts.filter((emission) => isMust(emission) && !emission.repeated).length
  if (!isPossible(texts, parts, ended ? left : 0)) return []
  const laid: Emission[] = []
  for (const emission of texts) {
    const part = parts[laid.length]
    if (part === undefined || emission.repeated) break
    const must = isMust(emission)
    // One that may not have come leaves enough for those that must.
    const isOf = (must || parts.length - laid.length > left) && fits(emission, part)
    if (isOf) laid.push(emission)
    else if (must) break
    left -= Number(must)
  }
  return laid
}

/** More texts than prints are of something that was not seen; fewer than must have come are cut. */
function isPossible(texts: readonly Emission[], parts: readonly string[], min: number): boolean {
  const isOpen = texts.some(({ repeated }) => repeated)
  return parts.length >= min && (isOpen || parts.length <= texts.length)
}

/** Whether a text can be of a print. */
function fits({ value, code }: Emission, part: string): boolean {
  return match(value, part, code) !== undefined
}

/** Takes what a text tells; `false` where it tells of more than the results that were taken. */
function take(
  { value, code }: Pick<Emission, 'value' | 'code'>,
  part: string,
  { found, absent }: Pick<Attribution, 'found' | 'absent'>,
): boolean {
  const matched = match(value, part, code)
  if (matched === undefined) return false
  for (const call of matched.absent) absent.add(call)
  for (const fact of matched.facts) {
    const known = found.get(fact.call) ?? {}
    found.set(fact.call, known)
    addFact(known, fact)
  }
  return matched.complete
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= 1e12 ? value : undefined
}

/** An exit code as systems know them. */
function codeIn(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 32 ? value : undefined
}

interface Fact {
  call: number
  field: 'whole' | 'output' | 'exit' | 'piece'
  text: string
}

function addFact(known: Found, { field, text }: Fact): void {
  if (field === 'exit') {
    const exitCode = codeIn(Number(text))
    if (text !== '' && exitCode !== undefined) known.exitCode = exitCode
  } else if (field === 'whole') known.whole ??= text
  else known.output = known.output === undefined || field === 'output' ? text : `${known.output}\n${text}`
}

interface Match {
  facts: Fact[]
  /** Calls that a list would tell of, had the loop gone on. */
  absent: number[]
  /** Nothing else is in the text but these facts and the script's own words. */
  complete: boolean
}

function match(value: Value, part: string, code: string): Match | undefined {
  if (isKind(value, 'list') || isKind(value, 'fields')) return matchJson(value, part)
  if (isKind(value, 'unknown')) return matchHole(value, part)
  return matchPieces(piecesOf(value, code), part)
}

/** The script's own words stand in the text as they are; between them stands what it did not know. */
function matchPieces(pieces: readonly Piece[], part: string): Match | undefined {
  const matched: Match = { facts: [], absent: [], complete: true }
  let at = 0
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]
    if (typeof piece === 'string') {
      if (!part.startsWith(piece, at)) return undefined
      at += piece.length
    } else if (piece !== undefined) {
      const next = nextText(pieces, index)
      const end = endOfHole(part, at, pieces[next], next === pieces.length - 1)
      if (end === undefined) return undefined
      addHole(next === index + 1 ? piece : undefined, part.slice(at, end), matched)
      at = end
      index = next - 1
    }
  }
  return at === part.length ? matched : undefined
}

/** Where the script's own words go on behind holes. */
function nextText(pieces: readonly Piece[], from: number): number {
  let index = from
  while (typeof pieces[index] === 'object') index++
  return index
}

/** What stands in one hole; where several meet, nothing tells which is whose. */
function addHole(hole: Unknown | undefined, text: string, into: Match): void {
  const inner = hole === undefined ? undefined : matchHole(hole, text)
  if (inner?.complete !== true) into.complete = false
  for (const fact of inner?.facts ?? []) into.facts.push(fact)
  for (const call of inner?.absent ?? []) into.absent.push(call)
}

function endOfHole(part: string, at: number, next: Piece | undefined, isLast: boolean): number | undefined {
  if (typeof next !== 'string') return part.length
  const end = isLast ? part.length - next.length : part.indexOf(next, at)
  return end < at || !part.startsWith(next, end) ? undefined : end
}

function matchHole(hole: Unknown, text: string): Match | undefined {
  if (hole.json !== undefined) return matchJson(hole.json, text)
  if (hole.result !== undefined) {
    const { call, field } = hole.result
    if (field === 'exit' && !/^-?\d{1,10}$|^(?:null|undefined)?$/.test(text)) return undefined
    return { facts: [{ call, field, text }], absent: [], complete: true }
  }
  const [only] = hole.calls
  // What comes of one call alone is told with it.
  const isOne = hole.calls.length === 1 && only !== undefined
  return { facts: isOne ? [{ call: only, field: 'piece', text }] : [], absent: [], complete: isOne }
}

/** JSON that the script makes of an object whose fields are results. */
function matchJson(value: Value, text: string): Match | undefined {
  const data = parseJson(text)
  const matched: Match = { facts: [], absent: [], complete: true }
  return data !== undefined && sameShape(value, data, matched) ? matched : undefined
}

function sameShape(value: Value, data: unknown, into: Match): boolean {
  if (isKind(value, 'unknown')) {
    takeField(value, data, into)
    return true
  }
  if (isKind(value, 'list')) return sameList(value, data, into)
  if (isKind(value, 'fields')) {
    const object = asObject(data)
    const entries = [...value.entries].filter(([key]) => object !== undefined && Object.hasOwn(object, key))
    return object !== undefined && entries.every(([key, item]) => sameShape(item, object[key], into))
  }
  if (isKnown(value)) return sameKnown(value, data)
  into.complete = false
  return typeof data === 'string'
}

/** A loop that was left early made fewer of them. */
function sameList({ items, open }: List, data: unknown, into: Match): boolean {
  if (!Array.isArray(data) || (data.length > items.length && !open)) return false
  if (open && data.length !== items.length) into.complete = false
  if (!open) for (const call of callsOf(items.slice(data.length))) into.absent.push(call)
  return data.every((item, index) => index >= items.length || sameShape(items[index], item, into))
}

function sameKnown(value: Value, data: unknown): boolean {
  return value === data || (value === undefined && data === null)
}

function takeField(value: Unknown, data: unknown, into: Match): void {
  if (value.json !== undefined || value.result === undefined) {
    into.complete = false
    return
  }
  const { call, field } = value.result
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  if (field === 'exit') into.facts.push({ call, field, text: typeof data === 'number' ? String(data) : '' })
  else into.facts.push({ call, field, text })
}

/** Results that tell by their own form what they are, as many as there are calls. */
function byShape(calls: number, parts: readonly string[], { found, rest }: Attribution): void {
  const shaped = parts.filter(isResult)
  if (shaped.length !== calls) return
  for (const [call, whole] of shaped.entries()) found.set(call, { whole })
  rest.length = 0
  append(
    rest,
    parts.filter((part) => !isResult(part)),
  )
}

const resultHead = /^\s*(?:Exit code: -?\d+\nWall time: |(?:Chunk ID: \S+\n)?Wall time: [\d.]+ seconds?\nProcess )/

function isResult(text: string): boolean {
  return resultHead.test(text) || execResult(text) !== undefined
}

/** What `exec_command` gives to a script: output, exit code or the number of its session, and how long it took. */
export interface ExecResult {
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
  return {
    output,
    ...defined({ exitCode }),
    ...(session === undefined || exitCode !== undefined ? {} : { sessionId: String(session) }),
    ...defined({ seconds }),
  }
}
