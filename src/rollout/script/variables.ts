/** The `var` of functions: they are declared before the first statement runs, also those in inner blocks. */

import type { AnyNode, Pattern } from 'acorn'
import { oncePer } from '../../util/own.ts'
import type { Machine } from './machine.ts'
import { bindUnknown } from './pattern.ts'
import type { Scope } from './value.ts'

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
