/**
 * The forms of tokens as data. A form is text with parts in braces:
 *
 * | part | stands for |
 * |---|---|
 * | `{a:36}` `{a:5-7}` `{a:20+}` | this many characters of a class; the last part may be longer than stated |
 * | `{live,test}` | one of these texts |
 * | `{u}` | a UUID |
 * | `^` at the beginning | the token begins a word, because `live_` or `b_` may also end another name |
 * | `!` at the end | the token ends there: no character of the last class follows |
 */

import { defined } from '../../util/own.ts'
import { beginsWord, endsWord, type NotAfter, type PatternRule } from '../rule.ts'
import { isPlaceholder } from '../values/placeholders.ts'
import { isRandom } from '../values/randomness.ts'

/** The characters of each class, as written between the brackets of a pattern. */
const classes: Readonly<Record<string, string>> = {
  a: 'A-Za-z0-9',
  w: 'A-Za-z0-9_',
  d: 'A-Za-z0-9_\\-',
  o: 'A-Za-z0-9_.=\\-',
  b: 'A-Za-z0-9+/',
  B: 'A-Za-z0-9+/=_\\-',
  '%': 'A-Za-z0-9%+/=_\\-',
  h: '0-9a-f',
  x: '0-9A-Fa-f',
  e: 'a-z2-7',
  l: 'a-z0-9',
  L: 'a-z',
  U: 'A-Z0-9',
  n: '0-9',
}

/** A part of a form. */
type Part = { texts: readonly string[] } | { chars: string; min: number; max: number } | { uuid: true }

/** A parsed form. */
export interface Form {
  parts: readonly Part[]
  /** The texts that it may begin with; an empty one if it begins with characters of a class. */
  beginning: readonly string[]
  /** No part of a word precedes it. */
  isWord: boolean
  /** No character of the last class follows. */
  isClosed: boolean
}

const braces = /\{([^{}]*)\}/
const counted = /^([A-Za-z%]):(\d+)(?:-(\d+)|(\+))?$/
const maxTokenLength = 512

/** Parses a form. Throws if it is malformed, which is a mistake in our own table and shows as soon as this is loaded. */
export function parseForm(source: string): Form {
  const isWord = source.startsWith('^')
  const isClosed = source.endsWith('!')
  const parts = source
    .slice(isWord ? 1 : 0, isClosed ? -1 : undefined)
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map(parsePart)
  return { parts, beginning: texts(parts, 0), isWord, isClosed }
}

function parsePart(piece: string): Part {
  const inner = braces.exec(piece)?.[1]
  if (inner === undefined) return { texts: [piece] }
  if (inner === 'u') return { uuid: true }
  const [, name = '', low = '', high, open] = counted.exec(inner) ?? []
  const chars = classes[name]
  if (chars === undefined) {
    if (!inner.includes(',')) throw new Error(`No part of a form: ${piece}`)
    return { texts: inner.split(',') }
  }
  const [min, atMost] = [Number(low), open === undefined ? Number(low) : maxTokenLength]
  return { chars, min, max: high === undefined ? atMost : Number(high) }
}

const uuid = `[${classes['x']}]{8}-(?:[${classes['x']}]{4}-){3}[${classes['x']}]{12}`
/** A text that is cut: its end, or a mark of a cut. */
const cut = '(?=$|…|\\.{3}|\\s*\\[\\.{3}|\\s*\\[truncated)'
const minCut = 8
/** After a beginning of this length, as addresses have, a short body suffices, unless it is a placeholder. */
const sureBeginning = 20

/** The rule of a form: where it looks, and what it matches there. */
export function ruleOf(id: string, source: string): PatternRule {
  const form = parseForm(source)
  const { parts, beginning, isWord, isClosed } = form
  const start = startOf(form, source)
  const { first, literals } = start
  const { length } = lengthOf(parts)
  const notAfter = first === 0 ? notAfterOf(form) : undefined
  let pattern: RegExp | undefined
  return {
    id,
    anchors: literals,
    ...defined({ notAfter }),
    ...followsOf(parts, start, first === 0 && !isWord && !isClosed),
    // Compiled when an anchor first occurs, because few texts contain the beginnings of more than a few forms.
    get pattern() {
      pattern ??= patternOf(form, first)
      return pattern
    },
    isSecret: (value) => {
      const body = withoutBeginning(value, beginning)
      return isRandom(body) || (value.length - body.length >= sureBeginning && !isPlaceholder(body))
    },
    wraps: true,
    ...defined({ length }),
  }
}

