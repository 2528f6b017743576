/** The small record of a built thread that index pages and the cache keep. */

import type { PriceTable } from '../../config/prices.ts'
import { homeLabel, type Thread } from '../../rollout/discover/rollout.ts'
import { agentWord } from '../../survey/agents.ts'
import type { Neighbours } from '../../survey/neighbours.ts'
import { costOf } from '../../transcript/cost.ts'
import { allTurns } from '../../transcript/stats.ts'
import type { ProjectRef, ScanFacts, SessionSummary } from '../../transcript/summary.ts'
import type { Session, Usage } from '../../transcript/trast.ts'
import { sumUsage } from '../../transcript/usage.ts'
import { defined } from '../../util/own.ts'

/** What a summary is made from, besides the finished session. */
export interface SummaryInput {
  thread: Thread
  facts: ScanFacts
  project: ProjectRef
  neighbours: Neighbours
  errors: number
  failuresLeft: number
  activeMs: number | undefined
  prices: PriceTable | undefined
}

/** Makes the summary of a rendered thread. */
export function summarize(
  session: Session,
  { thread, facts, project, neighbours, errors, failuresLeft, activeMs, prices }: SummaryInput,
): SessionSummary {
  const { lines, messages, commands, edits, usage, commits, pullRequests } = session.stats
  return {
    threadId: session.threadId,
    title: session.title,
    archived: session.archived,
    status: session.status,
    project,
    models: session.models,
    turns: allTurns(session.stats),
    messages,
    commands,
    failuresLeft,
    edits,
    errors,
    pages: Math.max(1, facts.pages.length),
    lines,
    ...defined({
      startedAt: session.startedAt,
      endedAt: session.endedAt,
      activeMs,
      label: homeLabel(thread),
      star: facts.star,
      tags: facts.tags,
      branch: session.git?.branch,
      cwd: session.cwd,
      version: session.client.version,
      originator: session.client.originator,
      firstPrompt: facts.firstPrompt ?? (facts.requests === undefined ? undefined : facts.outline[0]?.text),
      subtitle: facts.subtitle,
      usage: total(usage),
      cost: prices === undefined ? undefined : costOf(usage, prices),
      commits: commits?.length,
      pullRequests: pullRequests?.length,
      parentId: neighbours.parent?.threadId,
      forkedFromId: neighbours.forkedFrom?.threadId,
      agent: agentWord(thread.segments[0]?.head.agent),
      parentMissing: neighbours.parent?.built === false ? true : undefined,
    }),
  }
}

function total(usage: Record<string, Usage>): Usage | undefined {
  return Object.values(usage).reduce<Usage | undefined>((sum, item) => sumUsage(sum, item), undefined)
}
