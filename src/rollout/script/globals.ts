/** Names of the runtime that scripts use: what prints, what makes texts and lists, promises. */

import { Ended, type Machine, payText, recordEmission, spend } from './machine.ts'
import { type Callable, isKind, isKnown, type List, piecesOf, plainOf, unknown, type Value } from './value.ts'

type Global = (args: readonly Value[], machine: Machine, code: string) => Value

/** Values that are names. */
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

/** The value of a name below another: `JSON.stringify`. */
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

/** What a call of a name of the runtime gives. */
export function callGlobal(
  { name }: Extract<Callable, { kind: 'global' }>,
  args: readonly Value[],
  machine: Machine,
  code: string,
): Value {
  spend(machine, 1 + args.length)
  const run = Object.hasOwn(globals, name) ? globals[name] : undefined
  return run === undefined ? unknown(code, args) : run(args, machine, code)
}

function emit(kind: 'text' | 'image'): Global {
  return ([value], machine, code) => {
    recordEmission(machine, kind, value, code)
    return undefined
  }
}

/** A function of known values only. */
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

/** JSON of what is known; of a result of a tool the result itself, which is printed as JSON anyway. */
function stringify([value, , indent]: readonly Value[], machine: Machine, code: string): Value {
  if (isKind(value, 'unknown') && value.result?.field === 'whole') return value
  spend(machine, 1)
  const { value: data, complete } = plainOf(value)
  if (!complete) return { ...unknown(code, [value]), json: value }
  const text = JSON.stringify(data, undefined, isKnown(indent) ? Number(indent ?? 0) || 0 : 0)
  payText(machine, text?.length ?? 0)
  return text
}

/** Each outcome with its value: whether it failed is not known. */
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
  // Names that are numbers come first, in the order of numbers.
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
