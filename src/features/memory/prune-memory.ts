/** The list that a prune edits: everything of a rollout, and what of it is out. */

import { threadIndex } from '../../survey/lineage.ts'
import { defined } from '../../util/own.ts'
import { type FullRollout, openFullRollout } from './edit/full-rollout.ts'
import { sentItem } from './edit/plan.ts'
import type { MaskRecord } from './edit/record.ts'
import { type WorkingMemory, workingMemory } from './edit/working.ts'
import type { MemoryTarget } from './files/target.ts'
import type { ResponseItem } from './history/history.ts'
import { type HistoryOptions, readHistory } from './history/read.ts'

/** What is needed to make the list. */
export interface MemoryInputs {
  target: MemoryTarget
  /** What is known of earlier prunes, newest first. */
  records: readonly MaskRecord[]
  read: HistoryOptions
}

/** The rollout, open for reading, with the list. Close `whole.source`. */
export interface OpenMemory {
  full: FullRollout
  memory: WorkingMemory
}

/**
 * Lays what was taken out before over the whole of a rollout. Where that does not give what Codex remembers now, the
 * rollout counts as it is, and `whole.fault` says so.
 */
export async function openMemory({ target, records, read }: MemoryInputs): Promise<OpenMemory> {
  const index = threadIndex(target.threads)
  const full = await openFullRollout({ ...target, records, spoolDir: read.spoolDir })
  const memory = await overlaid(full, { target, read })
  if (memory !== undefined) return { full, memory }
  full.source.close()
  const plain = await openFullRollout({ ...target, records: [], spoolDir: read.spoolDir })
  const history = await readHistory(plain.thread, index, read)
  const fault = 'Since the last prune, Codex reads the rollout differently from the backup, as after a rollback.'
  return { full: { ...plain, fault }, memory: { history, mask: new Set(), unlisted: [] } }
}

async function overlaid(
  { thread, removed, appended }: FullRollout,
  { target, read }: Pick<MemoryInputs, 'target' | 'read'>,
): Promise<WorkingMemory | undefined> {
  const index = threadIndex(target.threads)
  const memory = workingMemory(await readHistory(thread, index, read), removed)
  // A rollback counts prompts, and the rollout had fewer of them when Codex counted.
  if (memory === undefined || !appended) return memory
  const now = await readHistory(target.thread, index, read)
  const kept = memory.history.items.filter(({ index: number }) => !memory.mask.has(number))
  const sent = kept.map((item) => sentItem({ item, ...defined({ text: item.replaced?.text }) }))
  const found = now.items.map(({ item }) => item)
  if (!sameItems(sent, found)) return undefined
  // What Codex counted since, it counted without what is out.
  const { recorded: _, ...history } = memory.history
  return { ...memory, history: { ...history, ...defined({ recorded: now.recorded }) } }
}

/** Whether two lists hold the same words in the same order. */
export function sameItems(a: readonly ResponseItem[], b: readonly ResponseItem[]): boolean {
  return a.length === b.length && a.every((item, at) => JSON.stringify(item) === JSON.stringify(b[at]))
}
