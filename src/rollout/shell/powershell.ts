/** Parses PowerShell scripts into steps. */

import { chainOf, definitionOf, functionKey, listOf, nothing, pipeOf, type Run, type Step } from './steps.ts'

/** No real script nests deeper. */
const maxDepth = 60

interface Reader {
  tokens: readonly Token[]
  at: number
  depth: number
}

/** The steps of a script. Total: if the script breaks the grammar, gives what can be read of it. */
export function powershellSteps(script: string): Step {
  const reader: Reader = { tokens: powershellTokens(script), at: 0, depth: 0 }
  const steps: Step[] = []
  while (reader.at < reader.tokens.length) {
    steps.push(block(reader))
    // Skips a bracket that closes nothing.
    reader.at++
  }
  return listOf(steps)
}

/** Statements up to the bracket that closes them, which is not consumed. */
function block(reader: Reader): Step {
  const steps: Step[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token === undefined || token.kind === 'close') return listOf(steps)
    if (token.kind === 'end' || token.kind === 'pipe' || token.kind === 'chain') reader.at++
    else steps.push(chain(reader))
  }
}

/** The content of a bracket; beyond `maxDepth` it is skipped. */
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

/** The word at the reader's position, in lower case; empty if it is quoted, or not a word. */
function bareWord({ tokens, at }: Reader): string {
  const token = tokens[at]
  return token?.kind === 'word' && !token.quoted ? token.text.toLowerCase() : ''
}

/** A condition, a loop or a `try` with all its parts; what is in round brackets are its tests. */
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

/** Whether a word belongs to the current statement: as a keyword, or as an option or type before its block. */
function continues({ text }: Token & { kind: 'word' }, reader: Reader): boolean {
  const before = reader.tokens[reader.at - 1]
  const word = text.toLowerCase()
  return tested.has(word) || plain.has(word) || before?.kind === 'word'
}

function isClause(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^(?:elseif|else|catch|finally|while|until)$/i.test(token.text)
}

/** A function; nothing for other definitions, which run nothing. */
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
    // What follows parameters is a statement of its own.
    if (isBody || isParameters) return nothing
  }
}

/** The name of the function being defined, without a scope such as `script:` in `script:Get-Gear`. */
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
  const [first] = stages
  return pipeOf(first?.kind === 'run' && first.isKept === true ? stages.map(kept) : stages)
}

function kept(step: Step): Step {
  return step.kind === 'run' ? { ...step, isKept: true } : step
}

/** A command while its words are read. */
interface Draft {
  /** Commands in its brackets, which run before it. */
  inner: Step[]
  words: string[]
  into: string[]
  quiet: boolean
  /** Absent until its first word. */
  isCommand: boolean | undefined
  /** Its output is assigned to a variable. */
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
    const value = addToken(token, draft, reader)
    if (value !== undefined) return listOf([...draft.inner, value])
  }
  const { inner, into, quiet, isKept } = draft
  const made = run(draft.isCommand === true ? draft.words : [], quiet)
  return listOf([...inner, { ...made, ...(into.length === 0 ? {} : { into }), ...(isKept ? { isKept } : {}) }])
}

