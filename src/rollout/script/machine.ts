/**
 * What a reading of a script keeps: its calls and what it prints, in order, and how much may still be spent on it. Whoever
 * wrote the script may have meant harm: every loop, text and copy is paid for, and nothing of it is ever run.
 */

import type { AnyNode } from 'acorn'
import { type Callable, isKind, type Scope, unknown, type Value } from './value.ts'

/** A call of a tool that the script makes. */
export interface ScriptCall {
  tool: string
  args: Value[]
  /** The call as the script writes it. */
  code: string
  /** Nothing can have kept it from running but an error. */
  certain: boolean
  /** It stands in a branch that may not run. */
  branch: boolean
  /** It stands in a loop whose rounds only the run could tell. */
  repeated: boolean
}

/** What the script gives to the model. */
export interface Emission {
  kind: 'text' | 'image'
  value: Value
  code: string
  certain: boolean
  branch: boolean
  repeated: boolean
  /** Calls that were made before it. */
  calls: number
  /** The script ends where it is printed. */
  ends: boolean
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
  /** Branches around this place that may not run. */
  doubt: number
  /** Loops around this place whose rounds are not known. */
  repeats: number
  /** The script may have ended before this place. */
  mayHaveEnded: boolean
  /** The loop around this place may have been left before it, or its round. */
  mayHaveLeft: false | 'loop' | 'round'
  /** Variables that were set in the innermost branch that may not run. */
  touched: { names: Map<string, Value>; name: string }[]
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
  return { ...unknown(code), calls: [call], result: { call, field: 'whole' } }
}

/** Records what the script prints. Lists that grow later are kept as they are now. */
export function recordEmission(machine: Machine, kind: Emission['kind'], value: Value, code: string): void {
  if (machine.emissions.length >= limits.emissions) throw new Exhausted('too-much')
  const own = { ...doubtsOf(machine), calls: machine.calls.length, ends: false }
  machine.emissions.push({ kind, value: snapshot(value, machine, 0), code, ...own })
}

/** What is not certain of what happens at this place. */
function doubtsOf({ doubt, repeats, mayHaveEnded, mayHaveLeft }: Machine) {
  const branch = doubt > 0 || mayHaveLeft !== false
  return { certain: !branch && !mayHaveEnded, branch, repeated: repeats > 0 }
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
  machine.doubt++
  if (rounds === 'any') machine.repeats++
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    machine.mayHaveEnded = true
    for (const emission of machine.emissions.slice(printed)) emission.ends = true
    return undefined
  } finally {
    machine.doubt--
    if (rounds === 'any') machine.repeats--
    for (const { names, name } of machine.touched) names.set(name, unknown(name, [names.get(name)]))
    // What this branch set is set by the branch around it too.
    for (const touched of machine.touched) outer.push(touched)
    machine.touched = outer
  }
}

/** Sets a name in its scope; one that is nowhere declared is the script's own. */
export function assignName(name: string, value: Value, scope: Scope, machine: Machine): void {
  let place = scope
  while (!place.names.has(name) && place.parent !== undefined) {
    spend(machine, 1)
    place = place.parent
  }
  place.names.set(name, value)
  if (machine.doubt > 0) machine.touched.push({ names: place.names, name })
}

/** The scope inside another. */
export function innerScope(parent: Scope | undefined): Scope {
  return { names: new Map(), parent }
}
