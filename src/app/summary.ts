/** The small record of a built thread that index pages and the cache keep. */

import type { Thread } from '../model/rollout.ts'
import type { ProjectRef, ScanFacts, SessionSummary } from '../model/summary.ts'
import type { Session, Usage } from '../model/trast.ts'
import type { Neighbours } from '../model/view.ts'
import { sumUsage } from '../normalize/usage.ts'
import { defined } from '../util/defined.ts'

/** What a summary is made from, beside the finished session. */
export interface SummaryInput {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  errors: number
}

/** Makes the summary of a rendered thread. */
export function summarize(
  session: Session,
  { thread, facts, project, neighbours, errors }: SummaryInput,
): SessionSummary {
  const { lines, turns, messages, commands, edits, usage } = session.stats
  const agent = thread.segments[0]?.head.agent
  return {
    threadId: session.threadId,
    title: session.title,
    archived: session.archived,
    status: session.status,
    project,
    models: session.models,
    turns,
    messages,
    commands,
    edits,
    errors,
    pages: Math.max(1, facts.pages.length),
    lines,
    ...defined({
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      branch: session.git?.branch,
      cwd: session.cwd,
      version: session.client.version,
      originator: session.client.originator,
      firstPrompt: facts.firstPrompt,
      usage: total(usage),
      parentId: neighbours.parent?.threadId,
      forkedFromId: neighbours.forkedFrom?.threadId,
      agent: agent === undefined ? undefined : (agent.role ?? agent.name ?? agent.kind),
    }),
  }
}

function total(usage: Record<string, Usage>): Usage | undefined {
  return Object.values(usage).reduce<Usage | undefined>((sum, item) => sumUsage(sum, item), undefined)
}
