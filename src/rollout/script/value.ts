/**
 * Values of a script that is read but never run. A known value is itself; an unknown one is the expression from which it
 * comes, with the tool calls on which it depends.
 */

import type { Function as FunctionNode } from 'acorn'
import { append } from '../../util/groups.ts'
import { beginningOf, shortened } from '../../util/text.ts'

/** Any value that a script may have in a variable. */
export type Value = Known | List | Fields | Callable | Unknown | Mixed

/** Values that the script itself determines. */
export type Known = string | number | boolean | null | undefined

/** An array. */
export interface List {
  kind: 'list'
  items: Value[]
  /** Others may be in it. */
  open: boolean
  /** Number of its first items that are certainly there, each at its index; absent in a list that is not open. */
  sure?: number
  /**
   * It is open only because items may be missing, and no others are in it. If one is missing, all after it are too,
   * because the script skipped them by the way past them that has this number; without a number, each may be missing
   * independently.
   */
  missing?: { past?: number }
  /** It may have members with names, which stay if its items are removed. */
  named?: true
  /** When it was created, as a number of `Machine.numbers`; absent if that does not matter. */
  created?: number
}

/** An object. */
export interface Fields {
  kind: 'fields'
  entries: Map<string, Value>
  /** Others may be in it. */
  open: boolean
  /** When it was created; see `List.created`. */
  created?: number
}

/** Something that can be called: a function of the script, a tool, a method of a value, a name of the runtime. */
export type Callable =
  | { kind: 'function'; node: FunctionNode; scope: Scope }
  | { kind: 'tool'; name: string }
  | { kind: 'method'; name: string; self: Value; code: string }
  | { kind: 'global'; name: string }

/** A value that only a run would show. */
export interface Unknown {
  kind: 'unknown'
  /** The expression, as the script writes it (shortened). */
  code: string
  /** Numbers of the calls from which it comes. */
  calls: readonly number[]
  /** It is exactly this part of what a call returned. */
  result?: { call: number; field: ResultField }
  /** It is `JSON.stringify` of this. */
  json?: Value
  /** What the script uses instead: after `??`, in the other branch, or if a call failed. */
  or?: readonly Value[]
  /** It is this member of another value; needed to call it. */
  member?: { of: Value; name: string }
  /** Lists and objects that it may be, or that it may be in. */
  aliases?: readonly Value[]
  /** It represents any number of values: `...rest`. */
  any?: boolean
}

/** Parts of a result: all of it (as it is or as JSON), what was printed, the exit code, or a piece of what was printed. */
export type ResultField = 'whole' | 'output' | 'exit' | 'piece'

/** A text made of known and unknown pieces. */
interface Mixed {
  kind: 'mixed'
  pieces: Piece[]
}

/** A piece of a text. */
export type Piece = string | Unknown

/** The names of a scope; `parent` is the scope around it. */
export interface Scope {
  names: Map<string, Value>
  parent: Scope | undefined
  kind: 'block' | 'function'
  /** When it was created; see `List.created`. */
  created: number
}

/** Whether a value stands for any number of items or arguments. */
export function isAny(value: Value): boolean {
  return isKind(value, 'unknown') && value.any === true
}

/** Whether a list may contain others than its items. */
export function hasOthers({ open, missing }: List): boolean {
  return open && missing === undefined
}

/** Number of the first items of a list that are certainly there, each at its index. */
export function sureItems({ items, open, sure = 0 }: List): number {
  return open ? Math.min(sure, items.length) : items.length
}

/** Whether the script itself determines a value. */
export function isKnown(value: Value): value is Known {
  return typeof value !== 'object' || value === null
}

/** Whether a value is of this kind; plain data has none. */
export function isKind<K extends Exclude<Value, Known>['kind']>(
  value: Value,
  kind: K,
): value is Extract<Value, { kind: K }> {
  return typeof value === 'object' && value !== null && value.kind === kind
}

