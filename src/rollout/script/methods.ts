/** Methods of texts and lists that change nothing but what they are given: those that scripts build commands with. */

import { type Machine, payText, spend } from './machine.ts'
import {
  type Callable,
  isCallable,
  isKind,
  isKnown,
  joinPieces,
  type List,
  type Piece,
  piecesOf,
  unknown,
  type Value,
} from './value.ts'

/** A method: `undefined` where what it gives could only be told by a run. */
type Method<Self> = (self: Self, args: readonly Value[], machine: Machine) => { value: Value } | undefined

/** The value of a method call on a text or a list. */
export function callMethod(
  { name, self, code }: Extract<Callable, { kind: 'method' }>,
  args: readonly Value[],
  machine: Machine,
): Value {
  const found = typeof self === 'string' ? onText(name, self, args, machine) : onList(name, self, args, machine)
  if (found !== undefined) return found.value
  // Functions that are handed over may run, any number of times.
  const made = args.map((arg) => (isKind(arg, 'function') ? machine.invokeUnknown(arg, [self]) : arg))
  return unknown(code, [self, ...made])
}

function onText(name: string, self: string, args: readonly Value[], machine: Machine) {
  spend(machine, 1)
  const method = Object.hasOwn(textMethods, name) ? textMethods[name] : undefined
  const isPlain = args.every(isKnown)
  return isPlain || name === 'concat' ? method?.(self, args, machine) : undefined
}

function onList(name: string, self: Value, args: readonly Value[], machine: Machine) {
  if (!isKind(self, 'list')) return undefined
  const method = Object.hasOwn(listMethods, name) ? listMethods[name] : undefined
  // Of a list that may hold others only what adds to it can be told.
  if (method === undefined || (self.open && !growing.has(name))) return undefined
  spend(machine, 1 + self.items.length)
  return method(self, args, machine)
}

const growing = new Set(['push', 'unshift', 'concat', 'map', 'forEach'])

function textArg(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberArg(value: Value): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A method that the runtime may compute itself, since it only copies. */
function pure(compute: (self: string, args: readonly Value[]) => Value): Method<string> {
  return (self, args, machine) => {
    payText(machine, self.length)
    return { value: compute(self, args) }
  }
}

const textMethods: Readonly<Record<string, Method<string>>> = {
  trim: pure((self) => self.trim()),
  trimEnd: pure((self) => self.trimEnd()),
  trimStart: pure((self) => self.trimStart()),
  toLowerCase: pure((self) => self.toLowerCase()),
  toUpperCase: pure((self) => self.toUpperCase()),
  toString: pure((self) => self),
  slice: pure((self, [from, to]) => self.slice(numberArg(from), numberArg(to))),
  substring: pure((self, [from, to]) => self.substring(numberArg(from) ?? 0, numberArg(to))),
  charAt: pure((self, [at]) => self.charAt(numberArg(at) ?? 0)),
  at: pure((self, [at]) => self.at(numberArg(at) ?? 0)),
  includes: pure((self, [part]) => self.includes(String(part))),
  startsWith: pure((self, [part]) => self.startsWith(String(part))),
  endsWith: pure((self, [part]) => self.endsWith(String(part))),
  indexOf: pure((self, [part]) => self.indexOf(String(part))),
  lastIndexOf: pure((self, [part]) => self.lastIndexOf(String(part))),
  concat: (self, args, machine) => {
    const pieces = [self, ...args.flatMap((arg) => piecesOf(arg, '…'))]
    return { value: paidPieces(pieces, machine) }
  },
  repeat: (self, [count], machine) => {
    const times = numberArg(count) ?? 0
    if (!(times >= 0)) return undefined
    payText(machine, self.length * Math.min(times, Number.MAX_SAFE_INTEGER))
    return { value: self.repeat(times) }
  },
  padStart: (self, args, machine) => padded(self, args, 'padStart', machine),
  padEnd: (self, args, machine) => padded(self, args, 'padEnd', machine),
  replace: (self, args, machine) => replaced(self, args, false, machine),
  replaceAll: (self, args, machine) => replaced(self, args, true, machine),
  split: (self, [by], machine) => {
    const separator = textArg(by)
    if (separator === undefined) return undefined
    payText(machine, self.length)
    if (separator === '') spend(machine, self.length)
    const items = self.split(separator)
    spend(machine, items.length)
    return { value: { kind: 'list', items, open: false } }
  },
}

function padded(self: string, [length, by]: readonly Value[], side: 'padStart' | 'padEnd', machine: Machine) {
  payText(machine, Math.max(self.length, numberArg(length) ?? 0))
  return { value: self[side](numberArg(length) ?? 0, textArg(by) ?? ' ') }
}

/** Texts for texts only: a pattern of the script's own could take for ever. */
function replaced(self: string, [from, to]: readonly Value[], all: boolean, machine: Machine) {
  const [search, instead] = [textArg(from), textArg(to)]
  // A `$` may stand for parts of the text.
  if (search === undefined || instead === undefined || instead.includes('$')) return undefined
  payText(machine, self.length)
  const parts = all ? self.split(search) : splitOnce(self, search)
  payText(machine, self.length + parts.length * instead.length)
  return { value: parts.join(instead) }
}

function splitOnce(text: string, by: string): string[] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)]
}

