/** Reads the statements of a script in order. Loops over known values are followed round by round, others once. */

import type { AnyNode, BlockStatement, Pattern, Program, Statement, TryStatement, VariableDeclaration } from 'acorn'
import { assign, bindingOf, call, evaluate } from './expression.ts'
import { codeOf, Ended, enter, inDoubt, innerScope, inTry, limits, type Machine, spend } from './machine.ts'
import { truthOf } from './operators.ts'
import { bind, bindUnknown } from './pattern.ts'
import { type Callable, either, isKind, type Scope, unknown, type Value } from './value.ts'

/** How a statement ends if the next one does not follow. */
type Flow = { type: 'break' | 'continue'; label?: string } | { type: 'return'; value: Value } | undefined

/** Reads a program from its first statement to its last. */
export function runProgram({ body }: Program, machine: Machine): void {
  const scope = innerScope(undefined)
  hoist(body, scope)
  runAll(body, scope, machine)
}

/** Declares functions before the statements that precede them run. */
function hoist(body: readonly AnyNode[], scope: Scope): void {
  for (const node of body)
    if (node.type === 'FunctionDeclaration' && node.id) scope.names.set(node.id.name, { kind: 'function', node, scope })
}

function runAll(body: readonly AnyNode[], scope: Scope, machine: Machine): Flow {
  for (const node of body) {
    const flow = run(node, scope, machine)
    if (flow !== undefined) return flow
  }
  return undefined
}

function run(node: AnyNode, scope: Scope, machine: Machine): Flow {
  enter(machine)
  try {
    const runner = Object.hasOwn(runners, node.type) ? runners[node.type as Statement['type']] : undefined
    // The runner was looked up by the node's own type, so it accepts the node.
    return runner?.(node as never, scope, machine)
  } finally {
    machine.depth--
  }
}

type Runner<T extends Statement['type']> = (
  node: Extract<Statement, { type: T }>,
  scope: Scope,
  machine: Machine,
) => Flow

const runners: { readonly [T in Statement['type']]?: Runner<T> } = {
  ExpressionStatement: ({ expression }, scope, machine) => {
    evaluate(expression, scope, machine)
    return undefined
  },
  VariableDeclaration: (node, scope, machine) => {
    declare(node, scope, machine)
    return undefined
  },
  BlockStatement: (node, scope, machine) => runBlock(node, scope, machine),
  ReturnStatement: ({ argument }, scope, machine) => {
    const value = argument ? evaluate(argument, scope, machine) : undefined
    if (machine.doubts.length > 0) machine.returns.push(value)
    return { type: 'return', value }
  },
  BreakStatement: ({ label }) => ({ type: 'break', ...(label && { label: label.name }) }),
  ContinueStatement: ({ label }) => ({ type: 'continue', ...(label && { label: label.name }) }),
  LabeledStatement: ({ label, body }, scope, machine) => {
    const flow = run(body, scope, machine)
    return flow !== undefined && flow.type !== 'return' && flow.label === label.name ? undefined : flow
  },
  IfStatement: (node, scope, machine) => {
    const truth = truthOf(evaluate(node.test, scope, machine))
    if (truth === undefined) {
      maybe(machine, () => run(node.consequent, scope, machine))
      if (node.alternate) {
        const { alternate } = node
        maybe(machine, () => run(alternate, scope, machine))
      }
      return undefined
    }
    if (truth) return run(node.consequent, scope, machine)
    return node.alternate ? run(node.alternate, scope, machine) : undefined
  },
  ThrowStatement: ({ argument }, scope, machine) => {
    evaluate(argument, scope, machine)
    throw new Ended('throw')
  },
  TryStatement: (node, scope, machine) => {
    const flow = tried(node, scope, machine)
    return (node.finalizer ? runBlock(node.finalizer, scope, machine) : undefined) ?? flow
  },
  SwitchStatement: (node, scope, machine) => {
    evaluate(node.discriminant, scope, machine)
    const inner = innerScope(scope)
    for (const { consequent } of node.cases) maybe(machine, () => withoutBreak(runAll(consequent, inner, machine)))
    return undefined
  },
  ForStatement: (node, scope, machine) => {
    const inner = innerScope(scope)
    if (node.init?.type === 'VariableDeclaration') declare(node.init, inner, machine)
    else if (node.init) evaluate(node.init, inner, machine)
    const { test, update, body } = node
    return runLoop(machine, inner, {
      test: () => (test ? evaluate(test, inner, machine) : true),
      body: () => run(body, inner, machine),
      update: () => (update ? evaluate(update, inner, machine) : undefined),
      sets: [body, ...(update ? [update] : [])],
    })
  },
  WhileStatement: (node, scope, machine) =>
    runLoop(machine, scope, {
      test: () => evaluate(node.test, scope, machine),
      body: () => run(node.body, scope, machine),
      sets: [node.body],
    }),
  DoWhileStatement: (node, scope, machine) =>
    looping(machine, () => {
      const flow = run(node.body, scope, machine)
      if (leaves(flow)) return behindLoop(flow)
      return runLoop(machine, scope, {
        test: () => evaluate(node.test, scope, machine),
        body: () => run(node.body, scope, machine),
        sets: [node.body],
      })
    }),
  ForOfStatement: (node, scope, machine) => {
    const over = evaluate(node.right, scope, machine)
    return looping(machine, () => runForOf(node, over, scope, machine))
  },
  ForInStatement: (node, scope, machine) => {
    const over = evaluate(node.right, scope, machine)
    const list = keysOf(over, codeOf(node.right, machine))
    return looping(machine, () => runForOf(node, list, scope, machine))
  },
}

