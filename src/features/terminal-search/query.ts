/** Parses a question as it is typed: terms that one turn must hold, terms that it must not hold, and filters. */

import {
  asPasted,
  hasOperators,
  kindOf,
  kinds,
  readTokens,
  states,
  type TextKind,
  type Token,
  tokensOf,
} from '../../../templates/assets/search/grammar.js'
import { unspaced } from '../../../templates/assets/search/parts.js'
import { literalSource } from '../../../templates/assets/search/signs.js'
import { UsageError } from '../../diagnostics/errors.ts'
import { shortened } from '../../util/text.ts'

/** What is looked for in one turn. */
export interface Term {
  /** As typed, without its operator and quotes. */
  text: string
  /**
   * Where the term is looked for. `text`: in what was said and done; `file`: in the paths of edits; `tool`: in the names
   * of tools.
   */
  field: 'text' | 'file' | 'tool'
  /** Flags `giu`; for the user's regular expression also `m`. */
  pattern: RegExp
  /** The same for prose. It also matches if the word or phrase contains marks of Markdown, which pages do not show. */
  prose: RegExp
  /** The pattern is made of the text itself and not of a regular expression. */
  isLiteral: boolean
}

/** A question as it was typed, from which another thread can parse it again. */
export interface AskedQuery {
  args: readonly string[]
  regex: boolean
}

/** A parsed question. */
export interface Query {
  asked: AskedQuery
  /** The turn holds at least one term of each list. If there is no list, the filters alone decide. */
  all: readonly (readonly Term[])[]
  /** The turn holds none of these terms. */
  none: readonly Term[]
  /** Kinds of text that are searched; `undefined` for all. */
  kinds: ReadonlySet<TextKind> | undefined
  /** Filters of turns, and of sessions. */
  turn: readonly Test<TurnState>[]
  session: readonly Test<SessionState>[]
  /** Projects and dates, in the form that `Filters` of sessions have. */
  projects: readonly string[]
  since: string | undefined
  until: string | undefined
}

/** The properties of a turn that filters test. */
interface TurnState {
  model?: string
  /** Status of the turn; absent for items before the first turn. */
  status?: string
  /** Something in the turn failed. */
  failed: boolean
}

/** The properties of a session that filters test. */
interface SessionState {
  /** Label of the home in which the session was found; empty if the home has none. */
  person: string
  /** Tags that the curation gives it; `★` for a star. */
  tags: readonly string[]
  /** Whether it belongs to a project, given by its name or part of its path. */
  isOf: (project: string) => boolean
}

type Test<State> = (state: State) => boolean

/**
 * Parses the arguments of a call. An argument with spaces is a phrase unless it contains quotes or operators, because
 * shells remove quotes. With `regex`, all arguments together are one regular expression. Throws a `UsageError` for an
 * invalid question.
 */
export function parseQuery(args: readonly string[], { regex = false }: { regex?: boolean } = {}): Query {
  const asked = { args, regex }
  if (regex) return { asked, ...filtersOf([]), all: [[expression(args.join(' '))]], none: [] }
  const sources = args.flatMap((arg) => {
    const isPhrase = /\s/.test(arg) && !hasOperators(arg)
    return isPhrase ? [`"${arg}"`] : tokensOf(arg).map(({ source }) => source)
  })
  if (sources[0] === 'OR' || sources.at(-1) === 'OR') throw new UsageError('`OR` needs a word on each side.')
  const tokens = readTokens(sources).map((token) => ({ ...token, text: token.text.normalize('NFC') }))
  if (tokens.length === 0)
    throw new UsageError(
      '`search` needs something to search for: a word, a phrase in quotes, or an operator such as `is:failed`.',
    )
  return { asked, ...filtersOf(tokens), ...termsOf(tokens) }
}

/** The same question as `asPasted` reads it, which excludes no words; `undefined` if this question excludes none either. */
export function pastedQuery({ asked: { args, regex } }: Query): Query | undefined {
  const pasted = args.map((arg) => asPasted(arg) ?? arg)
  return regex || pasted.every((arg, at) => arg === args[at]) ? undefined : parseQuery(pasted)
}

