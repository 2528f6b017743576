/** Counts what a page does not show. */
import type { TrastNode } from '../model/trast.ts'

/** Number of nodes below a node that a plugin has hidden; what lies inside a hidden node is not counted again. */
export function hiddenNodes(node: TrastNode): number {
  let count = 0
  const open: TrastNode[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.data?.visibility === 'hidden') count += 1
    else if ('children' in next) open.push(...next.children)
  }
  return count
}
