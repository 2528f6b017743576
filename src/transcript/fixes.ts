/** Which failed commands of a turn came right later on. */

import { taskOf } from '../rollout/shell/task.ts'
import type { Command, TrastNode } from './trast.ts'
import { walk } from './walk.ts'

/**
 * For each failed command among items in order, by its id, the first later command that did the same task and worked.
 * A failure that is not in the result was left standing.
 */
export function fixesOf(items: readonly TrastNode[]): ReadonlyMap<string, Command> {
  const fixes = new Map<string, Command>()
  /** Ids of failed commands that nothing has put right yet, by task. */
  const open = new Map<string, string[]>()
  const see = (node: Command): void => {
    // Most turns have no failure, and to read a script costs more than to draw it.
    if (node.status !== 'failed' && open.size === 0) return
    const task = taskOf(node)
    if (task === undefined) return
    const failed = open.get(task) ?? []
    if (node.status === 'failed') {
      failed.push(node.id)
      open.set(task, failed)
    } else if (node.status === 'completed' && node.outcome === undefined) {
      for (const id of failed) fixes.set(id, node)
      open.delete(task)
    }
  }
  const enter = (node: TrastNode): boolean => {
    if (node.data?.visibility === 'hidden') return false
    if (node.type !== 'command') return true
    see(node)
    return false
  }
  for (const item of items) walk(item, enter)
  return fixes
}
