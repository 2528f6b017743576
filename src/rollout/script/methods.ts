/** Methods of texts and lists that change nothing else: those with which scripts build commands. */

import { append } from '../../util/groups.ts'
import { ownValue } from '../../util/own.ts'
import { type Machine, mayFail, payText, spend } from './machine.ts'
import { truthOf } from './operators.ts'
import {
  type Callable,
  isCallable,
  isKind,
  isKnown,
  joinPieces,
  type Known,
  type List,
  type Piece,
  piecesOf,
  type Unknown,
  unknown,
  type Value,
} from './value.ts'

/** A list that is known. */
export function list(items: Value[]): List {
  return { kind: 'list', items, open: false }
}

/** A method; `undefined` if only a run would show what it returns. */
type Method<Self> = (self: Self, args: readonly Value[], machine: Machine) => { value: Value } | undefined

/** The value of a method call on a text or a list. */
export function callMethod(
  { name, self, code }: Extract<Callable, { kind: 'method' }>,
  args: readonly Value[],
  machine: Machine,
): Value {
  const found = typeof self === 'string' ? onText(name, self, args, machine) : onList(name, self, args, machine)
  if (found !== undefined) return found.value
  return callUnknown(self, args, code, machine)
}

/** The value of a call of something unknown. Functions that are passed to it may run any number of times. */
export function callUnknown(owner: Value, args: readonly Value[], code: string, machine: Machine): Unknown {
  mayFail(machine)
  const made = args.map((arg) => (isKind(arg, 'function') ? machine.invokeUnknown(arg, [owner]) : arg))
  return unknown(code, [owner, ...made])
}

function onText(name: string, self: string, args: readonly Value[], machine: Machine) {
  spend(machine, 1)
  const method = ownValue(textMethods, name)
  const isPlain = args.every(isKnown)
  return isPlain || name === 'concat' ? method?.(self, args, machine) : undefined
}

function onList(name: string, self: Value, args: readonly Value[], machine: Machine) {
  if (!isKind(self, 'list')) return undefined
  const method = ownValue(listMethods, name)
  const isMoved = moving.has(name) && (name !== 'reverse' || machine.doubts.length > 0)
  if (isMoved) shuffle(self, machine)
  // If a list may contain further items, only methods that add to it or visit each item give something useful.
  if (method === undefined || (self.open && !growing.has(name))) return isMoved ? { value: self } : undefined
  spend(machine, 1 + self.items.length)
  return method(self, args, machine)
}

const growing = new Set(['push', 'unshift', 'concat', 'map', 'forEach'])
const moving = new Set(['sort', 'reverse', 'splice', 'fill', 'copyWithin'])

/** Forgets the positions of a list's items. */
function shuffle(self: List, machine: Machine): void {
  spend(machine, 1 + self.items.length)
  self.items = [unknown('…', self.items)]
  self.open = true
}

