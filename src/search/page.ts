/**
 * The pruned document of a page, as the search index reads it: texts, each after an empty element that gives the kind of a hit.
 */

import type { Element, ElementContent, Root } from 'hast'
import { h } from '../render/hast.ts'
import { type RenderContext, renderItem } from '../render/transcript/context.ts'
import { htmlPieces, serialize } from '../render/transcript/serialize.ts'
import { withoutHidden } from '../render/visible-text.ts'
import type { Session, TrastNode } from '../transcript/trast.ts'
import { defined } from '../util/own.ts'
import { formatInstant } from '../util/time.ts'
import { namesIn, searchBlocks } from './blocks.ts'
import { hiddenBlock, indexOnlyWords, squeeze, wordsBeyond } from './entry-text.ts'

/** What the index contains besides the text. */
export interface SearchMeta {
  title: string
  /** Name of the project. */
  project: string
  /** Instant of the session's start. */
  startedAt?: string
  /** Words that find the page although it does not show them: tags and the id of the session. */
  words: readonly string[]
  /** Whether outputs of commands and tools are indexed too. */
  outputs?: boolean
}

/**
 * The HTML of the pruned page of a slice, in pieces. The text of each item follows an empty element with the item's id, named
 * after its kind; likewise, each turn follows one with its number. Injected context, history copied from a session that is
 * available, and what was rolled back are left out, and outputs unless they are asked for.
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

/** A pruned page with additional words that find it. */
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
 * Lets whole paths find edits below the session's folder: an empty element with the folder, from which the page with the hits
 * derives the rest, and hidden words, including those of the folder. Nothing if there are no such edits.
 */
function wholePaths(slice: Session): ElementContent[] {
  const { cwd } = slice
  if (cwd === undefined) return []
  const words = wordsBeyond(namesIn(slice, '').files ?? [], namesIn(slice).files ?? [])
  // The index removes whitespace from ids.
  const id = cwd.replace(/[%\s]/gu, encodeURIComponent)
  return words.length === 0 ? [] : [h('x-folder', { id }), h('span', {}, ` ${hiddenBlock([squeeze(cwd), ...words])} `)]
}
