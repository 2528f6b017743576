/**
 * The values that a session reveals and those that it knows: its own from where they are first found, those of its family at
 * once.
 */

import { detached } from '../util/json.ts'
import { searchOf } from './known/search.ts'
import type { KnownHit, KnownValue, KnownValues } from './known/values.ts'
import { readingsOf } from './readings.ts'
import { isMixed } from './values/letters.ts'
import { isPlaceholder } from './values/placeholders.ts'
import { isPublic } from './values/public.ts'
import { isUuid, isWordy } from './values/randomness.ts'

/**
 * Which texts come next: titles and folders, the head of the rollout, a page, or texts made from these, which reveal no values.
 */
export type Passage = 'facts' | 'head' | 'page' | 'around'

/** Values of one session that are recognised again. */
export interface SessionValues {
  /** Says what comes next. At the end of a page, its texts are forgotten. */
  beginPassage: (next: Passage) => void
  /** Adds a value that a rule found; `before` is the text right before it. */
  add: (value: string, origin: ValueOrigin & { rank: number }) => void
  /** Learns the answer to a secret question, whatever it looks like. */
  answer: (value: string) => KnownValue
  /** Finds known values in a text, after all that it reveals was added. */
  find: (text: string) => KnownHit[]
  /** What is known so far. */
  report: () => ValueReport
  /** The number of values revealed so far. */
  readonly size: number
}

/** What a session knows at its end. */
export interface ValueReport {
  values: KnownValues
  /** Whether known values occurred in it. */
  hasKnown: boolean
  /** A value occurred in a text before it was known, so the session must be redacted again. */
  isStale: boolean
  /** Values with the index of the page that revealed them, unless that is the first page. */
  late: ReadonlyMap<string, number>
  /** Titles, folders, names of files. */
  heads: readonly string[]
}

/** Shorter answers occur in too many words. */
const minAnswer = 6
const maxAnswers = 20
/** Values of one session; further ones are replaced only where a rule finds them. */
const maxValues = 20_000

interface Fresh extends KnownValue {
  /** The number of texts before the one that revealed it. */
  before: number
}

/** Tracks the values of a session whose family knows some already. */
export function sessionValues(family: KnownValues = new Map()): SessionValues {
  const values = new Map<string, KnownValue>()
  const search = searchOf(family)
  /** Titles and folders, then the texts of the page. */
  const texts: string[] = []
  let heads = 0
  let passage: Passage = 'facts'
  let page = 0
  const fresh = new Map<string, Fresh>()
  const late = new Map<string, number>()
  const state = { answers: 0, hasKnown: false, isStale: false }

  const learn = (found: string, known: KnownValue): void => {
    const other = values.get(found)
    if (other === undefined ? values.size >= maxValues : other.rank <= known.rank) return
    // A copy that does not keep the text it was cut from in memory.
    const value = detached(found)
    values.set(value, known)
    const before = family.get(value)
    if (before !== undefined && before.rank <= known.rank) return
    search.add(value, known)
    fresh.set(value, { ...known, before: texts.length })
  }
  const endPage = (): void => {
    if (fresh.size > 0) state.isStale ||= occursBefore(fresh, texts)
    if (page > 0) for (const value of fresh.keys()) late.set(value, page)
    fresh.clear()
    texts.length = heads
    page++
  }
  return {
    beginPassage(next) {
      if (passage === next) return
      if (passage === 'page') endPage()
      passage = next
    },
    add(value, { rank, ...origin }) {
      if (passage !== 'head' && passage !== 'page') return
      for (const part of partsOf(value, origin.rule)) {
        if (isKnowable(part, origin)) learn(part, { rule: origin.rule, rank })
      }
    },
    answer(value) {
      const known: KnownValue = { rule: 'secret-answer', rank: -1 }
      if (value.length < minAnswer || state.answers >= maxAnswers || values.get(value)?.rank === -1) return known
      state.answers++
      const isShared = isKnowable(value, { rule: known.rule, before: '' })
      learn(value, isShared ? known : { ...known, isLocal: true })
      return known
    },
    find(text) {
      if (passage !== 'around') texts.push(text)
      if (passage === 'facts' || passage === 'head') heads = texts.length
      const hits = search.size === 0 ? [] : search.find(text)
      state.hasKnown ||= hits.length > 0
      return hits
    },
    report: () => ({ values, hasKnown: state.hasKnown, isStale: state.isStale, late, heads: texts.slice(0, heads) }),
    get size() {
      return values.size
    },
  }
}

/**
 * The parts of a value that may occur by themselves: a cookie header holds several values, and what was escaped in a string or an
 * address may occur unescaped elsewhere.
 */