/** The keys over which `for … in` iterates. */
function keysOf(over: Value, code: string): Value {
  if (isKind(over, 'fields') && !over.open) return { kind: 'list', items: [...over.entries.keys()], open: false }
  if (!isKind(over, 'list') || over.open) return unknown(code, [over])
  return { kind: 'list', items: over.items.map((_item, index) => String(index)), open: false }
}

/** Reads a branch that may not run, so that how it ends is uncertain too. */
function maybe(machine: Machine, read: () => Flow, rounds: 'once' | 'any' = 'once'): void {
  const flow = inDoubt(machine, rounds, read)
  if (flow?.type === 'return' && machine.functions === 0) machine.mayHaveEnded = true
  // The rest of the function, or of an outer loop, may be skipped as well.
  else if (flow?.type === 'return' || flow?.label !== undefined) machine.mayHaveReturned ??= machine.numbers++
  // If the rounds are not known, everything in them is in doubt anyway.
  else if (flow !== undefined && rounds === 'once' && !(machine.mayHaveLeft && machine.mayHaveLeft.what === 'loop'))
    machine.mayHaveLeft = { what: flow.type === 'break' ? 'loop' : 'round', number: machine.numbers++ }
}

/** A `break` in a `switch` leaves only the `switch`. */
function withoutBreak(flow: Flow): Flow {
  return flow?.type === 'break' && flow.label === undefined ? undefined : flow
}

/** Whether the end of a round is also the end of its loop. */
function leaves(flow: Flow): boolean {
  return flow !== undefined && (flow.type !== 'continue' || flow.label !== undefined)
}

/** How a loop ends that one of its rounds left. A labelled `continue` ends a round of the loop around it. */
function behindLoop(flow: Flow): Flow {
  if (flow?.type === 'continue') return { type: 'continue' }
  return flow?.type === 'break' && flow.label === undefined ? undefined : flow
}

/** Reads a loop. Whether one of its rounds may have been left does not matter after it. */
function looping(machine: Machine, read: () => Flow): Flow {
  const before = machine.mayHaveLeft
  try {
    return read()
  } finally {
    machine.mayHaveLeft = before
  }
}

/** Reads a round. If the previous round may only have been cut short, this one is not in doubt. */
function round(machine: Machine, before: Machine['mayHaveLeft'], body: () => Flow): Flow {
  if (machine.mayHaveLeft && machine.mayHaveLeft.what === 'round') machine.mayHaveLeft = before
  return body()
}

function runBlock({ body }: BlockStatement, scope: Scope, machine: Machine): Flow {
  const inner = innerScope(scope)
  hoist(body, inner)
  return runAll(body, inner, machine)
}

