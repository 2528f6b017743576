/** The JSON form of a tree: one envelope around the session, statistics last, so that it can be streamed. */

import type { Session } from '../../transcript/trast.ts'

/** Everything before the session's children. */
export function envelopeHead(session: Session, generator: string): string {
  const { children: _children, stats: _stats, ...facts } = session
  const head = JSON.stringify({ schema: 'codex-export/transcript', version: 1, generator, session: facts })
  // Without the two closing braces: children and statistics follow inside the session.
  return `${head.slice(0, -2)},"children":[`
}

/** Everything after the session's children. */
export function envelopeFoot(session: Session): string {
  return `],"stats":${JSON.stringify(session.stats)}}}\n`
}
