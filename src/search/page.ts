/** The pruned document of a page, as the search index reads it: prose, with headings that tell the kind of hit. */

import type { Element, ElementContent, Root } from 'hast'
import { h } from '../render/hast.ts'
import { type RenderContext, renderItem } from '../render/transcript/context.ts'
import { htmlPieces, serialize } from '../render/transcript/serialize.ts'
import { withoutHidden } from '../render/visible-text.ts'
import type { Session, TrastNode } from '../transcript/trast.ts'
import { defined } from '../util/own.ts'
import { formatInstant } from '../util/time.ts'
import { searchBlocks } from './blocks.ts'
import { hiddenBlock, indexOnlyWords, squeeze, wordsBeyond } from './entry-text.ts'
import { namesIn } from './names.ts'

/** What the index shows beside the text. */
export interface SearchMeta {
  title: string
  /** Name of the project. */
  project: string
  /** Instant of the session's start. */
  startedAt?: string
  /** Words by which the page is found and that it does not show: tags and the id of the session. */
  words: readonly string[]
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
}

/**
 * HTML of the pruned page of a slice, in pieces: a text for each item, which an empty element with the id of the item and the
 * name of its kind leads in; so does one with its number each turn. Injected context, copied history that another session
 * has, and what was rolled back stay out, and outputs unless they are asked for.
 */
export function searchPagePieces(slice: Session, context: RenderContext, meta: SearchMeta): string[] {
  const around = defined({ engine: context.engine, outputs: meta.outputs, cwd: slice.cwd })
  const body = slice.children.flatMap((child: TrastNode) =>
    renderItem(child, context, (node) => searchBlocks(node, around)),
  )
  const root: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        h('head', {}, [h('title', {}, meta.title), ...metaData(meta, context)]),
        h('body', { dataPagefindBody: '' }, [...body, ...wholePaths(slice), ...wordsBeside(meta.words)]),
      ]),
    ],
  }
  return htmlPieces(root, withoutHidden)
}

/** A pruned page with further words by which it is found. */
export function withWords(html: string, words: readonly string[]): string {
  const hidden = serialize({ type: 'root', children: wordsBeside(words) })
  return html.replace(/<\/body>/, () => `${hidden}</body>`)
}

function wordsBeside(words: readonly string[]): ElementContent[] {
  return words.length === 0 ? [] : [h('span', {}, ` ${indexOnlyWords(words)} `)]
}

function metaData({ title, project, startedAt }: SearchMeta, { timeZone }: RenderContext): ElementContent[] {
  const date = startedAt === undefined ? [] : [metaTag('date', formatInstant(startedAt, timeZone, 'minute'))]
  return [metaTag('title', title), metaTag('project', project), ...date]
}

function metaTag(name: string, content: string): Element {
  return h('meta', { dataPagefindMeta: `${name}[content]`, content })
}

/**
 * What finds edits below the session's folder by their whole paths: an empty element with the folder, from which the page that shows
 * a hit tells the rest, and hidden words, those of the folder among them. Nothing where there are none.
 */
function wholePaths(slice: Session): ElementContent[] {
  const { cwd } = slice
  if (cwd === undefined) return []
  const words = wordsBeyond(namesIn(slice, '').files ?? [], namesIn(slice).files ?? [])
  // The index drops blanks of an id.
  const id = cwd.replace(/[%\s]/gu, encodeURIComponent)
  return words.length === 0 ? [] : [h('x-folder', { id }), h('span', {}, ` ${hiddenBlock([squeeze(cwd), ...words])} `)]
}
