/** What stands in a tree for a person's decisions: lines where turns or items were left out, and a note. */
import type { Group, Notice, TrastNode } from '../model/trast.ts'
import { formatAmount } from '../util/time.ts'

/** A run of neighbours that are left out. */
export interface Gap {
  /** Anchor of the first of them. */
  id: string
  /** Turns, else items. */
  turns: boolean
  count: number
  /** The first goes on from the page before, which tells of it. */
  continued: boolean
}

/** `2 turns were left out`, under the anchor of the first. */
export function turnMark({ id, count, continued }: Gap): Group {
  const rest = continued && count === 1
  return mark(id, rest ? 'The rest of a turn was left out' : wereLeftOut(count, 'turn'))
}

/** The same for items of a turn. */
export function itemMark({ id, count }: Gap): Group {
  return mark(id, wereLeftOut(count, 'item'))
}

/** What the curator has to say about the session. */
export function noteMark(value: string): Notice {
  const children: Notice['children'] = [{ type: 'markdown', id: 'note.1', value }]
  return { type: 'notice', id: 'note', kind: 'note', data: { sources: [] }, children }
}

/** Whether a node is such a line. */
export function isMark(node: TrastNode): boolean {
  return node.type === 'group' && node.kind === 'omitted' && node.children.length === 0
}

function wereLeftOut(count: number, what: string): string {
  return `${formatAmount(count, what)} ${count === 1 ? 'was' : 'were'} left out`
}

function mark(id: string, label: string): Group {
  return { type: 'group', id, kind: 'omitted', label, data: { sources: [] }, children: [] }
}
