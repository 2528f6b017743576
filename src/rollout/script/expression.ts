/** Evaluates an expression, as far as the script itself determines its value. */

import type { AnyNode, Expression, Function as FunctionNode, MemberExpression, Pattern } from 'acorn'
import { append } from '../../util/groups.ts'
import { call, globalMember, globalValue } from './calls.ts'
import { deleteMember, loosen, setAny, setField, setMemberOf } from './changes.ts'
import { codeOf, enter, type Machine, mayFail, spend } from './machine.ts'
import { paidPieces } from './methods.ts'
import { binary, truthOf, unary } from './operators.ts'
import { type Binding, bind, memberOfUnknown } from './pattern.ts'
import { assignName, inDoubt } from './regions.ts'
import {
  either,
  type Fields,
  isKind,
  isKnown,
  type List,
  type Piece,
  piecesOf,
  type Scope,
  sureItems,
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
  ArrayExpression: ({ elements }, scope, machine) => ({
    ...listOf(elements, scope, machine),
    created: machine.numbers++,
  }),
  ObjectExpression: objectOf,
  FunctionExpression: functionOf,
  ArrowFunctionExpression: functionOf,
  UnaryExpression: (node, scope, machine) => {
    if (node.operator === 'delete') return deleted(node.argument, scope, machine)
    return unary(node.operator, evaluate(node.argument, scope, machine), codeOf(node, machine))
  },
  UpdateExpression: (node, scope, machine) => {
    const target = referenceOf(node.argument as Pattern, scope, machine)
    const given = target.get()
    const before = isKnown(given) ? Number(given) : given
    const after =
      typeof before === 'number' ? before + (node.operator === '++' ? 1 : -1) : unknown(codeOf(node, machine), [before])
    target.set(after)
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
    const target = referenceOf(node.left, scope, machine)
    const right = (): Value => evaluate(node.right, scope, machine)
    const operator = node.operator.slice(0, -1)
    const value = operator === '' ? right() : combined(operator, target.get(), right, node, machine)
    target.set(value)
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
    const args = argumentsOf(node.arguments, scope, machine)
    return call(callee, args, codeOf(node, machine), machine)
  },
  NewExpression: (node, scope, machine) => {
    mayFail(machine)
    const made = argumentsOf(node.arguments, scope, machine).map((item) =>
      isKind(item, 'function') ? machine.invokeUnknown(item, []) : item,
    )
    return unknown(codeOf(node, machine), made)
  },
  SequenceExpression: ({ expressions }, scope, machine) => {
    let last: Value
    for (const expression of expressions) last = evaluate(expression, scope, machine)
    return last
  },
  AwaitExpression: ({ argument }, scope, machine) => {
    const value = evaluate(argument, scope, machine)
    if (!isKnown(value)) mayFail(machine)
    return value
  },
  ChainExpression: ({ expression }, scope, machine) => evaluate(expression, scope, machine),
  ParenthesizedExpression: ({ expression }, scope, machine) => evaluate(expression, scope, machine),
}

function lookUp(name: string, scope: Scope, machine: Machine): Value {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    spend(machine, 1)
    if (current.names.has(name)) return current.names.get(name)
  }
  const value = globalValue(name)
  // There may be no such name.
  if (isKind(value, 'unknown')) mayFail(machine)
  return value
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

/** Evaluates items. An unknown value that is spread may be any number of them. */
function listOf(elements: readonly (AnyNode | null)[], scope: Scope, machine: Machine): List {
  const made: List = { kind: 'list', items: [], open: false }
  for (const element of elements) {
    if (element?.type !== 'SpreadElement') {
      made.items.push(element === null ? undefined : evaluate(element, scope, machine))
      continue
    }
    const spread = evaluate(element.argument, scope, machine)
    if (isKind(spread, 'list')) {
      spend(machine, spread.items.length)
      if (spread.open) loosen(made, made.items.length + sureItems(spread))
      append(made.items, spread.items)
    } else {
      loosen(made, made.items.length)
      made.items.push(unknown(codeOf(element, machine), [spread]))
    }
  }
  return made
}

