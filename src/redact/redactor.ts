/** Replaces secrets and personal data, and numbers secrets within one session. */

import { detached } from '../util/json.ts'
import type { Finding } from './broken.ts'
import { type Finder, findSecrets } from './find.ts'
import { isCutAt } from './known/cuts.ts'
import type { KnownHit, KnownValues } from './known/values.ts'
import type { People } from './personal/people.ts'
import { type Passage, sessionValues, type ValueReport } from './session-values.ts'
import { isNamedSecret } from './values/named-value.ts'

/** Replaces what must not be published. Keeps the values that it saw only in memory, to recognise them again. */
export interface Redactor {
  /**
   * Returns a text with `[redacted:rule]` for each secret, `[redacted:rule#2]` for the second different one of a rule. A value
   * that was a secret once is one wherever it occurs.
   */
  text: (text: string) => string
  /** Like `text`, but replaces the whole value if its name says that it is secret. */
  named: (value: string, name: string) => string
  /** The mark of a secret answer, whatever it looks like; from then on `text` recognises it everywhere. */
  answer: (value: string) => string
  /** Learns names from a folder of the session and from texts, before anything is replaced. */
  learn: (folders: readonly string[], texts: readonly string[]) => void
  /** Learns the secrets of a text that is omitted, so that they are recognised in all others. */
  observe: (text: string, name?: string) => void
  /** What `text` would replace, without counting it. */
  inspect: (text: string, name?: string) => Finding[]
  /** Says which texts come next. */
  beginPassage: (next: Passage) => void
  /** The values found so far, and where they were missed. */
  values: () => ValueReport
  /** Replacements so far, by rule. */
  counts: Readonly<Record<string, number>>
}

/** What a redactor looks for. */
export interface Search {
  find: Finder
  /** What is known about the people of a session; absent if no personal data is looked for. */
  people?: People
}

const withInner = (finding: Finding): readonly Finding[] => [finding, ...(finding.inner ?? [])]

/** Longer texts rarely repeat. */
const maxRepeatedLength = 256
/** How many characters before a value may hold its name. */
const nameLength = 40

/**
 * Creates a redactor for one session. It numbers secrets in the order in which it meets them. Without `search` it finds only
 * secrets. `family` holds values that other sessions revealed, or this one when it was read before.
 */
export function redactor({ find, people }: Search = { find: findSecrets }, family?: KnownValues): Redactor {
  const counts: Record<string, number> = {}
  const numberOf = numbering()
  const values = sessionValues(family)
  const count = (rule: string): void => {
    counts[rule] = (counts[rule] ?? 0) + 1
  }
  const mark = (rule: string, value: string, cut: boolean): string => {
    count(rule)
    const number = numberOf(rule, value, cut)
    return number === 1 ? `[redacted:${rule}]` : `[redacted:${rule}#${number}]`
  }
  const observe = (text: string, name = ''): Finding[] => {
    if (name !== '' && isNamedSecret(text, name)) addNamed(text, name)
    const found = find(text, people)
    for (const { start, end, rule, rank, value, replacement } of found.flatMap(withInner)) {
      if (replacement !== undefined || rule === 'email' || isCutBefore(text, end)) continue
      values.add(value, { rule, rank, before: text.slice(Math.max(0, start - nameLength), start) })
    }
    return found
  }
  const addNamed = (value: string, name: string): void =>
    values.add(value, { rule: 'named-secret', rank: namedRank, before: `${name}=` })
  const inspect = (text: string, name?: string): Finding[] => {
    const found = observe(text, name)
    const hits = values.find(text)
    return hits.length === 0 ? found : withKnownHits(found, hits)
  }
  const write = (given: string, { end, rule, value, replacement }: Finding): string => {
    if (replacement === undefined) return mark(rule, value, isCutAt(given, end))
    count(rule)
    return replacement
  }
  /** Texts of this passage known to contain nothing so far, because keys and kinds repeat at every node. */
  const clean = new Set<string>()
  let previousCount = 0
  const isClean = (given: string): boolean => {
    if (given.length > maxRepeatedLength) return false
    const knownCount = values.size + (people?.size ?? 0)
    if (knownCount > previousCount) clean.clear()
    previousCount = knownCount
    return clean.has(given)
  }
  const text = (given: string): string => {
    if (isClean(given)) return given
    const found = inspect(given)
    if (found.length > 0) return replaceAll(given, found, { find, people, write })
    if (given.length <= maxRepeatedLength) clean.add(given)
    return given
  }
  return {
    text,
    named(value, name) {
      const isNamed = isNamedSecret(value, name)
      if (isNamed) addNamed(value, name)
      const redacted = text(value)
      return isNamed && redacted === value ? mark('named-secret', value, false) : redacted
    },
    answer(value) {
      return mark(values.answer(value).rule, value, false)
    },
    learn(folders, texts) {
      for (const folder of folders) people?.learn(folder)
      for (const text of texts) people?.find(text)
    },
    observe,
    inspect,
    beginPassage(next) {
      clean.clear()
      values.beginPassage(next)
    },
    values: values.report,
    counts,
  }
}

/** A value that only the name of its field reveals ranks last: any other rule decides what it is called. */
const namedRank = Number.MAX_SAFE_INTEGER

/**
 * Merges what rules found with known values. Where they overlap, the one that begins first gives the name, then the wider one,
 * then the rule.
 */
function withKnownHits(found: readonly Finding[], hits: readonly KnownHit[]): Finding[] {
  const all = [...found, ...hits.map(({ isCut: _, ...hit }): Finding => hit)]
  const result: Finding[] = []
  for (const finding of all.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last === undefined || finding.start >= last.end) result.push(finding)
    else if (finding.end > last.end || isAnswerFor(last, finding)) {
      const named = isAnswerFor(last, finding) ? finding : last
      result[result.length - 1] = { ...named, start: last.start, end: Math.max(last.end, finding.end) }
    }
  }
  return result
}

