/** What the name of a file tells (rollout-format 1.3). */

import type { RolloutFile } from './rollout.ts'

/** Facts in a file's name; ids in it are hints only. */
export type NameFacts = Pick<RolloutFile, 'compression' | 'format' | 'stamp' | 'nameId' | 'nameRolloutId'>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const stamp = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/** Lists beside the rollouts that have their file ending. */
const lists = new Set(['history.jsonl', 'session_index.jsonl'])

/**
 * Reads a file's base name: `undefined` for what is no rollout. Any `.jsonl` may be one, also under a name that
 * somebody gave it; a `.json` only as `rollout-….json`, in a home also as `<id>.json`, and where the user names the file itself.
 */
export function parseName(base: string, where: 'home' | 'folder' | 'given'): NameFacts | undefined {
  if (lists.has(base) || base.startsWith('.')) return undefined
  const [, stem = '', ending] = base.match(/^(.+?)(\.jsonl\.zst|\.jsonl|\.json)$/) ?? []
  if (ending === undefined) return undefined
  if (ending !== '.json') {
    return { compression: ending.endsWith('.zst') ? 'zstd' : 'none', format: 'lines', ...idsOf(stem) }
  }
  const isSession = where === 'given' || stem.startsWith('rollout-') || (where === 'home' && uuid.test(stem))
  if (!isSession) return undefined
  return { compression: 'none', format: 'document', ...idsOf(stem) }
}

/** `rollout-` + stamp of 19 characters + `-` + thread id + perhaps `_` + rollout id; older names have a bare date. */
function idsOf(stem: string): Pick<NameFacts, 'stamp' | 'nameId' | 'nameRolloutId'> {
  const time = stem.slice(8, 27)
  const stamped = stem.startsWith('rollout-') && stamp.test(time) && stem[27] === '-'
  const rest = stamped ? stem.slice(28) : stem.replace(/^rollout-(?:\d{4}-\d\d-\d\d-)?/, '')
  const [threadId = '', rolloutId = ''] = rest.split('_', 2)
  return {
    ...(stamped ? { stamp: time } : {}),
    ...(uuid.test(threadId) ? { nameId: threadId.toLowerCase() } : {}),
    ...(uuid.test(threadId) && uuid.test(rolloutId) ? { nameRolloutId: rolloutId.toLowerCase() } : {}),
  }
}