function tried({ block, handler }: TryStatement, scope: Scope, machine: Machine): Flow {
  if (!handler) return runBlock(block, scope, machine)
  const caught = (): Flow => {
    const inner = innerScope(scope)
    if (handler.param) bindUnknown(handler.param, [], machine, (name, value) => inner.names.set(name, value))
    return runAll(handler.body.body, inner, machine)
  }
  try {
    const flow = inTry(machine, () => runBlock(block, scope, machine))
    maybe(machine, caught)
    return flow
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    if (error.by === 'throw') return caught()
    // The runtime also throws for `exit()`, so the handler may run.
    machine.mayHaveEnded = true
    maybe(machine, caught)
    return undefined
  }
}

function declare({ declarations }: VariableDeclaration, scope: Scope, machine: Machine): void {
  for (const { id, init } of declarations) {
    const value = init ? evaluate(init, scope, machine) : undefined
    bind(
      id,
      value,
      scope,
      bindingOf(scope, machine, (name, item) => scope.names.set(name, item)),
    )
  }
}

interface Loop {
  test: () => Value
  body: () => Flow
  update?: () => Value
  /** The nodes that may set variables in a round. */
  sets: readonly AnyNode[]
}

function runLoop(machine: Machine, scope: Scope, loop: Loop): Flow {
  return looping(machine, () => runRounds(machine, scope, loop))
}

function runRounds(machine: Machine, scope: Scope, { test, body, update, sets }: Loop): Flow {
  const before = machine.mayHaveLeft
  for (;;) {
    spend(machine, 1)
    const truth = truthOf(test())
    if (truth === false) return undefined
    if (truth === undefined) {
      forget(sets, scope, machine)
      maybe(machine, body, 'any')
      return undefined
    }
    const flow = round(machine, before, body)
    if (leaves(flow)) return behindLoop(flow)
    update?.()
  }
}

/** Makes the variables that a loop with unknown rounds sets unknown, because they differ from round to round. */
function forget(nodes: readonly AnyNode[], scope: Scope, machine: Machine): void {
  for (const name of assignedIn(nodes, machine))
    assign({ type: 'Identifier', name, start: 0, end: 0 }, unknown(name), scope, machine)
}

function assignedIn(nodes: readonly AnyNode[], machine: Machine): Set<string> {
  const found = new Set<string>()
  const queue: unknown[] = [...nodes]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    spend(machine, 1)
    if (typeof node !== 'object' || node === null) continue
    const name = assignedBy(node)
    if (name !== undefined) found.add(name)
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) queue.push(value)
  }
  return found
}

/** The name that a node of the syntax tree sets, if it sets one. */
function assignedBy(node: object): string | undefined {
  const { type, left, argument } = node as { type?: unknown; left?: unknown; argument?: unknown }
  if (type !== 'AssignmentExpression' && type !== 'UpdateExpression') return undefined
  const { name } = (type === 'AssignmentExpression' ? left : argument) as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}

function runForOf(
  node: Extract<Statement, { type: 'ForOfStatement' | 'ForInStatement' }>,
  over: Value,
  scope: Scope,
  machine: Machine,
): Flow {
  const target: Pattern | undefined =
    node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left
  if (target === undefined) return undefined
  const isOwn = node.left.type === 'VariableDeclaration'
  const items = itemsOf(over)
  const before = machine.mayHaveLeft
  for (const item of items.known) {
    const inner = innerScope(scope)
    if (isOwn)
      bind(
        target,
        item,
        inner,
        bindingOf(inner, machine, (name, value) => inner.names.set(name, value)),
      )
    else assign(target, item, scope, machine)
    const flow = round(machine, before, () => run(node.body, inner, machine))
    if (leaves(flow)) return behindLoop(flow)
  }
  if (!items.open) return undefined
  forget([node.body], scope, machine)
  const inner = innerScope(scope)
  bindUnknown(target, [over], machine, (name, value) => inner.names.set(name, value))
  maybe(machine, () => run(node.body, inner, machine), 'any')
  return undefined
}

function itemsOf(value: Value): { known: readonly Value[]; open: boolean } {
  if (isKind(value, 'list')) return { known: [...value.items], open: value.open }
  if (typeof value === 'string') return { known: [...value.slice(0, limits.steps)], open: false }
  return { known: [], open: true }
}

// Functions of the script.

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