/** The pattern of a form, applied where the part at index `first`, which is searched for, begins. */
function patternOf(form: Form, first: number): RegExp {
  const { parts, beginning, isWord, isClosed } = form
  const tail = parts.slice(first)
  const again = lengthOf(parts).length === undefined || first > 0 ? '' : beginning.map(escaped).join('|')
  const body = tail
    .map((part, index) => (index < tail.length - 1 || isClosed ? partSource(part, false) : lastSource(part, again)))
    .join('')
  const last = parts.at(-1)
  const end = isClosed && last !== undefined && 'chars' in last ? endOf(last.chars) : ''
  const head =
    first === 0
      ? allowedBefore(form, again === '' ? '' : tail.map((part) => partSource(part, false)).join(''))
      : `(?<=${notInLongerRun(parts)}(?<head>${parts
          .slice(0, first)
          .map((part) => partSource(part, false))
          .join('')}))`
  const isCut = first === 0 && !isWord && !isClosed
  return new RegExp(`${head}(?:${body}${end}${isCut ? cutSource(form) : ''})`, 'y')
}

/** What may follow a token that ends: no character of its last class, except those that may follow the end of a word. */
function endOf(chars: string): string {
  return /[_-]$/.test(chars) ? `(?:(?![${chars}])|${endsWord})` : `(?![${chars}])`
}

/** The length of a token, if its form fixes it. */
function lengthOf(parts: readonly Part[]): { length?: number } {
  let sum = 0
  for (const part of parts) {
    if ('uuid' in part) sum += 36
    else if ('chars' in part && part.min === part.max) sum += part.min
    else if ('texts' in part && part.texts.every(({ length }) => length === part.texts[0]?.length))
      sum += part.texts[0]?.length ?? 0
    else return {}
  }
  return { length: sum }
}

/** No anchor is shorter. */
const minAnchor = 3

/** Where a form is searched for. */
interface Start {
  /** Index of the first part that can be searched for. */
  first: number
  /** The texts that the parts from there begin with. */
  whole: readonly string[]
  /** What is searched for: those texts, or longer ones. */
  literals: readonly string[]
}

function startOf({ parts, beginning }: Form, source: string): Start {
  for (let first = 0; first < parts.length; first++) {
    if (!('texts' in (parts[first] ?? {}))) continue
    const whole = first === 0 ? beginning : texts(parts, first)
    const literals = literalsFrom(parts, first, whole)
    if (literals.length > 0) return { first, whole, literals }
  }
  throw new Error(`Nothing to look for in the form ${source}`)
}

/** Texts of at least three characters that the parts from index `from` on may begin with. */
function literalsFrom(parts: readonly Part[], from: number, found: readonly string[]): readonly string[] {
  const isLong = found.every(({ length }) => length >= minAnchor)
  if (isLong) return found
  const next = parts.slice(from).find((part) => !('texts' in part))
  if (from > 0 || next === undefined || found.includes('')) return []
  // A short beginning is searched for with each character that may follow it.
  const chars = 'chars' in next ? next.chars : (classes['x'] ?? '')
  return found.flatMap((text) => expanded(text, chars).flatMap((longer) => expanded(longer, chars)))
}

function expanded(before: string, chars: string): string[] {
  if (before.length >= minAnchor) return [before]
  const pattern = new RegExp(`[${chars}]`)
  const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  return all.filter((character) => pattern.test(character)).map((character) => before + character)
}

function partSource(part: Part, isOpen: boolean): string {
  if ('uuid' in part) return uuid
  if ('texts' in part)
    return part.texts.length === 1 ? escaped(part.texts[0] ?? '') : `(?:${part.texts.map(escaped).join('|')})`
  const max = isOpen ? maxTokenLength : part.max
  return `[${part.chars}]{${part.min}${max === part.min ? '' : `,${max}`}}`
}

