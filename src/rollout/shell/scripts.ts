/** Parses scripts of bash and similar shells, and command lines of `cmd.exe`, into steps. */

import { type CommandNode, type CompoundList, type PipelineNode, parse, type Redirection, type Statement } from 'unbash'
import { defined, ownValue } from '../../util/own.ts'
import { chainOf, definitionOf, listOf, nothing, pipeOf, type Run, type Step, silenced } from './steps.ts'

/** No real script nests deeper. */
const maxDepth = 60

/**
 * The steps of a script. Total: if the script breaks the grammar, gives what can be read of it; if its nesting is too
 * deep for the parser, nothing.
 */
export function posixSteps(script: string): Step {
  try {
    return statements(parse(script).commands, 0)
  } catch (error) {
    // The parser has no depth limit, so our own stack may overflow.
    if (error instanceof RangeError) return nothing
    throw error
  }
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
  return pipeOf(stages, negated)
}

function command(node: CommandNode, depth: number): Step {
  const body = (list: CompoundList): Step => statements(list.commands, depth + 1)
  switch (node.type) {
    case 'Command': {
      const words = node.args.map((word) => (word.type === 'Word' ? word.value : word.text))
      const into = targets(node.redirects)
      const made = run(node.name === undefined ? [] : [node.name.value, ...words], silences(node.redirects))
      const input = node.redirects.findLast((redirect) => redirect.type === 'HereDoc')?.body.text
      return { ...made, ...(into.length === 0 ? {} : { into }), ...defined({ input }) }
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
      return { kind: 'list', steps: [body(node.body)], isApart: true }
    case 'BraceGroup':
      return body(node.body)
    case 'Redirected':
      return redirected(command(node.command, depth), node.redirects)
    case 'Function':
      return definitionOf(
        node.name.value,
        node.body.type === 'CompoundList' ? body(node.body) : command(node.body, depth),
      )
    default:
      // A coprocess is omitted, because nothing waits for it.
      return nothing
  }
}

/** A compound command with redirections, which the shell makes before it runs any of it. */
function redirected(step: Step, redirects: readonly Redirection[]): Step {
  const into = targets(redirects)
  const inner = silences(redirects) ? silenced(step) : step
  return into.length === 0 ? inner : listOf([{ ...run([], false), into }, inner])
}

function run(words: string[], quiet: boolean): Run {
  return { kind: 'run', dialect: 'posix', words, quiet }
}

/** Whether errors go to the null device, alone or together with the output. */
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

/** The files to which output or errors go. */
function targets(redirects: readonly Redirection[]): string[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== 'Redirect' || redirect.target === undefined) return []
    return /^&?>>?\|?$/.test(redirect.operator) ? [redirect.target.value] : []
  })
}

// Command lines of the Windows command interpreter.

const piece =
  /"(?<quoted>[^"\n]*)"?|\^(?<escaped>[\s\S])|(?<redirection>\d?>>?(?:&\d)?|<)|(?<border>&&|\|\||[&|\r\n()])|(?<blank>[ \t,;=]+)|(?<bare>[^\s"^<>&|(),;=]+)/g

/** The steps of a command line. */
export function cmdSteps(script: string): Step {
  const links: { step: Step; before: string }[] = []
  let stages: Step[] = []
  let words: string[] = []
  let redirects: CmdRedirect[] = []
  let before = '&'
  const endStage = (): void => {
    const found = cmdRun(words, redirects)
    if (found !== undefined) stages.push(found)
    words = []
    redirects = []
  }
  for (const token of tokens(script)) {
    if ('word' in token) {
      words.push(token.word)
      continue
    }
    if ('to' in token) {
      redirects.push(token)
      continue
    }
    endStage()
    if (token.border === '|' || stages.length === 0) continue
    links.push({ step: pipeOf(stages), before })
    stages = []
    before = token.border
  }
  endStage()
  if (stages.length > 0) links.push({ step: pipeOf(stages), before })
  return chains(links)
}

/** Joins links by the operator before each: `&` and line ends separate chains. */
function chains(links: readonly { step: Step; before: string }[]): Step {
  const steps: Step[] = []
  for (const { step, before } of links) {
    const last = steps.pop()
    if (last === undefined) steps.push(step)
    else if (before === '&&' || before === '||') steps.push(chainOf([last, step], [before]))
    else steps.push(last, step)
  }
  return listOf(steps)
}

/** Where a stream goes: `2>file`, or `2>&1` with the number of the other stream. */
interface CmdRedirect {
  stream: string
  to: string
}

/** Words, redirections and separators, in order. */
function* tokens(script: string): Generator<{ word: string } | CmdRedirect | { border: string }> {
  let word = ''
  let redirected = ''
  for (const { groups = {} } of script.matchAll(piece)) {
    const { quoted, escaped, bare, redirection, border } = groups
    const part = quoted ?? escaped ?? bare
    if (part !== undefined) {
      word += part
      continue
    }
    if (word !== '') {
      yield* tokenOf(word, redirected)
      redirected = ''
    }
    word = ''
    if (redirection?.includes('&') === true) yield { stream: streamOf(redirection), to: redirection.slice(-2) }
    else redirected = redirection ?? redirected
    if (border !== undefined) yield { border }
  }
  if (word !== '') yield* tokenOf(word, redirected)
}

/** A word after `>` or `<` is not an argument of the command. */
function* tokenOf(word: string, redirected: string): Generator<{ word: string } | CmdRedirect> {
  if (redirected === '') yield { word }
  else if (redirected.includes('>')) yield { stream: streamOf(redirected), to: word }
}

function streamOf(redirection: string): string {
  return /^\d/.test(redirection) ? redirection.charAt(0) : '1'
}

/** Whether errors go to the null device, alone or together with the output. */
function silencesCmd(redirects: readonly CmdRedirect[]): boolean {
  const isNull: Record<string, boolean> = {}
  for (const { stream, to } of redirects) isNull[stream] = to === '&1' ? isNull['1'] === true : /^nul:?$/i.test(to)
  return isNull['2'] === true
}

/** Words before a command that belong to the grammar, each with the number of its operands. */
const grammar: Readonly<Record<string, number>> = {
  call: 0,
  not: 0,
  else: 0,
  do: 0,
  '/i': 0,
  exist: 1,
  defined: 1,
  errorlevel: 1,
}

function cmdRun(all: readonly string[], redirects: readonly CmdRedirect[]): Run | undefined {
  let words = all.map((word, index) => (index === 0 ? word.replace(/^@/, '') : word))
  for (let count = grammarWords(words); count > 0; count = grammarWords(words)) words = words.slice(count)
  const into = redirects.map(({ to }) => to).filter((to) => !to.startsWith('&'))
  // Redirections after a `)` are those of the whole group.
  if (words.length === 0 && into.length === 0) return undefined
  return { kind: 'run', dialect: 'cmd', words, quiet: silencesCmd(redirects), ...(into.length > 0 && { into }) }
}

/** How many of the first words belong to the grammar. */
function grammarWords([word = '', next = '', ...rest]: readonly string[]): number {
  const first = word.toLowerCase()
  if (first === 'for') return rest.findIndex((part) => part.toLowerCase() === 'do') + 3
  // Either two texts are compared, or one word says what is tested.
  if (first === 'if') return /^(?:not|\/i|exist|defined|errorlevel)$/i.test(next) ? 1 : 3
  const operands = ownValue(grammar, first)
  return operands === undefined ? 0 : 1 + operands
}
