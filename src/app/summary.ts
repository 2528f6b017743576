/** The small record of a built thread that index pages and the cache keep. */

import { costOf } from '../model/cost.ts'
import type { PriceTable } from '../model/prices.ts'
import type { Thread } from '../model/rollout.ts'
import type { ProjectRef, ScanFacts, SessionSummary } from '../model/summary.ts'
import type { Session, Usage } from '../model/trast.ts'
import type { Neighbours } from '../model/view.ts'
import { sumUsage } from '../normalize/usage.ts'
import { defined } from '../util/defined.ts'
import { agentWord } from './agent-word.ts'

/** What a summary is made from, beside the finished session. */
export interface SummaryInput {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  errors: number
  prices: PriceTable | undefined
}

/** Makes the summary of a rendered thread. */
export function summarize(
  session: Session,
  { thread, facts, project, neighbours, errors, prices }: SummaryInput,
): SessionSummary {
  const { lines, turns, messages, commands, edits, usage, commits, pullRequests } = session.stats
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
      cost: prices === undefined ? undefined : costOf(usage, prices),
      commits: commits?.length,
      pullRequests: pullRequests?.length,
      parentId: neighbours.parent?.threadId,
      forkedFromId: neighbours.forkedFrom?.threadId,
      agent: agentWord(thread.segments[0]?.head.agent),
      orphan: neighbours.parent?.built === false ? true : undefined,
    }),
  }
}

function total(usage: Record<string, Usage>): Usage | undefined {
  return Object.values(usage).reduce<Usage | undefined>((sum, item) => sumUsage(sum, item), undefined)
}