/** The text of pieces, paid for. */
export function paidPieces(pieces: readonly Piece[], machine: Machine): Value {
  for (const piece of pieces) payText(machine, typeof piece === 'string' ? piece.length : piece.code.length)
  spend(machine, pieces.length)
  return joinPieces(pieces)
}

type ListMethod = Method<List>

const listMethods: Readonly<Record<string, ListMethod>> = {
  push: (self, args, { doubt }) => {
    self.items.push(...args)
    if (doubt > 0) self.open = true
    return { value: self.items.length }
  },
  unshift: (self, args, { doubt }) => {
    self.items.unshift(...args)
    if (doubt > 0) self.open = true
    return { value: self.items.length }
  },
  pop: (self, _args, machine) => taken(self, () => self.items.pop(), machine),
  shift: (self, _args, machine) => taken(self, () => self.items.shift(), machine),
  slice: (self, [from, to]) => ({ value: list(self.items.slice(numberArg(from), numberArg(to))) }),
  concat: (self, args) => {
    const open = args.some((arg) => isKind(arg, 'unknown') || (isKind(arg, 'list') && arg.open))
    const items = args.flatMap((arg) => (isKind(arg, 'list') ? arg.items : [arg]))
    return { value: { kind: 'list', items: [...self.items, ...items], open: self.open || open } }
  },
  reverse: (self) => {
    self.items.reverse()
    return { value: self }
  },
  at: (self, [at]) => ({ value: self.items.at(numberArg(at) ?? 0) }),
  includes: (self, [item]) =>
    isKnown(item) && self.items.every(isKnown) ? { value: self.items.includes(item) } : undefined,
  indexOf: (self, [item]) =>
    isKnown(item) && self.items.every(isKnown) ? { value: self.items.indexOf(item) } : undefined,
  join: (self, [by], machine) => {
    const separator = by === undefined ? ',' : textArg(by)
    if (separator === undefined) return undefined
    const pieces = self.items.flatMap((item, index): Piece[] => {
      const own = item === undefined || item === null ? [] : piecesOf(item, '…')
      return index === 0 ? own : [separator, ...own]
    })
    return { value: paidPieces(pieces, machine) }
  },
  entries: (self) => ({ value: list(self.items.map((item, index) => list([index, item]))) }),
  keys: (self) => ({ value: list(self.items.map((_item, index) => index)) }),
  values: (self) => ({ value: list([...self.items]) }),
  flat: (self) => ({ value: list(self.items.flatMap((item) => (isKind(item, 'list') ? item.items : [item]))) }),
  map: (self, [callee], machine) => withEach(self, callee, machine),
  forEach: (self, [callee], machine) =>
    withEach(self, callee, machine) === undefined ? undefined : { value: undefined },
  flatMap: (self, [callee], machine) => {
    const made = withEach(self, callee, machine)?.value
    if (!isKind(made, 'list')) return undefined
    const open = made.open || made.items.some((item) => isKind(item, 'unknown') || (isKind(item, 'list') && item.open))
    return {
      value: { kind: 'list', items: made.items.flatMap((item) => (isKind(item, 'list') ? item.items : [item])), open },
    }
  },
  filter: (self, [callee], machine) => {
    const made = withEach(self, callee, machine)?.value
    if (!isKind(made, 'list')) return undefined
    if (!made.items.every(isKnown)) return { value: unknown('filter', [self, made]) }
    return { value: list(self.items.filter((_item, index) => Boolean(made.items[index]))) }
  },
  reduce: (self, args, machine) => {
    const [callee] = args
    if (!isCallable(callee)) return undefined
    const [first, ...rest] = self.items
    let value = args.length > 1 ? args[1] : first
    for (const [index, item] of (args.length > 1 ? self.items : rest).entries())
      value = machine.invoke(callee, [value, item, index])
    return { value }
  },
}

function list(items: Value[]): List {
  return { kind: 'list', items, open: false }
}

function taken(self: List, take: () => Value, { doubt }: Machine) {
  if (doubt > 0) self.open = true
  return { value: take() }
}

/** What a function gives for each item; a list that may hold others is gone through once more for those. */
function withEach(self: List, callee: Value, machine: Machine): { value: Value } | undefined {
  if (!isCallable(callee)) return undefined
  // `map(Number)` and `map(tools.view_image)` take the item alone; a function of the script takes what it names.
  const own = isKind(callee, 'function')
  const items = [...self.items].map((item, index) => machine.invoke(callee, own ? [item, index, self] : [item]))
  if (self.open && own) machine.invokeUnknown(callee, [self])
  return { value: { kind: 'list', items, open: self.open } }
}
