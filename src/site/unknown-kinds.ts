/** Record kinds that this version does not know, told once for all sessions. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { LineCounts } from '../transcript/trast.ts'

/** What is needed of a session. */
export interface KindCounts {
  lines: Pick<LineCounts, 'unknown'>
  /** Codex version in the session's head. */
  version?: string
  /** Site-safe name of the rollout. */
  file?: string
}

interface Seen {
  count: number
  versions: Set<string>
  file: string | undefined
}

/** A kind is a word; what is longer is no kind and would only fill the screen. */
const longest = 80

/** One `unknown-kind` diagnostic a kind, in alphabetical order, at the first session that has it. */
export function unknownKinds(sessions: Iterable<KindCounts>): Diagnostic[] {
  const kinds = new Map<string, Seen>()
  for (const { lines, version, file } of sessions) {
    for (const [kind, count] of Object.entries(lines.unknown)) {
      const seen = kinds.get(kind) ?? { count: 0, versions: new Set(), file }
      seen.count += count
      if (version !== undefined) seen.versions.add(version)
      kinds.set(kind, seen)
    }
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, seen]) => notice(kind, seen))
}

function notice(kind: string, { count, versions, file }: Seen): Diagnostic {
  const name = kind.length > longest ? `${kind.slice(0, longest)}…` : kind
  const writers = [...versions].sort().join(', ')
  const lines = count === 1 ? '1 line' : `${count} lines`
  return diagnostic(
    'unknown-kind',
    file === undefined ? {} : { file },
    `\`${name}\`: ${lines}, ${writers === '' ? 'of an unknown version of Codex' : `written by Codex ${writers}`}. ` +
      'Please report it in the issue tracker of codex-export; `codex-export scrub <file>` makes a copy of the session ' +
      'without its words that you can attach.',
  )
}