/** Adds a token to a command; returns the branch if one is assigned to a variable. */
function addToken(token: Token, draft: Draft, reader: Reader): Step | undefined {
  if (token.kind === 'redirection') redirect(token.text, draft)
  else if (token.kind === 'call') draft.isCommand ??= true
  else if (token.kind === 'word') {
    draft.isCommand ??= startsCommand(token)
    draft.words.push(token.text)
  } else if (token.kind === 'assign' && (token.key || draft.isCommand !== true)) {
    // The value of an assignment is a statement of its own.
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

/** Reads a condition, loop or `try` if one begins here, also as the value of a variable: `$x = if (…) {…}`. */
function keyword(reader: Reader): Step | undefined {
  while (reader.tokens[reader.at]?.kind === 'end') reader.at++
  const word = bareWord(reader)
  return tested.has(word) || plain.has(word) ? branch(reader) : undefined
}

/** Whether a word names a command: it is unquoted, and not a variable, type, number or operator. */
function startsCommand({ text, quoted }: Token & { kind: 'word' }): boolean {
  return !quoted && /^(?:[^\s$[\]@\d!+,\-'"<>=#{}():]|\d+[a-z])/i.test(text)
}

function run(words: string[], quiet: boolean): Run {
  return { kind: 'run', dialect: 'powershell', words, quiet }
}

// The words and symbols of a PowerShell script.

/** A word, or a symbol between words. */
type Token =
  /** `quoted`: begins with a quote, so that it is a text and not a name. */
  | { kind: 'word'; text: string; quoted: boolean }
  /** `(`, `{`, `$(`, `@(`, `@{`. */
  | { kind: 'open'; text: string }
  | { kind: 'close' }
  /** `;` or the end of a line. */
  | { kind: 'end' }
  | { kind: 'pipe' }
  /** `&&` or `||`. */
  | { kind: 'chain'; text: string }
  /** `&` or `.` before a command. */
  | { kind: 'call' }
  /** `=`, `+=` and the like; `key`: after the key of a hash table. */
  | { kind: 'assign'; key: boolean }
  | { kind: 'redirection'; text: string }

const piece = new RegExp(
  [
    /(?<here>@'[ \t]*\r?\n[\s\S]*?(?:\n'@|$)|@"[ \t]*\r?\n[\s\S]*?(?:\n"@|$))/,
    // A here-document of another shell, written by mistake: its content is not a script.
    /(?<document><<-?[ \t]*['"]?(?<delimiter>\w+)['"]?[^\n]*(?:\n[\s\S]*?(?:\n[ \t]*\k<delimiter>(?![^\n\r])|$(?![\s\S]))|$(?![\s\S])))/,
    /(?<comment><#[\s\S]*?(?:#>|$(?![\s\S]))|#[^\n]*)/,
    /'(?<single>(?:[^']|'')*)'?/,
    /(?<redirection>(?:[\d*]>{1,2}|>{1,2})(?:&\d|[ \t]*(?:\$null|'[^'\n]*'|"[^"\n]*"|[^\s;|&(){}]+))?)/,
    /`(?<escaped>\r?\n|[\s\S])/,
    /(?<chain>&&|\|\|)/,
    /(?<pipe>\|)/,
    /(?<end>;|\r?\n)/,
    // `*.{ts,tsx}` and `HEAD@{1}` are not blocks.
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
  /** The open brackets, outermost first. */
  open: string[]
}

/** The tokens of a script, in time linear in its length. */
function powershellTokens(script: string): Token[] {
  const state: Tokens = { script, at: 0, found: [], word: undefined, open: [] }
  while (state.at < script.length) {
    if (script[state.at] === '"') readText(state)
    else readPiece(state)
    // A dot before a path or a block runs it in the current scope.
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

function readText(state: Tokens): void {
  const { script, at } = state
  const end = endOfText(script, at)
  add(textOf(script.slice(at + 1, script[end - 1] === '"' ? end - 1 : end)), true, state)
  state.at = end
}

function readPiece(state: Tokens): void {
  piece.lastIndex = state.at
  const groups = piece.exec(state.script)?.groups ?? {}
  state.at = Math.max(state.at + 1, piece.lastIndex)
  const { single, here, escaped, comment, assign } = groups
  if (single !== undefined) add(single.replaceAll("''", "'"), true, state)
  else if (here !== undefined) add(here.slice(2, -2), true, state)
  else if (escaped !== undefined) add(escaped.endsWith('\n') ? '' : escaped, false, state)
  else if (comment?.startsWith('#') && state.word !== undefined) {
    // A `#` inside a word does not begin a comment.
    add('#', false, state)
    state.at += 1 - comment.length
  } else if (assign !== undefined && !endsName(state)) add(assign, false, state)
  else readBare(groups, state)
}

/** Reads a part of a word, or a symbol, which ends the word. */
function readBare(groups: Record<string, string | undefined>, state: Tokens): void {
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

/** Whether an `=` is an assignment: to a variable, to a part of one, or to a key. */
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
  // After a command, `&` sends it to the background.
  return before === undefined || before.kind !== 'word' ? { kind: 'call' } : { kind: 'end' }
}

/** The index after a text in double quotes, including the commands in it. */
function endOfText(script: string, start: number): number {
  const closers = ['"']
  let at = start + 1
  while (at < script.length && closers.length > 0) at += step(script, at, closers)
  return Math.min(at, script.length)
}

/** Processes the character at an index; returns how many characters that consumed. */
function step(script: string, at: number, closers: string[]): number {
  const character = script.charAt(at)
  const closer = closers.at(-1)
  if (character === '`' || (character === '"' && closer === '"' && script[at + 1] === '"')) return 2
  if (character === closer) closers.pop()
  else if (closer === '"') {
    if (character !== '$' || script[at + 1] !== '(') return 1
    closers.push(')')
    return 2
  } else if (closer === ')') {
    const opened = { '(': ')', '"': '"', "'": "'" }[character]
    if (opened !== undefined) closers.push(opened)
  }
  return 1
}

function textOf(raw: string): string {
  return raw.replace(/`([\s\S])|""/g, (_all, escaped: string | undefined) => escaped ?? '"')
}
