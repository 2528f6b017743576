/** What a rule is: where to look, and what stands there. */

/** Finds one kind of secret. Patterns are bounded, so that no text makes them slow. */
export interface Rule {
  /** Stands in the replacement, and counts in the receipt. */
  id: string
  /** A secret of this kind is looked for only where one of these begins; three characters at least. */
  anchors: readonly string[]
  /** Source of a pattern that must follow an anchor: spares looking closer at frequent ones. */
  follows?: string
  /**
   * Sticky; applied where an anchor begins. One of the groups `secret`, `single` and `bare` is what goes, else
   * the whole match with `head`, which stands before it. `name` and `rest` are what the value is called.
   */
  pattern: RegExp
  /** Tells secrets from what only looks like one. */
  isSecret: (value: string, name: string) => boolean
  /** What the pattern matches is searched once, secret or not: nothing that begins inside it is one of its own. */
  spans?: true
  /** The token may be broken over lines, as terminals do at their right edge. */
  wraps?: boolean
  /** The secret may go on behind the right edge of a terminal, though nothing but its surroundings tells it. */
  continues?: boolean
  /** What stands in place of each finding; without it a mark with the rule's id and a number. */
  instead?: string
}

/** Where a text goes on beyond what is there: its end, or a mark of a cut. */
const cut = '(?=$|…|\\.{3}|\\s*\\[\\.{3}|\\s*\\[truncated)'

/** A pattern of a prefix and a body of at least `min` characters, or of 8 where the text was cut. */
export function tokenPattern(prefix: string, chars: string, min: number): RegExp {
  return new RegExp(`${prefix}(?:[${chars}]{${min},512}|[${chars}]{8,512}${cut})`, 'y')
}
