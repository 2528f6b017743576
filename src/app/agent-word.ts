/** Words for threads that a machine started. */
import type { AgentSource } from '../model/rollout.ts'

/** What kind of thread it is, for lists: `review`, `sub-agent`, a role, the name of a worker; nothing for ordinary ones. */
export function agentWord(agent: AgentSource | undefined): string | undefined {
  if (agent === undefined) return undefined
  if (agent.kind === 'review') return 'review'
  if (agent.kind === 'compact') return 'compaction'
  if (agent.kind === 'spawn') return agent.role === undefined || agent.role === 'default' ? 'sub-agent' : agent.role
  // `agent_job:<id>` names a job of its own each time.
  return agent.name?.split(':')[0]?.replaceAll('_', ' ') ?? 'worker'
}
