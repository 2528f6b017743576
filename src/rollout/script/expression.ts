/** Evaluates an expression, as far as the script itself determines its value. */

import type { AnyNode, Expression, Function as FunctionNode, MemberExpression, Pattern } from 'acorn'
import { append } from '../../util/groups.ts'
import { defined } from '../../util/own.ts'
import { callGlobal, globalMember, globalValue } from './globals.ts'
import { assignName, codeOf, enter, inDoubt, limits, type Machine, mayFail, recordCall, spend } from './machine.ts'
import { callMethod, callUnknown, paidPieces } from './methods.ts'
import { binary, truthOf, unary } from './operators.ts'
import { type Binding, bind, memberOfUnknown } from './pattern.ts'
import {
  either,
  type Fields,
  isKind,
  isKnown,
  type Piece,
  piecesOf,
  type Scope,
  unknown,
  type Value,
  withOther,
} from './value.ts'

/** Evaluates one expression. */
export function evaluate(node: AnyNode, scope: Scope, machine: Machine): Value {
  enter(machine)
  try {
    const read = Object.hasOwn(readers, node.type) ? readers[node.type as Expression['type']] : undefined
    // The reader was looked up by the node's own type, so it accepts the node.
    return read === undefined ? unknown(codeOf(node, machine)) : read(node as never, scope, machine)
  } finally {
    machine.depth--
  }
}

type Reader<T extends Expression['type']> = (
  node: Extract<Expression, { type: T }>,
  scope: Scope,
  machine: Machine,
) => Value

const readers: { readonly [T in Expression['type']]?: Reader<T> } = {
  Literal: (node, _scope, machine) => {
    const { value } = node
    return isKnown(value as Value) && typeof value !== 'bigint' ? (value as Value) : unknown(codeOf(node, machine))
  },
  Identifier: ({ name }, scope, machine) => lookUp(name, scope, machine),
  TemplateLiteral: (node, scope, machine) => template(node, scope, machine, 'cooked'),
  TaggedTemplateExpression: (node, scope, machine) => {
    const tag = evaluate(node.tag, scope, machine)
    const isRaw = isKind(tag, 'global') && tag.name === 'String.raw'
    return isRaw ? template(node.quasi, scope, machine, 'raw') : unknown(codeOf(node, machine))
  },
  ArrayExpression: ({ elements }, scope, machine) => {
    const { items, open } = listOf(elements, scope, machine)
    return { kind: 'list', items, open }
  },
  ObjectExpression: objectOf,
  FunctionExpression: functionOf,
  ArrowFunctionExpression: functionOf,
  UnaryExpression: (node, scope, machine) =>
    unary(node.operator, evaluate(node.argument, scope, machine), codeOf(node, machine)),
  UpdateExpression: (node, scope, machine) => {
    const given = evaluate(node.argument, scope, machine)
    const before = isKnown(given) ? Number(given) : given
    const after =
      typeof before === 'number' ? before + (node.operator === '++' ? 1 : -1) : unknown(codeOf(node, machine), [before])
    assign(node.argument as Pattern, after, scope, machine)
    return node.prefix ? after : before
  },
  BinaryExpression: (node, scope, machine) => {
    if (node.left.type === 'PrivateIdentifier') return unknown(codeOf(node, machine))
    const left = evaluate(node.left, scope, machine)
    const right = evaluate(node.right, scope, machine)
    const code = { whole: codeOf(node, machine), left: codeOf(node.left, machine), right: codeOf(node.right, machine) }
    return binary(node.operator, left, right, code, machine)
  },
  AssignmentExpression: (node, scope, machine) => {
    const { left, operator } = node
    const right = (): Value => evaluate(node.right, scope, machine)
    const value =
      operator === '=' ? right() : combined(operator.slice(0, -1), evaluate(left, scope, machine), right, node, machine)
    assign(left, value, scope, machine)
    return value
  },
  LogicalExpression: (node, scope, machine) => {
    const left = evaluate(node.left, scope, machine)
    return logical(node.operator, left, () => evaluate(node.right, scope, machine), codeOf(node, machine), machine)
  },
  ConditionalExpression: (node, scope, machine) => {
    const truth = truthOf(evaluate(node.test, scope, machine))
    if (truth !== undefined) return evaluate(truth ? node.consequent : node.alternate, scope, machine)
    const first = inDoubt(machine, 'once', () => evaluate(node.consequent, scope, machine))
    const second = inDoubt(machine, 'once', () => evaluate(node.alternate, scope, machine))
    return either(codeOf(node, machine), first, second)
  },
  MemberExpression: (node, scope, machine) => {
    if (node.object.type === 'Super') return unknown(codeOf(node, machine))
    return memberOf(evaluate(node.object, scope, machine), node, scope, machine)
  },
  CallExpression: (node, scope, machine) => {
    if (node.callee.type === 'Super') return unknown(codeOf(node, machine))
    const callee = evaluate(node.callee, scope, machine)
    const args = listOf(node.arguments, scope, machine).items
    return call(callee, args, codeOf(node, machine), machine)
  },
  NewExpression: (node, scope, machine) => {
    const { items } = listOf(node.arguments, scope, machine)
    const made = items.map((item) => (isKind(item, 'function') ? machine.invokeUnknown(item, []) : item))
    return unknown(codeOf(node, machine), made)
  },
  SequenceExpression: ({ expressions }, scope, machine) => {
    let last: Value
    for (const expression of expressions) last = evaluate(expression, scope, machine)
    return last
  },
  AwaitExpression: ({ argument }, scope, machine) => evaluate(argument, scope, machine),
  ChainExpression: ({ expression }, scope, machine) => evaluate(expression, scope, machine),
  ParenthesizedExpression: ({ expression }, scope, machine) => evaluate(expression, scope, machine),
}

