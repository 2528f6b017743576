/** The sub-agents of a thread, at every level. */
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts, ScannedThread } from '../model/summary.ts'
import { edges } from './family.ts'

/**
 * A thread followed by its sub-agents, each behind the thread that started it, by their start, and each once: files may
 * name each other in circles. `scan` gives nothing for a thread that cannot be read.
 */
export async function withSubAgents(
  first: ScannedThread,
  threads: readonly Thread[],
  scan: (thread: Thread) => Promise<ScanFacts | undefined>,
): Promise<ScannedThread[]> {
  const children = candidates(threads)
  const family: ScannedThread[] = []
  const seen = new Set<string>()
  const add = async (member: ScannedThread): Promise<void> => {
    seen.add(member.thread.id)
    family.push(member)
    for (const thread of children.get(member.thread.id) ?? []) {
      if (seen.has(thread.id)) continue
      const facts = await scan(thread)
      if (facts !== undefined && edges(thread, facts).parentId === member.thread.id) await add({ thread, facts })
    }
  }
  await add(first)
  return family
}

function candidates(threads: readonly Thread[]): Map<string, Thread[]> {
  const children = new Map<string, Thread[]>()
  for (const thread of threads) {
    const parent = mayBelongTo(thread)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [thread])
    else siblings.push(thread)
  }
  return children
}

/** Parent of a thread as far as its head alone tells; a scan decides. */
function mayBelongTo({ segments }: Thread): string | undefined {
  const head = segments[0]?.head
  return head?.parentId ?? (head?.agent === undefined ? undefined : head.forkedFromId)
}
