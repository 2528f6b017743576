/** Calls that hand work to other threads, and reviews (rollout-format 3.7, 4.1): as a scan meets them, and whom they started. */

import type { AgentSource } from '../rollout/discover/rollout.ts'
import type { Fact } from '../rollout/parse/facts.ts'
import { startedId } from '../rollout/parse/result.ts'
import type { AgentCall, ScannedThread } from '../transcript/summary.ts'
import { defined } from '../util/own.ts'
import { edges } from './family.ts'

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

// Which call started which sub-agent.

/** The call in the parent's records that started each sub-agent, by the sub-agent's thread id. */
export function findAgentCalls(scanned: readonly ScannedThread[]): Map<string, AgentCall> {
  const byParent = new Map(scanned.map(({ thread, facts }) => [thread.id, [...(facts.agents ?? [])]]))
  const found = new Map<string, AgentCall>()
  const started = scanned.flatMap((child) => {
    const calls = byParent.get(edges(child.thread, child.facts).parentId ?? '')
    return calls === undefined ? [] : [{ child, calls }]
  })
  for (const find of [byThread, byName, byOrder]) {
    for (const { child, calls } of started) {
      if (found.has(child.thread.id)) continue
      const index = calls.findIndex((call) => find(call, child))
      const [call] = index < 0 ? [] : calls.splice(index, 1)
      if (call !== undefined) found.set(child.thread.id, call)
    }
  }
  return found
}

type Match = (call: AgentCall, child: ScannedThread) => boolean

/** The records of the call name the thread. */
const byThread: Match = ({ threadId }, { thread }) => threadId === thread.id

/** Only the thread names its parent: the task's name is the last part of the agent's path. */
const byName: Match = ({ threadId, name }, { thread }) =>
  threadId === undefined && name !== undefined && name === agentName(thread.segments[0]?.head.agent)

/** Reviews have no name: they are in the parent's order, as the threads are by their start. */
const byOrder: Match = ({ kind, threadId }, { thread }) =>
  threadId === undefined && kind === 'review' && thread.segments[0]?.head.agent?.kind === 'review'

/** Name of an agent: the last part of its path, else its nickname. */
export function agentName(agent: AgentSource | undefined): string | undefined {
  return agent?.path?.split('/').findLast((part) => part !== '') ?? (agent?.kind === 'spawn' ? agent.name : undefined)
}