function termsOf(tokens: readonly Token[]): Pick<Query, 'all' | 'none'> {
  const all: Term[][] = []
  const none: Term[] = []
  for (const { field, text, isExcluded, isJoined, isWholeWord } of tokens) {
    if (field !== 'text' && field !== 'file' && field !== 'tool') continue
    const term = termOf(text, field, isWholeWord)
    const last = all.at(-1)
    if (isExcluded) none.push(term)
    else if (isJoined && last !== undefined) last.push(term)
    else all.push([term])
  }
  return { all, none }
}

/** The filters of operators. For each operator, one of the wanted values must apply, and none of the excluded ones. */
function filtersOf(tokens: readonly Token[]): Omit<Query, 'asked' | 'all' | 'none'> {
  const valuesOf = (name: Token['field'], isExcluded: boolean): string[] =>
    tokens.flatMap((token) => (token.field === name && token.isExcluded === isExcluded ? [token.text] : []))
  const tests = <State>(name: Token['field'], test: (state: State, value: string) => boolean): Test<State>[] => {
    const [wanted, unwanted] = [valuesOf(name, false), valuesOf(name, true)]
    const isWanted: Test<State> = (state) => wanted.some((value) => test(state, value))
    return [
      ...(wanted.length > 0 ? [isWanted] : []),
      ...unwanted.map(
        (value): Test<State> =>
          (state) =>
            !test(state, value),
      ),
    ]
  }
  const date = (name: 'after' | 'before'): string | undefined => {
    const [unwanted] = valuesOf(name, true)
    if (unwanted !== undefined) throw new UsageError(`\`-${name}:${unwanted}\` cannot be asked: leave the \`-\` out.`)
    return valuesOf(name, false).at(-1)
  }
  for (const { field, text } of tokens)
    if (field === 'is' && states[text.toLowerCase()] === undefined)
      throw new UsageError(`Unknown \`is:${text}\`; use one of ${Object.keys(states).join(', ')}.`)
  return {
    kinds: kindsOf(valuesOf('kind', false), valuesOf('kind', true)),
    turn: [...tests('model', hasModel), ...tests('is', isIn)],
    session: [
      ...tests<SessionState>('person', ({ person }, name) => person.toLowerCase().includes(name.toLowerCase())),
      ...tests<SessionState>('tag', ({ tags }, name) =>
        tags.some((tag) => tag.toLowerCase().includes(name.toLowerCase())),
      ),
      // Wanted projects go into the filter of sessions, so that other sessions need not be read.
      ...valuesOf('project', true).map(
        (name): Test<SessionState> =>
          ({ isOf }) =>
            !isOf(name),
      ),
    ],
    ...{ projects: valuesOf('project', false), since: date('after'), until: date('before') },
  }
}

function hasModel({ model = '' }: TurnState, name: string): boolean {
  return model.toLowerCase().includes(name.toLowerCase())
}

function isIn({ status = '', failed }: TurnState, name: string): boolean {
  return name.toLowerCase() === 'failed' ? failed : states[name.toLowerCase()]?.includes(status) === true
}

function kindsOf(wanted: readonly string[], unwanted: readonly string[]): Set<TextKind> | undefined {
  const read = (value: string): TextKind => {
    const kind = kindOf(value)
    if (kind === undefined) throw new UsageError(`Unknown \`kind:${value}\`; use one of ${kinds.join(', ')}.`)
    return kind
  }
  if (wanted.length + unwanted.length === 0) return undefined
  const excluded = unwanted.map(read)
  const chosen = wanted.length === 0 ? kinds : wanted.map(read)
  return new Set(chosen.filter((kind) => !excluded.includes(kind)))
}

/** The target of a link, which may itself contain parentheses. */
const target = String.raw`(?:[^()\s]|\([^()\s]{0,100}\)){0,400}(?:\s[^()\n]{0,100})?`
/** Markdown between two characters that are adjacent on a page: marks, ends of links, escapes. */
const mark = String.raw`[*\x60~[]|!\[|\]\(${target}\)|\\(?=[!-/:-@[-\x60{-~])`
const marks = `(?:${mark}){0,4}`
/** The same next to whitespace, where `_` is a mark too. */
const outerMarks = `(?:_|${mark}){0,4}`

/**
 * Whitespace in a phrase. After a line end it may include the marks of lists, headings, quotations and code before the
 * next word.
 */
