/** Leaves out of a tree what is not to be published, and folds what is to be folded. */
import type { Plugin } from 'unified'
import type { Selection } from '../model/selection.ts'
import type { Session, Source, TrastNode } from '../model/trast.ts'
import { walk } from '../model/walk.ts'
import { countOwn } from '../util/own.ts'
import { excludedBy } from './excluded.ts'
import { kindOf, shownAs } from './kinds.ts'
import { type Gap, isMark, itemMark, noteMark, turnMark } from './marks.ts'
import type { CurationPlan } from './plan.ts'
import { trim } from './trim.ts'

/** What the plugin needs and tells. */
export interface CurateOptions {
  plan: CurationPlan
  /** Rollout ids of the thread's segments. */
  rollouts: readonly string[]
  /** Counts what was left out by kind; inherited nodes do not count. */
  tally: Record<string, number>
  /** Takes the selections that left something out. */
  used?: Set<Selection>
  /** Hears of each record behind a node that is gone. */
  gone: (source: Source) => void
}

/** Applies a plan to the slices of a thread, in order. A second time changes nothing. */
export const curate: Plugin<[CurateOptions], Session> = (options: CurateOptions) => {
  let note = options.plan.note
  return (tree: Session) => {
    keepChildren(tree, options)
    if (note !== undefined) tree.children.unshift(noteMark(note))
    note = undefined
  }
}

/** A node with children, whatever they may be. */
type Room = TrastNode & { children: TrastNode[] }

function keepChildren(room: Room, options: CurateOptions): void {
  const kept: TrastNode[] = []
  let gap: Gap | undefined
  const close = (): void => {
    const mark = gap === undefined ? undefined : markIn(room, gap)
    if (mark !== undefined) kept.push(mark)
    gap = undefined
  }
  for (const child of room.children) {
    const by = excludedBy(child, options.plan.exclude, options.rollouts)
    if (by.length > 0) {
      for (const selection of by) options.used?.add(selection)
      gap = widen(gap, child)
      leave(child, child.type === 'turn' ? 'turns' : 'items', options)
    } else {
      const rest = keepOne(child, room, options)
      if (rest.length > 0) close()
      kept.push(...rest)
    }
  }
  close()
  room.children = kept
  if (room.type === 'turn') forgetError(room, options)
}

/** The node, trimmed; what stands for it; or nothing. */
function keepOne(node: TrastNode, room: TrastNode, options: CurateOptions): TrastNode[] {
  const { plan, tally } = options
  const shown = shownAs(node, room, plan.visibility)
  if (shown === 'omit') {
    const kind = kindOf(node, room) ?? 'items'
    const work = workIn(node)
    leave(node, kind, options, work)
    return work.flatMap((child) => keepOne(child, room, options))
  }
  if (shown === 'fold' && node.data?.visibility !== 'hidden') node.data = { ...node.data, visibility: 'collapsed' }
  if (trim(node, plan.visibility) && !node.data?.inherited) countOwn(tally, 'toolArguments')
  if (!hasChildren(node)) return [node]
  if (plan.withoutInherited && node.type === 'group' && node.kind === 'inherited') {
    for (const child of node.children) leave(child, 'items', options)
    node.children = []
    return [node]
  }
  const before = node.children.length
  keepChildren(node, options)
  // A group is nothing by itself.
  const isEmptied = node.type === 'group' && before > 0 && node.children.length === 0
  return isEmptied ? [] : [node]
}

function hasChildren(node: TrastNode): node is Room {
  return 'children' in node
}

/** What a tool gave back. */
const results = new Set<TrastNode['type']>(['output', 'text', 'markdown', 'image', 'reference'])

/** Items that a script of a tool did: they stand for themselves. */
function workIn(node: TrastNode): TrastNode[] {
  if (node.type !== 'toolCall') return []
  return node.children.filter((child) => !results.has(child.type))
}

/** Counts a node that is left out, and the records behind it and all below it but for those that are spared. */
function leave(node: TrastNode, kind: string, { tally, gone }: CurateOptions, spared: readonly TrastNode[] = []): void {
  if (!node.data?.inherited && !node.data?.continued) countOwn(tally, kind)
  walk(node, (inner) => {
    if (spared.includes(inner)) return false
    for (const source of inner.data?.sources ?? []) gone(source)
    return undefined
  })
}

function widen(gap: Gap | undefined, node: TrastNode): Gap {
  const isTurn = node.type === 'turn'
  if (gap !== undefined && gap.turns === isTurn) return { ...gap, count: gap.count + 1 }
  return { id: node.id, turns: isTurn, count: 1, continued: node.data?.continued === true }
}

/** One line where turns or items were; parts of items leave none. */
function markIn(room: Room, gap: Gap): TrastNode | undefined {
  if (gap.turns) return turnMark(gap)
  return room.type === 'turn' || room.type === 'preamble' ? itemMark(gap) : undefined
}

/** The turn tells its error once more. */
function forgetError(turn: Extract<TrastNode, { type: 'turn' }>, { plan }: CurateOptions): void {
  const { error, children } = turn
  if (error === undefined || plan.exclude.length === 0) return
  const told = children.some((child) => child.type === 'error' && child.message === error)
  if (!told && children.some(isMark)) delete turn.error
}
