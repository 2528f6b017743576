/** Scripts of bash, and of the shells like it, as steps. */

import { type CommandNode, type CompoundList, type PipelineNode, parse, type Redirection, type Statement } from 'unbash'
import { chainOf, listOf, nothing, type Run, type Step } from './steps.ts'

/** Deeper nesting is no script that anybody wrote. */
const maxDepth = 60

/** The steps of a script; total: what breaks the grammar gives what can be read of it. */
export function posixSteps(script: string): Step {
  return statements(parse(script).commands, 0)
}

function statements(list: readonly Statement[], depth: number): Step {
  if (depth > maxDepth) return nothing
  return listOf(
    list.map(({ command, background }): Step => {
      const step = command.type === 'AndOr' ? andOr(command, depth) : pipeline(command, depth)
      return background === true ? { kind: 'background', step } : step
    }),
  )
}

function andOr(
  { commands, operators }: { commands: readonly PipelineNode[]; operators: readonly string[] },
  depth: number,
): Step {
  return chainOf(
    commands.map((command) => pipeline(command, depth)),
    operators,
  )
}

function pipeline(node: PipelineNode, depth: number): Step {
  if (node.type !== 'Pipeline') return command(node, depth)
  const stages = node.commands.map((stage) => command(stage, depth))
  const negated = node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1
  const [only] = stages
  return only !== undefined && stages.length === 1 && !negated ? only : { kind: 'pipe', stages, negated }
}

function command(node: CommandNode, depth: number): Step {
  const body = (list: CompoundList): Step => statements(list.commands, depth + 1)
  switch (node.type) {
    case 'Command': {
      const words = node.args.map((word) => (word.type === 'Word' ? word.value : word.text))
      return run(node.name === undefined ? [] : [node.name.value, ...words], silences(node.redirects))
    }
    case 'TestCommand':
      return run(['[[', ']]'], false)
    case 'ArithmeticCommand':
      return run(['((', '))'], false)
    case 'If': {
      const clauses = [node, ...node.elif]
      const bodies = clauses.map(({ then }) => body(then))
      if (node.else !== undefined) bodies.push(body(node.else))
      return { kind: 'branch', tests: clauses.map(({ clause }) => body(clause)), bodies }
    }
    case 'While':
      return { kind: 'branch', tests: [body(node.clause)], bodies: [body(node.body)] }
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
      return { kind: 'branch', tests: [], bodies: [body(node.body)] }
    case 'Case':
      return { kind: 'branch', tests: [], bodies: node.items.map((item) => body(item.body)) }
    case 'Subshell':
    case 'BraceGroup':
      return body(node.body)
    case 'Redirected':
      return command(node.command, depth)
    default:
      // What a function does, it does where it is called; nothing waits for a coprocess.
      return nothing
  }
}

function run(words: string[], quiet: boolean): Run {
  return { kind: 'run', dialect: 'posix', words, quiet }
}

/** Whether errors go to the null device, by themselves or with the output. */
function silences(redirects: readonly Redirection[]): boolean {
  const isNull = { 1: false, 2: false }
  for (const redirect of redirects) {
    if (redirect.type !== 'Redirect' || !redirect.operator.includes('>')) continue
    const { operator, descriptor, target } = redirect
    const of = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1
    const goes = operator === '>&' && target?.value === '1' ? isNull[1] : target?.value === '/dev/null'
    if (operator.startsWith('&')) Object.assign(isNull, { 1: goes, 2: goes })
    else if (of === 1 || of === 2) isNull[of] = goes
  }
  return isNull[2]
}
