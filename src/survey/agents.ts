/** Threads that machines start (rollout-format 1.4): what they are called, and the calls that hand work to them. */

import type { AgentSource } from '../rollout/discover/rollout.ts'
import { asWords } from '../rollout/parse/decode.ts'
import type { Fact } from '../rollout/parse/facts.ts'
import { startedId } from '../rollout/parse/result.ts'
import type { AgentCall } from '../transcript/summary.ts'
import { defined, ownValue } from '../util/own.ts'

/** Threads that Codex starts for itself, as Codex or their work calls them. */
const machines: Readonly<Record<string, string>> = {
  guardian: 'Approval review',
  memory_consolidation: 'Memory consolidation',
}

/** What a thread is called that Codex starts for its own work; nothing for others. */
export function machineName(agent: AgentSource | undefined): string | undefined {
  return agent?.kind === 'other' ? ownValue(machines, agent.name ?? '') : undefined
}

/**
 * What kind of thread it is, for lists: `review`, `sub-agent`, a role, the name of a worker, `by Codex` where the title names the
 * work; nothing for ordinary ones.
 */
export function agentWord(agent: AgentSource | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (agent.kind === 'review') return 'review'
  if (agent.kind === 'compact') return 'compaction'
  if (agent.kind === 'spawn') return agent.role === undefined || agent.role === 'default' ? 'sub-agent' : agent.role
  if (machineName(agent) !== undefined) return 'by Codex'
  // `agent_job:<id>` names a job of its own each time.
  return asWords(agent.name?.split(':')[0] ?? 'worker')
}

/** Name of an agent: the last part of its path, else its nickname. */
export function agentName(agent: AgentSource | undefined): string | undefined {
  return agent?.path?.split('/').findLast((part) => part !== '') ?? (agent?.kind === 'spawn' ? agent.name : undefined)
}

// Calls that hand work to other threads, and reviews (rollout-format 3.7, 4.1): as a scan meets them, and whom they started.

/** A call whose place on a page is not decided yet. */
export type Handover = Omit<AgentCall, 'page' | 'anchor' | 'turn'>

/** Takes facts in order. */
export interface AgentCalls {
  /** Takes a fact; gives the handover that begins with it. Later facts about the same call complete it. */
  take: (fact: Fact) => Handover | undefined
  /** Whether the output of a call may name the thread that it started. */
  awaits: (callId: string) => boolean
}

/** Tracks handovers from the first line on. */
export function agentCalls(): AgentCalls {
  const byCall = new Map<string, Handover>()
  return {
    take: (fact) => take(fact, byCall),
    awaits: (callId) => byCall.get(callId)?.threadId === undefined && byCall.has(callId),
  }
}

function take(fact: Fact, byCall: Map<string, Handover>): Handover | undefined {
  if (fact.kind === 'review') return fact.step === 'entered' ? { kind: 'review' } : undefined
  if (fact.kind === 'output') {
    complete(byCall.get(fact.callId ?? ''), { threadId: startedId(fact.outcome.body) })
    return undefined
  }
  if (fact.kind === 'result') {
    const { result } = fact
    if (result.type !== 'agent' || result.action !== 'spawn') return undefined
    complete(byCall.get(fact.callId ?? ''), { threadId: result.threadIds[0], name: result.name })
    return undefined
  }
  if (fact.kind !== 'call' || fact.action.type !== 'agent' || fact.action.action !== 'spawn') return undefined
  const call: Handover = { kind: 'spawn', ...defined({ callId: fact.callId, name: fact.action.name }) }
  if (fact.callId !== undefined) byCall.set(fact.callId, call)
  return call
}

function complete(
  call: Handover | undefined,
  reported: { threadId?: string | undefined; name?: string | undefined },
): void {
  if (call !== undefined) Object.assign(call, defined({ ...reported, ...defined({ threadId: call.threadId }) }))
}
