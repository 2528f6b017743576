/** Evaluates calls: of tools, of functions of the script, of the runtime, and of what only a run would show. */

import { defined, ownValue } from '../../util/own.ts'
import { makeUncertain, setAny, setField } from './changes.ts'
import { Ended, limits, type Machine, mayFail, payText, recordCall, recordEmission, spend } from './machine.ts'
import { callMethod, callUnknown, changesSelf, list } from './methods.ts'
import { truthOf } from './operators.ts'
import { inDoubt } from './regions.ts'
import {
  type Callable,
  either,
  isCallable,
  isKind,
  isKnown,
  type Known,
  orderedKeys,
  piecesOf,
  plainOf,
  unknown,
  type Value,
} from './value.ts'

// Names of the runtime that scripts use: for printing, for making texts and lists, and for promises.

type Global = (args: readonly Value[], machine: Machine, code: string) => Value

/** Names with a fixed value. */
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
function callGlobal(
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

/** A function of plain data, by JavaScript's own rules; `length` is the number of arguments that it reads. */
type Plain = (...args: Known[]) => Known

/** A function that is computed only if all arguments that it reads are known. */
function pure(compute: unknown, length: number = Number.POSITIVE_INFINITY): Global {
  return (args, _machine, code) => {
    const read = args.slice(0, length)
    return read.every(isKnown) ? (compute as Plain)(...read) : unknown(code, read)
  }
}

const globals: Readonly<Record<string, Global>> = {
  text: emit('text'),
  'console.log': emit('text'),
  image: emit('image'),
  exit: () => {
    throw new Ended('exit')
  },
  'JSON.stringify': stringify,
  'Promise.all': ([given]) => (isKind(given, 'list') ? { ...given, items: [...given.items] } : given),
  'Promise.resolve': ([value]) => value,
  'Promise.allSettled': ([list], machine, code) => settled(list, machine, code),
  'Object.assign': assigned,
  'Object.keys': ([value], machine, code) => entriesOf(value, machine, code, ([key]) => key),
  'Object.values': ([value], machine, code) => entriesOf(value, machine, code, ([, item]) => item),
  'Object.entries': ([value], machine, code) => entriesOf(value, machine, code, (entry) => list([...entry])),
  'Array.from': arrayFrom,
  'Array.isArray': ([value], _machine, code) =>
    isKind(value, 'unknown') ? unknown(code, [value]) : isKind(value, 'list'),
  String: (args, _machine, code) => {
    const [value] = args
    const [piece = '', ...others] = args.length === 0 ? [] : piecesOf(value, code)
    return others.length === 0 ? piece : value
  },
  'String.raw': (args, _machine, code) => unknown(code, args),
  Number: pure(Number, 1),
  parseInt: pure(Number.parseInt, 2),
  parseFloat: pure(Number.parseFloat, 1),
  Boolean: ([value], _machine, code) => truthOf(value) ?? unknown(code, [value]),
  'Math.min': pure(Math.min),
  'Math.max': pure(Math.max),
  'Math.floor': pure(Math.floor, 1),
  'Math.ceil': pure(Math.ceil, 1),
  'Math.round': pure(Math.round, 1),
}

/** JSON of a known value; for a whole tool result the result itself, which prints as JSON anyway. */
function stringify([value, replacer, indent]: readonly Value[], machine: Machine, code: string): Value {
  // A function or a list would choose what is written.
  if (!isKnown(replacer) || !isKnown(indent)) return unknown(code, [value, replacer, indent])
  if (isKind(value, 'unknown') && value.result?.field === 'whole') return value
  spend(machine, 1)
  const { value: data, complete } = plainOf(value)
  if (!complete) return { ...unknown(code, [value]), json: value }
  const space = typeof indent === 'string' || typeof indent === 'number' ? indent : undefined
  const text = JSON.stringify(data, undefined, space)
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
  const { open, sure } = value
  return { kind: 'list', items, open, ...defined({ sure }) }
}

function entriesOf(value: Value, machine: Machine, code: string, pick: (entry: [string, Value]) => Value): Value {
  if (!isKind(value, 'fields') || value.open) return unknown(code, [value])
  spend(machine, value.entries.size)
  return list(orderedKeys(value).map((key) => pick([key, value.entries.get(key)])))
}

/** `Object.assign`: sets the fields of an object. */
function assigned([target, ...sources]: readonly Value[], machine: Machine, code: string): Value {
  if (!isKind(target, 'fields')) {
    makeUncertain(target, machine)
    return unknown(code, [target, ...sources])
  }
  for (const source of sources) {
    const isOpen = isKind(source, 'fields') ? source.open : !isKnown(source) || typeof source === 'string'
    if (isOpen) setAny(target, unknown(code, [source]), code, machine)
    if (!isKind(source, 'fields')) continue
    spend(machine, source.entries.size)
    for (const [key, item] of source.entries) setField(target, key, item, code, machine)
  }
  return target
}

/** `Array.from(list, f)` and `Array.from({length: n}, f)`. */
function arrayFrom([source, callee]: readonly Value[], machine: Machine, code: string): Value {
  const items = isKind(source, 'list') && !source.open ? source.items : itemsOfLength(source, machine)
  if (items === undefined || (callee !== undefined && !isCallable(callee))) {
    const made = isKind(callee, 'function') ? [machine.invokeUnknown(callee, [source])] : []
    return unknown(code, [source, ...made])
  }
  spend(machine, items.length)
  if (callee === undefined) return list([...items])
  return list([...items].map((item, index) => machine.invoke(callee, isKind(callee, 'tool') ? [item] : [item, index])))
}

function itemsOfLength(source: Value, machine: Machine): Value[] | undefined {
  if (!isKind(source, 'fields') || source.open) return undefined
  const length = source.entries.get('length')
  if (typeof length !== 'number' || !(length >= 0)) return undefined
  spend(machine, length)
  return Array.from({ length }, (_item, index) => source.entries.get(String(index)))
}

// Calls.

/** The value of a call. Calls of tools are recorded. */
export function call(callee: Value, args: readonly Value[], code: string, machine: Machine): Value {
  if (isKind(callee, 'tool')) return recordCall(machine, callee.name, args, code)
  if (isKind(callee, 'function')) return machine.invoke(callee, args)
  if (isKind(callee, 'global')) return callGlobal(callee, args, machine, code)
  if (isKind(callee, 'method')) return callMethod({ ...callee, code }, args, machine)
  const owner = isKind(callee, 'unknown') ? callee.member : undefined
  // Functions of the runtime that are not known here may change what they are given.
  if (isKind(callee, 'unknown') && /^(?:Object|Reflect|Array)\b/.test(callee.code))
    makeUncertain(unknown(code, args), machine)
  if (owner === undefined) return callAny(callee, args, code, machine)
  return isKind(owner.of, 'global') ? callUnnamed(args, code, machine) : callOnUnknown(owner, args, code, machine)
}

/** Calls what only a run would show; it may be one of several functions of the script. */
function callAny(callee: Value, args: readonly Value[], code: string, machine: Machine): Value {
  const others = isKind(callee, 'unknown') ? (callee.or ?? []) : []
  const functions = others.filter((other) => isKind(other, 'function'))
  const made = functions.map((other) => inDoubt(machine, 'once', () => machine.invoke(other, args)))
  const value = callUnknown(callee, args, code, machine)
  return made.length === 0 ? value : made.reduce<Value>((known, other) => either(code, known, other), value)
}

/** Calls a tool whose name only a run would show. */
function callUnnamed(args: readonly Value[], code: string, machine: Machine): Value {
  spend(machine, 1)
  mayFail(machine)
  if (machine.unread.length < limits.calls) machine.unread.push({ reason: 'name', code })
  return unknown(code, args)
}

/** Methods that turn what a tool printed into itself or a piece of it. */
const pieces = new Set(
  'trim trimEnd trimStart slice substring substr toString replace replaceAll split join padEnd concat'.split(' '),
)

function callOnUnknown(
  { of: self, name }: { of: Value; name: string },
  args: readonly Value[],
  code: string,
  machine: Machine,
): Value {
  const [first] = args
  if (name === 'then' && isKind(first, 'function')) return machine.invoke(first, [self])
  if (name === 'catch' || name === 'finally') {
    if (!isKind(first, 'function')) return self
    const instead = inDoubt(machine, 'once', () => machine.invokeUnknown(first, []))
    return name === 'catch' ? either(code, self, instead) : self
  }
  if (changesSelf(name)) makeUncertain(self, machine)
  const value = callUnknown(self, args, code, machine)
  if (!isKind(self, 'unknown') || self.result === undefined || !pieces.has(name)) return value
  return { ...value, ...defined({ or: self.or }), result: { call: self.result.call, field: 'piece' } }
}
