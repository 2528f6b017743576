/** Reads parts of a script that may not run, that may run any number of times, or that may be left before their end. */

import { changesIn, forgetChange } from './changes.ts'
import { Ended, type Flow, type Machine, mayFail, mayLeaveRegion, type Region, spend } from './machine.ts'
import { either, isKind, type Scope, unknown, type Value, withOther } from './value.ts'

/** What was read, and whether the region may have been left before its end. */
interface Read<T> {
  value: T | undefined
  mayHaveLeft: boolean
}

/** Reads a region. If it may have been left before, an error at its end is not certain either. */
function within<T>(machine: Machine, region: Region, read: () => T): Read<T> {
  const printed = machine.emissions.length
  machine.regions.push(region)
  try {
    const value = read()
    return { value, mayHaveLeft: region.number !== undefined }
  } catch (error) {
    if (!(error instanceof Ended) || region.kind === 'try' || region.number === undefined) throw error
    mayEnd(error, machine, printed)
    return { value: undefined, mayHaveLeft: true }
  } finally {
    machine.regions.pop()
    for (const { scope, name, before } of region.touched)
      scope.names.set(name, either(name, before, scope.names.get(name)))
  }
}

function regionOf(kind: Region['kind'], given: Partial<Region> = {}): Region {
  return {
    kind,
    labels: [],
    number: undefined,
    latest: undefined,
    touched: [],
    changed: undefined,
    catches: false,
    ...given,
  }
}

/** Notes that the script may have ended, by what was printed since `printed` or by an error for a handler. */
function mayEnd({ by }: Ended, machine: Machine, printed: number): void {
  // An enclosing handler may catch either, and the script continues.
  const isTaken = machine.regions.some(({ catches }) => catches)
  if (isTaken) mayFail(machine)
  if (!isTaken || by === 'exit') machine.mayHaveEnded = true
  if (!isTaken) for (const emission of machine.emissions.slice(printed)) emission.endsAt ??= machine.calls.length
}

/**
 * Reads a branch that may not run, or a body that may run any number of times. Variables that it sets are uncertain
 * afterwards, and if it may end the script, so is everything that follows.
 */
export function inDoubt<T>(machine: Machine, rounds: 'once' | 'any', read: () => T): T | undefined {
  const number = machine.numbers++
  if (rounds === 'once') return within(machine, regionOf('branch', { number, latest: number }), read).value
  const region = regionOf('branch', { number, latest: number, changed: new Map() })
  machine.repeats++
  try {
    return within(machine, region, () => inAnyRound(machine, region, read)).value
  } finally {
    machine.repeats--
  }
}

/**
 * Reads a body as any of its rounds would run: what a round changes is not known when the next one begins. Reads it
 * again until it changes nothing else.
 */
function inAnyRound<T>(machine: Machine, region: Region, read: () => T): T {
  const start = positionsOf(machine)
  const forgotten: Forgotten = new Map()
  for (;;) {
    const outcome = attempt(read)
    const isNew = [noteVariables(region, forgotten), changesIn(region)].includes(true)
    if (!isNew) return outcome()
    rewind(machine, start)
    for (const [object, change] of region.changed ?? []) forgetChange(object, change, machine)
    for (const [scope, names] of forgotten)
      for (const [name, { before, functions }] of names) {
        scope.names.set(name, before)
        setName(name, [...functions].reduce(withOther, unknown(name)), scope, machine)
      }
  }
}

/** Reads, and gives the value or the end of the script when it is asked for. */
function attempt<T>(read: () => T): () => T {
  try {
    const value = read()
    return () => value
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    return () => {
      throw error
    }
  }
}

/** Variables that are not known when a round begins: their values before the first one, and the functions that they may be. */
type Forgotten = Map<Scope, Map<string, { before: Value; functions: Set<Value> }>>

