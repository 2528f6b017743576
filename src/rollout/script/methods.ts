/** Methods of texts and lists that change nothing else: those with which scripts build commands. */

import { append } from '../../util/groups.ts'
import { defined, ownValue } from '../../util/own.ts'
import { addItems, forgetPositions, isSure, loosen, noteChange } from './changes.ts'
import { type Machine, mayFail, payText, spend } from './machine.ts'
import { truthOf } from './operators.ts'
import { inDoubt } from './regions.ts'
import {
  type Callable,
  hasOthers,
  isAny,
  isCallable,
  isKind,
  isKnown,
  joinPieces,
  type Known,
  type List,
  type Piece,
  piecesOf,
  sureItems,
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
  const isMoved = moving.has(name) && (name !== 'reverse' || self.open || !isSure(self, machine))
  if (isMoved) forgetPositions(self, machine)
  else if (changing.has(name)) noteChange(self, machine)
  // If a list may contain further items, only methods that add to it or visit each item give something useful.
  if (method === undefined || (self.open && !growing.has(name)))
    return isMoved && name !== 'splice' ? { value: self } : undefined
  spend(machine, 1 + self.items.length)
  return method(self, args, machine)
}

const growing = new Set(['push', 'unshift', 'concat', 'map', 'forEach', 'pop', 'shift'])
const changing = new Set(['push', 'unshift', 'pop', 'shift', 'reverse'])
const moving = new Set(['sort', 'reverse', 'splice', 'fill', 'copyWithin'])

function textArg(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Whether a method changes the list on which it is called. */
export function changesSelf(name: string): boolean {
  return changing.has(name) || moving.has(name)
}

/** A method that we may run ourselves, because it only copies its text. */
function own(method: unknown): Method<string> {
  return (self, args, machine) => {
    payText(machine, self.length)
    // Only plain data comes here (`onText`), for which JavaScript's own rules hold.
    return { value: (method as (this: string, ...args: readonly Value[]) => Known).apply(self, [...args]) }
  }
}

/** Methods that only copy or examine their text. */
const copying = [
  ...(['trim', 'trimEnd', 'trimStart', 'toLowerCase', 'toUpperCase', 'toString', 'slice', 'substring'] as const),
  ...(['charAt', 'at', 'includes', 'startsWith', 'endsWith', 'indexOf', 'lastIndexOf'] as const),
]

const textMethods: Readonly<Record<string, Method<string>>> = {
  ...Object.fromEntries(copying.map((name) => [name, own(String.prototype[name])])),
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
    return { value: list(items) }
  },
}

function padded(self: string, args: readonly Value[], method: typeof String.prototype.padEnd, machine: Machine) {
  if (args[1] !== '') payText(machine, Number(args[0]) || 0)
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
  push: (self, args, machine) => {
    addItems(self, args, machine)
    return { value: self.open ? unknown('…', [self]) : self.items.length }
  },
  unshift: (self, args, machine) => {
    if (isAny(args.at(-1)) || !isSure(self, machine)) loosen(self, 0)
    else if (self.open) self.sure = sureItems(self) + args.length
    self.items.unshift(...args)
    return { value: self.open ? unknown('…', [self]) : self.items.length }
  },
  pop: (self, _args, machine) => {
    const sure = sureItems(self)
    if (!self.open && isSure(self, machine)) return { value: self.items.pop() }
    const value = self.open ? unknown('…', [self]) : self.items.at(-1)
    loosen(self, Math.max(0, sure - 1))
    return { value }
  },
  shift: (self, _args, machine) => {
    const isFirst = sureItems(self) > 0
    const value = isFirst || !self.open ? self.items[0] : unknown('…', [self])
    if (isSure(self, machine) && (isFirst || !self.open)) {
      self.items.shift()
      if (self.sure !== undefined) self.sure--
    } else loosen(self, 0)
    return { value }
  },
  slice: (self, args) =>
    args.every(isKnown) ? { value: list(self.items.slice(...(args as [number?, number?]))) } : undefined,
  concat: (self, args) => {
    const joined: List = { ...self, items: [...self.items] }
    delete joined.created
    for (const arg of args) {
      const inner = isKind(arg, 'list') ? arg : undefined
      const isOpen = inner?.open ?? isKind(arg, 'unknown')
      if (isOpen) loosen(joined, joined.items.length + (inner === undefined ? 0 : sureItems(inner)))
      append(joined.items, inner?.items ?? [arg])
    }
    return { value: joined }
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
    const { length } = self.items
    let value = hasInitial ? initial : self.items[0]
    for (let index = hasInitial ? 0 : 1; index < length; index++) {
      // The function may change the list.
      if (index >= sureItems(self))
        return { value: unknown('reduce', [self, machine.invokeUnknown(callee, [self, value])]) }
      value = machine.invoke(callee, [value, self.items[index], index, self])
    }
    return { value }
  },
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
    const isOpen = inner?.open ?? (depth >= 1 && isKind(item, 'unknown'))
    if (isOpen) loosen(flat, flat.items.length + (inner === undefined ? 0 : sureItems(inner)))
    append(flat.items, inner?.items ?? [item])
  }
  return flat
}

/** What a function returns for each item. If the list may contain further items, the function is read once more for those. */
function withEach(self: List, callee: Value, machine: Machine): { value: Value } | undefined {
  if (!isCallable(callee)) return undefined
  // A tool takes only its first argument: `map(tools.view_image)`.
  const isTool = isKind(callee, 'tool')
  const [{ open, missing }, { length }] = [self, self.items]
  const made: List = { kind: 'list', items: [], open, sure: sureItems(self), ...defined({ missing }) }
  for (let index = 0; index < length; index++) {
    // The function may take items away, or add some.
    const isThere = index < sureItems(self)
    if (!isThere && !open) loosen(made, index)
    const item = isThere || index < self.items.length ? self.items[index] : unknown('…', [self])
    const read = (): Value => machine.invoke(callee, isTool ? [item] : [item, index, self])
    made.items.push(isThere ? read() : inDoubt(machine, 'once', read))
  }
  if (hasOthers(self) && isKind(callee, 'function')) machine.invokeUnknown(callee, [self])
  if (!made.open) delete made.sure
  return { value: made }
}
