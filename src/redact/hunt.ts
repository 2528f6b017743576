/** What the parts of a search share. */
import type { Rule } from './rule.ts'
import type { View } from './view.ts'

/** What was found in a text: `start` inclusive, `end` exclusive. `value` is it as it reads without breaks and escapes. */
export interface Finding {
  start: number
  end: number
  rule: string
  value: string
  /** Position of the rule: the lowest of overlapping findings gives the name. */
  rank: number
  /** What stands in its place; without it a mark with a number. */
  instead?: string
}

/** A search over one reading of a text. */
export interface Hunt {
  readonly view: View
  readonly rules: readonly Rule[]
  /** Takes what is found, by places of the text itself. */
  readonly found: Finding[]
  /** Where the last match of a rule that spans ends, by rank. */
  spanned?: Map<number, number>
  /** Beginnings on narrow lines that were tried so far. */
  narrow: number
}
