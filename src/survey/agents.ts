/** Threads that are started by machines (rollout-format 1.4): their names, and the calls that hand work to them. */

import type { AgentSource } from '../rollout/discover/rollout.ts'
import { asWords } from '../rollout/parse/decode.ts'
import type { Fact } from '../rollout/parse/facts.ts'
import { startedId } from '../rollout/parse/result.ts'
import type { AgentCall } from '../transcript/summary.ts'
import { defined, ownValue } from '../util/own.ts'

/** Names of the threads that Codex starts for itself, by the name that their head records. */
const machines: Readonly<Record<string, string>> = {
  guardian: 'Approval review',
  memory_consolidation: 'Memory consolidation',
}

/** The name of a thread that Codex starts for its own work; `undefined` for other threads. */
export function machineName(agent: AgentSource | undefined): string | undefined {
  return agent?.kind === 'other' ? ownValue(machines, agent.name ?? '') : undefined
}

/**
 * The kind of a thread, for lists: `review`, `sub-agent`, a role, the name of a worker, or `by Codex` if the title already names
 * the work; `undefined` for ordinary threads.
 */
export function agentWord(agent: AgentSource | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (agent.kind === 'review') return 'review'
  if (agent.kind === 'compact') return 'compaction'
  if (agent.kind === 'spawn') return agent.role === undefined || agent.role === 'default' ? 'sub-agent' : agent.role
  if (machineName(agent) !== undefined) return 'by Codex'
  // The part after the colon in `agent_job:<id>` differs for each job.
  return asWords(agent.name?.split(':')[0] ?? 'worker')
}

/** Name of an agent: the last part of its path, or else its nickname. */
export function agentName(agent: AgentSource | undefined): string | undefined {
  return agent?.path?.split('/').findLast((part) => part !== '') ?? (agent?.kind === 'spawn' ? agent.name : undefined)
}

// Calls that hand work to other threads, and reviews (rollout-format 3.7, 4.1): found by the scan, with the threads that they
// started.

/** A call whose position on a page is not decided yet. */
export type Handover = Omit<AgentCall, 'page' | 'anchor' | 'turn'>

/** Follows the facts of a thread in order. */
export interface AgentCalls {
  /** Takes a fact, and returns the handover that begins with it. Later facts about the same call complete that object. */
  take: (fact: Fact) => Handover | undefined
  /** Whether the output of a call may name the thread that the call started. */
  awaits: (callId: string) => boolean
}

/** Makes a tracker, to be used from the first line on. */
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
