/** Turns one parsed JSON value into an entry, judged by its own shape (rollout-format 2.1). Total: never throws. */

import { defined, ownValue, withDefined } from '../../util/own.ts'
import type { Source } from '../terms.ts'
import {
  asArray,
  asCount,
  asInstant,
  asObject,
  asString,
  asText,
  type JsonObject,
  takeOutOfBoundsCount,
} from './decode.ts'
import { eventMsg } from './event-msg.ts'
import type { Entry, Fact, Part } from './facts.ts'
import { isResponseItem, responseItem } from './response-item.ts'
import { turnContext } from './settings.ts'
import { tokenRecord } from './tokens.ts'

/** Where a record is, before its kind is known. */
export type SourceRef = Omit<Source, 'kind'>
type Found = Fact | 'skip' | undefined

/** Top-level lines that only feed counters (rollout-format 3.1). */
const counted = new Set(['world_state', 'retained_context', 'security_risk_score', 'dynamic_tools_updated', 'state'])

const topLevel: Readonly<Record<string, (payload: JsonObject, metadata: JsonObject | undefined) => Found>> = {
  session_meta: sessionMeta,
  response_item: responseItem,
  event_msg: eventMsg,
  turn_context: turnContext,
  compacted: (payload) => ({ kind: 'compaction', from: 'line', ...defined({ summary: asText(payload['message']) }) }),
  token_usage_record: tokenRecord,
  inter_agent_communication: (payload) => ({
    kind: 'agentMessage',
    ...defined({
      author: asText(payload['author']),
      recipient: asText(payload['recipient']),
      text: asText(payload['content']),
    }),
    encrypted: asText(payload['encrypted_content']) !== undefined,
  }),
  inter_agent_communication_metadata: () => ({ kind: 'agentTrigger' }),
  realtime_item: spoken,
}

function sessionMeta(record: JsonObject): Fact {
  return { kind: 'meta', ...defined({ threadId: asText(record['id']) }) }
}

/** The instructions in the head of a bare rollout. With an envelope, a message always contains them too (rollout-format 3.1). */
function headInstructions(head: JsonObject): Fact[] {
  const text = asText(head['instructions'])
  if (text === undefined) return []
  const parts: Part[] = [{ kind: 'text', text, class: 'injected', label: 'Instructions' }]
  return [{ kind: 'message', log: 'item', role: 'user', parts, inHead: true }]
}

/** Records of a voice conversation that have no words of their own, or only words that an item repeats. */
const quietSpeech = new Set([
  'realtime_session_started',
  'bem_item_promoted',
  'realtime_session_closed',
  'turn_input_accepted',
  'session_end_input_saved',
])

/** What was said by voice: up to 0.169 in the record itself, later in `channels` of a frame. */
function spoken(payload: JsonObject): Found {
  const said = asObject(asObject(payload['channels'])?.['voice_transcript']) ?? payload
  const text = asText(said['text'])
  if (text === undefined)
    return said['text'] === '' || quietSpeech.has(asString(payload['type']) ?? '') ? 'skip' : undefined
  const role = asString(said['role']) === 'user' ? 'user' : 'assistant'
  return { kind: 'message', log: 'event', role, parts: [{ kind: 'text', text, class: 'typed' }] }
}

/** Facts that count as `skipped` although they feed statistics and settings, because they become no node. */
const metaKinds = new Set<Fact['kind']>(['tokens', 'name'])

/** Makes the entry of one JSON value at a position in a rollout. */
export function parseEntry(value: unknown, position: SourceRef): Entry {
  takeOutOfBoundsCount()
  const made = shaped(value, position)
  if (takeOutOfBoundsCount() > 0) made.faults.push('absurd-value')
  return made
}

function shaped(value: unknown, position: SourceRef): Entry {
  const object = asObject(value)
  if (object === undefined) return unknown(value, position, jsonType(value), undefined)
  const at = asInstant(object['timestamp'])
  const type = asString(object['type'])
  const payload = asObject(object['payload'])
  if (type !== undefined && payload !== undefined) return enveloped(type, payload, object, { position, at })
  const record = asString(object['record_type'])
  if (record !== undefined) return transitional(record, object, { position, at })
  if (type !== undefined && isResponseItem(type))
    return entry(responseItem(object), type, object, { position, at: undefined })
  if (type === undefined && asText(object['id']) !== undefined && 'timestamp' in object) {
    const made = entry(sessionMeta(object), 'session_meta', object, { position, at })
    made.facts.push(...headInstructions(object))
    return made
  }
  return unknown(object, position, type ?? 'no type', at)
}

interface Context {
  position: SourceRef
  at: string | undefined
}

function enveloped(type: string, payload: JsonObject, line: JsonObject, context: Context): Entry {
  if (counted.has(type)) return entry('skip', type, payload, context)
  const found = ownValue(topLevel, type)?.(payload, asObject(line['metadata']))
  return entry(found, kindOf(type, payload), payload, context)
}

function kindOf(type: string, payload: JsonObject): string {
  const inner = asString(payload['type'])
  if (inner === undefined) return type
  const item =
    type === 'event_msg' && inner === 'item_completed' ? asString(asObject(payload['item'])?.['type']) : undefined
  return item === undefined ? `${type}/${inner}` : `${type}/${inner}/${item}`
}