/** A value that only a run would show. */
export function unknown(code: string, from: readonly Value[] = []): Unknown {
  const { calls, or } = originsOf(from)
  const aliases = aliasesOf(from)
  const made: Unknown = {
    kind: 'unknown',
    code: shortCode(code),
    calls,
    ...(aliases.length > 0 && { aliases: aliases }),
  }
  return or.reduce<Unknown>(withOther, made)
}

/** Most lists and objects that are kept for a value that may be one of them. */
const maxAliases = 64

/** The lists and objects that contain the values. */
function aliasesOf(values: readonly Value[]): Value[] {
  const aliases = new Set<Value>()
  for (const value of values.slice(0, maxLooked)) {
    if (aliases.size >= maxAliases) break
    if (isKind(value, 'list') || isKind(value, 'fields')) aliases.add(value)
    else if (isKind(value, 'unknown')) for (const other of value.aliases ?? []) aliases.add(other)
    else if (isKind(value, 'method')) aliases.add(value.self)
  }
  return [...aliases]
}

/**
 * A value that is one of two, and only a run would show which. A part of a call's result stays that part, with the other
 * value as its alternative.
 */
export function either(code: string, first: Value, second: Value): Value {
  if (first === second) return first
  if (isSameResult(first, second)) return first
  for (const [value, other] of [
    [first, second],
    [second, first],
  ]) {
    if (isKind(value, 'unknown') && value.result !== undefined && !isKind(other, 'unknown'))
      return withOther({ ...value, code: shortCode(code) }, other)
  }
  const others = [first, second].filter((value) => !isKind(value, 'unknown'))
  return others.reduce<Unknown>(withOther, unknown(code, [first, second]))
}

/** Most alternatives of a value; one with more of them is not a usable result. */
const maxOthers = 8

/** A value with one more alternative that the script may use instead. */
export function withOther(value: Unknown, other: Value): Unknown {
  const { or = [] } = value
  if (or.length >= maxOthers) return unknown(value.code, [...(value.aliases ?? [])])
  return { ...value, or: [...or, isKind(other, 'mixed') ? withoutOthers(other) : other] }
}

function withoutOthers({ pieces }: Mixed): Mixed {
  const plainPiece = (piece: Piece): Piece => (typeof piece === 'string' ? piece : { ...piece, or: [] })
  return { kind: 'mixed', pieces: pieces.map(plainPiece) }
}

function isSameResult(first: Value, second: Value): boolean {
  if (!isKind(first, 'unknown') || !isKind(second, 'unknown')) return false
  const [left, right] = [first.result, second.result]
  return left !== undefined && right !== undefined && left.call === right.call && left.field === right.field
}

/** Longest expression that is shown, in UTF-16 units. */
const maxCode = 160

function shortCode(code: string): string {
  const text = beginningOf(code, 4 * maxCode)
    .replace(/\s+/g, ' ')
    .trim()
  return shortened(text, maxCode)
}

/** Most calls that are recorded for a value; more would say nothing. */
const maxCalls = 64

/** Most values that are searched for their calls; further ones would change little. */
const maxLooked = 2000

/** The numbers of the calls on which values depend. */
export function callsOf(values: readonly Value[]): number[] {
  return originsOf(values).calls
}

/** The calls on which values depend, and what the script may use instead of their results. */
function originsOf(values: readonly Value[]): { calls: number[]; or: Value[] } {
  const calls = new Set<number>()
  const or = new Set<Value>()
  const queue = [...values.slice(0, maxLooked)]
  for (let looked = 0; looked < queue.length && calls.size < maxCalls; looked++) {
    const value = queue[looked]
    if (isKind(value, 'unknown')) {
      for (const call of value.calls) calls.add(call)
      for (const other of value.or ?? []) or.add(other)
    } else append(queue, [...partsOf(value)].slice(0, maxLooked - queue.length))
  }
  return { calls: [...calls], or: [...or] }
}

function partsOf(value: Value): Iterable<Value> {
  if (isKind(value, 'list')) return value.items
  if (isKind(value, 'fields')) return value.entries.values()
  if (isKind(value, 'mixed')) return value.pieces
  return isKind(value, 'method') ? [value.self] : []
}

