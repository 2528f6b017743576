/** Which call started which sub-agent (rollout-format 4.1). */
import type { AgentCall, ScannedThread } from '../model/summary.ts'
import { edges } from './family.ts'
import { agentName } from './scan.ts'

/** The call in the parent's records that started each sub-agent, by the sub-agent's thread id. */
export function findAgentCalls(scanned: readonly ScannedThread[]): Map<string, AgentCall> {
  const byParent = new Map(scanned.map(({ thread, facts }) => [thread.id, [...(facts.agents ?? [])]]))
  const found = new Map<string, AgentCall>()
  for (const find of [byThread, byName, byOrder]) {
    for (const child of scanned) {
      const calls = byParent.get(edges(child.thread, child.facts).parentId ?? '')
      if (calls === undefined || found.has(child.thread.id)) continue
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
