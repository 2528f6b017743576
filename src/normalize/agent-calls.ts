/** Calls that hand work to other threads, and reviews, as a scan meets them (rollout-format 3.7, 4.1). */
import type { Fact } from '../model/facts.ts'
import type { AgentCall } from '../model/summary.ts'
import { defined } from '../util/defined.ts'

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
  told: { threadId?: string | undefined; name?: string | undefined },
): void {
  if (call !== undefined) Object.assign(call, defined({ ...told, ...defined({ threadId: call.threadId }) }))
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The thread id in the output of a call that started an agent: `{"agent_id": …}`. */
export function startedId(body: string): string | undefined {
  const found = /"agent_id"\s*:\s*"([^"]+)"/.exec(body)?.[1]
  return found !== undefined && uuid.test(found) ? found : undefined
}
