/** The pruned document of a page, as the search index reads it: prose, with headings that tell the kind of hit. */
import type { Element, ElementContent, Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { h } from 'hastscript'
import type { Session, TrastNode } from '../model/trast.ts'
import { formatInstant } from '../util/time.ts'
import type { RenderContext } from './context.ts'
import { monthOf } from './dates.ts'
import { searchBlocks } from './search-blocks.ts'

/** What the index filters and shows beside the text. */
export interface SearchMeta {
  title: string
  /** Name of the project. */
  project: string
  /** Instant of the session's start. */
  startedAt?: string
  models: readonly string[]
  branch?: string
  /** Label of the home that the session was found in. */
  label?: string
}

/**
 * HTML of the pruned page of a slice. Heading levels stand for kinds: `h2` prompt, `h3` answer, `h4` command, `h5`
 * edit, `h6` error; each has the id of its item, so that a hit leads there. Outputs, injected context and inherited
 * or rolled-back history stay out.
 */
export function renderSearchPage(slice: Session, context: RenderContext, meta: SearchMeta): string {
  const body = slice.children.flatMap((child: TrastNode) => searchBlocks(child, context))
  const root: Root = {
    type: 'root',
    children: [
      { type: 'doctype' },
      h('html', { lang: 'en' }, [
        h('head', {}, [h('title', {}, meta.title), ...filters(meta, context), ...metaData(meta, context)]),
        h('body', { dataPagefindBody: '' }, body),
      ]),
    ],
  }
  return toHtml(root)
}

function filters(meta: SearchMeta, { timeZone }: RenderContext): Element[] {
  const values: [string, string | undefined][] = [
    ['project', meta.project],
    ...meta.models.map((model): [string, string] => ['model', model]),
    ['month', monthOf(meta.startedAt, timeZone)],
    ['branch', meta.branch],
    ['label', meta.label],
  ]
  return values.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [h('meta', { dataPagefindFilter: `${name}[content]`, content: value })],
  )
}

function metaData(meta: SearchMeta, { timeZone }: RenderContext): ElementContent[] {
  const { title, project, startedAt } = meta
  const elements = [
    h('meta', { dataPagefindMeta: 'title[content]', content: title }),
    h('meta', { dataPagefindMeta: 'project[content]', content: project }),
  ]
  if (startedAt === undefined) return elements
  const date = formatInstant(startedAt, timeZone, 'minute')
  return [
    ...elements,
    h('meta', { dataPagefindMeta: 'date[content]', content: date }),
    h('meta', { dataPagefindSort: 'date[content]', content: startedAt }),
  ]
}