/** The keys of an object in the order in which a script sees them: integers first, in numeric order. */
export function orderedKeys({ entries }: Fields): string[] {
  return Object.keys(Object.fromEntries([...entries.keys()].map((key) => [key, true])))
}

/** Whether a value is known to be callable; an unknown one may be callable too. */
export function isCallable(value: Value): value is Callable {
  return isKind(value, 'function') || isKind(value, 'tool') || isKind(value, 'global') || isKind(value, 'method')
}

/** A value as pieces of a text, as a template or `+` converts it. */
export function piecesOf(value: Value, code: string): Piece[] {
  if (isKind(value, 'mixed')) return value.pieces
  if (isKind(value, 'unknown')) return [value]
  if (isKnown(value)) return [String(value)]
  if (isKind(value, 'list') && !value.open && value.items.length <= 100 && value.items.every(isKnown))
    return [value.items.map((item) => item ?? '').join(',')]
  return [unknown(code, [value])]
}

/** Joins pieces into a value: a text if all are known. */
export function joinPieces(pieces: readonly Piece[]): Value {
  const joined: Piece[] = []
  let run = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') run += piece
    else {
      if (run !== '') joined.push(run)
      run = ''
      joined.push(piece)
    }
  }
  if (joined.length === 0) return run
  if (run !== '') joined.push(run)
  const [only] = joined
  // A template with a single unknown is that value as a text, which most tool results already are.
  return joined.length === 1 && only !== undefined ? only : { kind: 'mixed', pieces: joined }
}

/** Pieces as a readable text: `cat ${file}` if a piece is not known. */
function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `\${${piece.code}}`)).join('')
}

// Values as plain data: for JSON that a script makes, and for the arguments of its calls.

/** Most values that are written out, because one object may occur many times. */
const maxValues = 20_000
const maxDepth = 100
/** Most UTF-16 units of all texts together. */
const maxText = 2_097_152

interface Capacity {
  values: number
  text: number
}

/** A value as plain data, with unknown parts as their expression: `${file}`. `complete` says that all of it was known. */
export function plainOf(value: Value): { value: unknown; complete: boolean } {
  const capacity: Capacity & { complete: boolean } = { values: maxValues, text: maxText, complete: true }
  return { value: plain(value, capacity, 0), complete: capacity.complete }
}

function plain(value: Value, capacity: Capacity & { complete: boolean }, depth: number): unknown {
  if (capacity.values-- <= 0 || capacity.text <= 0 || depth > maxDepth) {
    capacity.complete = false
    return '…'
  }
  if (isKnown(value)) {
    if (typeof value === 'string') capacity.text -= value.length
    return value
  }
  if (isKind(value, 'list')) return listOf(value.items, value.open, capacity, depth)
  if (isKind(value, 'fields')) {
    if (value.open) capacity.complete = false
    const fields: [string, unknown][] = []
    for (const [key, item] of value.entries) {
      if (isFull(capacity)) break
      fields.push([key, plain(item, capacity, depth + 1)])
    }
    // As in JSON, any name (even `__proto__`) is a field of its own.
    return Object.fromEntries(fields)
  }
  capacity.complete = false
  const text = textOf(holesOf(value))
  capacity.text -= text.length
  return text
}

/** Whether no further value is written out, so that the data is not complete. */
function isFull(capacity: Capacity & { complete: boolean }): boolean {
  if (capacity.values > 0) return false
  capacity.complete = false
  return true
}

function listOf(
  items: readonly Value[],
  open: boolean,
  capacity: Capacity & { complete: boolean },
  depth: number,
): unknown[] {
  if (open) capacity.complete = false
  const list: unknown[] = []
  for (const item of items) {
    if (isFull(capacity)) break
    list.push(plain(item, capacity, depth + 1))
  }
  return list
}

function holesOf(value: Value): Piece[] {
  if (isKind(value, 'mixed')) return value.pieces
  return isKind(value, 'unknown') ? [value] : ['…']
}
