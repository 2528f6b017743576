/** Runtime names that scripts use: for printing, for making texts and lists, and for promises. */

import { append } from '../../util/groups.ts'
import { ownValue } from '../../util/own.ts'
import { Ended, type Machine, mayFail, payText, recordEmission, spend } from './machine.ts'
import {
  type Callable,
  isCallable,
  isKind,
  isKnown,
  joinPieces,
  type List,
  type Piece,
  piecesOf,
  plainOf,
  type Unknown,
  unknown,
  type Value,
} from './value.ts'

type Global = (args: readonly Value[], machine: Machine, code: string) => Value

/** Names that stand for a fixed value. */
const constants = new Map<string, Value>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
])

/** The value of a name that the script does not declare. */
export function globalValue(name: string): Value {
  if (constants.has(name)) return constants.get(name)
  return isGlobal(name) ? { kind: 'global', name } : unknown(name)
}

/** The value of a member of a runtime name: `JSON.stringify`. */
export function globalMember(owner: string, name: string): Value {
  if (owner === 'tools') return { kind: 'tool', name }
  if (owner === 'globalThis') return globalValue(name)
  const path = `${owner}.${name}`
  return Object.hasOwn(globals, path) ? { kind: 'global', name: path } : unknown(path)
}

function isGlobal(name: string): boolean {
  return namespaces.has(name) || Object.hasOwn(globals, name)
}

const namespaces = new Set(['tools', 'globalThis', 'JSON', 'Promise', 'Object', 'Array', 'Math', 'String', 'Number'])

/** The value of a call of a runtime name. */
export function callGlobal(
  { name }: Extract<Callable, { kind: 'global' }>,
  args: readonly Value[],
  machine: Machine,
  code: string,
): Value {
  spend(machine, 1 + args.length)
  const run = ownValue(globals, name)
  return run === undefined ? unknown(code, args) : run(args, machine, code)
}

function emit(kind: 'text' | 'image'): Global {
  return ([value], machine, code) => {
    recordEmission(machine, kind, value, code)
    return undefined
  }
}

/** A function that is computed only if all arguments are known. */
function pure(compute: (args: readonly Value[]) => Value): Global {
  return (args, _machine, code) => (args.every(isKnown) ? compute(args) : unknown(code, args))
}

const globals: Readonly<Record<string, Global>> = {
  text: emit('text'),
  'console.log': emit('text'),
  image: emit('image'),
  exit: () => {
    throw new Ended('exit')
  },
  'JSON.stringify': stringify,
  'Promise.all': ([list]) => list,
  'Promise.resolve': ([value]) => value,
  'Promise.allSettled': ([list], machine, code) => settled(list, machine, code),
  'Object.keys': ([value], machine, code) => entriesOf(value, machine, code, ([key]) => key),
  'Object.values': ([value], machine, code) => entriesOf(value, machine, code, ([, item]) => item),
  'Object.entries': ([value], machine, code) => entriesOf(value, machine, code, (entry) => list([...entry])),
  'Array.from': arrayFrom,
  'Array.isArray': ([value], _machine, code) =>
    isKind(value, 'unknown') ? unknown(code, [value]) : isKind(value, 'list'),
  String: ([value], _machine, code) => {
    if (value === undefined) return 'undefined'
    const [piece, ...more] = piecesOf(value, code)
    return more.length === 0 ? piece : value
  },
  'String.raw': (args, _machine, code) => unknown(code, args),
  Number: pure(([value]) => Number(value)),
  parseInt: pure(([value, radix]) => Number.parseInt(String(value), radix === undefined ? 10 : Number(radix))),
  parseFloat: pure(([value]) => Number.parseFloat(String(value))),
  Boolean: pure(([value]) => Boolean(value)),
  'Math.min': pure((args) => Math.min(...args.map(Number))),
  'Math.max': pure((args) => Math.max(...args.map(Number))),
  'Math.floor': pure(([value]) => Math.floor(Number(value))),
  'Math.ceil': pure(([value]) => Math.ceil(Number(value))),
  'Math.round': pure(([value]) => Math.round(Number(value))),
}

function list(items: Value[]): List {
  return { kind: 'list', items, open: false }
}

/** JSON of a known value; for a whole tool result the result itself, which prints as JSON anyway. */
function stringify([value, , indent]: readonly Value[], machine: Machine, code: string): Value {
  if (isKind(value, 'unknown') && value.result?.field === 'whole') return value
  spend(machine, 1)
  const { value: data, complete } = plainOf(value)
  if (!complete) return { ...unknown(code, [value]), json: value }
  const text = JSON.stringify(data, undefined, isKnown(indent) ? Number(indent ?? 0) || 0 : 0)
  payText(machine, text?.length ?? 0)
  return text
}