function textArg(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A method that we may run ourselves, because it only copies its text. */
function own(method: unknown): Method<string> {
  return (self, args, machine) => {
    payText(machine, self.length)
    // Only plain data comes here (`onText`), for which JavaScript's own rules hold.
    return { value: (method as (this: string, ...args: readonly Value[]) => Known).apply(self, [...args]) }
  }
}

const textMethods: Readonly<Record<string, Method<string>>> = {
  trim: own(String.prototype.trim),
  trimEnd: own(String.prototype.trimEnd),
  trimStart: own(String.prototype.trimStart),
  toLowerCase: own(String.prototype.toLowerCase),
  toUpperCase: own(String.prototype.toUpperCase),
  toString: own(String.prototype.toString),
  slice: own(String.prototype.slice),
  substring: own(String.prototype.substring),
  charAt: own(String.prototype.charAt),
  at: own(String.prototype.at),
  includes: own(String.prototype.includes),
  startsWith: own(String.prototype.startsWith),
  endsWith: own(String.prototype.endsWith),
  indexOf: own(String.prototype.indexOf),
  lastIndexOf: own(String.prototype.lastIndexOf),
  concat: (self, args, machine) => {
    const pieces = [self, ...args.flatMap((arg) => piecesOf(arg, '…'))]
    return { value: paidPieces(pieces, machine) }
  },
  repeat: (self, [count], machine) => {
    const times = Number(count)
    if (times < 0) return undefined
    payText(machine, self.length * Math.min(times || 0, Number.MAX_SAFE_INTEGER))
    return { value: self.repeat(times) }
  },
  padStart: (self, args, machine) => padded(self, args, String.prototype.padStart, machine),
  padEnd: (self, args, machine) => padded(self, args, String.prototype.padEnd, machine),
  replace: (self, args, machine) => replaced(self, args, false, machine),
  replaceAll: (self, args, machine) => replaced(self, args, true, machine),
  split: (self, [by, limit], machine) => {
    const separator = textArg(by)
    if (separator === undefined) return undefined
    payText(machine, self.length)
    if (separator === '') spend(machine, self.length)
    const items = self.split(separator, limit as number | undefined)
    spend(machine, items.length)
    return { value: { kind: 'list', items, open: false } }
  },
}

function padded(self: string, args: readonly Value[], method: typeof String.prototype.padEnd, machine: Machine) {
  payText(machine, Number(args[0]) || 0)
  return own(method)(self, args, machine)
}

/** Replaces texts with texts only: a regular expression of the script could run forever. */
function replaced(self: string, [from, to]: readonly Value[], all: boolean, machine: Machine) {
  const [search, instead] = [textArg(from), textArg(to)]
  // A `$` may refer to parts of the text.
  if (search === undefined || instead === undefined || instead.includes('$')) return undefined
  payText(machine, self.length)
  if (!all) return { value: self.replace(search, instead) }
  const count = search === '' ? self.length + 1 : self.split(search).length
  payText(machine, self.length + count * instead.length)
  return { value: self.replaceAll(search, instead) }
}

/** Joins pieces into a text and charges for it. */
export function paidPieces(pieces: readonly Piece[], machine: Machine): Value {
  for (const piece of pieces) payText(machine, typeof piece === 'string' ? piece.length : piece.code.length)
  spend(machine, pieces.length)
  return joinPieces(pieces)
}

type ListMethod = Method<List>

const listMethods: Readonly<Record<string, ListMethod>> = {
  push: (self, args, { doubts }) => {
    append(self.items, args)
    return added(self, doubts)
  },
  unshift: (self, args, { doubts }) => {
    self.items.unshift(...args)
    return added(self, doubts)
  },
  pop: (self, _args, machine) => taken(self, () => self.items.pop(), machine),
  shift: (self, _args, machine) => taken(self, () => self.items.shift(), machine),
  slice: (self, args) =>
    args.every(isKnown) ? { value: list(self.items.slice(...(args as [number?, number?]))) } : undefined,
  concat: (self, args) => {
    const open = args.some((arg) => isKind(arg, 'unknown') || (isKind(arg, 'list') && arg.open))
    const items = args.flatMap((arg) => (isKind(arg, 'list') ? arg.items : [arg]))
    return { value: { kind: 'list', items: [...self.items, ...items], open: self.open || open } }
  },
  reverse: (self) => {
    self.items.reverse()
    return { value: self }
  },
  at: (self, [at]) => (isKnown(at) ? { value: self.items.at(at as number) } : undefined),
  includes: (self, args) => searched(self, args, ([item, from]) => self.items.includes(item, from as number)),
  indexOf: (self, args) => searched(self, args, ([item, from]) => self.items.indexOf(item, from as number)),
  join: (self, [by], machine) => {
    if (!isKnown(by)) return undefined
    const separator = by === undefined ? ',' : String(by)
    const pieces = self.items.flatMap((item, index): Piece[] => {
      const own = item === undefined || item === null ? [] : piecesOf(item, '…')
      return index === 0 ? own : [separator, ...own]
    })
    return { value: paidPieces(pieces, machine) }
  },
  entries: (self) => ({ value: list(self.items.map((item, index) => list([index, item]))) }),
  keys: (self) => ({ value: list(self.items.map((_item, index) => index)) }),
  values: (self) => ({ value: list([...self.items]) }),
  flat: (self, [depth], machine) =>
    isKnown(depth) ? { value: flattened(self, depth === undefined ? 1 : Number(depth), machine) } : undefined,
  map: (self, [callee], machine) => withEach(self, callee, machine),
  forEach: (self, [callee], machine) =>
    withEach(self, callee, machine) === undefined ? undefined : { value: undefined },
  flatMap: (self, [callee], machine) => {
    const made = withEach(self, callee, machine)?.value
    return isKind(made, 'list') ? { value: flattened(made, 1, machine) } : undefined
  },
  filter: (self, [callee], machine) => {
    const made = withEach(self, callee, machine)?.value
    if (!isKind(made, 'list')) return undefined
    const kept = made.items.map(truthOf)
    if (kept.includes(undefined)) return { value: unknown('filter', [self, made]) }
    return { value: list(self.items.filter((_item, index) => kept[index])) }
  },
  reduce: (self, args, machine) => {
    const [callee, initial] = args
    const hasInitial = args.length > 1
    if (!isKind(callee, 'function') || (!hasInitial && self.items.length === 0)) return undefined
    const items = [...self.items]
    let value = hasInitial ? initial : items[0]
    for (const [index, item] of items.entries())
      if (hasInitial || index > 0) value = machine.invoke(callee, [value, item, index, self])
    return { value }
  },
}

/** What `push` and `unshift` return: the length, if all items are known. */
function added(self: List, doubts: Machine['doubts']) {
  if (doubts.length > 0) self.open = true
  return { value: self.open ? unknown('…', [self]) : self.items.length }
}

function searched(self: List, args: readonly Value[], search: (args: readonly Known[]) => Known) {
  return args.every(isKnown) && self.items.every(isKnown) ? { value: search(args) } : undefined
}

/** The items of a list, with those of lists in it. An unknown item may be a list too. */
function flattened(self: List, depth: number, machine: Machine): List {
  const flat: List = { kind: 'list', items: [], open: self.open }
  spend(machine, 1 + self.items.length)
  for (const item of self.items) {
    const inner = isKind(item, 'list') && depth >= 1 ? flattened(item, depth - 1, machine) : undefined
    append(flat.items, inner?.items ?? [item])
    flat.open ||= inner?.open ?? (depth >= 1 && isKind(item, 'unknown'))
  }
  return flat
}

function taken(self: List, take: () => Value, { doubts }: Machine) {
  if (doubts.length > 0) self.open = true
  return { value: take() }
}

/** What a function returns for each item. If the list may contain further items, the function is read once more for those. */
function withEach(self: List, callee: Value, machine: Machine): { value: Value } | undefined {
  if (!isCallable(callee)) return undefined
  // A tool takes only its first argument: `map(tools.view_image)`.
  const isTool = isKind(callee, 'tool')
  const items = [...self.items].map((item, index) => machine.invoke(callee, isTool ? [item] : [item, index, self]))
  if (self.open && isKind(callee, 'function')) machine.invokeUnknown(callee, [self])
  return { value: { kind: 'list', items, open: self.open } }
}
