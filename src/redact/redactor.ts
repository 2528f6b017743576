/** Replaces secrets and personal data, and numbers secrets within one session. */
import { type Finder, findSecrets } from './find.ts'
import type { People } from './personal/people.ts'
import { isNamedSecret } from './rules/named.ts'

/** Replaces what must not be published. Keeps the values that it saw in memory only, to know them again. */
export interface Redactor {
  /** A text with `[redacted:rule]` for each secret, `[redacted:rule#2]` for the second different one of a rule. */
  text: (text: string) => string
  /** A value as `text` gives it, replaced as a whole where its name says that it is secret. */
  named: (value: string, name: string) => string
  /** The mark of a secret answer, whatever it looks like; `text` then knows it wherever it stands. */
  answer: (value: string) => string
  /** Learns names from a folder of the session and from texts, before anything is replaced. */
  learn: (folders: readonly string[], texts: readonly string[]) => void
  /** Replacements so far, by rule. */
  counts: Readonly<Record<string, number>>
}

/** What a redactor looks for. */
export interface Search {
  find: Finder
  /** What is known of the people of a session; absent where nothing is looked for. */
  people?: People
}

/** A redactor for one session: it numbers secrets in the order in which it meets them. Without `search` it finds secrets alone. */
export function redactor({ find, people }: Search = { find: findSecrets }): Redactor {
  const counts: Record<string, number> = {}
  const numberOf = numbering()
  const count = (rule: string): void => {
    counts[rule] = (counts[rule] ?? 0) + 1
  }
  const mark = (rule: string, value: string, cut: boolean): string => {
    count(rule)
    const number = numberOf(rule, value, cut)
    return number === 1 ? `[redacted:${rule}]` : `[redacted:${rule}#${number}]`
  }
  const known = knownValues((value) => mark('secret-answer', value, false))
  const text = (given: string): string => replaced(known.replace(given))
  const replaced = (given: string): string => {
    const found = find(given, people)
    if (found.length === 0) return given
    let result = ''
    let last = 0
    for (const { start, end, rule, value, instead } of found) {
      result += given.slice(last, start)
      if (instead === undefined) result += mark(rule, value, end >= given.length || isCutAt(given, end))
      else {
        count(rule)
        result += instead
      }
      last = end
    }
    result += given.slice(last)
    // What was glued to a secret may only now stand free.
    return found.every(({ instead }) => instead !== undefined) ? result : replaced(result)
  }
  return {
    text,
    named(value, name) {
      const redacted = text(value)
      return redacted === value && isNamedSecret(value, name) ? mark('named-secret', value, false) : redacted
    },
    answer(value) {
      known.add(value)
      return mark('secret-answer', value, false)
    },
    learn(folders, texts) {
      for (const folder of folders) people?.learn(folder)
      for (const known of texts) people?.find(known)
    },
    counts,
  }
}

/** Shorter answers are found in too many words. */
const leastAnswer = 6
const mostAnswers = 20

/** Answers that were secret, to be replaced wherever else they stand. */
function knownValues(mark: (value: string) => string): {
  add: (value: string) => void
  replace: (text: string) => string
} {
  const values = new Set<string>()
  return {
    add(value) {
      if (value.length >= leastAnswer && values.size < mostAnswers) values.add(value)
    },
    replace(text) {
      let result = text
      for (const value of values) result = result.replaceAll(value, () => mark(value))
      return result
    },
  }
}

function isCutAt(text: string, place: number): boolean {
  return /^(?:…|\.{3})/.test(text.slice(place, place + 3))
}

/** Cut values are compared with so many others of their rule, so that a text full of them stays quick. */
const mostCompared = 500

/** Numbers different values of a rule from 1 on; a value that was cut has the number of one that begins like it. */
function numbering(): (rule: string, value: string, cut: boolean) => number {
  const rules = new Map<string, RuleValues>()
  return (rule, value, cut) => {
    const own = rules.get(rule) ?? emptyRule()
    rules.set(rule, own)
    const known = own.numbers.get(value)
    if (known !== undefined) return known
    const longer = cut ? own.whole.find((item) => item.startsWith(value)) : undefined
    const like = longer ?? own.cuts.find((item) => value.startsWith(item))
    const number = (like === undefined ? undefined : own.numbers.get(like)) ?? ++own.last
    own.numbers.set(value, number)
    if (own.whole.length < mostCompared) own.whole.push(value)
    if (cut && own.cuts.length < mostCompared) own.cuts.push(value)
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