function partsOf(value: string, rule: string): string[] {
  const parts = rule === 'cookie' ? value.split(/; */).map((part) => part.slice(part.indexOf('=') + 1)) : [value]
  return [...new Set(parts.flatMap((part) => [part, ...plainFormsOf(part)]))]
}

/** Without a string's escapes before quotes, backslashes and `$`, without doubled quotes, and as other readings have it. */
function plainFormsOf(value: string): string[] {
  const unescaped = value.replaceAll(/\\(["'`\\/$])/g, '$1')
  const undoubled = value.replaceAll(/(["'])\1/g, '$1')
  return [unescaped, undoubled, ...readingsOf(value).map(({ text }) => text)]
}

/** Whether a value occurs in a text that came before it was revealed. */
function occursBefore(fresh: ReadonlyMap<string, Fresh>, texts: readonly string[]): boolean {
  const search = searchOf(fresh)
  return texts.some((text, index) =>
    search.find(text).some(({ value, isCut }) => isCut || index < (fresh.get(value)?.before ?? 0)),
  )
}

// Which secrets are recognised where nothing but themselves reveals them. A wrong one would blank out words everywhere.

const minLength = 10
const maxLength = 2048
const commit = /^[0-9a-f]{40}$/
const file = /^[\w@.~-]*(?:[/\\][\w@.~-]+)+\.[A-Za-z][\w]{0,7}$/
const instant = /^\d{4}-\d\d-\d\d[T_ ]?[\d:.]*(?:Z|[+-]\d\d:?\d\d)?$/
/** A version number inside a name, as in `tool-3.15.0-linux-x64`. */
const version = /(?:^|[-_v])\d+\.\d+(?:\.\d+|[-_])/
/** Characters that do not join words of a name. */
const oddSign = /[!"$%&'()*;<>?[\]^`{|}~]/
/** Names that make even an id or a digest a secret. */
const strongName =
  /(?:token|secret|passw(?:or)?d|passphrase|pwd|api[-_]?key|access[-_]?key)["'`\]]{0,2}[\s:=>"'`]{1,6}$/i
const passwordName = /(?:passw(?:or)?d|passphrase|pwd|pass)["'`\]]{0,2}[\s:=>"'`]{1,6}$/i
const word = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g

/** Where a value was found: the rule, and the text right before it. */
interface ValueOrigin {
  rule: string
  before: string
}

/**
 * Whether a value that was found to be a secret may be replaced wherever else it occurs. It has at least ten characters of two
 * classes, and is neither made of words, nor the name of code, a file or a version, nor an id or a commit under a name that says
 * little.
 */
export function isKnowable(value: string, { rule, before }: ValueOrigin): boolean {
  if (value.length < minLength || value.length > maxLength || !isMixed(value)) return false
  if (isWordy(value) && !oddSign.test(value)) return false
  if (/[\r\n]|\.{3}|…/.test(value) || isPlaceholder(value) || file.test(value)) return false
  if (isUuid(value) || commit.test(value)) return rule !== 'named-secret' || strongName.test(before)
  if (isPublic(value) || version.test(value) || instant.test(value)) return false
  return isRandomEnough(value, rule !== 'named-secret' || passwordName.test(before))
}

/**
 * Whether the parts between punctuation, digits and capitals are too short for words. `isSure` means that the context is a
 * password's.
 */
function isRandomEnough(value: string, isSure: boolean): boolean {
  const parts = value.match(word) ?? []
  const numbers = parts.filter((part) => /^\d/.test(part)).length
  const length = parts.reduce((sum, part) => sum + part.length, 0) / Math.max(1, parts.length)
  if (numbers === 0) return length < (isSure ? 3 : 2.5)
  if (/\s/.test(value)) return length < 2.5
  if (isSure) return length < 6
  return length < (numbers > 2 ? 3.6 : 3)
}

/**
 * Parts of a text that may be a secret, or a piece of one that other words are glued to, as in names of branches, and so are worth
 * looking for wherever secrets are learned.
 */
export function suspectsIn(text: string): string[] {
  const words = new Set(text.match(/[^\s"'`<>()[\]{},;]{8,}/g))
  const parts = new Set(
    [...words].flatMap((word) => [word, ...word.split(/[=:/&?@|]/), ...word.split(/[^A-Za-z0-9+]+/)]),
  )
  return [...parts].filter(
    (part) =>
      part.length >= 8 &&
      isMixed(part) &&
      (!isWordy(part) || (oddSign.test(part) && isRandomEnough(part, true))) &&
      !isPublic(part) &&
      !file.test(part),
  )
}