/** Each outcome with its value; whether it failed is not known. */
function settled(value: Value, machine: Machine, code: string): Value {
  if (!isKind(value, 'list')) return unknown(code, [value])
  spend(machine, value.items.length)
  const items = value.items.map(
    (item): Value => ({
      kind: 'fields',
      open: false,
      entries: new Map<string, Value>([
        ['status', unknown('status', [item])],
        ['value', item],
        ['reason', unknown('reason', [item])],
      ]),
    }),
  )
  return { ...value, items }
}

function entriesOf(value: Value, machine: Machine, code: string, pick: (entry: [string, Value]) => Value): Value {
  if (!isKind(value, 'fields') || value.open) return unknown(code, [value])
  spend(machine, value.entries.size)
  // Keys that are integers come first, in numeric order.
  const order = Object.keys(Object.fromEntries([...value.entries.keys()].map((key) => [key, true])))
  return list(order.map((key) => pick([key, value.entries.get(key)])))
}

/** `Array.from(list, f)` and `Array.from({length: n}, f)`. */
function arrayFrom([source, callee]: readonly Value[], machine: Machine, code: string): Value {
  const length = isKind(source, 'fields') ? source.entries.get('length') : undefined
  const items = isKind(source, 'list') && !source.open ? source.items : itemsOfLength(length, machine)
  if (items === undefined) {
    const made = isKind(callee, 'function') ? [machine.invokeUnknown(callee, [source])] : []
    return unknown(code, [source, ...made])
  }
  spend(machine, items.length)
  if (!isKind(callee, 'function')) return list([...items])
  return list(items.map((item, index) => machine.invoke(callee, [item, index])))
}

function itemsOfLength(length: Value, machine: Machine): Value[] | undefined {
  if (typeof length !== 'number' || !(length >= 0)) return undefined
  spend(machine, length)
  return new Array<Value>(Math.floor(length)).fill(undefined)
}

// Methods of texts and lists that change nothing else: those with which scripts build commands.

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

function numberArg(value: Value): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A method that we may run ourselves, because it only copies its text. */
function pureMethods(compute: (self: string, args: readonly Value[]) => Value): Method<string> {
  return (self, args, machine) => {
    payText(machine, self.length)
    return { value: compute(self, args) }
  }
}

const textMethods: Readonly<Record<string, Method<string>>> = {
  trim: pureMethods((self) => self.trim()),
  trimEnd: pureMethods((self) => self.trimEnd()),
  trimStart: pureMethods((self) => self.trimStart()),
  toLowerCase: pureMethods((self) => self.toLowerCase()),
  toUpperCase: pureMethods((self) => self.toUpperCase()),
  toString: pureMethods((self) => self),
  slice: pureMethods((self, [from, to]) => self.slice(numberArg(from), numberArg(to))),
  substring: pureMethods((self, [from, to]) => self.substring(numberArg(from) ?? 0, numberArg(to))),
  charAt: pureMethods((self, [at]) => self.charAt(numberArg(at) ?? 0)),
  at: pureMethods((self, [at]) => self.at(numberArg(at) ?? 0)),
  includes: pureMethods((self, [part]) => self.includes(String(part))),
  startsWith: pureMethods((self, [part]) => self.startsWith(String(part))),
  endsWith: pureMethods((self, [part]) => self.endsWith(String(part))),
  indexOf: pureMethods((self, [part]) => self.indexOf(String(part))),
  lastIndexOf: pureMethods((self, [part]) => self.lastIndexOf(String(part))),
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

/** Replaces texts with texts only: a regular expression of the script could run forever. */
function replaced(self: string, [from, to]: readonly Value[], all: boolean, machine: Machine) {
  const [search, instead] = [textArg(from), textArg(to)]
  // A `$` may refer to parts of the text.
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
    if (doubts.length > 0) self.open = true
    return { value: self.items.length }
  },
  unshift: (self, args, { doubts }) => {
    self.items.unshift(...args)
    if (doubts.length > 0) self.open = true
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

function taken(self: List, take: () => Value, { doubts }: Machine) {
  if (doubts.length > 0) self.open = true
  return { value: take() }
}

/** What a function returns for each item. If the list may contain further items, the function is read once more for those. */
function withEach(self: List, callee: Value, machine: Machine): { value: Value } | undefined {
  if (!isCallable(callee)) return undefined
  // `map(Number)` and `map(tools.view_image)` get only the item; a function of the script gets all arguments.
  const own = isKind(callee, 'function')
  const items = [...self.items].map((item, index) => machine.invoke(callee, own ? [item, index, self] : [item]))
  if (self.open && own) machine.invokeUnknown(callee, [self])
  return { value: { kind: 'list', items, open: self.open } }
}
