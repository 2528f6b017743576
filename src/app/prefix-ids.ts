/** Ids of several threads in one document. */
import type { Session } from '../model/trast.ts'
import { walk } from '../model/walk.ts'

/** Puts `prefix` before the id of every node of a slice, in place. */
export function prefixIds(slice: Session, prefix: string): void {
  if (prefix === '') return
  for (const child of slice.children) {
    walk(child, (node) => {
      node.id = prefix + node.id
    })
  }
}