/** Lines with `record_type`, from G1 and the transitional builds. */
function transitional(record: string, line: JsonObject, context: Context): Entry {
  if (record === 'state') return entry('skip', 'state', line, context)
  if (record === 'event')
    return entry(
      eventMsg(asObject(line['msg']) ?? {}),
      `event/${asString(asObject(line['msg'])?.['type'])}`,
      line,
      context,
    )
  if (record === 'response') {
    const payload = asObject(line['payload']) ?? line
    return entry(responseItem(payload), `response/${asString(payload['type'])}`, line, context)
  }
  if (record === 'session_meta' || record === 'prev_session_meta') {
    return entry(sessionMeta(line), record, line, context)
  }
  return entry(undefined, record, line, context)
}

function sourceOf({ file, line, byteOffset, part }: SourceRef, kind: string): Source {
  // Fast path for nearly all records.
  if (file === undefined && part === undefined && byteOffset !== undefined) return { line, byteOffset, kind }
  return withDefined({}, { file, line, byteOffset, part, kind })
}

function entry(found: Found, kind: string, payload: unknown, { position, at }: Context): Entry {
  if (found === undefined) return unknown(payload, position, kind, at)
  const facts = found === 'skip' ? [] : [found]
  const carried = found !== 'skip' && !metaKinds.has(found.kind)
  const made: Entry = {
    source: sourceOf(position, kind),
    facts,
    count: carried ? 'carried' : 'skipped',
    kind: kind.slice(kind.lastIndexOf('/') + 1),
    faults: [],
  }
  if (at !== undefined) made.at = at
  return made
}

function unknown(payload: unknown, position: SourceRef, recordType: string, at: string | undefined): Entry {
  return {
    source: { ...position, kind: recordType },
    ...defined({ at }),
    facts: [{ kind: 'unknown', recordType, payload }],
    count: 'carried',
    kind: recordType,
    faults: ['unknown-record'],
  }
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? `array of ${asArray(value).length}` : typeof value
}

// Reads the kind of an enveloped line from its first bytes, without parsing it (performance: reader).

/** What the beginning of a line says. */
export interface Sniffed {
  /** As written; not validated. */
  at: string
  /** `type/payload type`, and `/item type` for completed items. */
  kind: string
  /** Role of a message item. */
  role?: string
}

const headBytes = 640
const envelope = /^\{"timestamp":"([^"\\]{10,40})",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/
const item = /"item":\{"type":"(\w+)"/
const role = /"role":"(\w+)"/

function headOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, Math.min(headBytes, bytes.length))
}

/** The beginning of a record. A second occurrence belongs to another record, or to an object that looks like one. */
const recordHead = Buffer.from('{"timestamp":')

/** Reads the beginning of a line; `undefined` in any doubt, which means that the line must be parsed. */
export function sniff(bytes: Buffer): Sniffed | undefined {
  if (bytes.indexOf(recordHead, 1) > 0) return undefined
  const head = headOf(bytes)
  const match = envelope.exec(head)
  if (match === null) return undefined
  const [, at = '', type = '', payload] = match
  if (payload === 'item_completed') {
    const name = item.exec(head)?.[1]
    return name === undefined ? undefined : { at, kind: `${type}/${payload}/${name}` }
  }
  if (type === 'response_item' && payload === 'message') {
    const word = role.exec(head)?.[1]
    return word === undefined ? undefined : { at, kind: `${type}/${payload}`, role: word }
  }
  if ((type === 'response_item' || type === 'event_msg') && payload === undefined) return undefined
  return { at, kind: payload === undefined ? type : `${type}/${payload}` }
}

const callIdKey = Buffer.from('"call_id":"')
const idKey = Buffer.from('"id":"')
const itemKey = Buffer.from('"item":{')
const quote = 0x22

/** The call id of a call, output or end record: the first in the line's beginning, else the last in the line. */
export function sniffCallId(bytes: Buffer, kind: string): string | undefined {
  if (kind.includes('item_completed')) {
    const start = bytes.indexOf(itemKey)
    return start < 0 ? undefined : valueAt(bytes, bytes.indexOf(idKey, start), idKey.length)
  }
  const first = bytes.subarray(0, headBytes).indexOf(callIdKey)
  return valueAt(bytes, first >= 0 ? first : bytes.lastIndexOf(callIdKey), callIdKey.length)
}

function valueAt(bytes: Buffer, key: number, length: number): string | undefined {
  if (key < 0) return undefined
  const start = key + length
  const end = bytes.indexOf(quote, start)
  return end < 0 || end - start > 200 ? undefined : bytes.toString('latin1', start, end)
}

/** Tools that decide how a scan takes their calls: they view a picture, start an agent, or go on with what is running. */
const sniffedTools = ['view_image', 'spawn_agent', 'write_stdin', 'wait'] as const
export type SniffedTool = (typeof sniffedTools)[number]
const tool = new RegExp(`"name":"(${sniffedTools.join('|')})"`)

/** The tool of a function call, if it is one of these. */
export function sniffTool(bytes: Buffer): SniffedTool | undefined {
  const name = tool.exec(headOf(bytes))?.[1]
  return sniffedTools.find((known) => known === name)
}

const running = /"output":.{0,160}\\nProcess running with session ID (\d{1,12})\\n/
const polled = /"name":"write_stdin".{0,40}\\"session_id\\":(\d{1,12})/

/** The process that an output leaves running, or that a call goes on with. */
export function sniffProcess(bytes: Buffer, kind: 'output' | 'call'): string | undefined {
  return (kind === 'output' ? running : polled).exec(headOf(bytes))?.[1]
}

/** The ordinal at the beginning of a paginated line. */
export function ordinalOf(bytes: Buffer): number | undefined {
  const match = /"ordinal":(\d+),/.exec(bytes.toString('latin1', 0, Math.min(96, bytes.length)))
  return match === null ? undefined : asCount(match[1])
}
