/** A block of Markdown that is written as it stands. */
import type { Literal } from 'mdast'

/** Markdown that needs no escapes: a body made portable. */
export interface Verbatim extends Literal {
  type: 'verbatim'
}

declare module 'mdast' {
  interface BlockContentMap {
    verbatim: Verbatim
  }
  interface RootContentMap {
    verbatim: Verbatim
  }
}
