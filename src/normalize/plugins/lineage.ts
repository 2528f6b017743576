/** Marks the copied history at the head of a fork, and tells of history by reference (rollout-format 1.4). */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Markdown, Notice, Reference, Session } from '../../model/trast.ts'
import { defined } from '../../util/defined.ts'
import { drafts, isFragment, setDrafts } from '../fragment.ts'
import { type BaseHistory, sliceOf } from '../slice.ts'

const noticeId = 'inherited'

/** Sets `data.inherited` on every node whose first record is a copy. The scan found its borders. */
export const lineage: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { inherited, base, threadId } = sliceOf(file)
  const nodes = drafts(tree)
  if (base !== undefined && nodes[0]?.id !== noticeId)
    setDrafts(tree, [baseNotice(base, base.threadId === threadId), ...nodes])
  if (inherited === undefined) return
  for (const node of nodes) {
    const line = node.position?.start.line
    if (line === undefined || !isFragment(node) || node.segment !== 0) continue
    if (line >= inherited.from && line < inherited.to) node.data = { ...node.data, inherited: true }
  }
}

/** Stands where the inherited history would: the tree repeats nothing of it. */
function baseNotice({ threadId, title, turns, missing }: BaseHistory, own: boolean): Notice {
  const link: Reference = {
    type: 'reference',
    id: `${noticeId}.1`,
    kind: 'session',
    target: threadId,
    ...defined({ label: title }),
  }
  const whole = own ? 'An older file of this session was not found' : 'Not all of it was found'
  const gap: Markdown = { type: 'markdown', id: `${noticeId}.2`, value: `${whole}: what was said there is missing.` }
  return {
    type: 'notice',
    id: noticeId,
    kind: 'inherited',
    ...(turns === undefined ? {} : { facts: { count: turns } }),
    data: { sources: [] },
    children: [...(own ? [] : [link]), ...(missing ? [gap] : [])],
  }
}
