/** A pruned copy as a thread of its own, in the form in which Codex writes a fork (rollout-format 1.4). */
import { asObject, asString, type JsonObject } from '../../parse/decode.ts'

/** A thread that is to be. */
export interface NewThread {
  /** UUIDv7. */
  id: string
  /** The thread of which it is a copy. */
  parentId: string
  /** When it begins, in milliseconds since the epoch. */
  at: number
}

/** The head of a copy. */
export interface ForkHead {
  /** One line, with its end. */
  line: string
  /** Whether the head of the parent stays behind it, as in a legacy fork; in a paginated file it would take an ordinal twice. */
  keepsParentHead: boolean
}

/** What makes a session one of an agent, or attaches it to another: a copy that somebody goes on with is neither. */
const ofAgents: ReadonlySet<string> = new Set([
  'parent_thread_id',
  'agent_nickname',
  'agent_role',
  'agent_type',
  'agent_path',
  'subagent_history_start_ordinal',
  'attached_thread',
])

/** The head of the copy of a rollout that begins with this record; `undefined` where that is no head with an envelope. */
export function forkHead(record: JsonObject, { id, parentId, at }: NewThread): ForkHead | undefined {
  const payload = asObject(record['payload'])
  if (record['type'] !== 'session_meta' || payload === undefined) return undefined
  const timestamp = new Date(at).toISOString()
  const kept = Object.entries(payload).filter(([key]) => !ofAgents.has(key))
  const {
    id: _id,
    forked_from_id: _parent,
    session_id: session,
    forked_from_ordinal_exclusive: ordinal,
    ...rest
  } = Object.fromEntries(kept)
  const source = asString(rest['source'])
  const own = {
    ...(session === undefined ? {} : { session_id: id }),
    id,
    forked_from_id: parentId,
    // It says where a history by reference ends.
    ...(rest['history_base'] === undefined || ordinal === undefined ? {} : { forked_from_ordinal_exclusive: ordinal }),
    ...rest,
    timestamp,
    ...(rest['source'] === undefined ? {} : { source: source ?? 'cli' }),
    ...(rest['thread_source'] === undefined ? {} : { thread_source: 'user' }),
  }
  const line = `${JSON.stringify({ ...record, timestamp, payload: own })}\n`
  return { line, keepsParentHead: payload['history_mode'] !== 'paginated' }
}

/** Where Codex keeps the rollout of a thread, below its home: by the local time at which the thread began. */
export function rolloutPlace({ id, at }: Pick<NewThread, 'id' | 'at'>): string[] {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [year, month, day] = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())]
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')
  return ['sessions', year, month, day, `rollout-${year}-${month}-${day}T${clock}-${id}.jsonl`]
}