function lookUp(name: string, scope: Scope, machine: Machine): Value {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    spend(machine, 1)
    if (place.names.has(name)) return place.names.get(name)
  }
  return globalValue(name)
}

function template(
  { quasis, expressions }: Extract<Expression, { type: 'TemplateLiteral' }>,
  scope: Scope,
  machine: Machine,
  form: 'cooked' | 'raw',
): Value {
  const pieces: Piece[] = []
  for (const [index, quasi] of quasis.entries()) {
    pieces.push(quasi.value[form] ?? quasi.value.raw)
    const expression = expressions[index]
    if (expression !== undefined)
      append(pieces, piecesOf(evaluate(expression, scope, machine), codeOf(expression, machine)))
  }
  return paidPieces(pieces, machine)
}

/** Evaluates items or arguments. An unknown value that is spread may be any number of them. */
function listOf(
  elements: readonly (AnyNode | null)[],
  scope: Scope,
  machine: Machine,
): { items: Value[]; open: boolean } {
  const items: Value[] = []
  let open = false
  for (const element of elements) {
    if (element?.type !== 'SpreadElement') {
      items.push(element === null ? undefined : evaluate(element, scope, machine))
      continue
    }
    const spread = evaluate(element.argument, scope, machine)
    if (isKind(spread, 'list')) {
      spend(machine, spread.items.length)
      for (const item of spread.items) items.push(item)
      open ||= spread.open
    } else {
      open = true
      items.push(unknown(codeOf(element, machine), [spread]))
    }
  }
  return { items, open }
}

function objectOf(node: Extract<Expression, { type: 'ObjectExpression' }>, scope: Scope, machine: Machine): Value {
  const made: Fields = { kind: 'fields', entries: new Map(), open: false }
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') spreadInto(made, evaluate(property.argument, scope, machine), machine)
    else {
      const key = property.computed ? evaluate(property.key, scope, machine) : keyOf(property.key)
      // Only running a getter would show its value.
      const isPlain = property.kind === 'init'
      const value = isPlain ? evaluate(property.value, scope, machine) : unknown(codeOf(property, machine))
      if (isKnown(key)) made.entries.set(String(key), value)
      else made.open = true
    }
  }
  return made
}

function spreadInto(made: Fields, spread: Value, machine: Machine): void {
  if (!isKind(spread, 'fields')) {
    made.open ||= !isKnown(spread)
    return
  }
  spend(machine, spread.entries.size)
  for (const [key, item] of spread.entries) made.entries.set(key, item)
  made.open ||= spread.open
}

function keyOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : ''
}

function functionOf(node: FunctionNode, scope: Scope): Value {
  return { kind: 'function', node, scope }
}

function combined(
  operator: string,
  before: Value,
  right: () => Value,
  node: Extract<Expression, { type: 'AssignmentExpression' }>,
  machine: Machine,
): Value {
  const whole = codeOf(node, machine)
  if (operator === '??' || operator === '||' || operator === '&&')
    return logical(operator, before, right, whole, machine)
  const code = { whole, left: codeOf(node.left, machine), right: codeOf(node.right, machine) }
  return binary(operator as Parameters<typeof binary>[0], before, right(), code, machine)
}

function logical(operator: '??' | '||' | '&&', left: Value, right: () => Value, code: string, machine: Machine): Value {
  const decided = decidedBy(operator, left)
  if (decided !== undefined) return decided === 'left' ? left : right()
  const other = inDoubt(machine, 'once', right)
  // A part of a result with a fallback is still that part.
  if (isKind(left, 'unknown') && left.result !== undefined && operator !== '&&') return withOther(left, other)
  const made = unknown(code, [left, other])
  return operator === '&&' ? made : withOther(made, other)
}

function decidedBy(operator: '??' | '||' | '&&', left: Value): 'left' | 'right' | undefined {
  if (operator === '??') {
    if (isKind(left, 'unknown')) return undefined
    return left === null || left === undefined ? 'right' : 'left'
  }
  const truth = truthOf(left)
  if (truth === undefined) return undefined
  return truth === (operator === '||') ? 'left' : 'right'
}

// Members, calls and assignments.

