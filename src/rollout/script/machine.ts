/**
 * What a reading of a script keeps: its calls and what it prints, in order, and how much may still be spent on it. Whoever
 * wrote the script may have meant harm: every loop, text and copy is paid for, and nothing of it is ever run.
 */

import type { AnyNode } from 'acorn'
import { type Callable, either, isKind, type Scope, unknown, type Value } from './value.ts'

/** A call of a tool that the script makes. */
export interface ScriptCall {
  tool: string
  args: Value[]
  /** The call as the script writes it. */
  code: string
  /** Nothing can have kept it from running but an error that nothing takes. */
  certain: boolean
  /** The branches that must run for it to run, and ways past it that must not be taken; see `Machine.doubts`. */
  path: readonly number[]
  /** It stands in a loop whose rounds only the run could tell. */
  repeated: boolean
}

/** What the script gives to the model. */
export interface Emission {
  kind: 'text' | 'image'
  value: Value
  code: string
  certain: boolean
  path: readonly number[]
  repeated: boolean
  /** Calls that were made before it. */
  calls: number
  /** In the branch that prints it the script ends; so many calls were made by then. */
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
  /** Branches around this place that may not run, each by a number of its own. */
  readonly doubts: number[]
  /** Numbers that were given to branches and to ways past a place. */
  numbers: number
  /** Loops around this place whose rounds are not known. */
  repeats: number
  /** The script may have ended before this place. */
  mayHaveEnded: boolean
  /** The loop around this place may have been left before it, or its round. */
  mayHaveLeft: false | { what: 'loop' | 'round'; number: number }
  /** Functions of the script around this place. */
  functions: number
  /** The function around this place, or a loop around its loop, may have been left before it. */
  mayHaveReturned: number | undefined
  /** For each `try` block with a handler around this place, whether what stands before it there may have failed. */
  readonly tries: (number | undefined)[]
  /** Variables that were set in the innermost branch that may not run, and what they were before. */
  touched: { names: Map<string, Value>; name: string; before: Value }[]
  /** Values that the innermost function may give back. */
  returns: Value[]
  /** Reads what a call gives: the body of a function of the script, a tool, a name of the runtime. */
  invoke: (callee: Callable, args: readonly Value[]) => Value
  /** Reads a function of the script with arguments that only the run could tell, any number of times. */
  invokeUnknown: (callee: Extract<Callable, { kind: 'function' }>, from: readonly Value[]) => Value
}

/** Nothing more can be spent on a script. */
export class Exhausted extends Error {
  readonly reason: UnreadReason
  constructor(reason: UnreadReason) {
    super(reason)
    this.reason = reason
  }
}

/** The script ends here for sure: by `exit()`, or by an error of its own. */
export class Ended extends Error {
  readonly by: 'exit' | 'throw'
  constructor(by: 'exit' | 'throw') {
    super(by)
    this.by = by
  }
}

/** Pays for work. */
export function spend(machine: Machine, steps: number): void {
  machine.steps += steps
  if (machine.steps > limits.steps) throw new Exhausted('too-much')
}

/** Goes one node deeper and pays for it; whoever does takes one from `depth` when the node is read. */
export function enter(machine: Machine): void {
  spend(machine, 1)
  if (machine.depth >= limits.depth) throw new Exhausted('too-deep')
  machine.depth++
}

/** Pays for a text of a length before it is made. */
export function payText(machine: Machine, length: number): void {
  machine.characters += length
  if (machine.characters > limits.characters) throw new Exhausted('too-much')
}

/** The code of a node, as the script writes it. */
export function codeOf(node: AnyNode | { start: number; end: number }, { source }: Machine): string {
  return source.slice(node.start, Math.min(node.end, node.start + 2000))
}

/** Records a call of a tool; its result is what only the run could tell. */
export function recordCall(machine: Machine, tool: string, args: readonly Value[], code: string): Value {
  if (machine.calls.length >= limits.calls) throw new Exhausted('too-much')
  const call = machine.calls.length
  machine.calls.push({ tool, args: [...args], code, ...doubtsOf(machine) })
  mayFail(machine)
  return { ...unknown(code), calls: [call], result: { call, field: 'whole' } }
}

/** Records what the script prints. Lists that grow later are kept as they are now. */
export function recordEmission(machine: Machine, kind: Emission['kind'], value: Value, code: string): void {
  if (machine.emissions.length >= limits.emissions) throw new Exhausted('too-much')
  const own = { ...doubtsOf(machine), calls: machine.calls.length }
  machine.emissions.push({ kind, value: snapshot(value, machine, 0), code, ...own })
}

/** What is not certain of what happens at this place. */
function doubtsOf({ doubts, repeats, mayHaveEnded, mayHaveLeft, mayHaveReturned, tries }: Machine) {
  const past = [mayHaveLeft === false ? undefined : mayHaveLeft.number, mayHaveReturned, ...tries]
  const path = [...doubts, ...past.filter((number) => number !== undefined)]
  return { certain: path.length === 0 && !mayHaveEnded, path, repeated: repeats > 0 }
}

/** Notes that what was called here may fail: what follows in a block with a handler is then passed over. */
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
 * Reads a branch that may not run, or a body that may run any number of times. What it sets is not known behind it, and
 * where it may end the script, nothing behind it is certain.
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
    // A handler around it may take both, and goes on.
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

/** Reads a block with a handler: behind the first call that may fail, what it does and sets is in doubt. */
export function inTry<T>(machine: Machine, read: () => T): T {
  const { touched } = machine
  machine.touched = []
  machine.tries.push(undefined)
  try {
    return read()
  } finally {
    machine.tries.pop()
    leaveTouched(machine, touched)
  }
}

/** What was set in doubt is not known behind it; it is set by the branch around it too. */
function leaveTouched(machine: Machine, outer: Machine['touched']): void {
  for (const { names, name, before } of machine.touched) names.set(name, either(name, before, names.get(name)))
  for (const touched of machine.touched) outer.push(touched)
  machine.touched = outer
}

/** Sets a name in its scope; one that is nowhere declared is the script's own. */
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

/** The scope inside another. */
export function innerScope(parent: Scope | undefined): Scope {
  return { names: new Map(), parent }
}