/** The answer to a secret question keeps its name, whichever rule finds it as well. */
function isAnswerFor(last: Finding, { start, end, rank }: Finding): boolean {
  return rank === -1 && last.rank !== -1 && start === last.start && end === last.end
}

/** Whether the mark of a cut follows, so that what precedes it is not a complete value. */
function isCutBefore(text: string, offset: number): boolean {
  return offset < text.length && isCutAt(text, offset)
}

/** The number of other values of its rule that a cut value is compared with, so that a text full of them stays quick. */
const maxCompared = 500

/** Numbers different values of a rule from 1; a value that was cut has the number of one that begins with it. */
function numbering(): (rule: string, value: string, cut: boolean) => number {
  const rules = new Map<string, RuleValues>()
  return (rule, value, cut) => {
    const own = rules.get(rule) ?? emptyRule()
    rules.set(rule, own)
    const existing = own.numbers.get(value)
    if (existing !== undefined) return existing
    const longer = cut ? own.whole.find((item) => item.startsWith(value)) : undefined
    const like = longer ?? own.cuts.find((item) => value.startsWith(item))
    const number = (like === undefined ? undefined : own.numbers.get(like)) ?? ++own.last
    // A copy that does not keep the text it was cut from in memory.
    const copy = detached(value)
    own.numbers.set(copy, number)
    if (own.whole.length < maxCompared) own.whole.push(copy)
    if (cut && own.cuts.length < maxCompared) own.cuts.push(copy)
    return number
  }
}

interface RuleValues {
  numbers: Map<string, number>
  whole: string[]
  cuts: string[]
  last: number
}

function emptyRule(): RuleValues {
  return { numbers: new Map(), whole: [], cuts: [], last: 0 }
}

// Replaces findings until nothing is left to find, because a replacement may change how the text around it reads.

/** A part of a text, `end` exclusive. */
interface Range {
  start: number
  end: number
}

/** How findings become text. */
interface Replacing {
  find: Finder
  people?: People | undefined
  /** The replacement for a finding of a text. */
  write: (text: string, finding: Finding) => string
}

/**
 * Glued tokens come free one by one, each when the one before it is replaced. This many passes suffice except for texts made to
 * need more. The last pass replaces glued text as a whole, so that the time stays linear in the text.
 */
const maxPasses = 16

/**
 * The text with `first` replaced, and whatever is found because of that: a token that was glued to another, a value that was a
 * path before, a user in a path that now begins with `~`.
 */
function replaceAll(given: string, first: readonly Finding[], { find, people, write }: Replacing): string {
  let [text, found] = [given, first]
  for (let pass = 1; found.length > 0; pass++) {
    const isLast = pass === maxPasses
    const next = replaceOnce(text, isLast ? found.map((finding) => wholeRun(text, finding)) : found, write)
    if (isLast) return next.text
    text = next.text
    found = findAround(text, next.replaced, find, people)
  }
  return text
}

/** The text with the findings replaced, and the parts that were written. A finding that overlaps the one before it is skipped. */
function replaceOnce(
  given: string,
  found: readonly Finding[],
  write: Replacing['write'],
): { text: string; replaced: Range[] } {
  const replaced: Range[] = []
  let text = ''
  let last = 0
  for (const finding of found) {
    if (finding.start < last) continue
    text += given.slice(last, finding.start)
    const start = text.length
    text += write(given, finding)
    replaced.push({ start, end: text.length })
    last = finding.end
  }
  return { text: text + given.slice(last), replaced }
}

const blank = /\s|$/g

/** A finding extended over everything that is glued to its end. */
function wholeRun(text: string, finding: Finding): Finding {
  blank.lastIndex = finding.end
  return { ...finding, end: blank.exec(text)?.index ?? text.length }
}

/** How far from a replacement a text may read differently; most of what rules look at is nearer. */
const reach = 512
/** What is found this near to the end of a part may not be there in the whole text, or may continue in it. */
const margin = 128
/** Represents the text around a part, so that no line or word begins or ends at its edges. */
const guard = 'x'

/**
 * Returns what is found around replaced parts: searches only parts of the text if they are at most half of it, else the whole
 * text.
 */
function findAround(text: string, replaced: readonly Range[], find: Finder, people: People | undefined): Finding[] {
  const parts = partsAround(text, replaced)
  if (parts.reduce((sum, { start, end }) => sum + end - start, 0) * 2 > text.length) return find(text, people)
  const found: Finding[] = []
  for (const { start, end } of parts) {
    const [before, after] = [start > 0 ? guard : '', end < text.length ? guard : '']
    const shift = start - before.length
    for (const finding of find(before + text.slice(start, end) + after, people)) {
      const own = { ...finding, start: finding.start + shift, end: finding.end + shift }
      const isNearCut = (start > 0 && own.start < start + margin) || (end < text.length && own.end > end - margin)
      if (isNearCut) return find(text, people)
      found.push(own)
    }
  }
  return found
}

/** The surroundings of replaced parts, with overlapping ones merged. */
function partsAround(text: string, replaced: readonly Range[]): Range[] {
  const parts: Range[] = []
  for (const range of replaced) {
    const [start, end] = [Math.max(0, range.start - reach), Math.min(text.length, range.end + reach)]
    const last = parts.at(-1)
    if (last === undefined || start > last.end) parts.push({ start, end })
    else last.end = end
  }
  return parts
}
