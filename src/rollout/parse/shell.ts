/** Reads commands for display: removes shell wrappers, and finds scripts that only explore (rollout-format 3.7). */

import { defined, ownValue } from '../../util/own.ts'
import type { CommandAction } from '../terms.ts'
import { asArray, asObject, asPath, asString } from './decode.ts'

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])
const powershells = new Set(['powershell', 'pwsh'])

/** The script of an argv: what a shell wrapper was given unless that is empty, else the words joined for a shell. */
export function scriptOf(argv: readonly string[]): string {
  const script = wrappedScript(argv)
  return script === undefined || script === '' ? argv.map(quoteWord).join(' ') : script
}

function wrappedScript(argv: readonly string[]): string | undefined {
  const program = shellName(argv)
  const flag = argv[1] ?? ''
  if (argv.length === 3 && shells.has(program) && /^-l?i?c$/.test(flag)) return argv[2]
  return powershells.has(program) && argv.some((word) => /^-c(?:ommand)?$/i.test(word)) ? argv.at(-1) : undefined
}

function shellName([word = '']: readonly string[]): string {
  return word
    .replace(/^.*[/\\]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase()
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** What a recorded command explores, as Codex read it. Codex does not read PowerShell, so we do. */
export function recordedActions(value: unknown, argv: readonly string[]): CommandAction[] {
  const actions = parsedActions(value)
  const isUnread = actions.every(({ kind }) => kind === 'other') && powershells.has(shellName(argv))
  return isUnread ? exploreActions(scriptOf(argv)) : actions
}

/** Codex's own reading of a command: `parsed_cmd` of an event or item. */
function parsedActions(value: unknown): CommandAction[] {
  return asArray(value).map((item) => {
    const object = asObject(item) ?? {}
    const type = asString(object['type']) ?? 'unknown'
    const path = asPath(object['path']) ?? asString(object['name'])
    const query = asString(object['query'])
    return { kind: actionKind(type), ...defined({ path, query }) }
  })
}

function actionKind(type: string): CommandAction['kind'] {
  if (type === 'read' || type === 'search') return type
  return type === 'list_files' || type === 'list' ? 'list' : 'other'
}

const readers = new Set(['cat', 'head', 'tail', 'nl', 'bat', 'less', 'more', 'get-content', 'type'])
const listers = new Set(['ls', 'fd', 'find', 'tree', 'eza', 'exa', 'get-childitem'])
const searchers = new Set(['rg', 'grep', 'ag', 'ack', 'egrep', 'fgrep', 'select-string'])
const filters = new Set(['head', 'tail', 'sort', 'uniq', 'wc', 'nl', 'cut', 'awk', 'tr', 'column', 'true'])
const powershellFilters = new Set(
  'select-object sort-object measure-object out-string out-host format-table format-list'.split(' '),
)
/** PowerShell aliases that mean nothing in any other shell. */
const powershellAliases: Readonly<Record<string, string>> = {
  gc: 'get-content',
  gci: 'get-childitem',
  sls: 'select-string',
  select: 'select-object',
  measure: 'measure-object',
  ft: 'format-table',
  fl: 'format-list',
}
const findEffects = /\s--?(?:delete|exec|execdir|exec-batch|ok|okdir|fprint\w*|fls|x|X)\b/
const inPlace = /^-[a-zA-Z]*i|^--in-place/
const quiet = /(?<!\s)\s*2>\s*(?:\/dev\/null|&1)/g

/**
 * What a script explores, derived from its text for files that lack `parsed_cmd`: `[{kind: 'other'}]` as soon as one part
 * is not a read, a list, a search or a filter.
 */
export function exploreActions(script: string): CommandAction[] {
  const explorations = explorationsOf(script)
  return explorations === undefined ? [{ kind: 'other' }] : explorations.flatMap(actionsOf)
}

/** The action of an exploration, or one for each file if it reads several. */
function actionsOf({ kind, query, paths }: Exploration): CommandAction[] {
  if (kind === 'read') return paths.map((path) => ({ kind, path }))
  return [{ kind, ...defined({ query, path: paths[0] }) }]
}

/** All paths that a script names which only searches, lists or reads, in a single step; `undefined` for any other script. */
export function exploredPaths(script: string, kind: Exploration['kind']): readonly string[] | undefined {
  const [exploration, ...others] = explorationsOf(script) ?? []
  return exploration?.kind === kind && others.length === 0 ? exploration.paths : undefined
}

/** One step that explores, and all files or folders that it is given. */
interface Exploration {
  kind: 'read' | 'list' | 'search'
  query?: string | undefined
  paths: readonly string[]
}

/** What the steps of a script explore; `undefined` if a step does anything else, or nothing is known about it. */
function explorationsOf(script: string): Exploration[] | undefined {
  if (script.length > 2000) return undefined
  const plain = script.replaceAll(quiet, '')
  if (/`|\$\(|\n/.test(plain)) return undefined
  const explorations: Exploration[] = []
  for (const [index, step] of splitScript(plain).entries()) {
    const found = exploreStep(step)
    if (found === 'other' || (found === 'nothing' && index === 0 && !/^(?:cd|pwd)\b/.test(step.text))) return undefined
    if (found !== 'nothing') explorations.push(found)
  }
  return explorations.length === 0 ? undefined : explorations
}

function exploreStep({ text, piped }: Step): Exploration | 'nothing' | 'other' {
  const tokens = text.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? []
  // A lone `&` starts another command.
  if (tokens.some((token) => /^[^'"]*&/.test(token))) return 'other'
  const redirected = withoutInput(tokens)
  if (redirected === undefined) return 'other'
  const { rest, input } = redirected
  const found = explore(wordsOf(rest), piped || input !== undefined)
  return input === undefined || found === 'other' ? found : withInput(found, input)
}

/**
 * The tokens of a step without an input redirection, and the file from which it reads; `undefined` for any other redirection, and
 * for several.
 */
function withoutInput(tokens: readonly string[]): { rest: readonly string[]; input?: string } | undefined {
  const redirections = tokens.flatMap((token, at) => (/^[^'"]*[<>]/.test(token) ? [at] : []))
  const [at] = redirections
  if (at === undefined) return { rest: tokens }
  const [, joined] = /^<([^<>(&]*)$/.exec(tokens[at] ?? '') ?? []
  const input = joined === '' ? tokens[at + 1] : joined
  if (input === undefined || redirections.length > 1) return undefined
  const rest = tokens.filter((_, index) => index !== at && (joined !== '' || index !== at + 1))
  return { rest, input: input.replace(/^(['"])(.*)\1$/s, '$2') }
}

/** What a step explores whose input is a file: a program that was given no other file passes the input on, or searches it. */
function withInput(found: Exploration | 'nothing', input: string): Exploration {
  if (found === 'nothing') return { kind: 'read', paths: [input] }
  return found.kind === 'search' && found.paths.length === 0 ? { ...found, paths: [input] } : found
}

/** Tokens without quotes. For a cmdlet, names separated by commas are one list. */
function wordsOf(tokens: readonly string[]): string[] {
  const isListing = isCmdlet.test(programNamed(tokens[0]))
  const words: string[] = []
  let continues = false
  for (const token of tokens) {
    const bare = /^(['"])(.*)\1$/s.exec(token)?.[2]
    const isList = isListing && bare === undefined
    const names = isList ? token.split(',').filter((name) => name !== '') : [bare ?? token]
    if (continues || (isList && token.startsWith(','))) names.unshift(...words.splice(-1))
    words.push(names.join(comma))
    continues = isList && token.endsWith(',')
  }
  return words
}

/** Separates the names of a list, because no name contains it. */
const comma = '\0'

function programNamed(word = ''): string {
  const name = word.toLowerCase()
  return ownValue(powershellAliases, name) ?? name
}

/** A command of a script; `piped`: its input is the output of the one before it. */
interface Step {
  text: string
  piped: boolean
}

function splitScript(script: string): Step[] {
  const steps: Step[] = []
  let piped = false
  for (const part of script.split(/(&&|\|\||;|\|)(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)) {
    if (/^(?:&&|\|\||;|\|)$/.test(part)) piped = part === '|'
    else if (part.trim() !== '') steps.push({ text: part.trim(), piped })
  }
  return steps
}

/** Arguments of a program: its operands, and values that options give instead of some operands. */
interface Arguments {
  operands: string[]
  query?: string | undefined
  path?: string | undefined
}

/** Options that take the next word, which is then not an operand: letters, and long names. */
interface Valued {
  letters: string
  long: readonly string[]
}

const aroundMatches = ['after-context', 'before-context', 'context', 'file', 'max-count']
const ofRipgrep = ['colors', 'encoding', 'engine', 'glob', 'iglob', 'ignore-file', 'max-columns', 'max-depth'].concat(
  ['max-filesize', 'pre', 'pre-glob', 'replace', 'sort', 'sortr', 'threads', 'type', 'type-add', 'type-not'],
  ['color', ...aroundMatches],
)
const ofGrep: Valued = {
  letters: 'ABCDdfm',
  long: [...aroundMatches, 'include', 'exclude', 'exclude-dir', 'exclude-from'],
}

const valued: Readonly<Record<string, Valued>> = {
  rg: { letters: 'ABCEMTdfgjmrt', long: ofRipgrep },
  grep: ofGrep,
  egrep: ofGrep,
  fgrep: ofGrep,
  ag: { letters: 'ABCGm', long: ['ignore', 'ignore-dir'] },
  ack: { letters: 'ABCm', long: ['ignore-dir', 'ignore-file', 'type'] },
  bat: { letters: 'HlmrS', long: ['highlight-line', 'language', 'line-range'] },
  head: { letters: 'cn', long: ['bytes', 'lines'] },
  tail: { letters: 'cns', long: ['bytes', 'lines', 'pid', 'sleep-interval'] },
  nl: { letters: 'bdfhilnsvw', long: [] },
  fd: { letters: 'ESdejt', long: ['exclude', 'extension', 'max-depth', 'size', 'type'] },
  tree: { letters: 'ILPo', long: [] },
  eza: { letters: 'IL', long: ['ignore-glob', 'level'] },
  exa: { letters: 'IL', long: ['ignore-glob', 'level'] },
}
const noneValued: Valued = { letters: '', long: [] }

/** PowerShell options that take the next word; no other program here has them. */
const powershellValued =
  /^-(?:attributes|context|delimiter|depth|encoding|erroraction|ea|exclude|filter|first|head|include|last|readcount|tail|totalcount)$/i

/** Reads the words after a program's name. `regexp`: `-e` and `--regexp` give the pattern. */
function readArguments(words: readonly string[], options: Valued, regexp: boolean): Arguments {
  const found: Arguments = { operands: [] }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') return { ...found, operands: [...found.operands, ...words.slice(at + 1)] }
    const names = nameOf(word, regexp)
    if (!word.startsWith('-')) found.operands.push(word)
    else if (word.startsWith('--regexp=')) found.query ??= word.slice('--regexp='.length)
    else if (names !== undefined || powershellValued.test(word) || takesValue(word, options)) at += 1
    if (names !== undefined) found[names] ??= words[at]
  }
  return found
}

/** What the word after an option is, unless it is a value that nobody needs. */
function nameOf(option: string, regexp: boolean): 'path' | 'query' | undefined {
  if (/^-(?:literal)?path$/i.test(option)) return 'path'
  return /^-pattern$/i.test(option) || (regexp && /^(?:-[^-e]*e|--regexp)$/.test(option)) ? 'query' : undefined
}

/** Whether an option takes the next word. In a cluster of letters, only the last letter may do so. */
function takesValue(word: string, { letters, long }: Valued): boolean {
  if (word.startsWith('--')) return long.includes(word.slice(2))
  const first = [...word.slice(1)].findIndex((letter) => letters.includes(letter))
  return first >= 0 && first === word.length - 2
}

type Explorer = (given: Arguments, words: string[]) => Exploration | 'nothing' | 'other'

const explorers: Readonly<Record<string, Explorer>> = {
  cd: () => 'nothing',
  pwd: () => 'nothing',
  true: () => 'nothing',
  sed: ({ operands }, words) =>
    words.includes('-n') && !words.some((word) => inPlace.test(word))
      ? readPath({ operands: operands.slice(1) })
      : 'other',
  // Its operands end at the first expression, which begins like an option.
  find: (_, words) => {
    if (findEffects.test(` ${words.join(' ')}`)) return 'other'
    const end = words.findIndex((word, at) => at > 0 && /^[-(!\\]/.test(word))
    return listed({ operands: words.slice(1, end < 0 ? words.length : end) })
  },
  dir: ({ operands, path }) => listed({ operands: operands.filter((word) => !/^\/[a-z][-:\w]*$/i.test(word)), path }),
  findstr: (_, words) => findingWords(words.slice(1)),
  rg: (given, words) => (words.includes('--files') ? listed(given) : searched(given)),
  git: ({ operands }, words) => {
    if (operands[0] === 'ls-files') return { kind: 'list', paths: [] }
    return words[1] === 'grep' ? searched(readArguments(words.slice(2), ofGrep, true)) : 'other'
  },
}

/** Reads `findstr /n /c:"two words" a.txt`; what is quoted after `/c:` is a word of its own here. */
function findingWords(words: readonly string[]): Exploration | 'other' {
  if (words.some((word) => /^\/[fg]:/i.test(word))) return 'other'
  const at = words.findIndex((word) => /^\/c:/i.test(word))
  const quoted = words[at]?.length === '/c:'.length ? at + 1 : undefined
  const query = quoted === undefined ? words[at]?.slice('/c:'.length) : words[quoted]
  const operands = words.filter((word, index) => index !== quoted && !/^[-/][a-z][:\w]*$/i.test(word) && index !== at)
  return searched({ operands, query })
}

function explore(words: string[], piped: boolean): Exploration | 'nothing' | 'other' {
  const program = programNamed(words[0])
  if (piped && isFilter(program, words)) return 'nothing'
  const given = readArguments(words.slice(1), ownValue(valued, program) ?? noneValued, searchers.has(program))
  if (Object.hasOwn(explorers, program)) return explorers[program]?.(given, words) ?? 'other'
  if (searchers.has(program)) return searched(given)
  if (listers.has(program)) return findEffects.test(` ${words.join(' ')}`) ? 'other' : listed(given)
  return readers.has(program) ? readBy(program, given, piped) : 'other'
}

function readBy(program: string, given: Arguments, piped: boolean): Exploration | 'nothing' | 'other' {
  const operands = given.operands.filter((word) => !/^\+?\d+$/.test(word))
  // Without a file of its own it passes on its input.
  if (piped && operands.length === 0 && given.path === undefined) return 'nothing'
  // A cmdlet takes one operand; further ones are values of options that are not known here.
  return readPath({ ...given, operands: isCmdlet.test(program) ? operands.slice(0, 1) : operands })
}

const isCmdlet = /^[a-z]+-[a-z]/i

function isFilter(program: string, words: readonly string[]): boolean {
  // A PowerShell script block may do anything.
  if (powershellFilters.has(program)) return !words.some((word) => word.includes('{'))
  return filters.has(program) || (program === 'sed' && words.includes('-n'))
}

function readPath(given: Arguments): Exploration | 'other' {
  const paths = pathsOf(given)
  return paths.length === 0 ? 'other' : { kind: 'read', paths }
}

function listed(given: Arguments): Exploration {
  return { kind: 'list', paths: pathsOf(given) }
}

function pathsOf({ operands, path }: Arguments): string[] {
  return (path === undefined ? operands : [path]).flatMap((word) => word.split(comma))
}

/** The pattern is the first operand, unless an option named it. */
function searched({ operands, query, path }: Arguments): Exploration {
  const [pattern, ...searched] = query === undefined ? operands : [query, ...operands]
  return { kind: 'search', query: pattern?.replaceAll(comma, ', '), paths: pathsOf({ operands: searched, path }) }
}
