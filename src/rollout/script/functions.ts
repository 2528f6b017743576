/** Reads the functions of a script when they are called. */

import type { AnyNode } from 'acorn'
import { call } from './calls.ts'
import { bindingOf, evaluate } from './expression.ts'
import { codeOf, innerScope, type Machine } from './machine.ts'
import { bind, bindUnknown, hoistVariables } from './pattern.ts'
import { inDoubt, inFunction } from './regions.ts'
import { runBlock } from './statement.ts'
import { type Callable, either, isAny, isKind, type Scope, unknown, type Value } from './value.ts'

type ScriptFunction = Extract<Callable, { kind: 'function' }>

/** Evaluates a call. A function of the script is read with the arguments of this call. */
export function invoke(callee: Callable, args: readonly Value[], machine: Machine): Value {
  if (callee.kind !== 'function') return call(callee, args, callee.name, machine)
  const scope = innerScope(callee.scope, machine, 'function')
  const binding = bindingOf(scope, machine, (name, value) => scope.names.set(name, value))
  for (const [index, param] of callee.node.params.entries()) {
    bind(param, param.type === 'RestElement' ? restOf(args, index) : argumentAt(args, index), scope, binding)
  }
  return resultOf(callee, scope, machine)
}

/** An argument; one value at the end may represent any number of them. */
function argumentAt(args: readonly Value[], index: number): Value {
  const last = args.at(-1)
  return isKind(last, 'unknown') && isAny(last) && index >= args.length - 1 ? unknown(last.code, [last]) : args[index]
}

function restOf(args: readonly Value[], index: number): Value {
  const isOpen = isAny(args.at(-1))
  const items = args.slice(index)
  return { kind: 'list', items, open: isOpen, ...(isOpen && { sure: Math.max(0, items.length - 1) }) }
}

/** Reads a function if only a run would show its arguments and how often it runs. */
export function invokeUnknown(callee: ScriptFunction, from: readonly Value[], machine: Machine): Value {
  const scope = innerScope(callee.scope, machine, 'function')
  for (const param of callee.node.params)
    bindUnknown(param, from, machine, (name, value) => scope.names.set(name, value))
  return inDoubt(machine, 'any', () => resultOf(callee, scope, machine))
}

function resultOf({ node }: ScriptFunction, scope: Scope, machine: Machine): Value {
  // A generator runs step by step when its values are taken, so nothing in it is certain.
  if (node.generator) return inDoubt(machine, 'any', () => bodyOf(node.body, scope, machine))
  const { returns } = machine
  machine.returns = []
  try {
    const value = inFunction(machine, () => bodyOf(node.body, scope, machine))
    const others = machine.returns.filter((item) => item !== value)
    return others.reduce((known, other) => either(codeOf(node, machine), known, other), value)
  } finally {
    machine.returns = returns
  }
}

function bodyOf(body: AnyNode, scope: Scope, machine: Machine): Value {
  if (body.type !== 'BlockStatement') return evaluate(body, scope, machine)
  hoistVariables(body.body, scope, machine)
  const flow = runBlock(body, scope, machine)
  return flow?.type === 'return' ? flow.value : undefined
}
