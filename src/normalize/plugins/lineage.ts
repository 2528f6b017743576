/** Marks the copied history at the head of a fork (rollout-format 1.4). The scan found its borders. */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Session } from '../../model/trast.ts'
import { drafts } from '../fragment.ts'
import { sliceOf } from '../slice.ts'

/** Sets `data.inherited` on every node whose first record is a copy. */
export const lineage: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { inherited } = sliceOf(file)
  if (inherited === undefined) return
  for (const node of drafts(tree)) {
    const line = node.position?.start.line
    if (line === undefined || (node.data?.sources?.[0]?.file ?? 0) !== 0) continue
    if (line >= inherited.from && line < inherited.to) node.data = { ...node.data, inherited: true }
  }
}
