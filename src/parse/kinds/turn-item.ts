/** `item_completed` items of paginated files (rollout-format 3.4). */
import type { Fact, Part } from '../../model/facts.ts'
import { asArray, asDuration, asObject, asPath, asString, asStrings, asText, type JsonObject } from '../decode.ts'
import { outputText, readOutcome } from '../exec-text.ts'
import { phaseOf } from './message.ts'
import {
  agentResult,
  commandResult,
  dynamicResult,
  imageResult,
  mcpResult,
  patchResult,
  searchResult,
  statusOf,
  viewResult,
} from './result.ts'
import { reviewEntered, reviewExited } from './review.ts'
import { optional, pictureOf } from './shared.ts'

type Item = (item: JsonObject, turnId: string | undefined) => Fact | undefined

/** A result decoder over an item: the item's id stands for the call id. */
function result(decode: (event: JsonObject) => Fact): Item {
  return (item, turnId) => decode({ ...item, call_id: item['id'], turn_id: turnId })
}

const items: Readonly<Record<string, Item>> = {
  UserMessage: (item, turnId) => ({
    kind: 'message',
    log: 'event',
    role: 'user',
    parts: userInput(item['content']),
    ...ids(item, turnId),
  }),
  AgentMessage: (item, turnId) => ({
    kind: 'message',
    log: 'event',
    role: 'assistant',
    shown: true,
    parts: asArray(item['content']).map((part) => ({
      kind: 'text',
      text: asString(asObject(part)?.['text']) ?? '',
      class: 'typed',
    })),
    ...optional('phase', phaseOf(item['phase'])),
    ...ids(item, turnId),
  }),
  Reasoning: (item, turnId) => ({
    kind: 'reasoning',
    log: 'event',
    summary: asStrings(item['summary_text']),
    raw: asStrings(item['raw_content']),
    ...ids(item, turnId),
  }),
  Plan: (item, turnId) => ({ kind: 'planText', text: asString(item['text']) ?? '', ...ids(item, turnId) }),
  HookPrompt: (item) => ({
    kind: 'hook',
    texts: asArray(item['fragments']).map((part) => asString(asObject(part)?.['text']) ?? ''),
  }),
  CommandExecution: result(commandResult),
  FileChange: result(patchResult),
  McpToolCall: result(mcpResult),
  DynamicToolCall: result(dynamicResult),
  WebSearch: result(searchResult),
  ImageView: result(viewResult),
  ImageGeneration: result(imageResult),
  CollabAgentToolCall: result((item) => agentResult(item, asString(item['tool']) ?? '')),
  SubAgentActivity: result((item) => agentResult(item, asString(item['kind']) ?? '')),
  FunctionCallOutput: (item) => ({
    kind: 'output',
    ...optional('callId', asText(item['id'])),
    ...optional('tool', asText(item['name'])),
    outcome: readOutcome(outputText(item['output'])),
    pictures: [],
  }),
  EnteredReviewMode: (item) => reviewEntered(item),
  ExitedReviewMode: (item) => reviewExited(item),
  ContextCompaction: () => ({ kind: 'compaction', from: 'item' }),
  Extension: (item, turnId) => extension(item, turnId),
}

/** The fact of an item, or `undefined` for a type that this version does not know. */
export function turnItem(item: JsonObject, turnId: string | undefined): Fact | undefined {
  const type = asString(item['type']) ?? ''
  return Object.hasOwn(items, type) ? items[type]?.(item, turnId) : undefined
}

function ids(item: JsonObject, turnId: string | undefined): { id?: string; turnId?: string } {
  return { ...optional('id', asText(item['id'])), ...optional('turnId', turnId) }
}

/** `UserInput` parts; tags are compared without regard to case (rollout-format 3.4). */
function userInput(value: unknown): Part[] {
  return asArray(value).map((part) => inputPart(asObject(part) ?? {}))
}

function inputPart(part: JsonObject): Part {
  const type = (asString(part['type']) ?? '').toLowerCase().replace(/_/g, '')
  if (type === 'text') return { kind: 'text', text: asString(part['text']) ?? '', class: 'typed' }
  if (type === 'image') return { kind: 'image', ...(pictureOf(part) ?? {}) }
  if (type === 'localimage') return { kind: 'image', ...optional('url', asPath(part['path'])) }
  if (type === 'skill' || type === 'mention') return mention(part, type === 'skill' ? 'skill' : 'file')
  return { kind: 'placeholder', text: /audio/.test(type) ? 'Audio' : `Input of an unknown kind (${type || 'no type'})` }
}

function mention(part: JsonObject, what: 'skill' | 'file'): Part {
  const label = asText(part['name'])
  const target = asPath(part['path']) ?? label
  if (target === undefined) return { kind: 'placeholder', text: 'Mention without a target' }
  return { kind: 'reference', what, target, ...optional('label', label) }
}

/** Extension items: `web.search` is a search, the rest small tool calls. */
function extension(item: JsonObject, turnId: string | undefined): Fact {
  const name = asText(item['kind']) ?? 'extension'
  const event = { ...item, call_id: item['id'], turn_id: turnId }
  if (name === 'web.search') return searchResult(event)
  if (/image/.test(name)) return imageResult(event)
  const { id: _id, type: _type, kind: _kind, status: _status, ...rest } = item
  return {
    kind: 'result',
    ...optional('callId', asText(item['id'])),
    ...optional('turnId', turnId),
    result: { type: 'tool', family: 'dynamic', tool: name, input: JSON.stringify(rest), pictures: [] },
    status: statusOf(item['status']) ?? 'completed',
    ...optional('durationMs', asDuration(item['durationMs'])),
  }
}
