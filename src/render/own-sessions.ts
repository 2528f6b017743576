/** Which sessions stand for themselves. */
import type { SessionSummary } from '../model/summary.ts'

/** Sessions but for sub-agents, which are found on the page of the session that started them. */
export function ownSessions(sessions: readonly SessionSummary[]): SessionSummary[] {
  const ids = new Set(sessions.map(({ threadId }) => threadId))
  return sessions.filter(({ agent, parentId }) => agent === undefined || parentId === undefined || !ids.has(parentId))
}
