/** Commands as people read them: wrapper stripped, and what a script only explores (rollout-format 3.7). */

import { defined } from '../../util/own.ts'
import type { CommandAction } from '../terms.ts'
import { asArray, asObject, asPath, asString } from './decode.ts'

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish'])
const powershells = new Set(['powershell', 'pwsh'])

/** The script of an argv: what a shell wrapper was handed, if that is anything, else the words joined for a shell. */
export function scriptOf(argv: readonly string[]): string {
  const script = wrappedScript(argv)
  return script === undefined || script === '' ? argv.map(quoteWord).join(' ') : script
}

function wrappedScript(argv: readonly string[]): string | undefined {
  const program = (argv[0] ?? '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase()
  const flag = argv[1] ?? ''
  if (argv.length === 3 && shells.has(program) && /^-l?i?c$/.test(flag)) return argv[2]
  return powershells.has(program) && argv.some((word) => /^-c(?:ommand)?$/i.test(word)) ? argv.at(-1) : undefined
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
      ...defined({ path, query }),
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
const quiet = /(?<!\s)\s*2>\s*(?:\/dev\/null|&1)/g

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
  return { kind: 'search', ...defined({ query, path }) }
}
