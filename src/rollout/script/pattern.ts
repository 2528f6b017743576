/** Binds names: for declarations, assignments, parameters, loops and the `var` of functions. */

import type { AnyNode, MemberExpression, Pattern } from 'acorn'
import { defined, oncePer } from '../../util/own.ts'
import { codeOf, type Machine, spend } from './machine.ts'
import { isKind, type Scope, sureItems, type Unknown, unknown, type Value } from './value.ts'

/** What binding needs from the rest of the reading. */
export interface Binding {
  machine: Machine
  /** Evaluates a default. */
  evaluate: (node: AnyNode, scope: Scope) => Value
  /** Sets one name. */
  set: (name: string, value: Value) => void
  /** Sets a member of an object. */
  setMember: (node: MemberExpression, value: Value) => void
}

/** Binds a value to a pattern. */
export function bind(pattern: Pattern, value: Value, scope: Scope, binding: Binding): void {
  spend(binding.machine, 1)
  switch (pattern.type) {
    case 'Identifier':
      binding.set(pattern.name, value)
      break
    case 'MemberExpression':
      binding.setMember(pattern, value)
      break
    case 'AssignmentPattern':
      bind(pattern.left, value === undefined ? binding.evaluate(pattern.right, scope) : value, scope, binding)
      break
    case 'ArrayPattern':
      bindItems(pattern.elements, value, scope, binding)
      break
    case 'ObjectPattern':
      bindFields(pattern, value, scope, binding)
      break
    case 'RestElement':
      bind(pattern.argument, value, scope, binding)
  }
}

function bindItems(elements: readonly (Pattern | null)[], value: Value, scope: Scope, binding: Binding): void {
  for (const [index, element] of elements.entries()) {
    if (element === null) continue
    const item =
      element.type === 'RestElement' ? restOf(value, index, element, binding) : itemOf(value, index, element, binding)
    bind(element, item, scope, binding)
  }
}

function itemOf(value: Value, index: number, element: Pattern, { machine }: Binding): Value {
  if (isKind(value, 'list') && (index < sureItems(value) || !value.open)) return value.items[index]
  return unknown(nameIn(element, machine), [value])
}

function restOf(value: Value, index: number, element: Pattern, { machine }: Binding): Value {
  if (!isKind(value, 'list')) return unknown(nameIn(element, machine), [value])
  spend(machine, value.items.length)
  const { open, items } = value
  return { kind: 'list', items: items.slice(index), open, ...(open && { sure: Math.max(0, sureItems(value) - index) }) }
}

function bindFields(
  pattern: Extract<Pattern, { type: 'ObjectPattern' }>,
  value: Value,
  scope: Scope,
  binding: Binding,
) {
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') {
      bind(property.argument, { kind: 'fields', entries: new Map(), open: true }, scope, binding)
      continue
    }
    const key = property.key.type === 'Identifier' && !property.computed ? property.key.name : undefined
    const name = key ?? (property.key.type === 'Literal' ? String(property.key.value) : undefined)
    bind(property.value, fieldOf(value, name, property.value, binding), scope, binding)
  }
}

function fieldOf(value: Value, name: string | undefined, element: Pattern, { machine }: Binding): Value {
  if (name !== undefined) {
    if (isKind(value, 'fields') && (value.entries.has(name) || !value.open)) return value.entries.get(name)
    if (isKind(value, 'global') && value.name === 'tools') return { kind: 'tool', name }
    if (isKind(value, 'unknown')) return memberOfUnknown(value, name)
  }
  return unknown(nameIn(element, machine), [value])
}

/** A member of a value that only a run would show. Certain members of a tool result are known parts of it. */
export function memberOfUnknown(value: Unknown, name: string): Unknown {
  const or = value.or?.map((other) => (isKind(other, 'fields') ? other.entries.get(name) : other))
  const made = { ...unknown(`${value.code}.${name}`, [value]), ...defined({ or }) }
  if (value.result?.field !== 'whole') return made
  const { call } = value.result
  if (name === 'output' || name === 'stdout') return { ...made, result: { call, field: 'output' } }
  return name === 'exit_code' || name === 'exitCode' ? { ...made, result: { call, field: 'exit' } } : made
}

/** Binds every name of a pattern to a value that only a run would show. */
export function bindUnknown(pattern: Pattern, from: readonly Value[], machine: Machine, set: Binding['set']): void {
  spend(machine, 1)
  if (pattern.type === 'Identifier') set(pattern.name, unknown(pattern.name, from))
  else if (pattern.type === 'AssignmentPattern') bindUnknown(pattern.left, from, machine, set)
  else if (pattern.type === 'RestElement') bindUnknown(pattern.argument, from, machine, set)
  else if (pattern.type === 'ArrayPattern')
    for (const element of pattern.elements) if (element !== null) bindUnknown(element, from, machine, set)
  if (pattern.type !== 'ObjectPattern') return
  for (const property of pattern.properties)
    bindUnknown(property.type === 'RestElement' ? property.argument : property.value, from, machine, set)
}

function nameIn(pattern: Pattern, machine: Machine): string {
  return pattern.type === 'AssignmentPattern' ? nameIn(pattern.left, machine) : codeOf(pattern, machine)
}

// The `var` of functions: they are declared before the first statement runs, also those in inner blocks.

/** Declares the `var` of a function or program before its statements run. */
export function hoistVariables(body: readonly AnyNode[], scope: Scope, machine: Machine): void {
  const declare = (name: string): void => {
    if (!scope.names.has(name)) scope.names.set(name, undefined)
  }
  for (const node of body) for (const pattern of variablesOf(node)) bindUnknown(pattern, [], machine, declare)
}

/** The scope to which a `var` belongs. */
export function functionScope(scope: Scope): Scope {
  let owner = scope
  while (owner.kind !== 'function' && owner.parent !== undefined) owner = owner.parent
  return owner
}

/** What a statement declares by `var`, also in blocks within it, but not in functions within it. */
const variablesOf = oncePer((statement: AnyNode): readonly Pattern[] => {
  const patterns: Pattern[] = []
  const queue: object[] = [statement]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (isFunction(node)) continue
    if (isVariable(node)) for (const { id } of node.declarations) patterns.push(id)
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) queue.push(value)
  }
  return patterns
})

function isFunction(node: object): boolean {
  return (
    'type' in node && /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(String(node.type))
  )
}

function isVariable(node: object): node is Extract<AnyNode, { type: 'VariableDeclaration' }> {
  return 'type' in node && node.type === 'VariableDeclaration' && 'kind' in node && node.kind === 'var'
}
