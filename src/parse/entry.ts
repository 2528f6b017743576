/** One parsed JSON value to an entry, each by its own shape (rollout-format 2.1). Total: never throws. */
import type { Entry, Fact } from '../model/facts.ts'
import type { Source } from '../model/terms.ts'
import { asArray, asBoolean, asInstant, asObject, asString, asText, type JsonObject, takeAbsurd } from './decode.ts'
import { eventMsg } from './kinds/event-msg.ts'
import { isResponseItem, responseItem } from './kinds/response-item.ts'
import { turnContext } from './kinds/settings.ts'
import { optional } from './kinds/shared.ts'
import { tokenRecord } from './kinds/tokens.ts'

type Place = Omit<Source, 'kind'>
type Found = Fact | 'skip' | undefined

/** Top-level lines that only feed counters (rollout-format 3.1). */
const counted = new Set(['world_state', 'retained_context', 'security_risk_score', 'dynamic_tools_updated', 'state'])

const topLevel: Readonly<Record<string, (payload: JsonObject, metadata: JsonObject | undefined) => Found>> = {
  session_meta: (payload) => ({ kind: 'meta', ...optional('threadId', asText(payload['id'])) }),
  response_item: responseItem,
  event_msg: eventMsg,
  turn_context: turnContext,
  compacted: (payload) => ({ kind: 'compaction', from: 'line', ...optional('summary', asText(payload['message'])) }),
  token_usage_record: tokenRecord,
  inter_agent_communication: (payload) => ({
    kind: 'agentMessage',
    ...optional('author', asText(payload['author'])),
    ...optional('recipient', asText(payload['recipient'])),
    ...optional('text', asText(payload['content'])),
    encrypted: asText(payload['encrypted_content']) !== undefined,
    ...optional('triggersTurn', asBoolean(payload['trigger_turn'])),
  }),
  inter_agent_communication_metadata: (payload) => ({
    kind: 'agentTrigger',
    triggersTurn: asBoolean(payload['trigger_turn']) ?? false,
  }),
  realtime_item: (payload) => spoken(payload),
}

function spoken(payload: JsonObject): Found {
  const text = asText(payload['text'])
  if (text === undefined) return 'skip'
  const role = asString(payload['role']) === 'user' ? 'user' : 'assistant'
  return { kind: 'message', log: 'event', role, parts: [{ kind: 'text', text, class: 'typed' }] }
}

/** Facts that are counted as `skipped` although they feed statistics and settings: no node is made of them. */
const metaKinds = new Set<Fact['kind']>(['tokens', 'name'])

/** Makes the entry of one JSON value that stood at a place of a rollout. */
export function parseEntry(value: unknown, place: Place): Entry {
  takeAbsurd()
  const made = shaped(value, place)
  if (takeAbsurd() > 0) made.faults.push('absurd-value')
  return made
}

function shaped(value: unknown, place: Place): Entry {
  const object = asObject(value)
  if (object === undefined) return unknown(value, place, jsonType(value), undefined)
  const at = asInstant(object['timestamp'])
  const type = asString(object['type'])
  const payload = asObject(object['payload'])
  if (type !== undefined && payload !== undefined) return enveloped(type, payload, object, { place, at })
  const record = asString(object['record_type'])
  if (record !== undefined) return transitional(record, object, { place, at })
  if (type !== undefined && isResponseItem(type))
    return entry(responseItem(object), type, object, { place, at: undefined })
  if (type === undefined && asText(object['id']) !== undefined && 'timestamp' in object) {
    return entry({ kind: 'meta', ...optional('threadId', asText(object['id'])) }, 'session_meta', object, { place, at })
  }
  return unknown(object, place, type ?? 'no type', at)
}

interface Context {
  place: Place
  at: string | undefined
}

function enveloped(type: string, payload: JsonObject, line: JsonObject, context: Context): Entry {
  const inner = asString(payload['type'])
  const item =
    type === 'event_msg' && inner === 'item_completed' ? asString(asObject(payload['item'])?.['type']) : undefined
  const kind = [type, inner, item].filter((part) => part !== undefined).join('/')
  if (counted.has(type)) return entry('skip', type, payload, context)
  const found = Object.hasOwn(topLevel, type) ? topLevel[type]?.(payload, asObject(line['metadata'])) : undefined
  return entry(found, kind, payload, context)
}

/** `record_type` lines of G1 and of the transitional builds. */
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
    return entry({ kind: 'meta', ...optional('threadId', asText(line['id'])) }, record, line, context)
  }
  return entry(undefined, record, line, context)
}

function entry(found: Found, kind: string, payload: unknown, { place, at }: Context): Entry {
  if (found === undefined) return unknown(payload, place, kind, at)
  const facts = found === 'skip' ? [] : [found]
  const carried = found !== 'skip' && !metaKinds.has(found.kind)
  const counter = kind.split('/').at(-1) ?? kind
  return {
    source: { ...place, kind },
    ...optional('at', at),
    facts,
    count: carried ? 'carried' : 'skipped',
    kind: counter,
    faults: [],
  }
}

function unknown(payload: unknown, place: Place, recordType: string, at: string | undefined): Entry {
  return {
    source: { ...place, kind: recordType },
    ...optional('at', at),
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
