/** Scripts of PowerShell as steps. */

import { chainOf, definitionOf, functionKey, listOf, nothing, type Run, type Step } from './steps.ts'

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
  return defining.has(bareWord(reader)) ? definition(reader) : (keyword(reader) ?? pipeline(reader))
}

/** The word where a reader stands, in small letters; empty for a quoted one and for all else. */
function bareWord({ tokens, at }: Reader): string {
  const token = tokens[at]
  return token?.kind === 'word' && !token.quoted ? token.text.toLowerCase() : ''
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

/** A function, or what else is defined, in which nothing runs. */
function definition(reader: Reader): Step {
  const name = functionName(reader)
  const isParameters = bareWord(reader) === 'param'
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token === undefined || token.kind === 'end' || token.kind === 'close') return nothing
    if (token.kind !== 'open') {
      reader.at++
      continue
    }
    const isBody = token.text === '{'
    const body = inside(reader)
    if (isBody && name !== undefined) return definitionOf(functionKey(name, 'powershell'), body)
    // What stands behind parameters is a statement of its own.
    if (isBody || isParameters) return nothing
  }
}

/** The name of a function that is defined, without a scope as in `script:Get-Gear`. */
function functionName(reader: Reader): string | undefined {
  const name = reader.tokens[reader.at + 1]
  const isFunction = /^(?:function|filter)$/.test(bareWord(reader))
  return isFunction && name?.kind === 'word' ? name.text.replace(/^\w+:/, '') : undefined
}

function pipeline(reader: Reader): Step {
  const stages = [element(reader)]
  while (reader.tokens[reader.at]?.kind === 'pipe') {
    reader.at++
    while (reader.tokens[reader.at]?.kind === 'end') reader.at++
    stages.push(element(reader))
  }
  const [only] = stages
  if (only !== undefined && stages.length === 1) return only
  const isKept = only?.kind === 'run' && only.isKept === true
  return { kind: 'pipe', stages: isKept ? stages.map(kept) : stages, negated: false }
}

function kept(step: Step): Step {
  return step.kind === 'run' ? { ...step, isKept: true } : step
}

/** What is known of a command while its words are read. */
interface Draft {
  /** Commands in its brackets, which come before it. */
  inner: Step[]
  words: string[]
  into: string[]
  quiet: boolean
  /** Absent until its first word. */
  isCommand: boolean | undefined
  /** A variable takes what it prints. */
  isKept: boolean
}

/** A command with its words, or an expression. */
function element(reader: Reader): Step {
  const draft: Draft = { inner: [], words: [], into: [], quiet: false, isCommand: undefined, isKept: false }
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
  const { inner, into, quiet, isKept } = draft
  const made = run(draft.isCommand === true ? draft.words : [], quiet)
  return listOf([...inner, { ...made, ...(into.length === 0 ? {} : { into }), ...(isKept ? { isKept } : {}) }])
}

/** Adds a token to a command; gives the branch that a variable is given. */
function takeToken(token: Token, draft: Draft, reader: Reader): Step | undefined {
  if (token.kind === 'redirection') redirect(token.text, draft)
  else if (token.kind === 'call') draft.isCommand ??= true
  else if (token.kind === 'word') {
    draft.isCommand ??= startsCommand(token)
    draft.words.push(token.text)
  } else if (token.kind === 'assign' && (token.key || draft.isCommand !== true)) {
    // What a variable is given is a statement of its own.
    draft.words = []
    draft.isCommand = undefined
    draft.isKept = true
    return keyword(reader)
  }
  return undefined
}

