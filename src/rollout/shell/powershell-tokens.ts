/** The words and marks of a PowerShell script. */

/** A word, or a mark between words. */
export type Token =
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
export function powershellTokens(script: string): Token[] {
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
    return { kind: 'redirection', text: groups['redirection'].replace(/\s/g, '') }
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
