/**
 * The state of reading a script: its calls and prints, in order, and how much of the budget is spent. The author of the
 * script may be malicious: every loop, text and copy is charged, and nothing is ever run.
 */

import type { AnyNode } from 'acorn'
import { wholeOffset } from '../../util/beginning.ts'
import { type Callable, either, isKind, type Scope, unknown, type Value } from './value.ts'

/** A call of a tool that the script makes. */
export interface ScriptCall {
  tool: string
  args: Value[]
  /** The call as the script writes it. */
  code: string
  /** Nothing but an uncaught error can have kept it from running. */
  certain: boolean
  /**
   * Numbers of the branches that must run for it to run, and of the ways past it that must not be taken; see
   * `Machine.doubts`.
   */
  path: readonly number[]
  /** It is in a loop whose number of rounds only a run would show. */
  repeated: boolean
}

/** Something that the script gives to the model. */
export interface Emission {
  kind: 'text' | 'image'
  value: Value
  code: string
  certain: boolean
  path: readonly number[]
  repeated: boolean
  /** Number of calls before it. */
  calls: number
  /** Number of calls at the end of the script, if the script ends in the branch that prints this. */
  endsAt?: number
}

/** Why a call, or the rest of a script, could not be read. */
export type UnreadReason = 'name' | 'syntax' | 'too-long' | 'too-deep' | 'too-much'

/** Limits of one reading. */
export const limits = {
  length: 1_048_576,
  steps: 50_000,
  characters: 4_194_304,
  depth: 200,
  calls: 200,
  emissions: 1000,
}

/** The state of a reading. */
export interface Machine {
  readonly source: string
  readonly calls: ScriptCall[]
  readonly emissions: Emission[]
  readonly unread: { reason: UnreadReason; code: string }[]
  steps: number
  characters: number
  depth: number
  /** Numbers of the branches around this point that may not run. */
  readonly doubts: number[]
  /** The next number for a branch or a way past a point. */
  numbers: number
  /** Number of loops around this point whose rounds are not known. */
  repeats: number
  /** The script may have ended before this point. */
  mayHaveEnded: boolean
  /** The loop around this point, or its current round, may have been left before it. */
  mayHaveLeft: false | { what: 'loop' | 'round'; number: number }
  /** Number of the script's functions around this point. */
  functions: number
  /** The number of a way past this point: the function around it, or an outer loop, may have been left before it. */
  mayHaveReturned: number | undefined
  /**
   * For each `try` block with a handler around this point: the number of a way past it, if something earlier in the block
   * may have failed.
   */
  readonly tries: (number | undefined)[]
  /** Variables that were set in the innermost branch that may not run, with their previous values. */
  touched: { names: Map<string, Value>; name: string; before: Value }[]
  /** Values that the innermost function may return. */
  returns: Value[]
  /** Evaluates a call: the body of a function of the script, a tool, or a runtime name. */
  invoke: (callee: Callable, args: readonly Value[]) => Value
  /** Reads a function of the script that may run any number of times, with arguments that only a run would show. */
  invokeUnknown: (callee: Extract<Callable, { kind: 'function' }>, from: readonly Value[]) => Value
}

/** Thrown when the budget of a script is spent. */
export class Exhausted extends Error {
  readonly reason: UnreadReason
  constructor(reason: UnreadReason) {
    super(reason)
    this.reason = reason
  }
}

/** Thrown where the script certainly ends: by `exit()`, or by an error of its own. */
export class Ended extends Error {
  readonly by: 'exit' | 'throw'
  constructor(by: 'exit' | 'throw') {
    super(by)
    this.by = by
  }
}

/** Charges for work. Throws `Exhausted` beyond the limit. */
export function spend(machine: Machine, steps: number): void {
  machine.steps += steps
  if (machine.steps > limits.steps) throw new Exhausted('too-much')
}

/** Goes one node deeper and charges for it; the caller subtracts one from `depth` when the node is read. */
export function enter(machine: Machine): void {
  spend(machine, 1)
  if (machine.depth >= limits.depth) throw new Exhausted('too-deep')
  machine.depth++
}

/** Charges for a text before it is made. Throws `Exhausted` beyond the limit. */
export function payText(machine: Machine, length: number): void {
  machine.characters += length
  if (machine.characters > limits.characters) throw new Exhausted('too-much')
}

/** The code of a node as the script writes it, up to 2,000 UTF-16 units. */
export function codeOf(node: AnyNode | { start: number; end: number }, { source }: Machine): string {
  return source.slice(node.start, wholeOffset(source, Math.min(node.end, node.start + 2000)))
}

