/** Decodes identity and lineage of a rollout from its first records (rollout-format 2.1, 2.3, 1.4). */

import { defined } from '../../util/own.ts'
import type { AgentSource, Generation, HistoryBase, RolloutFile, SessionHead } from '../discover/rollout.ts'
import type { Git } from '../terms.ts'
import { asArray, asCount, asInstant, asObject, asPath, asRemote, asText, type JsonObject } from './decode.ts'

/** What the name of a file gives if its records do not say it. */
type HeadFile = Pick<RolloutFile, 'name' | 'nameId' | 'nameRolloutId'>

/**
 * Decodes the head from records in file order; for a session document, pass the whole document as the only record. The
 * first session header is the file's own; later ones are copies from ancestors. If there is none, the id comes from the
 * file's name, which is then all that is certain. Never throws.
 */
export function decodeHead(records: unknown[], file: HeadFile): SessionHead {
  const objects = records.map(asObject).filter((record) => record !== undefined)
  const found = findHeader(objects)
  const generation = found?.generation ?? generationOf(objects[0])
  const header = found?.header ?? {}
  const metaId = asText(header['id'])
  const threadId = metaId ?? file.nameId ?? file.name.replace(/\.(?:jsonl|jsonl\.zst|json)$/, '')
  return defined({
    generation,
    threadId,
    idFrom: idFrom(metaId, file),
    startedAt: asInstant(header['timestamp']) ?? asInstant(objects[0]?.['timestamp']),
    cwd: asPath(header['cwd']) ?? laterFolder(objects),
    git: decodeGit(header['git']),
    originator: asText(header['originator']),
    version: asText(header['cli_version']),
    ...decodeSource(header),
    ...decodeLineage(header, threadId),
    modelProvider: asText(header['model_provider']),
  })
}

function idFrom(metaId: string | undefined, file: HeadFile): SessionHead['idFrom'] {
  if (metaId !== undefined) return 'meta'
  return file.nameId === undefined ? 'path' : 'name'
}

/** The fields of the first session header, in any envelope. */
function findHeader(records: JsonObject[]): { generation: Generation; header: JsonObject } | undefined {
  for (const record of records) {
    const generation = generationOf(record)
    const header = headerOf(record, generation)
    if (header !== undefined) return { generation, header }
  }
  return undefined
}

function headerOf(record: JsonObject, generation: Generation): JsonObject | undefined {
  const payload = asObject(record['payload'])
  if (generation === 'G0') return asObject(record['session'])
  if (generation === 'G1t') return record['record_type'] === 'session_meta' ? (payload ?? record) : undefined
  if (generation === 'G1') return isBareHeader(record) ? record : undefined
  return record['type'] === 'session_meta' ? payload : undefined
}

/** The envelope generation that a file's first record shows (rollout-format 2.1). */
function generationOf(record: JsonObject | undefined): Generation {
  if (record === undefined) return 'G2'
  if (asObject(record['session']) !== undefined && Array.isArray(record['items'])) return 'G0'
  if (asObject(record['payload']) !== undefined && typeof record['type'] === 'string') {
    const paginated = asObject(record['payload'])?.['history_mode'] === 'paginated'
    return paginated || record['ordinal'] !== undefined ? 'G3' : 'G2'
  }
  // Bare files also have `state` lines, so only another tag identifies the transitional form.
  const tag = record['record_type']
  return typeof tag === 'string' && tag !== 'state' ? 'G1t' : 'G1'
}

function isBareHeader(record: JsonObject): boolean {
  return asText(record['id']) !== undefined && record['timestamp'] !== undefined && record['type'] === undefined
}

function decodeGit(value: unknown): Git | undefined {
  const git = asObject(value)
  if (git === undefined) return undefined
  const decoded = defined({
    branch: asText(git['branch']),
    commit: asText(git['commit_hash']),
    remote: asRemote(git['repository_url']),
  })
  return Object.keys(decoded).length === 0 ? undefined : decoded
}

/** The kind of client and, for threads that no person started, what started them (rollout-format 1.4). */
function decodeSource(header: JsonObject): { source?: string; agent?: AgentSource; parentId?: string } {
  const text = asText(header['source'])
  const nested = asObject(header['source'])
  const parentId = asText(header['parent_thread_id'])
  const names = {
    name: asText(header['agent_nickname']),
    role: asText(header['agent_role']) ?? asText(header['agent_type']),
    path: asText(header['agent_path']),
  }
  if (nested !== undefined && 'subagent' in nested) {
    const { parentId: spawnedBy, ...agent } = decodeSubagent(nested['subagent'])
    return defined({ source: 'subagent', agent: defined({ ...names, ...agent }), parentId: parentId ?? spawnedBy })
  }
  if (nested !== undefined && 'internal' in nested) {
    const agent: AgentSource = defined({ kind: 'other', name: asText(nested['internal']) })
    return defined({ source: 'internal', agent, parentId })
  }
  const source = text ?? asText(nested?.['custom'])
  const delegated = header['thread_source'] === 'subagent' || parentId !== undefined
  return defined({ source, agent: delegated ? defined({ kind: 'spawn', ...names }) : undefined, parentId })
}

function decodeSubagent(value: unknown): AgentSource & { parentId?: string } {
  const text = asText(value)
  if (text === 'review' || text === 'compact') return { kind: text }
  const spawn = asObject(asObject(value)?.['thread_spawn'])
  if (spawn === undefined) return defined({ kind: 'other', name: text ?? asText(asObject(value)?.['other']) })
  return defined({
    kind: 'spawn',
    name: asText(spawn['agent_nickname']),
    role: asText(spawn['agent_role']) ?? asText(spawn['agent_type']),
    path: asText(spawn['agent_path']),
    depth: asCount(spawn['depth']),
    parentId: asText(spawn['parent_thread_id']),
  })
}

/** Edges to other threads; an edge to the thread itself is omitted. */
function decodeLineage(header: JsonObject, threadId: string): Partial<SessionHead> {
  const other = (value: unknown) => (value === threadId ? undefined : asText(value))
  return defined({
    rootId: other(header['session_id']),
    forkedFromId: other(header['forked_from_id']),
    historyBase: decodeHistoryBase(header['history_base']),
    subagentHistoryStart: asCount(header['subagent_history_start_ordinal']),
  })
}

function decodeHistoryBase(value: unknown): HistoryBase | undefined {
  const base = asObject(value)
  const rolloutId = asText(base?.['thread_id'])
  if (rolloutId === undefined) return undefined
  return defined({
    rolloutId,
    endOrdinal: asCount(base?.['end_ordinal_exclusive']),
    endByte: asCount(base?.['end_byte_offset']),
  })
}

/** The working folder for a header that names none, from the records after it: a turn's settings or an injected message. */
function laterFolder(records: JsonObject[]): string | undefined {
  for (const record of records) {
    const settings = record['type'] === 'turn_context' ? asObject(record['payload']) : undefined
    const folder = asPath(settings?.['cwd']) ?? folderInMessage(asObject(record['payload']) ?? record)
    if (folder !== undefined) return folder
  }
  return undefined
}

/** `<cwd>` of an `<environment_context>` message (rollout-format 2.3). */
function folderInMessage(item: JsonObject): string | undefined {
  if (item['type'] !== 'message' || item['role'] !== 'user') return undefined
  for (const part of asArray(item['content'])) {
    const text = asText(asObject(part)?.['text'])
    if (text === undefined || !text.trimStart().startsWith('<environment_context>')) continue
    return asPath(text.match(/<cwd>([^<\n]+)<\/cwd>/)?.[1]?.trim())
  }
  return undefined
}