/** Adds the variables that a round sets to those that are not known when it begins; says whether there is a new one. */
function noteVariables({ touched }: Region, forgotten: Forgotten): boolean {
  let isNew = false
  for (const { scope, name, before } of touched) {
    const names = forgotten.get(scope) ?? new Map<string, { before: Value; functions: Set<Value> }>()
    forgotten.set(scope, names)
    const entry = names.get(name) ?? { before, functions: new Set() }
    for (const value of [before, scope.names.get(name)]) if (isKind(value, 'function')) entry.functions.add(value)
    if (names.has(name)) continue
    names.set(name, entry)
    isNew = true
  }
  return isNew
}

/** How much of each list of the machine there is. */
interface Positions {
  calls: number
  emissions: number
  unread: number
  returns: number
  touched: readonly number[]
}

function positionsOf({ calls, emissions, unread, returns, regions }: Machine): Positions {
  const touched = regions.map((region) => region.touched.length)
  return { calls: calls.length, emissions: emissions.length, unread: unread.length, returns: returns.length, touched }
}

/** Forgets what was recorded since. */
function rewind({ calls, emissions, unread, returns, regions }: Machine, to: Positions): void {
  calls.length = to.calls
  emissions.length = to.emissions
  unread.length = to.unread
  returns.length = to.returns
  for (const [index, { touched }] of regions.entries()) touched.length = to.touched[index] ?? 0
}

/** Reads a block. Whatever it does or sets after its first point that may fail is uncertain after the block. */
export function inTry<T>(machine: Machine, catches: boolean, read: () => T): { value: T; mayHaveFailed: boolean } {
  const { value, mayHaveLeft } = within(machine, regionOf('try', { catches }), read)
  // Errors leave this region, so there is a value.
  return { value: value as T, mayHaveFailed: mayHaveLeft }
}

/** Reads the body of a function. */
export function inFunction<T>(machine: Machine, read: () => T): T | undefined {
  return within(machine, regionOf('function'), read).value
}

/** Reads a loop, one of its rounds, or a labelled statement. How it ends is not certain if it may have ended otherwise. */
export function leavable(
  machine: Machine,
  kind: 'loop' | 'round' | 'label',
  labels: readonly string[],
  read: () => Flow,
): Flow {
  const { value: flow, mayHaveLeft } = within(machine, regionOf(kind, { labels }), read)
  if (!mayHaveLeft) return flow
  mayLeave(machine, flow)
  return undefined
}

/** Reads a branch that may not run, so that how it ends is uncertain too. Returns how it ends if it runs. */
export function maybe(machine: Machine, read: () => Flow, rounds: 'once' | 'any' = 'once'): Flow {
  const flow = inDoubt(machine, rounds, read)
  mayLeave(machine, flow)
  return flow
}

/** Notes that what follows may be skipped. */
export function mayLeave(machine: Machine, flow: Flow): void {
  if (flow === undefined) return
  const left = machine.regions.findLast((region) => isLeftBy(region, flow))
  if (flow.type === 'return') machine.returns.push(flow.value)
  if (left !== undefined) mayLeaveRegion(left, machine)
  else if (flow.type === 'return') machine.mayHaveEnded = true
}

function isLeftBy({ kind, labels }: Region, flow: NonNullable<Flow>): boolean {
  if (flow.type === 'return') return kind === 'function'
  const { type, label } = flow
  if (type === 'continue') return kind === 'round' && (label === undefined || labels.includes(label))
  return label === undefined ? kind === 'loop' : (kind === 'loop' || kind === 'label') && labels.includes(label)
}

/** Sets a name in the scope that declares it; an undeclared name is set in the outermost scope. */
export function assignName(name: string, value: Value, scope: Scope, machine: Machine): void {
  let owner = scope
  while (!owner.names.has(name) && owner.parent !== undefined) {
    spend(machine, 1)
    owner = owner.parent
  }
  setName(name, value, owner, machine)
}

/** Sets a name of this very scope. Regions around it in which that is not certain note its previous value. */
function setName(name: string, value: Value, scope: Scope, { regions }: Machine): void {
  const before = scope.names.get(name)
  for (const { latest, touched } of regions)
    if (latest !== undefined && scope.created < latest) touched.push({ scope, name, before })
  scope.names.set(name, value)
}
