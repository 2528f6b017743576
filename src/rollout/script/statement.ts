/** Reads the statements of a script in order. Loops over known values are followed round by round, others once. */

import type { AnyNode, BlockStatement, Pattern, Program, Statement, TryStatement, VariableDeclaration } from 'acorn'
import { assign, bindingOf, evaluate } from './expression.ts'
import { codeOf, Ended, enter, inDoubt, innerScope, inTry, limits, type Machine, spend } from './machine.ts'
import { truthOf } from './operators.ts'
import { bind, bindUnknown } from './pattern.ts'
import { isKind, orderedKeys, type Scope, unknown, type Value } from './value.ts'

/** How a statement ends if the next one does not follow. */
export type Flow = { type: 'break' | 'continue'; label?: string } | { type: 'return'; value: Value } | undefined

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

function run(node: AnyNode, scope: Scope, machine: Machine, labels: readonly string[] = []): Flow {
  enter(machine)
  try {
    const runner = Object.hasOwn(runners, node.type) ? runners[node.type as Statement['type']] : undefined
    // The runner was looked up by the node's own type, so it accepts the node.
    return runner?.(node as never, scope, machine, labels)
  } finally {
    machine.depth--
  }
}

type Runner<T extends Statement['type']> = (
  node: Extract<Statement, { type: T }>,
  scope: Scope,
  machine: Machine,
  /** Labels of this very statement. */
  labels: readonly string[],
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
  LabeledStatement: ({ label, body }, scope, machine, labels) => {
    const flow = run(body, scope, machine, [...labels, label.name])
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
    const { finalizer } = node
    const read = (): Flow => tried(node, scope, machine)
    return finalizer ? withFinally(machine, read, () => runBlock(finalizer, scope, machine)) : read()
  },
  SwitchStatement: (node, scope, machine) => {
    evaluate(node.discriminant, scope, machine)
    const inner = innerScope(scope)
    for (const { consequent } of node.cases) maybe(machine, () => withoutBreak(runAll(consequent, inner, machine)))
    return undefined
  },
  ForStatement: (node, scope, machine, labels) => {
    let inner = innerScope(scope)
    if (node.init?.type === 'VariableDeclaration') declare(node.init, inner, machine)
    else if (node.init) evaluate(node.init, inner, machine)
    const { test, update, body } = node
    return runLoop(machine, {
      labels,
      scope: () => inner,
      test: () => (test ? evaluate(test, inner, machine) : true),
      body: () => run(body, inner, machine),
      update: () => {
        // Each round has variables of its own, which functions that it makes keep.
        inner = { ...inner, names: new Map(inner.names) }
        return update ? evaluate(update, inner, machine) : undefined
      },
      sets: [body, ...(update ? [update] : [])],
    })
  },
  WhileStatement: (node, scope, machine, labels) => runLoop(machine, whileLoop(node, scope, machine, labels)),
  DoWhileStatement: (node, scope, machine, labels) =>
    looping(machine, () => {
      const flow = round(machine, machine.mayHaveLeft, () => run(node.body, scope, machine))
      return leaves(flow, labels) ? behindLoop(flow) : runLoop(machine, whileLoop(node, scope, machine, labels))
    }),
  ForOfStatement: (node, scope, machine, labels) => {
    const over = evaluate(node.right, scope, machine)
    return looping(machine, () => runForOf(node, over, scope, machine, labels))
  },
  ForInStatement: (node, scope, machine, labels) => {
    const over = evaluate(node.right, scope, machine)
    const list = keysOf(over, codeOf(node.right, machine))
    return looping(machine, () => runForOf(node, list, scope, machine, labels))
  },
}

function whileLoop(
  { test, body }: Extract<Statement, { type: 'WhileStatement' | 'DoWhileStatement' }>,
  scope: Scope,
  machine: Machine,
  labels: readonly string[],
): Loop {
  return {
    labels,
    scope: () => scope,
    test: () => evaluate(test, scope, machine),
    body: () => run(body, scope, machine),
    sets: [body],
  }
}

