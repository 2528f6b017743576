/** A block of Markdown that is written as it stands. */
import type { Literal } from 'mdast'
import type { Options } from 'mdast-util-to-markdown'

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

/** Lets mdast-util-to-markdown write `verbatim` nodes. */
export const verbatimToMarkdown: Options = {
  handlers: { verbatim: (node: Verbatim) => node.value },
}
