/** Replaces secrets and numbers them within one session. */
import { findSecrets } from './find.ts'
import { isNamedSecret } from './rules/named.ts'

/** Replaces what must not be published. Keeps the values that it saw in memory only, to know them again. */
export interface Redactor {
  /** A text with `[redacted:rule]` for each secret, `[redacted:rule#2]` for the second different one of a rule. */
  text: (text: string) => string
  /** A value as `text` gives it, replaced as a whole where its name says that it is secret. */
  named: (value: string, name: string) => string
  /** Replacements so far, by rule. */
  counts: Readonly<Record<string, number>>
}

/** A redactor for one session: it numbers secrets in the order in which it meets them. */
export function redactor(): Redactor {
  const counts: Record<string, number> = {}
  const numberOf = numbering()
  const mark = (rule: string, value: string, cut: boolean): string => {
    counts[rule] = (counts[rule] ?? 0) + 1
    const number = numberOf(rule, value, cut)
    return number === 1 ? `[redacted:${rule}]` : `[redacted:${rule}#${number}]`
  }
  const text = (given: string): string => {
    const found = findSecrets(given)
    if (found.length === 0) return given
    let result = ''
    let last = 0
    for (const { start, end, rule, value } of found) {
      result +=
        given.slice(last, start) +
        mark(rule, value, end >= given.length || /^(?:…|\.{3})/.test(given.slice(end, end + 3)))
      last = end
    }
    // What was glued to a secret may only now stand free.
    return text(result + given.slice(last))
  }
  return {
    text,
    named(value, name) {
      const redacted = text(value)
      return redacted === value && isNamedSecret(value, name) ? mark('named-secret', value, false) : redacted
    },
    counts,
  }
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
