/** How mdast-util-to-markdown writes our trees: GitHub's dialect, verbatim bodies, plain words at little cost. */

import type { Literal, Text } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import type { Handle, Options } from 'mdast-util-to-markdown'

const verbatim = (node: Verbatim): string => node.value

/** Words, numbers and marks that mean nothing in Markdown where they stand: no list marker, no bare address. */
const plain = /^(?!\d+[.)])[a-z0-9 ·…→−](?:[a-z0-9 ,:;()·…→−%]|(?<!w)\.)*$/i

/** Most texts of the frame are plain: trying a hundred patterns on each would be most of the work. */
const text: Handle = (node: Text, _parent, state, info) => {
  const { value } = node
  const edge = (info.before === '\n' && value.startsWith(' ')) || (info.after === '\n' && value.endsWith(' '))
  return !edge && plain.test(value) ? value : withoutEscapedTags(state.safe(value, info))
}

/** `&lt;` in place of `\\<`: a bare address of a lenient parser takes the backslash in, and leaves a tag behind it. */
function withoutEscapedTags(markdown: string): string {
  return markdown.includes('<') ? markdown.replace(/(?<!\\)((?:\\\\)*)\\</g, '$1&lt;') : markdown
}

/** An extension that holds all that `extensions` hold: the nesting would be unfolded at every call otherwise. */
function flatten(extensions: readonly Options[]): Options {
  const flat = extensions.map((extension) => (extension.extensions ? flatten(extension.extensions) : extension))
  return {
    handlers: Object.assign({}, ...flat.map(({ handlers }) => handlers)),
    join: flat.flatMap(({ join }) => join ?? []),
    unsafe: flat.flatMap(({ unsafe }) => unsafe ?? []),
  }
}

/** Everything as one extension. */
export const transcriptToMarkdown: Options = flatten([gfmToMarkdown(), { handlers: { verbatim, text } }])

// A block of Markdown that is written as it stands.

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
