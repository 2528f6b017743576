/** A question as it is typed: terms that one turn must hold, those that it must not hold, and filters. */

import { UsageError } from '../../diagnostics/errors.ts'
import { type TextKind, textKinds } from './texts.ts'

/** What is looked for in one turn. */
export interface Term {
  /** As typed, without signs and quotes. */
  text: string
  /** `text`: in what was said and done; `file`: in the paths of edits; `tool`: in the names of tools. */
  field: 'text' | 'file' | 'tool'
  /** Flags `giu`. */
  pattern: RegExp
  /** The same for prose, where marks of Markdown may stand within a word or a phrase, which no page shows. */
  prose: RegExp
  /** The pattern is that of the text itself, and of no expression. */
  isLiteral: boolean
}

/** A question, ready to be asked. */
export interface Query {
  /** The turn holds at least one of each list. */
  all: readonly (readonly Term[])[]
  /** The turn holds none of these. */
  none: readonly Term[]
  /** Kinds of text that are looked through; empty for all. */
  kinds: ReadonlySet<TextKind>
  /** Parts of names of models in small letters, one of which the turn's has; empty for any. */
  models: readonly string[]
  /** Something in the turn has failed. */
  failed: boolean
  /** Projects and dates as the filters of sessions take them. */
  projects: readonly string[]
  since: string | undefined
  until: string | undefined
}

type Draft = { -readonly [Key in Exclude<keyof Query, 'all' | 'none' | 'kinds'>]: Query[Key] } & {
  all: Term[][]
  none: Term[]
  kinds: Set<TextKind>
}

/** What a field adds to a question; those that give terms are not here. */
const filters: Readonly<Record<string, (query: Draft, value: string) => void>> = {
  kind(query, value) {
    const kind = textKinds.find((name) => name === value.toLowerCase().replace(/s$/, ''))
    if (kind === undefined)
      throw new UsageError(`\`kind:${value}\` is no kind of text: use one of ${textKinds.join(', ')}.`)
    query.kinds.add(kind)
  },
  model(query, value) {
    query.models = [...query.models, value.toLowerCase()]
  },
  project(query, value) {
    query.projects = [...query.projects, value]
  },
  after(query, value) {
    query.since = value
  },
  before(query, value) {
    query.until = value
  },
  is(query, value) {
    if (value.toLowerCase() !== 'failed') throw new UsageError(`\`is:${value}\` is not known: use \`is:failed\`.`)
    query.failed = true
  },
}

/**
 * Reads a question from the arguments of a call. An argument with blanks is a phrase, unless it holds quotes or operators:
 * shells take quotes away. With `regex` the whole is one expression. Throws `UsageError` for what cannot be asked.
 */
export function parseQuery(args: readonly string[], { regex = false }: { regex?: boolean } = {}): Query {
  const query: Draft = {
    ...{ all: [], none: [], kinds: new Set<TextKind>(), models: [], failed: false },
    ...{ projects: [], since: undefined, until: undefined },
  }
  if (regex) query.all.push([expression(args.join(' '))])
  else addTokens(query, args.flatMap(tokensOf))
  if (query.all.length === 0)
    throw new UsageError(
      '`search` needs something to search for: a word, a phrase in quotes, `file:PATH` or `tool:NAME`.',
    )
  return query
}

function addTokens(query: Draft, tokens: readonly string[]): void {
  if (tokens[0] === 'OR' || tokens.at(-1) === 'OR') throw new UsageError('`OR` stands between two words.')
  let isJoined = false
  for (const token of tokens) {
    if (token !== 'OR') addToken(query, token, isJoined)
    isJoined = token === 'OR'
  }
}

const tokenParts = /^([-+]?)(?:(kind|model|project|after|before|is|file|tool):(?=.))?(.*)$/s

function addToken(query: Draft, token: string, isJoined: boolean): void {
  const [, sign = '', field = '', rest = ''] = tokenParts.exec(token) ?? []
  const text = rest.replace(/^"|"$/g, '').trim().normalize('NFC')
  const filter = filters[field]
  filter?.(query, text)
  if (filter !== undefined || text === '') return
  const term = termOf(text, field === 'file' || field === 'tool' ? field : 'text', sign === '+')
  const last = query.all.at(-1)
  if (sign === '-') query.none.push(term)
  else if (isJoined && last !== undefined) last.push(term)
  else query.all.push([term])
}

function tokensOf(arg: string): string[] {
  const isQuery = /"|(?:^|\s)(?:OR\s|[-+]\S|(?:kind|model|project|after|before|is|file|tool):\S)/.test(arg)
  return isQuery ? (arg.match(/[-+]?(?:[a-z]+:)?"[^"]*"?|\S+/g) ?? []) : [arg]
}

/** Marks of Markdown between two characters. */
const marks = '[*`~]{0,4}'

function termOf(text: string, field: Term['field'], isWord: boolean): Term {
  const parts = text.match(/\s+|\P{M}\p{M}*|\p{M}+/gsu) ?? []
  const sources = parts.map((part) => (/^\s/.test(part) ? '\\s+' : part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')))
  const pattern = (literal: string): RegExp =>
    new RegExp(isWord ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal, 'giu')
  const whole = pattern(sources.join(''))
  // Who asks for marks means them.
  const prose = /[*`~]/.test(text) ? whole : pattern(sources.join(marks))
  return { text, field, pattern: whole, prose, isLiteral: true }
}

function expression(source: string): Term {
  try {
    const pattern = new RegExp(source, 'giu')
    return { text: source, field: 'text', pattern, prose: pattern, isLiteral: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new UsageError(`\`${source}\` is no regular expression: ${reason.replace(/^.*: /, '')}.`)
  }
}
