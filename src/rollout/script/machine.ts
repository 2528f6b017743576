/**
 * The state of reading a script: its calls and prints, in order, and how much of the budget is spent. The author of the
 * script may be malicious: every loop, text and copy is charged, and nothing is ever run.
 */

import type { AnyNode } from 'acorn'
import { codePointOffset } from '../../util/text.ts'
import { type Callable, type Fields, isKind, type List, type Scope, unknown, type Value } from './value.ts'

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
   * `Region`.
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

/** How a statement ends if the next one does not follow. */
export type Flow = { type: 'break' | 'continue'; label?: string } | { type: 'return'; value: Value } | undefined

/** A variable that was set, and its previous value. */
interface Touched {
  scope: Scope
  name: string
  before: Value
}

/** How a list or an object was before a body that may run any number of times changed it, and how much it changes. */
export interface Change {
  before: List | Fields
  /** Positions or fields that are no longer known when the body runs again. */
  forgotten: Set<string>
}

/** A part of the script around this point that may not run, or may be left before its end. */
export interface Region {
  readonly kind: 'branch' | 'try' | 'loop' | 'round' | 'label' | 'function'
  readonly labels: readonly string[]
  /** The number of a branch that may not run, or of the first way past the rest of this region. */
  number: number | undefined
  /** The number of the last way past the rest of this region. */
  latest: number | undefined
  /** Variables from outside that were set where it was not certain, so that they are uncertain after the region. */
  touched: Touched[]
  /** Lists and objects from outside that a body with any number of rounds changes. */
  readonly changed: Map<List | Fields, Change> | undefined
  /** A handler takes its errors. */
  readonly catches: boolean
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
  /** The regions around this point, from the outermost one. */
  readonly regions: Region[]
  /** The next number for a branch, a way past a point, a scope or an object; a later one is higher. */
  numbers: number
  /** Number of loops around this point whose rounds are not known. */
  repeats: number
  /** The script may have ended before this point. */
  mayHaveEnded: boolean
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
  return source.slice(node.start, codePointOffset(source, Math.min(node.end, node.start + 2000)))
}

/** Records a call of a tool. Only a run would show its result. */
export function recordCall(machine: Machine, tool: string, args: readonly Value[], code: string): Value {
  if (machine.calls.length >= limits.calls) throw new Exhausted('too-much')
  const call = machine.calls.length
  // What is passed may change later.
  const passed = args.map((arg) => snapshot(arg, machine, 0))
  machine.calls.push({ tool, args: passed, code, ...doubtsOf(machine) })
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
function doubtsOf({ regions, repeats, mayHaveEnded }: Machine) {
  const path = regions.map(({ number }) => number).filter((number) => number !== undefined)
  return { certain: path.length === 0 && !mayHaveEnded, path, repeated: repeats > 0 }
}

/** Notes that the rest of a region may be skipped. */
export function mayLeaveRegion(region: Region, machine: Machine): void {
  region.latest = machine.numbers++
  region.number ??= region.latest
}

/** Notes that what is read here may fail, so that the rest of the blocks around it may be skipped, up to a handler. */
export function mayFail(machine: Machine): void {
  for (const region of machine.regions.toReversed()) {
    if (region.kind === 'try') mayLeaveRegion(region, machine)
    if (region.catches) return
  }
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

/** A new scope inside another; `kind` says whether it is that of a function or the program, to which a `var` belongs. */
export function innerScope(parent: Scope | undefined, machine: Machine, kind: Scope['kind'] = 'block'): Scope {
  return { names: new Map(), parent, kind, created: machine.numbers++ }
}
