/** Commands as people read them: wrapper stripped, and what a script only explores (rollout-format 3.7). */

import type { CommandAction } from '../terms.ts'
import { asArray, asObject, asPath, asString } from './decode.ts'

// Which program a script runs, so that commands can be counted by program.

/** Words of a script that are read; its first program stands near its head. */
const longest = 4000

/** Programs that run another one, with the letters of their options that take a value and their own operands. */
const wrappers: Readonly<Record<string, { valued: string; operands?: number }>> = {
  sudo: { valued: 'ughpCT' },
  doas: { valued: 'uC' },
  env: { valued: 'uCS' },
  time: { valued: 'fo' },
  nice: { valued: 'n' },
  ionice: { valued: 'cnp' },
  nohup: { valued: '' },
  setsid: { valued: '' },
  exec: { valued: 'a' },
  command: { valued: '' },
  builtin: { valued: '' },
  stdbuf: { valued: 'ioe' },
  timeout: { valued: 'sk', operands: 1 },
  'xvfb-run': { valued: 'nsef' },
}

/** Words before a command that belong to the shell's grammar. */
const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', 'fi', 'done'])

/** Commands that prepare, wait, test or label: a script is named after what they lead to. */
const setups = new Set([
  ...['cd', 'pushd', 'popd', 'set', 'shopt', 'export', 'unset', 'source', '.', 'umask', 'ulimit', 'alias', 'trap'],
  ...[':', 'true', 'eval', 'echo', 'printf', 'sleep', 'wait', 'test', '[', '[[', 'for', 'case', 'select', 'local'],
  ...['exit', 'return', 'break', 'continue', 'shift', 'read'],
])

/**
 * Name of the first program of a script that does work, without folder: `cd x && FOO=1 sudo ./bin/make all` is `make`.
 * A script of nothing but preparation is named after its first command; one without a command is `undefined`.
 */
export function programOf(script: string): string | undefined {
  let first: string | undefined
  for (const words of commands(script.slice(0, longest))) {
    const name = programOfWords(words)
    if (name === undefined) continue
    if (!setups.has(name)) return name
    first ??= name
  }
  return first
}

function programOfWords(words: readonly string[]): string | undefined {
  let rest = words
  for (;;) {
    const [word] = rest
    if (word === undefined) return undefined
    const name = baseName(word)
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    if (keywords.has(word) || /^[A-Za-z_]\w*\+?=/.test(word)) rest = rest.slice(1)
    else if (wrapper !== undefined && rest.length > 1) rest = withoutOptions(rest.slice(1), wrapper)
    else if (shells.has(name)) return programOfShell(rest) ?? name
    else return name
  }
}

/** What `bash -lc <script>` runs. */
function programOfShell(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => /^-\w*c$/.test(word))
  return flag < 0 ? undefined : programOf(words[flag + 1] ?? '')
}

function withoutOptions(words: readonly string[], { valued, operands = 0 }: { valued: string; operands?: number }) {
  let start = 0
  for (;;) {
    const word = words[start] ?? ''
    if (!word.startsWith('-')) break
    const takesNext = /^-\w$/.test(word) && valued.includes(word.charAt(1))
    start += takesNext ? 2 : 1
  }
  return words.slice(start + operands)
}

/** Last part of a path, without the ending of Windows, at most 60 characters. */
function baseName(word: string): string {
  const name = word.split(/[/\\]/).findLast((part) => part !== '') ?? word
  return name.replace(/\.exe$/i, '').slice(0, 60)
}

/**
 * A piece of a script: a quoted, substituted or bare part of a word, a comment, a redirection, a border between
 * commands, or blank.
 */
const piece = new RegExp(
  [
    /'(?<single>[^']*)'?/,
    /"(?<double>(?:[^"\\]|\\[\s\S])*)"?/,
    /(?<inner>\$\((?:[^()]|\([^()]*\)){0,400}\)|`[^`]*`)/,
    /\\\r?\n/,
    /\\(?<escaped>[\s\S])/,
    /(?<comment>#[^\n]*)/,
    /(?<redirection>\d*(?:&>>?|<<<|<<-?|>>|>\||[<>]&?))/,
    /(?<border>&&|\|\||[;&|()\n])/,
    /(?<blank>[ \t\r]+)/,
    /(?<bare>[^\s'"`\\;&|()<>#$]+|[$`])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** The words of each simple command of a script, without redirections and what they lead to. */
function* commands(script: string): Generator<string[]> {
  let words: string[] = []
  let isTarget = false
  for (const token of tokens(script)) {
    if ('redirection' in token) isTarget = true
    else if ('word' in token) {
      if (!isTarget) words.push(token.word)
      isTarget = false
    } else {
      if (words.length > 0) yield words
      words = []
      isTarget = false
    }
  }
  if (words.length > 0) yield words
}

/** Words, redirections and borders between commands, in order. */
function* tokens(script: string): Generator<{ word: string } | { redirection: true } | { border: true }> {
  let word = ''
  for (const { groups = {} } of script.matchAll(piece)) {
    const { comment = '', redirection, border, blank } = groups
    word += partOf(groups) ?? (word === '' ? '' : comment)
    const isEnd = (redirection ?? border ?? blank) !== undefined
    if (isEnd && word !== '') {
      yield { word }
      word = ''
    }
    if (redirection !== undefined) yield { redirection: true }
    if (border !== undefined) yield { border: true }
  }
  if (word !== '') yield { word }
}

