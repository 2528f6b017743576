/** Reads the statements of a script in order. Loops over known values are followed round by round, others once. */

import type { AnyNode, BlockStatement, Pattern, Program, Statement, TryStatement, VariableDeclaration } from 'acorn'
import { assign, bindingOf, evaluate } from './expression.ts'
import { codeOf, Ended, enter, type Flow, innerScope, limits, type Machine, mayFail, spend } from './machine.ts'
import { list } from './methods.ts'
import { truthOf } from './operators.ts'
import { bind, bindUnknown, functionScope, hoistVariables } from './pattern.ts'
import { assignName, inTry, leavable, maybe, mayLeave } from './regions.ts'
import { hasOthers, isKind, type List, orderedKeys, type Scope, sureItems, unknown, type Value } from './value.ts'

/** Reads a program from its first statement to its last. */
export function runProgram({ body }: Program, machine: Machine): void {
  const scope = innerScope(undefined, machine, 'function')
  hoistVariables(body, scope, machine)
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
  ReturnStatement: ({ argument }, scope, machine) => ({
    type: 'return',
    value: argument ? evaluate(argument, scope, machine) : undefined,
  }),
  BreakStatement: ({ label }) => ({ type: 'break', ...(label && { label: label.name }) }),
  ContinueStatement: ({ label }) => ({ type: 'continue', ...(label && { label: label.name }) }),
  LabeledStatement: ({ label, body }, scope, machine, labels) => {
    const own = [...labels, label.name]
    const flow = leavable(machine, 'label', own, () => run(body, scope, machine, own))
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
  SwitchStatement: (node, scope, machine, labels) => {
    evaluate(node.discriminant, scope, machine)
    const inner = innerScope(scope, machine)
    const cases = (): Flow => {
      for (const { test, consequent } of node.cases) {
        if (test) maybe(machine, () => void evaluate(test, inner, machine))
        maybe(machine, () => withoutBreak(runAll(consequent, inner, machine)))
      }
      return undefined
    }
    return leavable(machine, 'loop', labels, cases)
  },
  ForStatement: (node, scope, machine, labels) => {
    let inner = innerScope(scope, machine)
    if (node.init?.type === 'VariableDeclaration') declare(node.init, inner, machine)
    else if (node.init) evaluate(node.init, inner, machine)
    const { test, update, body } = node
    return runLoop(machine, {
      labels,
      test: () => (test ? evaluate(test, inner, machine) : true),
      body: () => run(body, inner, machine),
      update: (rounds) => {
        // Each round has variables of its own, which functions that it makes keep.
        if (rounds === 'known') inner = { ...inner, names: new Map(inner.names) }
        return update ? evaluate(update, inner, machine) : undefined
      },
    })
  },
  WhileStatement: (node, scope, machine, labels) => runLoop(machine, whileLoop(node, scope, machine, labels)),
  DoWhileStatement: (node, scope, machine, labels) =>
    leavable(machine, 'loop', labels, () => {
      const flow = round(machine, labels, () => run(node.body, scope, machine))
      return flow === undefined ? runRounds(machine, whileLoop(node, scope, machine, labels)) : withoutBreak(flow)
    }),
  ForOfStatement: (node, scope, machine, labels) => {
    const over = evaluate(node.right, scope, machine)
    return leavable(machine, 'loop', labels, () => runForOf(node, over, scope, machine, labels))
  },
  ForInStatement: (node, scope, machine, labels) => {
    const over = evaluate(node.right, scope, machine)
    const keys = keysOf(over, codeOf(node.right, machine))
    return leavable(machine, 'loop', labels, () => runForOf(node, keys, scope, machine, labels))
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
    test: () => evaluate(test, scope, machine),
    body: () => run(body, scope, machine),
  }
}

/** The keys over which `for … in` iterates. */
function keysOf(over: Value, code: string): Value {
  if (isKind(over, 'fields') && !over.open) return list(orderedKeys(over))
  if (!isKind(over, 'list') || over.open) return unknown(code, [over])
  return list(over.items.map((_item, index) => String(index)))
}

/** Whether the end of a round is also the end of its loop, which has these labels. */
function leaves(flow: Flow, labels: readonly string[]): boolean {
  if (flow?.type !== 'continue') return flow !== undefined
  return flow.label !== undefined && !labels.includes(flow.label)
}

/** How a loop or a `switch` ends that one of its parts left: a `break` without a label leaves nothing else. */
function withoutBreak(flow: Flow): Flow {
  return flow?.type === 'break' && flow.label === undefined ? undefined : flow
}

/** Reads a round; returns how it leaves its loop, if it certainly does. */
function round(machine: Machine, labels: readonly string[], body: () => Flow): Flow {
  return leavable(machine, 'round', labels, () => {
    const flow = body()
    return leaves(flow, labels) ? flow : undefined
  })
}

/** Reads a block in a scope of its own; returns how it ends. */
export function runBlock({ body }: BlockStatement, scope: Scope, machine: Machine): Flow {
  const inner = innerScope(scope, machine)
  hoist(body, inner)
  return runAll(body, inner, machine)
}

/** Reads a block and then, however it ends, its `finally`. */
function withFinally(machine: Machine, read: () => Flow, last: () => Flow): Flow {
  let flow: Flow
  try {
    flow = inTry(machine, false, read).value
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
    const inner = innerScope(scope, machine)
    if (handler.param) bindUnknown(handler.param, [], machine, (name, value) => inner.names.set(name, value))
    try {
      return runAll(handler.body.body, inner, machine)
    } catch (error) {
      isThrown = true
      throw error
    }
  }
  try {
    const { value: flow, mayHaveFailed } = inTry(machine, true, () => runBlock(block, scope, machine))
    const instead = maybe(machine, caught)
    if (flow === undefined || !mayHaveFailed || isThrown || isSameFlow(flow, instead)) return flow
    // The block leaves, and the handler does not: what follows runs if the block failed.
    mayLeave(machine, flow)
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

function declare({ kind, declarations }: VariableDeclaration, scope: Scope, machine: Machine): void {
  for (const { id, init } of declarations) {
    // A `var` without a value keeps the one that it has.
    if (kind === 'var' && !init) continue
    bindDeclared(kind, id, init ? evaluate(init, scope, machine) : undefined, scope, machine)
  }
}

/** Binds what a declaration declares: a `var` in its function, others in this scope. */
function bindDeclared(
  kind: VariableDeclaration['kind'],
  pattern: Pattern,
  value: Value,
  scope: Scope,
  machine: Machine,
): void {
  bind(pattern, value, scope, bindingOf(scope, machine, setterOf(kind, scope, machine)))
}

function setterOf(kind: VariableDeclaration['kind'], scope: Scope, machine: Machine) {
  return (name: string, item: Value): void => {
    if (kind === 'var') assignName(name, item, functionScope(scope), machine)
    else scope.names.set(name, item)
  }
}

interface Loop {
  labels: readonly string[]
  test: () => Value
  body: () => Flow
  update?: (rounds: 'known' | 'any') => Value
}

function runLoop(machine: Machine, loop: Loop): Flow {
  return leavable(machine, 'loop', loop.labels, () => runRounds(machine, loop))
}

function runRounds(machine: Machine, { labels, test, body, update }: Loop): Flow {
  for (;;) {
    spend(machine, 1)
    const truth = truthOf(test())
    if (truth === false) return undefined
    const once = (): Flow => {
      const flow = round(machine, labels, body)
      if (flow === undefined) update?.(truth === undefined ? 'any' : 'known')
      return flow
    }
    if (truth === undefined) {
      maybe(machine, () => once() ?? again(test), 'any')
      return undefined
    }
    const flow = once()
    if (flow !== undefined) return withoutBreak(flow)
  }
}

/** Reads the test of a loop before a further round. */
function again(test: () => Value): undefined {
  test()
}

function runForOf(
  node: Extract<Statement, { type: 'ForOfStatement' | 'ForInStatement' }>,
  over: Value,
  scope: Scope,
  machine: Machine,
  labels: readonly string[],
): Flow {
  const { left } = node
  const target: Pattern | undefined = left.type === 'VariableDeclaration' ? left.declarations[0]?.id : left
  if (target === undefined) return undefined
  const once = (item: Value): Flow => {
    const inner = innerScope(scope, machine)
    if (left.type === 'VariableDeclaration') bindDeclared(left.kind, target, item, inner, machine)
    else assign(target, item, scope, machine)
    return round(machine, labels, () => run(node.body, inner, machine))
  }
  const known = listOver(over)
  if (known === undefined) mayFail(machine)
  // The list may grow during the loop.
  for (let index = 0; known !== undefined && index < known.items.length; index++) {
    spend(machine, 1)
    const flow = index < sureItems(known) ? once(known.items[index]) : maybe(machine, () => once(known.items[index]))
    if (flow !== undefined && index < sureItems(known)) return withoutBreak(flow)
  }
  if (known !== undefined && !hasOthers(known)) return undefined
  const further = (): Flow => {
    const inner = innerScope(scope, machine)
    const set = left.type === 'VariableDeclaration' ? setterOf(left.kind, inner, machine) : undefined
    bindUnknown(target, [over], machine, set ?? ((name, value) => assignName(name, value, scope, machine)))
    return round(machine, labels, () => run(node.body, inner, machine))
  }
  maybe(machine, further, 'any')
  return undefined
}

function listOver(value: Value): List | undefined {
  if (isKind(value, 'list')) return value
  return typeof value === 'string' ? list([...value.slice(0, limits.steps)]) : undefined
}
