/** What rendering one thread needs in addition to its tree. */

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
import { type Engine, referenceEngine } from './prose/engine.ts'

/** The address of a link in a standalone page; `undefined` if it leads to a file that is not in the page. */
export type Relink = (href: string) => string | undefined

/** Settings and facts around the rendered slice; the same for every page of a thread, except `page` and `half`. */
export interface RenderContext extends Partial<Omit<PageSettings, 'timeZone'>>, Pick<PageSettings, 'timeZone'> {
  threadId: string
  /** First sentence of the last answer, which the head of a document shows. */
  subtitle?: string
  /** Looks up another thread by its id. */
  threads: (id: string) => ThreadLink | undefined
  /** Parses the Markdown of prompts and answers. */
  engine: Engine
  /** Colours code in fences, diffs and arguments; without it code is plain. */
  highlight?: Highlight
  /** Draws formulas; without it they stay TeX. */
  drawTex?: DrawTex
  /** Page and anchor at which this thread begins, in the thread that it continues or that started it. */
  origin?: PageAnchor
  /** 1-based page of the thread that shows the slice (default: 1). */
  page?: number
  /**
   * In a session of several pages each slice is rendered twice: as story, in which longer runs of work are links, and as
   * work page, which has everything.
   */
  half?: 'story' | 'work'
  /** The whole text of each output that a page cuts is a file beside the page (default: no). */
  outputFiles?: boolean
  /** Address of a picture in a standalone page, by the asset's name; `undefined` shows a note instead. */
  picture?: (asset: string) => string | undefined
  /** Rewrites the links of a standalone page; `undefined` turns a link into plain text. */
  relink?: Relink
  /** Called for each item that cannot be rendered and is replaced by a line; without it the error is thrown. */
  onFailure?: (node: TrastNode, error: unknown) => void
}

/** What the bridge plugins accept: everything about a thread but its id, each with a default. */
export type BridgeOptions = Partial<Omit<RenderContext, 'threadId'>>

/** The context of a tree that a program renders by itself: times in UTC, and nothing else that is not in the tree. */
export function bridgeContext(threadId: string, options: BridgeOptions): RenderContext {
  return { timeZone: 'UTC', threads: () => undefined, engine: referenceEngine, ...options, threadId }
}

// The last line of defence: an item that throws is lost, but not its page.

/**
 * Renders an item with `render`. If that throws, calls `onFailure` and renders an error node instead of the item. Without
 * `onFailure` the error is passed on to the caller.
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

/** The error node that replaces an item. It does not give the reason, because an error may quote what should be redacted. */
function failedItem({ id, data }: TrastNode): ErrorNode {
  const message = 'This item could not be shown.'
  return { type: 'error', id, message, ...(data?.sources === undefined ? {} : { data: { sources: data.sources } }) }
}

/** Makes an `onFailure` that adds a diagnostic to `found` for each failing item, once even if it fails in several formats. */
export function failures(
  found: Map<string, Diagnostic>,
  { segments }: Thread,
): (node: TrastNode, error: unknown) => void {
  return (node, error) => {
    const source = node.data?.sources?.[0]
    const location = defined({ file: segments[source?.file ?? 0]?.file.name, line: source?.line })
    found.set(node.id, diagnostic('item-failed', location, `Item \`${node.id}\` (${node.type}): ${reasonOf(error)}.`))
  }
}