function redirect(text: string, draft: Draft): void {
  if (/^[2*]>+\$null$/i.test(text)) draft.quiet = true
  const target = text.replace(/^[\d*]?>+/, '')
  if (!target.startsWith('&')) draft.into.push(target.replace(/^(['"])(.*)\1$/s, '$2'))
}

/** The branch that a variable is given: `$x = if (…) {…}`. */
function keyword(reader: Reader): Step | undefined {
  while (reader.tokens[reader.at]?.kind === 'end') reader.at++
  const word = bareWord(reader)
  return tested.has(word) || plain.has(word) ? branch(reader) : undefined
}

/** A bare word that is no variable, type, number or operator names a command. */
function startsCommand({ text, quoted }: Token & { kind: 'word' }): boolean {
  return !quoted && /^(?:[^\s$[\]@\d!+,\-'"<>=#{}():]|\d+[a-z])/i.test(text)
}

function run(words: string[], quiet: boolean): Run {
  return { kind: 'run', dialect: 'powershell', words, quiet }
}

// The words and marks of a PowerShell script.

/** A word, or a mark between words. */
type Token =
  /** `quoted`: begins with a quote, so that it is a text and no name. */
  | { kind: 'word'; text: string; quoted: boolean }
  /** `(`, `{`, `$(`, `@(`, `@{`. */
  | { kind: 'open'; text: string }
  | { kind: 'close' }
  /** `;` or the end of a line. */
  | { kind: 'end' }
  | { kind: 'pipe' }
  /** `&&` or `||`. */
  | { kind: 'chain'; text: string }
  /** `&` or `.` in front of a command. */
  | { kind: 'call' }
  /** `=`, `+=` and the like; `key`: behind the key of a hash table. */
  | { kind: 'assign'; key: boolean }
  | { kind: 'redirection'; text: string }

const piece = new RegExp(
  [
    /(?<here>@'[ \t]*\r?\n[\s\S]*?(?:\n'@|$)|@"[ \t]*\r?\n[\s\S]*?(?:\n"@|$))/,
    // A here-document of another shell, written by mistake: what it holds is no script.
    /(?<document><<-?[ \t]*['"]?(?<delimiter>\w+)['"]?[^\n]*(?:\n[\s\S]*?(?:\n[ \t]*\k<delimiter>(?![^\n\r])|$(?![\s\S]))|$(?![\s\S])))/,
    /(?<comment><#[\s\S]*?(?:#>|$(?![\s\S]))|#[^\n]*)/,
    /'(?<single>(?:[^']|'')*)'?/,
    /(?<redirection>(?:[\d*]>{1,2}|>{1,2})(?:&\d|[ \t]*(?:\$null|'[^'\n]*'|"[^"\n]*"|[^\s;|&(){}]+))?)/,
    /`(?<escaped>\r?\n|[\s\S])/,
    /(?<chain>&&|\|\|)/,
    /(?<pipe>\|)/,
    /(?<end>;|\r?\n)/,
    // `*.{ts,tsx}` and `HEAD@{1}` hold no block.
    /(?<=[^\s;|&(){}])(?<braces>@?\{[\w,.*/-]*\})/,
    /(?<open>[$@]\(|@\{|[({])/,
    /(?<close>[)}])/,
    /(?<call>&)/,
    /(?<blank>[ \t\r]+)/,
    /(?<variable>\$\{[^}\n]*\}|\$[\w:?^$]+)/,
    /(?<type>\[[^\]\s]{0,200}\])/,
    /(?<assign>(?:[-+*/%]|\?\?)?=)/,
    /(?<bare>[^\s'"`;|&(){}<>$=@,]+|[\s\S])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
)

interface Tokens {
  script: string
  at: number
  found: Token[]
  word: { text: string; quoted: boolean } | undefined
  /** What is open, from the outside in. */
  open: string[]
}

/** The tokens of a script, in time that grows with its length only. */
function powershellTokens(script: string): Token[] {
  const state: Tokens = { script, at: 0, found: [], word: undefined, open: [] }
  while (state.at < script.length) {
    if (script[state.at] === '"') takeText(state)
    else takePiece(state)
    // A dot in front of a path or a block runs it here.
    if (state.word?.text === '.' && !state.word.quoted && /^[ \t]/.test(script.charAt(state.at))) {
      state.word = undefined
      state.found.push({ kind: 'call' })
    }
  }
  endWord(state)
  return state.found
}

function endWord(state: Tokens): void {
  if (state.word !== undefined) state.found.push({ kind: 'word', ...state.word })
  state.word = undefined
}

function add(text: string, quoted: boolean, state: Tokens): void {
  const { word } = state
  state.word = word === undefined ? { text, quoted } : { text: word.text + text, quoted: word.quoted }
}

function takeText(state: Tokens): void {
  const { script, at } = state
  const end = endOfText(script, at)
  add(textOf(script.slice(at + 1, script[end - 1] === '"' ? end - 1 : end)), true, state)
  state.at = end
}

function takePiece(state: Tokens): void {
  piece.lastIndex = state.at
  const groups = piece.exec(state.script)?.groups ?? {}
  state.at = Math.max(state.at + 1, piece.lastIndex)
  const { single, here, escaped, comment, assign } = groups
  if (single !== undefined) add(single.replaceAll("''", "'"), true, state)
  else if (here !== undefined) add(here.slice(2, -2), true, state)
  else if (escaped !== undefined) add(escaped.endsWith('\n') ? '' : escaped, false, state)
  else if (comment?.startsWith('#') && state.word !== undefined) {
    // A sign inside a word begins no comment.
    add('#', false, state)
    state.at += 1 - comment.length
  } else if (assign !== undefined && !endsName(state)) add(assign, false, state)
  else takeBare(groups, state)
}

/** A part of a word, or a mark, which ends the word. */
function takeBare(groups: Record<string, string | undefined>, state: Tokens): void {
  const part = groups['variable'] ?? groups['type'] ?? groups['braces'] ?? groups['bare']
  if (part !== undefined && (part !== ',' || state.word !== undefined)) {
    add(part, false, state)
    return
  }
  endWord(state)
  const mark = markOf(groups, state)
  if (mark !== undefined) state.found.push(mark)
  if (mark?.kind === 'open') state.open.push(groups['open'] ?? '')
  else if (mark?.kind === 'close') state.open.pop()
}

/** Whether an `=` gives a value to what stands before it: a variable, or what it is a part of, or a key. */
function endsName({ word, found, open }: Tokens): boolean {
  if (open.at(-1) === '@{') return true
  const before = word === undefined ? found.at(-1) : { kind: 'word' as const, ...word }
  return (before?.kind === 'word' && /^[$[]/.test(before.text)) || before?.kind === 'close'
}

function markOf(groups: Record<string, string | undefined>, { found, open }: Tokens): Token | undefined {
  const before = found.at(-1)
  if (groups['end'] !== undefined) return { kind: 'end' }
  if (groups['open'] !== undefined) return { kind: 'open', text: groups['open'].at(-1) ?? '(' }
  if (groups['close'] !== undefined) return { kind: 'close' }
  if (groups['pipe'] !== undefined) return { kind: 'pipe' }
  if (groups['chain'] !== undefined) return { kind: 'chain', text: groups['chain'] }
  if (groups['assign'] !== undefined) return { kind: 'assign', key: open.at(-1) === '@{' }
  if (groups['redirection'] !== undefined)
    return { kind: 'redirection', text: groups['redirection'].replace(/^([\d*]?>+)\s+/, '$1') }
  if (groups['call'] === undefined) return undefined
  // Behind a command it sends it to the background.
  return before === undefined || before.kind !== 'word' ? { kind: 'call' } : { kind: 'end' }
}

/** Index behind a text in double quotes, with the commands in it. */
function endOfText(script: string, start: number): number {
  const closers = ['"']
  let at = start + 1
  while (at < script.length && closers.length > 0) at += step(script, at, closers)
  return Math.min(at, script.length)
}

/** Takes the sign at an index into account; gives how many signs that took. */
function step(script: string, at: number, closers: string[]): number {
  const sign = script.charAt(at)
  const closer = closers.at(-1)
  if (sign === '`' || (sign === '"' && closer === '"' && script[at + 1] === '"')) return 2
  if (sign === closer) closers.pop()
  else if (closer === '"') {
    if (sign !== '$' || script[at + 1] !== '(') return 1
    closers.push(')')
    return 2
  } else if (closer === ')') {
    const opened = { '(': ')', '"': '"', "'": "'" }[sign]
    if (opened !== undefined) closers.push(opened)
  }
  return 1
}

function textOf(raw: string): string {
  return raw.replace(/`([\s\S])|""/g, (_all, escaped: string | undefined) => escaped ?? '"')
}
