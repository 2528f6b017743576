/** Marks where a thread was taken up again after a pause: nothing in a rollout says so (rollout-format 6.2). */
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import type { Notice, Session, TopContent, Turn } from '../../model/trast.ts'
import { sliceOf } from '../slice.ts'

/** A pause between two turns that is worth a marker, in milliseconds. */
const longPause = 30 * 60 * 1000

/** Puts a `gap` notice between own turns that lie more than half an hour apart. */
export const resumeGaps: Plugin<[], Session> = () => (tree: Session, file: VFile) => {
  const { carry } = sliceOf(file)
  if (tree.children.some(isGap)) return
  const children: TopContent[] = []
  for (const child of tree.children) {
    const turns = ownTurns(child)
    const pause = pauseBefore(turns[0], carry.lastAt)
    if (pause !== undefined && turns[0] !== undefined) children.push(gap(turns[0], pause))
    children.push(child)
    const end = turns.at(-1)?.endedAt
    if (end !== undefined) carry.lastAt = end
  }
  tree.children = children
}

function isGap(node: TopContent): boolean {
  return node.type === 'notice' && node.kind === 'gap'
}

/** The turns that a child of the session is or holds; copied ones keep the time of the copy, not their own. */
function ownTurns(node: TopContent): Turn[] {
  if (node.type === 'turn') return node.data?.continued ? [] : [node]
  if (node.type !== 'group' || node.kind === 'inherited') return []
  return node.children.filter((child) => child.type === 'turn')
}

function pauseBefore(turn: Turn | undefined, lastAt: string | undefined): number | undefined {
  if (turn?.at === undefined || lastAt === undefined) return undefined
  const pause = Date.parse(turn.at) - Date.parse(lastAt)
  return pause > longPause ? pause : undefined
}

function gap(turn: Turn, gapMs: number): Notice {
  return {
    type: 'notice',
    id: `gap-${turn.id}`,
    kind: 'gap',
    facts: { gapMs },
    data: { inferred: ['gapMs'] },
    children: [],
  }
}