/** The keys over which `for … in` iterates. */
function keysOf(over: Value, code: string): Value {
  if (isKind(over, 'fields') && !over.open) return { kind: 'list', items: orderedKeys(over), open: false }
  if (!isKind(over, 'list') || over.open) return unknown(code, [over])
  return { kind: 'list', items: over.items.map((_item, index) => String(index)), open: false }
}

/** Reads a branch that may not run, so that how it ends is uncertain too. Returns how it ends if it runs. */
function maybe(machine: Machine, read: () => Flow, rounds: 'once' | 'any' = 'once'): Flow {
  const flow = inDoubt(machine, rounds, read)
  mayLeave(machine, flow, rounds)
  return flow
}

/** Notes that what follows may be skipped. */
function mayLeave(machine: Machine, flow: Flow, rounds: 'once' | 'any'): void {
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

/** Whether the end of a round is also the end of its loop, which has these labels. */
function leaves(flow: Flow, labels: readonly string[]): boolean {
  if (flow?.type !== 'continue') return flow !== undefined
  return flow.label !== undefined && !labels.includes(flow.label)
}

/** How a loop ends that one of its rounds left. */
function behindLoop(flow: Flow): Flow {
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

/** Reads a block in a scope of its own; returns how it ends. */
export function runBlock({ body }: BlockStatement, scope: Scope, machine: Machine): Flow {
  const inner = innerScope(scope)
  hoist(body, inner)
  return runAll(body, inner, machine)
}

/** Reads a block and then, however it ends, its `finally`. */
function withFinally(machine: Machine, read: () => Flow, last: () => Flow): Flow {
  let flow: Flow
  try {
    flow = read()
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    // As with a handler: `exit()` may end the script before it.
    const instead = error.by === 'throw' ? last() : maybe(machine, last)
    if (error.by === 'throw' && instead !== undefined) return instead
    throw error
  }
  return last() ?? flow
}

function tried({ block, handler }: TryStatement, scope: Scope, machine: Machine): Flow {
  if (!handler) return runBlock(block, scope, machine)
  let isThrown = false
  const caught = (): Flow => {
    const inner = innerScope(scope)
    if (handler.param) bindUnknown(handler.param, [], machine, (name, value) => inner.names.set(name, value))
    try {
      return runAll(handler.body.body, inner, machine)
    } catch (error) {
      isThrown = true
      throw error
    }
  }
  try {
    const { value: flow, mayHaveFailed } = inTry(machine, () => runBlock(block, scope, machine))
    const instead = maybe(machine, caught)
    if (flow === undefined || !mayHaveFailed || isThrown || isSameFlow(flow, instead)) return flow
    // The block leaves, and the handler does not: what follows runs if the block failed.
    if (flow.type === 'return') machine.returns.push(flow.value)
    mayLeave(machine, flow, 'once')
    return undefined
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    if (error.by === 'throw') return caught()
    // The runtime also throws for `exit()`, so the handler may run.
    machine.mayHaveEnded = true
    maybe(machine, caught)
    return undefined
  }
}

function isSameFlow(flow: NonNullable<Flow>, other: Flow): boolean {
  if (flow.type === 'return' || other === undefined || other.type === 'return') return flow.type === other?.type
  return flow.type === other.type && flow.label === other.label
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
  labels: readonly string[]
  /** The scope of its current round. */
  scope: () => Scope
  test: () => Value
  body: () => Flow
  update?: () => Value
  /** The nodes that may set variables in a round. */
  sets: readonly AnyNode[]
}

function runLoop(machine: Machine, loop: Loop): Flow {
  return looping(machine, () => runRounds(machine, loop))
}

function runRounds(machine: Machine, { labels, scope, test, body, update, sets }: Loop): Flow {
  const before = machine.mayHaveLeft
  for (;;) {
    spend(machine, 1)
    const truth = truthOf(test())
    if (truth === false) return undefined
    if (truth === undefined) {
      forget(sets, scope(), machine)
      maybe(machine, body, 'any')
      return undefined
    }
    const flow = round(machine, before, body)
    if (leaves(flow, labels)) return behindLoop(flow)
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
  labels: readonly string[],
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
    if (leaves(flow, labels)) return behindLoop(flow)
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