/** Records a call of a tool. Only a run would show its result. */
export function recordCall(machine: Machine, tool: string, args: readonly Value[], code: string): Value {
  if (machine.calls.length >= limits.calls) throw new Exhausted('too-much')
  const call = machine.calls.length
  machine.calls.push({ tool, args: [...args], code, ...doubtsOf(machine) })
  mayFail(machine)
  return { ...unknown(code), calls: [call], result: { call, field: 'whole' } }
}

/** Records what the script prints. Lists are copied, because they may grow later. */
export function recordEmission(machine: Machine, kind: Emission['kind'], value: Value, code: string): void {
  if (machine.emissions.length >= limits.emissions) throw new Exhausted('too-much')
  const own = { ...doubtsOf(machine), calls: machine.calls.length }
  machine.emissions.push({ kind, value: snapshot(value, machine, 0), code, ...own })
}

/** What is uncertain about whatever happens at this point. */
function doubtsOf({ doubts, repeats, mayHaveEnded, mayHaveLeft, mayHaveReturned, tries }: Machine) {
  const past = [mayHaveLeft === false ? undefined : mayHaveLeft.number, mayHaveReturned, ...tries]
  const path = [...doubts, ...past.filter((number) => number !== undefined)]
  return { certain: path.length === 0 && !mayHaveEnded, path, repeated: repeats > 0 }
}

/** Notes that what is called here may fail, so that the rest of a block with a handler may be skipped. */
export function mayFail(machine: Machine): void {
  const innermost = machine.tries.length - 1
  if (innermost >= 0) machine.tries[innermost] ??= machine.numbers++
}

function snapshot(value: Value, machine: Machine, depth: number): Value {
  spend(machine, 1)
  if (depth > 20) return value
  if (isKind(value, 'list')) return { ...value, items: value.items.map((item) => snapshot(item, machine, depth + 1)) }
  if (isKind(value, 'fields')) {
    const entries = [...value.entries].map(([key, item]): [string, Value] => [key, snapshot(item, machine, depth + 1)])
    return { ...value, entries: new Map(entries) }
  }
  if (isKind(value, 'unknown') && value.json !== undefined)
    return { ...value, json: snapshot(value.json, machine, depth + 1) }
  return value
}

/**
 * Reads a branch that may not run, or a body that may run any number of times. Variables that it sets are uncertain
 * afterwards, and if it may end the script, so is everything that follows.
 */
export function inDoubt<T>(machine: Machine, rounds: 'once' | 'any', read: () => T): T | undefined {
  const outer = machine.touched
  const printed = machine.emissions.length
  machine.touched = []
  machine.doubts.push(machine.numbers++)
  if (rounds === 'any') machine.repeats++
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    // An enclosing handler may catch either, and the script continues.
    const isTaken = machine.tries.length > 0
    if (isTaken) mayFail(machine)
    if (!isTaken || error.by === 'exit') machine.mayHaveEnded = true
    if (isTaken) return undefined
    for (const emission of machine.emissions.slice(printed)) emission.endsAt ??= machine.calls.length
    return undefined
  } finally {
    machine.doubts.pop()
    if (rounds === 'any') machine.repeats--
    leaveTouched(machine, outer)
  }
}

/** Reads a block with a handler: after the first call that may fail, whatever the block does or sets is in doubt. */
export function inTry<T>(machine: Machine, read: () => T): { value: T; mayHaveFailed: boolean } {
  const { touched } = machine
  machine.touched = []
  machine.tries.push(undefined)
  try {
    const value = read()
    return { value, mayHaveFailed: machine.tries.at(-1) !== undefined }
  } finally {
    machine.tries.pop()
    leaveTouched(machine, touched)
  }
}

/** Makes variables that were set in doubt uncertain; the enclosing branch counts as setting them too. */
function leaveTouched(machine: Machine, outer: Machine['touched']): void {
  for (const { names, name, before } of machine.touched) names.set(name, either(name, before, names.get(name)))
  for (const touched of machine.touched) outer.push(touched)
  machine.touched = outer
}

/** Sets a name in the scope that declares it; an undeclared name is set in the outermost scope. */
export function assignName(name: string, value: Value, scope: Scope, machine: Machine): void {
  let place = scope
  while (!place.names.has(name) && place.parent !== undefined) {
    spend(machine, 1)
    place = place.parent
  }
  if (machine.doubts.length > 0 || machine.tries.some((failed) => failed !== undefined))
    machine.touched.push({ names: place.names, name, before: place.names.get(name) })
  place.names.set(name, value)
}

/** A new scope inside another. */
export function innerScope(parent: Scope | undefined): Scope {
  return { names: new Map(), parent }
}
