/** What rendering one thread needs to know beside its tree. */

import type { PageSettings } from '../../config/schema.ts'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { ThreadLink } from '../../survey/neighbours.ts'
import type { ErrorNode, TrastNode } from '../../transcript/trast.ts'
import type { PageAnchor } from '../../transcript/urls.ts'
import { defined } from '../../util/own.ts'
import { reasonOf } from '../../util/reason.ts'
import type { DrawTex } from './hast/mathematics.ts'
import type { Highlight } from './highlight.ts'
import type { Engine } from './prose/engine.ts'

/** The address of a link in a page that stands alone; `undefined` where it leads to a file that is not at hand. */
export type Relink = (href: string) => string | undefined

/** Settings and facts around the slice that is rendered; the same for every page of a thread but for `page`. */
export interface RenderContext extends Partial<Omit<PageSettings, 'timeZone'>>, Pick<PageSettings, 'timeZone'> {
  threadId: string
  /** What the last answer says first; the head of a document tells it. */
  subtitle?: string
  /** Looks up another thread by its id. */
  threads: (id: string) => ThreadLink | undefined
  /** Parses the Markdown of prompts and answers. */
  engine: Engine
  /** Colours code in fences, diffs and arguments; without it code is plain. */
  highlight?: Highlight
  /** Draws formulas; without it they stay TeX. */
  drawTex?: DrawTex
  /** Where the session page of the thread that this one continues shows what it continues from. */
  origin?: PageAnchor
  /** 1-based page of the thread that the slice fills (default: 1). */
  page?: number
  /**
   * In a session of several pages each slice has two: one that tells its story, where work that is more than a few rows is
   * a link, and one that holds all of its work.
   */
  half?: 'story' | 'work'
  /** Address of a picture in a page that stands alone, by the asset's name; `undefined` leaves a note in its place. */
  picture?: (asset: string) => string | undefined
  /** Rewrites the links of a page that stands alone; `undefined` makes plain text of a link. */
  relink?: Relink
  /** Hears of items that could not be rendered: a line stands in their place. Without it such an error is thrown. */
  onFailure?: (node: TrastNode, error: unknown) => void
  /** Id of the title below which the thread stands in such a page: its turns are named with it. */
  titleId?: string
}

// The last line of defence: what one item throws costs that item and not its page.

/**
 * Renders an item by `render`. Where that throws, and `context.onFailure` hears of it, a line that says so stands in its
 * place, as an error of the transcript. Without `onFailure` the error goes on to the caller.
 */
export function renderItem<T>(
  node: TrastNode,
  { onFailure }: Pick<RenderContext, 'onFailure'>,
  render: (node: TrastNode) => T,
): T {
  if (onFailure === undefined) return render(node)
  try {
    return render(node)
  } catch (error) {
    onFailure(node, error)
    return render(failedItem(node))
  }
}

/** The reason is for the diagnostic: words of an error may quote what was to be redacted. */
function failedItem({ id, data }: TrastNode): ErrorNode {
  const message = 'This item could not be shown.'
  return { type: 'error', id, message, ...(data?.sources === undefined ? {} : { data: { sources: data.sources } }) }
}

/** Takes the items of a thread that fail into `found` as diagnostics, each once, however many formats it fails in. */
export function failures(
  found: Map<string, Diagnostic>,
  { segments }: Thread,
): (node: TrastNode, error: unknown) => void {
  return (node, error) => {
    const source = node.data?.sources?.[0]
    const place = defined({ file: segments[source?.file ?? 0]?.file.name, line: source?.line })
    found.set(node.id, diagnostic('item-failed', place, `Item \`${node.id}\` (${node.type}): ${reasonOf(error)}.`))
  }
}