/** The last part, which may be longer than stated, unless the same token begins again right after it. */
function lastSource(part: Part, again: string): string {
  const open = partSource(part, true)
  return again === '' || !('chars' in part) ? open : `(?:${partSource(part, false)}(?=${again})|${open})`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** The texts that the parts from index `from` on begin with. */
function texts(parts: readonly Part[], from: number): readonly string[] {
  const part = parts[from]
  if (part === undefined || !('texts' in part)) return ['']
  const next = parts[from + 1]
  return next !== undefined && 'texts' in next
    ? part.texts.flatMap((text) => texts(parts, from + 1).map((rest) => text + rest))
    : part.texts
}

function withoutBeginning(value: string, beginning: readonly string[]): string {
  const head = beginning.find((text) => value.startsWith(text))
  return head === undefined ? value : value.slice(head.length)
}

/** After a word, a number or a commit in a name of several parts: `feature-for-…-`, which encoded data rarely contains. */
const afterWord = '(?<=(?<![A-Za-z0-9])(?:[a-z]{2,40}|\\d{1,20}|[0-9a-f]{7,40})[_-])'

/** Not inside encoded data, because any beginning occurs in it if it is long enough. */
const notEncoded = `(?:(?<![A-Za-z0-9_-]{32})(?<![A-Za-z0-9+/]{40})(?<![A-Za-z0-9]{20})|${afterWord})(?<!\\bsha(?:1|256|384|512)[=:-][A-Za-z0-9+/_-]{0,88})`

/**
 * What may precede a token. A beginning of five characters that includes a punctuation character is not part of a word. A shorter
 * one must begin a word or follow a percent escape. If it includes a punctuation character, it may also follow letters when what
 * comes next mixes lowercase letters, capitals and digits, because `task-` and `half_` end words, too.
 */
function allowedBefore(form: Form, same: string): string {
  const blob = same === '' ? notEncoded : `(?:${notEncoded}|(?<=${same}))`
  const [free, word] = [
    `${blob}(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\[nrt])`,
    `${beginsWord}(?<![A-Za-z0-9+/]{40})`,
  ]
  if (form.isWord) return `(?:${word}|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\[nrt]))`
  if (notAfterOf(form) !== undefined) return `(?:${free})`
  const varied = variedPart(form)
  if (varied === undefined) return blob
  const ahead = `(?:${form.beginning.map(escaped).join('|')})[${varied}]{0,18}?`
  return `(?:${free}|${blob}(?=${ahead}[A-Z])(?=${ahead}[a-z])(?=${ahead}[0-9]))`
}

/** What may not come right before a token, as in `allowedBefore`; `undefined` if anything may. */
function notAfterOf(form: Form): NotAfter | undefined {
  if (form.isWord) return 'word'
  return isSureBeginning(form) || variedPart(form) !== undefined ? undefined : 'letters'
}

/** Whether a form's beginning cannot be part of a word. */
function isSureBeginning({ beginning }: Form): boolean {
  return beginning.every((text) => (text.length >= 5 && /[^A-Za-z0-9]/.test(text)) || text.length >= 7)
}

/**
 * The characters after a short beginning with a punctuation character, if there are enough of them to mix letters, capitals and
 * digits.
 */
function variedPart(form: Form): string | undefined {
  if (isSureBeginning(form)) return undefined
  const next = form.parts.find((part) => 'chars' in part)
  const isVaried = next !== undefined && 'chars' in next && next.chars.startsWith(classes['a'] ?? '') && next.min >= 20
  return isVaried && form.beginning.every((text) => /[^A-Za-z0-9]/.test(text)) ? next.chars : undefined
}

/** A token that begins with its random part does not begin inside a longer run. */
function notInLongerRun([first]: readonly Part[]): string {
  return first !== undefined && 'chars' in first ? `(?<![${first.chars}]{16})` : ''
}

function charsOf(part: Part): readonly string[] {
  if ('chars' in part) return [part.chars]
  return 'uuid' in part ? [`${classes['h']}\\-`] : part.texts.map(escaped)
}

/** Matches a token that the text cuts: at least eight characters of its body, whichever part they belong to. */
function cutSource({ parts, beginning }: Form): string {
  const chars = parts.flatMap(charsOf)
  const own = chars.slice(parts[0] !== undefined && 'texts' in parts[0] ? parts[0].texts.length : 0)
  return own.length === 0 ? '' : `|(?:${beginning.map(escaped).join('|')})[${own.join('')}]{${minCut},512}${cut}`
}

/** What must follow an anchor, so that few hits are looked at closely; eight characters if the token may be cut. */
function followsOf(parts: readonly Part[], { first, whole, literals }: Start, isCut: boolean): { follows?: string } {
  const isExpanded = literals.length !== whole.length
  const index = parts.findIndex((part, at) => at >= first && !('texts' in part))
  const next = parts[index]
  if (next === undefined || 'texts' in next) return {}
  const lengths = (texts: readonly string[]): number[] => texts.map(({ length }) => length)
  const taken = isExpanded ? Math.max(...lengths(literals)) - Math.min(...lengths(whole)) : 0
  const [chars, sure] = 'uuid' in next ? [classes['x'] ?? '', 8] : [next.chars, Math.min(isCut ? minCut : 24, next.min)]
  const length = sure - taken
  // A terminal may break the line within it.
  const broken = `[${chars}]{0,${length - 1}}[ \\t|│┃║▌]{0,80}\\\\?\\r?\\n`
  return length < 4 ? {} : { follows: `(?:[${chars}]{${length}}|${broken})` }
}
