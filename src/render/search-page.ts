/** The pruned document of a page, as the search index reads it: prose, with headings that tell the kind of hit. */
import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import type { Session, TrastNode } from '../model/trast.ts'
import { defined } from '../util/defined.ts'
import { formatInstant } from '../util/time.ts'
import type { RenderContext } from './context.ts'
import { monthOf } from './dates.ts'
import { renderItem } from './failed-item.ts'
import { withoutHidden } from './literal.ts'
import { searchBlocks } from './search-blocks.ts'
import { serialize } from './serialize.ts'

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
  /** The page tells of an error, or of a command or turn that failed. */
  errors?: boolean
  /** Outputs of commands and tools are indexed too. */
  outputs?: boolean
}

/**
 * HTML of the pruned page of a slice. Heading levels stand for kinds: `h2` prompt, `h3` answer, `h4` command, `h5`
 * edit, `h6` error; each has the id of its item, so that a hit leads there. Injected context and inherited or
 * rolled-back history stay out, and outputs unless they are asked for.
 */
export function renderSearchPage(slice: Session, context: RenderContext, meta: SearchMeta): string {
  const around = defined({ engine: context.engine, outputs: meta.outputs, cwd: slice.cwd })
  const body = slice.children.flatMap((child: TrastNode) =>
    renderItem(child, context, (node) => searchBlocks(node, around)),
  )
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
  return withoutHidden(serialize(root))
}

function filters(meta: SearchMeta, { timeZone }: RenderContext): Element[] {
  const values: [string, string | undefined][] = [
    ['project', meta.project],
    ...meta.models.map((model): [string, string] => ['model', model]),
    ['month', monthOf(meta.startedAt, timeZone)],
    ['branch', meta.branch],
    ['label', meta.label],
    ['errors', meta.errors === true ? 'yes' : undefined],
  ]
  return values.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [h('meta', { dataPagefindFilter: `${name}[content]`, content: value })],
  )
}

function metaData({ title, project, startedAt }: SearchMeta, { timeZone }: RenderContext): ElementContent[] {
  const date = startedAt === undefined ? [] : [metaTag('date', formatInstant(startedAt, timeZone, 'minute'))]
  return [
    metaTag('title', title),
    metaTag('project', project),
    ...date,
    // What has no date sorts as the oldest.
    h('meta', { dataPagefindSort: 'date[content]', content: startedAt ?? '0' }),
  ]
}

function metaTag(name: string, content: string): Element {
  return h('meta', { dataPagefindMeta: `${name}[content]`, content })
}
