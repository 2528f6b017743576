/** The page of what the model remembers of a session, collected while the session is rendered. */
import { leavesOut } from '../curate/plan.ts'
import type { MemoryFacts } from '../model/memory.ts'
import { contextPage } from '../model/urls.ts'
import { contextView } from '../render/context-page.ts'
import { defined } from '../util/defined.ts'
import { memoryCollector } from './context-collector.ts'
import type { PageCollector } from './features.ts'
import { prunedFacts } from './pruned-items.ts'
import type { SessionTask, SessionTools } from './session-work.ts'

/**
 * The collector of a session's memory. There is none where anything of the session is left out: the page tells of all
 * that the file holds. Words stand in it only where no plugin of the user's own may have taken them out of the tree.
 */
export function sessionMemory(
  { thread, facts, formats, plan, history = [], project, site }: SessionTask,
  { plugins, redactor, spoolDir, templates }: SessionTools,
): PageCollector | undefined {
  if (!formats.includes('html') || (plan !== undefined && leavesOut(plan))) return undefined
  const words = { previews: plugins.length === 0, ...defined({ show: redactor?.text }) }
  const collector = memoryCollector({ thread, facts, history, ...words })
  return {
    ...collector,
    async finish(session) {
      const pruned = await prunedFacts(thread, { spoolDir, ...words })
      const collected = collector.facts()
      if (collected === undefined) return { remembers: false, pruned: 0 }
      const memory: MemoryFacts = { ...collected, ...defined({ pruned }) }
      const view = contextView({ session, memory, project, site })
      return {
        remembers: true,
        pruned: pruned === undefined ? 0 : pruned.items.length + pruned.more,
        file: { path: contextPage(session.threadId), content: templates.context(view) },
      }
    },
  }
}
