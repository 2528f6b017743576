/** The last line of defence: what one item throws costs that item and not its page. */

import type { ErrorNode, TrastNode } from '../../transcript/trast.ts'
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