/** Evaluates arguments. Those that may not be there, or not at this index, are one unknown value at the end. */
function argumentsOf(elements: readonly AnyNode[], scope: Scope, machine: Machine): Value[] {
  const made = listOf(elements, scope, machine)
  const sure = sureItems(made)
  if (!made.open) return made.items
  return [...made.items.slice(0, sure), { ...unknown('…', made.items.slice(sure)), any: true }]
}

function objectOf(node: Extract<Expression, { type: 'ObjectExpression' }>, scope: Scope, machine: Machine): Value {
  const made: Fields = { kind: 'fields', entries: new Map(), open: false, created: machine.numbers++ }
  for (const property of node.properties) {
    const code = codeOf(property, machine)
    if (property.type === 'SpreadElement') spreadInto(made, evaluate(property.argument, scope, machine), code, machine)
    else {
      const key = property.computed ? evaluate(property.key, scope, machine) : keyOf(property.key)
      // Only running a getter would show its value.
      setField(
        made,
        key,
        property.kind === 'init' ? evaluate(property.value, scope, machine) : unknown(code),
        code,
        machine,
      )
    }
  }
  return made
}

function spreadInto(made: Fields, spread: Value, code: string, machine: Machine): void {
  if (isKind(spread, 'fields')) {
    spend(machine, spread.entries.size)
    // Fields that only a run would show may replace those before them.
    if (spread.open) setAny(made, unknown(code, [spread]), code, machine)
    for (const [key, item] of spread.entries) made.entries.set(key, item)
  } else if (!isKnown(spread) || (typeof spread === 'string' && spread !== ''))
    setAny(made, unknown(code, [spread]), code, machine)
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
  return memberBy(object, nameOf(node, scope, machine), codeOf(node, machine), machine)
}

function nameOf(node: MemberExpression, scope: Scope, machine: Machine): Value {
  return node.computed ? evaluate(node.property, scope, machine) : keyOf(node.property)
}

function memberBy(object: Value, name: Value, code: string, machine: Machine): Value {
  if (isKind(object, 'global') && object.name === 'tools') return toolOf(name, code)
  // JavaScript throws for a member of nothing, unless `?.` asks for it.
  if (isKind(object, 'unknown') || object === undefined || object === null) mayFail(machine)
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
  if (object === undefined || object === null) return undefined
  return isKnown(object) && !(name in Object(object)) ? undefined : { kind: 'method', name, self: object, code }
}

function ofSequence(object: string | List, name: string, code: string): Value {
  const items = typeof object === 'string' ? object : object.items
  const isOpen = typeof object !== 'string' && object.open
  if (name === 'length') return isOpen ? unknown(code, [object]) : items.length
  if (!/^(?:0|[1-9]\d{0,8})$/.test(name)) {
    const isMember = name in (typeof object === 'string' ? String.prototype : Array.prototype)
    if (isMember) return { kind: 'method', name, self: object, code }
    return isOpen ? unknown(code, [object]) : undefined
  }
  const index = Number(name)
  return isOpen && index >= sureItems(object) ? unknown(code, [object]) : items[index]
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
  referenceOf(node, scope, machine).set(value)
}

/** Something that can be set, whose parts are evaluated once. */
interface Reference {
  get: () => Value
  set: (value: Value) => void
}

function referenceOf(target: Pattern, scope: Scope, machine: Machine): Reference {
  if (target.type !== 'MemberExpression' || target.object.type === 'Super')
    return { get: () => evaluate(target, scope, machine), set: (value) => assign(target, value, scope, machine) }
  const object = evaluate(target.object, scope, machine)
  const name = nameOf(target, scope, machine)
  const code = codeOf(target, machine)
  return {
    get: () => memberBy(object, name, code, machine),
    set: (value) => setMemberOf(object, name, value, code, machine),
  }
}

function deleted(target: AnyNode, scope: Scope, machine: Machine): Value {
  const node = target.type === 'ChainExpression' ? target.expression : target
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return unknown(codeOf(target, machine))
  const object = evaluate(node.object, scope, machine)
  deleteMember(object, nameOf(node, scope, machine), codeOf(node, machine), machine)
  return true
}
