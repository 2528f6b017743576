/** Links between threads: parents, forks, sub-agents (rollout-format 1.4). */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import type { Neighbours, ThreadLink } from '../model/view.ts'
import { defined } from '../util/defined.ts'

/** A selected thread with the facts of its scan. */
export interface ScannedThread {
  thread: Thread
  facts: ScanFacts
}

/** Parent and fork origin of a thread; the copied history's owner counts where no field names one. */
function edges({ thread, facts }: ScannedThread): { parentId?: string; forkedFromId?: string } {
  const head = thread.segments[0]?.head
  const parentId = head?.parentId
  // 0.136 names the parent of every sub-agent as a fork's origin too, though nothing was copied.
  const fork = head?.forkedFromId ?? facts.inherited?.threadId
  return defined({ parentId, forkedFromId: fork === parentId ? undefined : fork })
}

/** Looks up a thread's link by its id; `undefined` for ids that no file holds. */
export function threadLinks(scanned: readonly ScannedThread[]): (id: string) => ThreadLink | undefined {
  const links = new Map(scanned.map(({ thread, facts }) => [thread.id, { title: facts.title, built: true }]))
  return (id) => links.get(id)
}

/** The neighbours of every thread, by thread id, and a diagnostic for each parent that no file holds. */
export function findNeighbours(
  scanned: readonly ScannedThread[],
  known: ReadonlySet<string>,
): { neighbours: Map<string, Neighbours>; diagnostics: Diagnostic[] } {
  const link = threadLinks(scanned)
  const neighbours = new Map<string, Neighbours>(scanned.map(({ thread }) => [thread.id, { forks: [], agents: [] }]))
  const diagnostics: Diagnostic[] = []
  const named = (threadId: string): NonNullable<Neighbours['parent']> => {
    const found = link(threadId)
    return { threadId, ...defined({ title: found?.title }), built: found !== undefined }
  }
  for (const item of scanned) {
    const { thread, facts } = item
    const { parentId, forkedFromId } = edges(item)
    const own = neighbours.get(thread.id)
    if (own === undefined) continue
    if (parentId !== undefined) {
      own.parent = named(parentId)
      const role = thread.segments[0]?.head.agent
      neighbours
        .get(parentId)
        ?.agents.push({ threadId: thread.id, title: facts.title, ...defined({ role: role?.role ?? role?.name }) })
    }
    if (forkedFromId !== undefined) {
      own.forkedFrom = named(forkedFromId)
      neighbours.get(forkedFromId)?.forks.push({ threadId: thread.id, title: facts.title })
    }
    for (const id of new Set([parentId, forkedFromId])) {
      if (id === undefined || known.has(id)) continue
      diagnostics.push(
        diagnostic('missing-parent', defined({ file: thread.segments[0]?.file.name }), `Its id is \`${id}\`.`),
      )
    }
  }
  return { neighbours, diagnostics }
}
