/** Leaves: prose and literal text. */
import type { Markdown, Text } from '../../../model/trast.ts'
import { prettyJson } from '../../../util/json-pretty.ts'
import { fence } from '../build.ts'
import { fencedLiteral } from '../cut.ts'
import { proseBlocks } from '../prose.ts'
import type { Handle } from '../state.ts'

/** A body of Markdown. */
export const markdown: Handle<Markdown> = proseBlocks

/** Fenced text; whole JSON is indented. The language is dropped where it is more than a word. */
export const text: Handle<Text> = (node, state) => {
  const pretty = node.lang === 'json' && node.omitted === undefined ? prettyJson(node.value) : undefined
  if (pretty !== undefined) return fence(pretty, 'json')
  return fencedLiteral(node, state, node.lang !== undefined && /^[\w+#.-]+$/.test(node.lang) ? node.lang : undefined)
}
