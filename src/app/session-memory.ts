/** Whether a session gets a page of what the model remembers, and what it is collected by. */
import type { PluggableList } from 'unified'
import type { SiteFormat } from '../config/settings.ts'
import { type CurationPlan, leavesOut } from '../curate/plan.ts'
import type { MemoryFacts } from '../model/memory.ts'
import type { Segment, Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { SessionPage } from '../render/session-page.ts'
import { defined } from '../util/defined.ts'
import { type MemoryCollector, memoryCollector } from './context-collector.ts'
import { prunedFacts } from './pruned-items.ts'

/** What is known of the session. */
export interface SessionMemoryTask {
  thread: Thread
  facts: ScanFacts
  formats: readonly SiteFormat[]
  plan?: CurationPlan
  history?: readonly Segment[]
}

/**
 * The collector of a session's memory. There is none where anything of the session is left out: the page tells of all
 * that the file holds. Words stand in it only where no plugin of the user's own may have taken them out of the tree.
 */
export function sessionMemory(
  { thread, facts, formats, plan, history = [] }: SessionMemoryTask,
  { plugins, redactor }: { plugins: PluggableList; redactor?: Redactor },
): MemoryCollector | undefined {
  if (!formats.includes('html') || (plan !== undefined && leavesOut(plan))) return undefined
  return memoryCollector({
    thread,
    facts,
    history,
    previews: plugins.length === 0,
    ...defined({ show: redactor?.text }),
  })
}

/** What was pruned from a session, told as its memory is. */
export function sessionPruned(
  thread: Thread,
  { spoolDir, plugins, redactor }: { spoolDir: () => string; plugins: PluggableList; redactor?: Redactor },
): Promise<MemoryFacts['pruned']> {
  return prunedFacts(thread, { spoolDir, previews: plugins.length === 0, ...defined({ show: redactor?.text }) })
}

/** What the page of the memory tells; `undefined` where there is none. */
export function withPruned({
  memory,
  pruned,
}: {
  memory?: MemoryCollector
  pruned?: MemoryFacts['pruned']
}): MemoryFacts | undefined {
  const facts = memory?.facts()
  return facts === undefined ? undefined : { ...facts, ...defined({ pruned }) }
}

/** What the session page tells of it. */
export function rememberedBy(memory: MemoryFacts | undefined): Pick<SessionPage, 'remembers' | 'pruned'> {
  const { items = [], more = 0 } = memory?.pruned ?? {}
  return { remembers: memory !== undefined, pruned: items.length + more }
}
