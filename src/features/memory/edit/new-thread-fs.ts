/** Writes a pruned copy of a rollout as a new thread of its home. */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { asObject, asString, type JsonObject } from '../../../rollout/parse/decode.ts'
import { readLines } from '../../../rollout/read/lines.ts'
import type { ByteSource } from '../../../rollout/read/source.ts'
import { parseLine } from '../../../rollout/read/value.ts'
import { uuidAt } from '../../../util/uuid-time.ts'
import { homeOf } from '../files/rollout-home.ts'
import { type PruneOutput, writeCopy } from '../prune-write.ts'
import type { Edit } from './spans.ts'

/** A thread that was written. */
export interface WrittenThread {
  threadId: string
  /** Absolute path of its rollout. */
  output: string
  /** Absolute path of its Codex home. */
  home: string
}

/**
 * Writes the copy beside the other sessions of its home; the session itself stays as it is. Throws `UsageError` where
 * the rollout lies in no home, or begins with a head that no fork can have.
 */
export async function writeThread(work: PruneOutput, now: number): Promise<WrittenThread> {
  const { target, full } = work
  const home = homeOf(target.live.file)
  if (home === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` is not in a Codex home, so no new thread can be put beside it; \`--output FILE\` writes a copy.`,
    )
  const thread = { id: uuidAt(now, randomBytes(10)), parentId: target.thread.id, at: now }
  const first = firstLine(full.source)
  const head = forkHead(first.record, thread)
  if (head === undefined)
    throw new UsageError(
      `\`${target.live.file.name}\` is of a Codex before 0.32; no later one goes on with a copy of it.`,
    )
  const own: Edit = { start: 0, end: head.keepsParentHead ? 0 : first.end, insert: Buffer.from(head.line) }
  const output = join(home, ...rolloutPlace(thread))
  mkdirSync(dirname(output), { recursive: true })
  await writeCopy(output, { ...work, cuts: [own, ...work.cuts] })
  return { threadId: thread.id, output, home }
}

/** The record of the first line, and where the next line begins. */
function firstLine(source: ByteSource): { record: Readonly<Record<string, unknown>>; end: number } {
  let first = { record: {}, end: 0 }
  readLines(source, (line) => {
    first = { record: asObject(parseLine(line).values[0]) ?? {}, end: line.byteOffset + line.byteLength + 1 }
    return false
  })
  return first
}

// A pruned copy as a thread of its own, in the form in which Codex writes a fork (rollout-format 1.4).

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
function forkHead(record: JsonObject, { id, parentId, at }: NewThread): ForkHead | undefined {
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
function rolloutPlace({ id, at }: Pick<NewThread, 'id' | 'at'>): string[] {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [year, month, day] = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())]
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')
  return ['sessions', year, month, day, `rollout-${year}-${month}-${day}T${clock}-${id}.jsonl`]
}