function partOf({ single, double, inner, escaped, bare }: Record<string, string | undefined>): string | undefined {
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? inner ?? escaped ?? bare
}

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])
const powershells = new Set(['powershell', 'pwsh'])

/** The script of an argv: what a shell wrapper was handed, else the words joined for a shell. */
export function scriptOf(argv: readonly string[]): string {
  const program = (argv[0] ?? '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase()
  const flag = argv[1] ?? ''
  if (argv.length === 3 && shells.has(program) && /^-l?i?c$/.test(flag)) return argv[2] ?? ''
  const last = argv.at(-1)
  if (powershells.has(program) && argv.some((word) => /^-c(?:ommand)?$/i.test(word))) return last ?? ''
  return argv.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Codex's own reading of a command: `parsed_cmd` of an event or item. */
export function parsedActions(value: unknown): CommandAction[] {
  return asArray(value).map((item) => {
    const object = asObject(item) ?? {}
    const type = asString(object['type']) ?? 'unknown'
    const path = asPath(object['path']) ?? asString(object['name'])
    const query = asString(object['query'])
    return {
      kind: actionKind(type),
      ...(path === undefined ? {} : { path }),
      ...(query === undefined ? {} : { query }),
    }
  })
}

function actionKind(type: string): CommandAction['kind'] {
  if (type === 'read' || type === 'search') return type
  return type === 'list_files' || type === 'list' ? 'list' : 'other'
}

const readers = new Set(['cat', 'head', 'tail', 'nl', 'bat', 'less', 'more', 'get-content', 'gc', 'type'])
const listers = new Set(['ls', 'fd', 'find', 'tree', 'eza', 'exa', 'dir', 'get-childitem'])
const searchers = new Set(['rg', 'grep', 'ag', 'ack', 'egrep', 'fgrep', 'select-string'])
const filters = new Set(['head', 'tail', 'sort', 'uniq', 'wc', 'nl', 'cut', 'awk', 'tr', 'column', 'true'])
const findEffects = /\s--?(?:delete|exec|execdir|exec-batch|ok|okdir|fprint\w*|fls|x|X)\b/
const inPlace = /^-[a-zA-Z]*i|^--in-place/
const quiet = /\s*2>\s*(?:\/dev\/null|&1)/g

/**
 * What a script explores, derived from its text for files that lack `parsed_cmd`:
 * `[{kind: 'other'}]` as soon as one part is neither read, list, search nor a filter.
 */
export function exploreActions(script: string): CommandAction[] {
  const other: CommandAction[] = [{ kind: 'other' }]
  if (script.length > 2000) return other
  const plain = script.replaceAll(quiet, '')
  if (/[<>`]|\$\(|\n/.test(plain)) return other
  const actions: CommandAction[] = []
  for (const [index, step] of splitScript(plain).entries()) {
    const tokens = step.text.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
    // A lone `&` starts another command.
    if (tokens.some((token) => /^[^'"]*&/.test(token))) return other
    const words = tokens.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'))
    const found = explore(words, step.piped)
    if (found === 'other') return other
    if (found !== 'nothing') actions.push(found)
    else if (index === 0 && words[0] !== 'cd' && words[0] !== 'pwd') return other
  }
  return actions.length === 0 ? other : actions
}

function splitScript(script: string): { text: string; piped: boolean }[] {
  const steps: { text: string; piped: boolean }[] = []
  let piped = false
  for (const part of script.split(/(&&|\|\||;|\|)(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)) {
    if (/^(?:&&|\|\||;|\|)$/.test(part)) piped = part === '|'
    else if (part.trim() !== '') steps.push({ text: part.trim(), piped })
  }
  return steps
}

type Explorer = (operands: string[], words: string[]) => CommandAction | 'nothing' | 'other'

const explorers: Readonly<Record<string, Explorer>> = {
  cd: () => 'nothing',
  pwd: () => 'nothing',
  true: () => 'nothing',
  sed: (operands, words) =>
    words.includes('-n') && !words.some((word) => inPlace.test(word)) ? readPath(operands.slice(1)) : 'other',
  rg: (operands, words) => (words.includes('--files') ? listed(operands) : searched(operands)),
  git: (operands) => {
    if (operands[0] === 'ls-files') return { kind: 'list' }
    return operands[0] === 'grep' ? searched(operands.slice(1)) : 'other'
  },
}

function explore(words: string[], piped: boolean): CommandAction | 'nothing' | 'other' {
  const program = (words[0] ?? '').toLowerCase()
  const operands = words.slice(1).filter((word) => !word.startsWith('-'))
  if (piped && (filters.has(program) || (program === 'sed' && words.includes('-n')))) return 'nothing'
  if (Object.hasOwn(explorers, program)) return explorers[program]?.(operands, words) ?? 'other'
  if (searchers.has(program)) return searched(operands)
  if (listers.has(program)) return findEffects.test(` ${words.join(' ')}`) ? 'other' : listed(operands)
  return readers.has(program) ? readPath(operands.filter((word) => !/^\d+$/.test(word))) : 'other'
}

function readPath(operands: string[]): CommandAction | 'other' {
  const path = operands.at(-1)
  return path === undefined ? 'other' : { kind: 'read', path }
}

function listed(operands: string[]): CommandAction {
  const path = operands[0]
  return path === undefined ? { kind: 'list' } : { kind: 'list', path }
}

function searched(operands: string[]): CommandAction {
  const [query, path] = operands
  return { kind: 'search', ...(query === undefined ? {} : { query }), ...(path === undefined ? {} : { path }) }
}