function memberOf(object: Value, node: MemberExpression, scope: Scope, machine: Machine): Value {
  const name = node.computed ? evaluate(node.property, scope, machine) : keyOf(node.property)
  const code = codeOf(node, machine)
  if (isKind(object, 'global') && object.name === 'tools') return toolOf(name, code)
  if (!isKnown(name)) return unknown(code, [object, name])
  return member(object, String(name), code)
}

/** A tool by its name, or by the fallback name if the script looks the name up. */
function toolOf(name: Value, code: string): Value {
  if (isKnown(name)) return { kind: 'tool', name: String(name) }
  const likely = isKind(name, 'unknown') ? name.or?.find((other) => typeof other === 'string') : undefined
  if (typeof likely === 'string') return { kind: 'tool', name: likely }
  return { ...unknown(code, [name]), member: { of: { kind: 'global', name: 'tools' }, name: '' } }
}

function member(object: Value, name: string, code: string): Value {
  if (isKind(object, 'global')) return globalMember(object.name, name)
  if (isKind(object, 'fields')) {
    if (object.entries.has(name)) return object.entries.get(name)
    return object.open || name in Object.prototype ? unknown(code, [object]) : undefined
  }
  if (typeof object === 'string' || isKind(object, 'list')) return ofSequence(object, name, code)
  if (isKind(object, 'unknown')) {
    return { ...memberOfUnknown(object, name), member: { of: object, name } }
  }
  // JavaScript throws here, unless `?.` asks for the member.
  if (object === undefined || object === null) return undefined
  return isKnown(object) && !(name in Object(object)) ? undefined : { kind: 'method', name, self: object, code }
}

function ofSequence(object: string | Extract<Value, { kind: 'list' }>, name: string, code: string): Value {
  const items = typeof object === 'string' ? object : object.items
  const isOpen = typeof object !== 'string' && object.open
  if (name === 'length') return isOpen ? unknown(code, [object]) : items.length
  if (!/^\d{1,9}$/.test(name)) {
    const isMember = name in (typeof object === 'string' ? String.prototype : Array.prototype)
    return isMember ? { kind: 'method', name, self: object, code } : undefined
  }
  const index = Number(name)
  return isOpen && index >= items.length ? unknown(code, [object]) : items[index]
}

/** The value of a call. Calls of tools are recorded. */
export function call(callee: Value, args: readonly Value[], code: string, machine: Machine): Value {
  if (isKind(callee, 'tool')) return recordCall(machine, callee.name, args, code)
  if (isKind(callee, 'function')) return machine.invoke(callee, args)
  if (isKind(callee, 'global')) return callGlobal(callee, args, machine, code)
  if (isKind(callee, 'method')) return callMethod({ ...callee, code }, args, machine)
  const owner = isKind(callee, 'unknown') ? callee.member : undefined
  if (owner === undefined) return callUnknown(callee, args, code, machine)
  return isKind(owner.of, 'global') ? callUnnamed(args, code, machine) : callOnUnknown(owner, args, code, machine)
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
  const value = callUnknown(self, args, code, machine)
  if (!isKind(self, 'unknown') || self.result === undefined || !pieces.has(name)) return value
  return { ...value, ...defined({ or: self.or }), result: { call: self.result.call, field: 'piece' } }
}

/** Sets the names in a pattern. */
export function assign(pattern: Pattern, value: Value, scope: Scope, machine: Machine): void {
  bind(
    pattern,
    value,
    scope,
    bindingOf(scope, machine, (name, item) => assignName(name, item, scope, machine)),
  )
}

/** How names are bound in a scope. */
export function bindingOf(scope: Scope, machine: Machine, set: Binding['set']): Binding {
  return {
    machine,
    evaluate: (node, inner) => evaluate(node, inner, machine),
    set,
    setMember: (node, value) => setMember(node, value, scope, machine),
  }
}

function setMember(node: MemberExpression, value: Value, scope: Scope, machine: Machine): void {
  if (node.object.type === 'Super') return
  const object = evaluate(node.object, scope, machine)
  const name = node.computed ? evaluate(node.property, scope, machine) : keyOf(node.property)
  if (isKind(object, 'fields')) {
    const isCertain = machine.doubts.length === 0
    if (isKnown(name))
      object.entries.set(
        String(name),
        isCertain ? value : either(codeOf(node, machine), object.entries.get(String(name)), value),
      )
    else object.open = true
  } else if (isKind(object, 'list')) setItem(object, name, value, codeOf(node, machine), machine)
}

function setItem(
  object: Extract<Value, { kind: 'list' }>,
  name: Value,
  value: Value,
  code: string,
  { doubts }: Machine,
): void {
  const isCertain = doubts.length === 0
  // An index far beyond the end would create a list of holes.
  if (typeof name === 'number' && Number.isInteger(name) && name >= 0 && name <= object.items.length)
    object.items[name] = isCertain ? value : either(code, object.items[name], value)
  else object.open = true
  if (!isCertain) object.open = true
}
