/** Scripts of PowerShell as steps. */

import { powershellTokens, type Token } from './powershell-tokens.ts'
import { chainOf, listOf, nothing, type Run, type Step } from './steps.ts'

/** Deeper nesting is no script that anybody wrote. */
const maxDepth = 60

interface Reader {
  tokens: readonly Token[]
  at: number
  depth: number
}

/** The steps of a script; total: what breaks the grammar gives what can be read of it. */
export function powershellSteps(script: string): Step {
  const reader: Reader = { tokens: powershellTokens(script), at: 0, depth: 0 }
  const steps: Step[] = []
  while (reader.at < reader.tokens.length) {
    steps.push(block(reader))
    // A bracket that closes nothing.
    reader.at++
  }
  return listOf(steps)
}

/** Statements up to the bracket that closes them, which stays. */
function block(reader: Reader): Step {
  const steps: Step[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token === undefined || token.kind === 'close') return listOf(steps)
    if (token.kind === 'end' || token.kind === 'pipe' || token.kind === 'chain') reader.at++
    else steps.push(chain(reader))
  }
}

/** What a bracket holds; beyond the greatest depth it is passed over. */
function inside(reader: Reader): Step {
  reader.at++
  reader.depth++
  const step = reader.depth > maxDepth ? skip(reader) : block(reader)
  reader.depth--
  reader.at++
  return step
}

function skip(reader: Reader): Step {
  let open = 0
  for (; reader.at < reader.tokens.length; reader.at++) {
    const { kind } = reader.tokens[reader.at] ?? {}
    if (kind === 'open') open++
    else if (kind === 'close' && open-- === 0) break
  }
  return nothing
}

function chain(reader: Reader): Step {
  const steps = [statement(reader)]
  const operators: string[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token?.kind !== 'chain') break
    operators.push(token.text)
    reader.at++
    while (reader.tokens[reader.at]?.kind === 'end') reader.at++
    steps.push(statement(reader))
  }
  return chainOf(steps, operators)
}

const tested = new Set(['if', 'elseif', 'foreach', 'for', 'while', 'switch', 'until'])
const plain = new Set(['else', 'try', 'catch', 'finally', 'do', 'begin', 'process', 'end', 'trap'])
const defining = new Set(['function', 'filter', 'class', 'enum', 'param', 'using'])

function statement(reader: Reader): Step {
  const token = reader.tokens[reader.at]
  const word = token?.kind === 'word' && !token.quoted ? token.text.toLowerCase() : ''
  return defining.has(word) ? definition(reader) : (keyword(reader) ?? pipeline(reader))
}

/** A condition, a loop or a `try` with all that hangs on it: what stands in round brackets decides. */
function branch(reader: Reader): Step {
  const tests: Step[] = []
  const bodies: Step[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token?.kind === 'open') (token.text === '{' ? bodies : tests).push(inside(reader))
    else if (token?.kind === 'word' && continues(token, reader)) reader.at++
    else if (token?.kind === 'end' && isClause(reader.tokens[reader.at + 1])) reader.at++
    else return { kind: 'branch', tests, bodies }
  }
}

/** Whether a word is a part of the statement before it: one of its keywords, or an option or type in front of its block. */
function continues({ text }: Token & { kind: 'word' }, reader: Reader): boolean {
  const before = reader.tokens[reader.at - 1]
  const word = text.toLowerCase()
  return tested.has(word) || plain.has(word) || before?.kind === 'word'
}

function isClause(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^(?:elseif|else|catch|finally|while|until)$/i.test(token.text)
}

/** What a function does, it does where it is called. */
function definition(reader: Reader): Step {
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token === undefined || token.kind === 'end' || token.kind === 'close') return nothing
    if (token.kind === 'open') {
      const isBody = token.text === '{'
      reader.at++
      skip(reader)
      if (isBody) {
        reader.at++
        return nothing
      }
    }
    reader.at++
  }
}

function pipeline(reader: Reader): Step {
  const stages = [element(reader)]
  while (reader.tokens[reader.at]?.kind === 'pipe') {
    reader.at++
    while (reader.tokens[reader.at]?.kind === 'end') reader.at++
    stages.push(element(reader))
  }
  const [only] = stages
  return only !== undefined && stages.length === 1 ? only : { kind: 'pipe', stages, negated: false }
}

/** What is known of a command while its words are read. */
interface Draft {
  /** Commands in its brackets, which come before it. */
  inner: Step[]
  words: string[]
  quiet: boolean
  /** Absent until its first word. */
  isCommand: boolean | undefined
}

/** A command with its words, or an expression. */
function element(reader: Reader): Step {
  const draft: Draft = { inner: [], words: [], quiet: false, isCommand: undefined }
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token === undefined || /^(?:end|pipe|chain|close)$/.test(token.kind)) break
    if (token.kind === 'open') {
      draft.isCommand ??= false
      draft.inner.push(inside(reader))
      continue
    }
    reader.at++
    const value = takeToken(token, draft, reader)
    if (value !== undefined) return listOf([...draft.inner, value])
  }
  return listOf([...draft.inner, run(draft.isCommand === true ? draft.words : [], draft.quiet)])
}

/** Adds a token to a command; gives the branch that a variable is given. */
function takeToken(token: Token, draft: Draft, reader: Reader): Step | undefined {
  if (token.kind === 'redirection') draft.quiet ||= /^(?:2|\*)>+\$null$/i.test(token.text)
  else if (token.kind === 'call') draft.isCommand ??= true
  else if (token.kind === 'word') {
    draft.isCommand ??= startsCommand(token)
    draft.words.push(token.text)
  } else if (token.kind === 'assign' && (token.key || draft.isCommand !== true)) {
    // What a variable is given is a statement of its own.
    draft.words = []
    draft.isCommand = undefined
    return keyword(reader)
  }
  return undefined
}

/** The branch that a variable is given: `$x = if (…) {…}`. */
function keyword(reader: Reader): Step | undefined {
  while (reader.tokens[reader.at]?.kind === 'end') reader.at++
  const token = reader.tokens[reader.at]
  const word = token?.kind === 'word' && !token.quoted ? token.text.toLowerCase() : ''
  return tested.has(word) || plain.has(word) ? branch(reader) : undefined
}

/** A bare word that is no variable, type, number or operator names a command. */
function startsCommand({ text, quoted }: Token & { kind: 'word' }): boolean {
  return !quoted && /^(?:[^\s$[\]@\d!+,\-'"<>=#{}():]|\d+[a-z])/i.test(text)
}

function run(words: string[], quiet: boolean): Run {
  return { kind: 'run', dialect: 'powershell', words, quiet }
}
