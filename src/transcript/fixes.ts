/** Which failed commands of a turn came right later on, and which were left standing. */

import { taskOf } from '../rollout/shell/program.ts'
import { oncePer } from '../util/own.ts'
import type { Command, TrastNode } from './trast.ts'
import { walk } from './view.ts'

/** What became of the failed commands among some items. */
export interface Failures {
  /** For each command that came right, by its id, the first later one that did the same task and worked. */
  fixes: ReadonlyMap<string, Command>
  /** Commands that nothing put right, in order. */
  left: readonly Command[]
}

/**
 * What became of the failed commands among the finished items of a turn, or of what stands before the first one. Several
 * views of a turn ask for the same, and to read a script costs more than to draw it.
 */
export const failuresAmong: (items: readonly TrastNode[]) => Failures = oncePer(findFailures)

function findFailures(items: readonly TrastNode[]): Failures {
  const failed: Command[] = []
  const fixes = new Map<string, Command>()
  /** Ids of failed commands that nothing has put right yet, by task. */
  const open = new Map<string, string[]>()
  const see = (node: Command): void => {
    if (node.status === 'failed') failed.push(node)
    // Most turns have no failure, and need read no script.
    else if (open.size === 0) return
    const task = taskOf(node)
    if (task === undefined) return
    const ids = open.get(task) ?? []
    if (node.status === 'failed') {
      ids.push(node.id)
      open.set(task, ids)
    } else if (node.status === 'completed' && node.outcome === undefined) {
      for (const id of ids) fixes.set(id, node)
      open.delete(task)
    }
  }
  const enter = (node: TrastNode): boolean => {
    if (node.data?.visibility === 'hidden' || node.data?.inherited === true) return false
    if (node.type !== 'command') return true
    see(node)
    return false
  }
  for (const item of items) walk(item, enter)
  return { fixes, left: failed.filter(({ id }) => !fixes.has(id)) }
}
