/** Reads the functions of a script when they are called. */

import type { AnyNode } from 'acorn'
import { bindingOf, call, evaluate } from './expression.ts'
import { codeOf, inDoubt, innerScope, type Machine } from './machine.ts'
import { bind, bindUnknown } from './pattern.ts'
import { runBlock } from './statement.ts'
import { type Callable, either, type Scope, type Value } from './value.ts'

type ScriptFunction = Extract<Callable, { kind: 'function' }>

/** Evaluates a call. A function of the script is read with the arguments of this call. */
export function invoke(callee: Callable, args: readonly Value[], machine: Machine): Value {
  if (callee.kind !== 'function') return call(callee, args, callee.name, machine)
  const scope = innerScope(callee.scope)
  const binding = bindingOf(scope, machine, (name, value) => scope.names.set(name, value))
  for (const [index, param] of callee.node.params.entries()) {
    const isRest = param.type === 'RestElement'
    bind(param, isRest ? { kind: 'list', items: args.slice(index), open: false } : args[index], scope, binding)
  }
  return resultOf(callee, scope, machine)
}

/** Reads a function if only a run would show its arguments and how often it runs. */
export function invokeUnknown(callee: ScriptFunction, from: readonly Value[], machine: Machine): Value {
  const scope = innerScope(callee.scope)
  for (const param of callee.node.params)
    bindUnknown(param, from, machine, (name, value) => scope.names.set(name, value))
  return inDoubt(machine, 'any', () => resultOf(callee, scope, machine))
}

function resultOf({ node }: ScriptFunction, scope: Scope, machine: Machine): Value {
  // A generator runs step by step when its values are taken, so nothing in it is certain.
  if (node.generator) return inDoubt(machine, 'any', () => bodyOf(node.body, scope, machine))
  const { returns, mayHaveReturned } = machine
  machine.returns = []
  machine.functions++
  try {
    const value = bodyOf(node.body, scope, machine)
    const others = machine.returns.filter((item) => item !== value)
    return others.reduce((known, other) => either(codeOf(node, machine), known, other), value)
  } finally {
    // Leaving a function ends only that function.
    Object.assign(machine, { returns, mayHaveReturned })
    machine.functions--
  }
}

function bodyOf(body: AnyNode, scope: Scope, machine: Machine): Value {
  if (body.type !== 'BlockStatement') return evaluate(body, scope, machine)
  const flow = runBlock(body, scope, machine)
  return flow?.type === 'return' ? flow.value : undefined
}
