/** The last line of defence: what one item throws costs that item and not its page. */

import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import type { Thread } from '../../rollout/discover/rollout.ts'
import type { ErrorNode, TrastNode } from '../../transcript/trast.ts'
import { defined } from '../../util/own.ts'
import { reasonOf } from '../../util/reason.ts'
import type { RenderContext } from './context.ts'

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