const gap = String.raw`\s+(?:(?<=\n[ \t>]{0,40})(?:[-*+>]|#{1,6}|\d{1,3}[.)]|\x60{3,9}[^\x60\n]{0,60})\s+){0,4}`

/** A character of a word. Variation selectors and the enclosing keycap do not count. */
const inWord = String.raw`(?:[\p{L}\p{N}_]|(?![\uFE00-\uFE0F\u20E3])\p{M})`

function termOf(text: string, field: Term['field'], isWord: boolean): Term {
  if (text.length > maxTermLength)
    throw new UsageError(`A word or a phrase may have at most ${maxTermLength} characters: a part of it is enough.`)
  const parts = text.match(/\s+|\P{M}\p{M}*|\p{M}+/gsu) ?? []
  const sources = parts.map((part) => (/^\s/.test(part) ? '\\s+' : literalSource(part)))
  // If a script has no spaces between words, nothing shows where a word ends.
  const [before, after] = [
    isUnspaced(parts[0]) ? '' : `(?<!${inWord})`,
    isUnspaced(parts.at(-1)) ? '' : `(?!${inWord})`,
  ]
  const pattern = (literal: string): RegExp => new RegExp(isWord ? before + literal + after : literal, 'giu')
  const whole = pattern(sources.join(''))
  const isLong = parts.length > maxLoose
  // A term that contains marks is meant literally.
  const prose = /[*`~]/.test(text)
    ? whole
    : pattern(isLong ? longSource(parts, sources) : sources.reduce(withMarks, ''))
  return { text, field, pattern: whole, prose, isLiteral: true }
}

/** Longest term in UTF-16 units; the engine refuses patterns of much longer ones. */
const maxTermLength = 10_000
/**
 * A term of up to this many characters may have marks between any two of them. With more, the engine takes seconds to
 * compile the pattern, and in the end refuses it.
 */
const maxLoose = 300
/** In a long term, only this many positions may have marks; after them it is matched as it is. */
const maxMarked = 500
const isLetter = /^[\p{L}\p{N}]/u
/** Shorter patterns for marks at the ends of words in long terms. With so many words around them, they need not be exact. */
const longMark = String.raw`[*\x60~[|\\]*(?:\]\([^()\s]*\))?`
const longGap = String.raw`[*\x60~_]*(?:\]\([^()\s]*\))?\s[\s*\x60~_[|#>+-]*(?:\d{1,3}[.)]\s+[*\x60~_[]*)?`

function longSource(parts: readonly string[], sources: readonly string[]): string {
  const isInWord = (at: number): boolean => isLetter.test(parts[at - 1] ?? '') && isLetter.test(parts[at] ?? '')
  let remaining = maxMarked
  return sources.reduce((before, source, at) => {
    if (at === 0 || isInWord(at) || before.endsWith(longGap) || remaining === 0) return before + source
    remaining--
    return before + (source === '\\s+' ? longGap : longMark + source)
  }, '')
}

const isUnspaced = (letter = ''): boolean => unspaced.test(letter)

function withMarks(before: string, source: string): string {
  if (source === '\\s+') return `${before}${outerMarks}${gap}`
  if (before === '') return source
  return `${before}${before.endsWith(gap) ? outerMarks : marks}${source}`
}

/** Returns an expression that matches each text with one of the parts, in prose or verbatim, in any letter case. */
export function anyOf(parts: readonly string[]): RegExp {
  const sources = parts.flatMap((part) => {
    const { pattern, prose } = termOf(part, 'text', false)
    return [pattern.source, prose.source]
  })
  return new RegExp([...new Set(sources)].join('|'), 'iu')
}

/** The maximum length of an expression in a message. */
const maxShown = 200

function expression(source: string): Term {
  try {
    // As in grep, `^` and `$` match at the ends of lines.
    const pattern = new RegExp(source, 'gimu')
    // The engine compiles an expression when it first runs, and refuses one that is too long only then.
    ''.search(pattern)
    return { text: source, field: 'text', pattern, prose: pattern, isLiteral: false }
  } catch (error) {
    const cause = error instanceof Error ? error.message.replace(/^.*: /s, '') : ''
    const reason = /^(?:Stack overflow|Regular expression too large)$/.test(cause) ? 'it is too long' : cause
    throw new UsageError(`\`${shortened(source, maxShown)}\` is not a valid regular expression: ${reason}.`)
  }
}
