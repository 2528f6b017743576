/** Marks the copied history at the head of a fork, and tells of history by reference (rollout-format 1.4). */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { InheritedRange } from '../../model/summary.ts'
import type { Markdown, Notice, Reference, Session } from '../../model/trast.ts'
import { defined } from '../../util/defined.ts'
import { drafts, type Fragment, holds, isFragment, setDrafts } from '../fragment.ts'
import { type BaseHistory, sliceOf } from '../slice.ts'

const noticeId = 'inherited'

/** Sets `data.inherited` on every node whose first record is a copy. The scan found its borders. */
export const lineage: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { inherited, base, threadId } = sliceOf(file)
  const nodes = drafts(tree)
  if (base !== undefined && nodes[0]?.id !== noticeId)
    setDrafts(tree, [baseNotice(base, base.threadId === threadId), ...nodes])
  for (const node of nodes) {
    if (!isFragment(node)) continue
    // A message may tell by itself that it is a copy (1.4, test 3).
    const told = holds(node, 'message') && node.fact.inherited === true
    if (told || (inherited !== undefined && isCopied(node, inherited))) node.data = { ...node.data, inherited: true }
  }
}

function isCopied({ segment, position }: Fragment, { from, to }: InheritedRange): boolean {
  const line = position?.start.line
  return line !== undefined && segment === 0 && line >= from && line < to
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
