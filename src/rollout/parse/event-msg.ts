/** Decodes `event_msg` lines: what the interface showed (rollout-format 3.3). */

import { endOfJson, parseJson } from '../../util/json.ts'
import { defined, ownValue, recordOf, withDefined } from '../../util/own.ts'
import { joinTexts } from '../../util/text.ts'
import type { NoticeKind } from '../terms.ts'
import { citedMemories, partName, partText, pictureOf } from './content.ts'
import {
  asArray,
  asCount,
  asDuration,
  asEpoch,
  asObject,
  asPath,
  asString,
  asStrings,
  asText,
  type JsonObject,
} from './decode.ts'
import { outputText, readOutcome } from './exec-text.ts'
import type { Fact, MessageFact, Part } from './facts.ts'
import { classifyShown } from './prompt.ts'
import { phaseOf } from './response-item.ts'
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
import { assessmentWords, reviewEntered, reviewExited, threadSettings } from './settings.ts'
import { tokenCount } from './tokens.ts'

type Decoder = (event: JsonObject) => Fact | 'skip' | undefined

function userMessage(event: JsonObject): Fact | 'skip' {
  const kind = asText(event['kind'])
  if (kind !== undefined && kind !== 'plain') return 'skip'
  const pictures: Part[] = [
    ...asStrings(event['images']).map(
      (url): Part => (url.startsWith('data:') ? { kind: 'image', data: url } : { kind: 'image', url }),
    ),
    ...asArray(event['local_images']).map((path): Part => ({ kind: 'image', ...defined({ url: asPath(path) }) })),
  ]
  const text = asString(event['message']) ?? ''
  const parts: Part[] = [shownText(text), ...pictures]
  return { kind: 'message', log: 'event', role: 'user', parts, ...sender(event) }
}

/** Clients give an id to what people type; messages between agents have none. */
function sender({ client_id: id }: JsonObject): Pick<MessageFact, 'fromClient'> {
  return typeof id === 'string' && id !== '' ? { fromClient: true } : {}
}

function agentMessage(event: JsonObject): Fact {
  const text = asString(event['message']) ?? ''
  const cited = citedMemories(event['memory_citation'])
  const parts: Part[] = [{ kind: 'text', text, class: 'typed' }, ...cited]
  return withDefined(
    { kind: 'message', log: 'event', role: 'assistant', shown: true, parts, ...delivery(event) },
    { phase: phaseOf(event['phase']) },
  )
}

/** The `…_async` tools send a message while the work continues. */
function delivery({ delivery: word }: JsonObject): Pick<MessageFact, 'byCall'> {
  return word === 'async' ? { byCall: true } : {}
}

function turnStart(event: JsonObject): Fact {
  return withDefined(
    { kind: 'turnStart' },
    {
      turnId: asText(event['turn_id']),
      startedAt: asEpoch(event['started_at']),
      contextWindow: asCount(event['model_context_window']),
    },
  )
}

function errorText(value: unknown): string | undefined {
  return asText(value) ?? asText(asObject(value)?.['message'])
}

/** An error in words, and as recorded if the words were extracted from JSON. */
interface ErrorWords {
  message: string
  body?: string
}

/** Longest error, in UTF-16 units, that is searched for JSON. */
const maxErrorLength = 65_536

/**
 * The words of an error. Hosts answer in JSON, alone or after words of Codex (`unexpected status 400 Bad Request:
 * {"error":{"message":…}}, url: …`).
 */
function errorWords(text: string): ErrorWords {
  const start = text.length > maxErrorLength ? -1 : text.search(/\{\s*"|\[\s*\{\s*"/)
  const end = start < 0 ? undefined : endOfJson(text, start)
  const message = end === undefined ? undefined : messageIn(parseJson(text.slice(start, end)), 8)
  return message === undefined ? { message: text } : { message: text.slice(0, start) + message, body: text }
}

/** Keys under which hosts describe an error, the most common first. */
const wordKeys = ['error', 'message', 'detail', 'error_description', 'errors', 'msg', 'error_message']

function messageIn(value: unknown, levels: number): string | undefined {
  if (levels === 0) return undefined
  if (Array.isArray(value)) return messageIn(value[0], levels - 1)
  const text = asText(value)?.trim()
  // The text may itself be the JSON error of another host.
  if (text !== undefined) return (/^[{[]/.test(text) ? messageIn(parseJson(text), levels - 1) : undefined) ?? text
  const object = asObject(value)
  for (const key of object === undefined ? [] : wordKeys) {
    const message = messageIn(object?.[key], levels - 1)
    if (message !== undefined) return message
  }
  return undefined
}

/** Fields of the end of a turn that failed with an error. */
function endedBy(value: unknown): { error?: string; errorBody?: string } {
  const text = errorText(value)
  if (text === undefined) return {}
  const { message, body } = withDetails(errorWords(text), asObject(value))
  return { error: message, ...defined({ errorBody: body }) }
}

/** Adds to the words of an error the details that are recorded beside its message. */
function withDetails(words: ErrorWords, error: JsonObject | undefined): ErrorWords {
  const details = asText(error?.['additional_details'])
  return details === undefined ? words : { ...words, body: joinTexts([words.body, details], '\n\n') }
}

function turnComplete(event: JsonObject): Fact {
  const ended = endedBy(event['error'])
  return {
    kind: 'turnEnd',
    ...defined({ turnId: asText(event['turn_id']) }),
    status: ended.error === undefined ? 'completed' : 'failed',
    ...(event['last_agent_message'] === null && ended.error === undefined ? { silent: true } : {}),
    ...defined({ said: asText(event['last_agent_message']), durationMs: asDuration(event['duration_ms']) }),
    ...ended,
  }
}

function turnAborted(event: JsonObject): Fact {
  const reason = asText(event['reason'])
  return {
    kind: 'turnEnd',
    ...defined({ turnId: asText(event['turn_id']) }),
    // A turn that contains a review and ends with it was not cut off.
    status: reason === 'review_ended' ? 'completed' : 'interrupted',
    ...defined({ reason, durationMs: asDuration(event['duration_ms']) }),
    ...endedBy(event['error']),
  }
}

function errorEvent(event: JsonObject): Fact {
  const info = event['codex_error_info']
  const code = asText(info) ?? Object.keys(asObject(info) ?? {})[0]
  const words = errorWords(asText(event['message']) ?? 'Error without a message')
  return { kind: 'error', ...withDetails(words, event), ...defined({ code }) }
}

function notice(notice: NoticeKind, text: (event: JsonObject) => string): Decoder {
  return (event) => ({ kind: 'notice', notice, text: text(event) })
}

const decoders: Readonly<Record<string, Decoder>> = {
  user_message: userMessage,
  agent_message: agentMessage,
  agent_reasoning: (event) => ({ kind: 'reasoning', log: 'event', summary: [asString(event['text']) ?? ''], raw: [] }),
  agent_reasoning_raw_content: (event) => ({
    kind: 'reasoning',
    log: 'event',
    summary: [],
    raw: [asString(event['text']) ?? ''],
  }),
  token_count: (event) => tokenCount(event) ?? 'skip',
  task_started: turnStart,
  turn_started: turnStart,
  task_complete: turnComplete,
  turn_complete: turnComplete,
  turn_aborted: turnAborted,
  context_compacted: () => ({ kind: 'compaction', from: 'event' }),
  entered_review_mode: reviewEntered,
  exited_review_mode: reviewExited,
  thread_rolled_back: (event) => ({ kind: 'rollback', turns: asCount(event['num_turns']) ?? 0 }),
  undo_completed: notice('undo', (event) => asText(event['message']) ?? 'Undo of the working tree'),
  thread_name_updated: (event) => {
    const name = asText(event['thread_name'])
    return name === undefined ? 'skip' : { kind: 'name', name }
  },
  thread_goal_updated: notice('goal', goalText),
  thread_settings_applied: threadSettings,
  patch_apply_end: patchResult,
  mcp_tool_call_end: mcpResult,
  web_search_end: searchResult,
  image_generation_end: imageResult,
  exec_command_end: commandResult,
  view_image_tool_call: viewResult,
  dynamic_tool_call_response: dynamicResult,
  ...recordOf(
    'collab_agent_spawn_end collab_agent_interaction_end collab_waiting_end collab_close_end collab_resume_end',
    (event: JsonObject) => agentResult(event, asString(event['type']) ?? ''),
  ),
  sub_agent_activity: (event) => agentResult(event, asString(event['kind']) ?? ''),
  item_completed: (event) => turnItem(asObject(event['item']) ?? {}, asText(event['turn_id'])),
  error: errorEvent,
  stream_error: errorEvent,
  warning: notice('warning', (event) => asText(event['message']) ?? 'Warning'),
  model_reroute: notice('model', (event) => asText(event['message']) ?? rerouteText(event)),
  guardian_assessment: assessment,
}

/** The second of a check's two lines; the first only says that the check began. */
function assessment(event: JsonObject): Fact | 'skip' {
  const text = assessmentWords(event)
  if (text === undefined) return 'skip'
  return {
    kind: 'result',
    ...defined({ callId: asText(event['target_item_id']) }),
    result: { type: 'assessment', text },
    status: 'completed',
  }
}

function rerouteText(event: JsonObject): string {
  const [from, to, reason] = ['from_model', 'to_model', 'reason'].map((key) => asText(event[key]))
  const model = to === undefined ? 'another model' : `\`${to}\``
  const old = from === undefined ? '' : ` instead of \`${from}\``
  return `The request went to ${model}${old}${reason === undefined ? '' : ` (${reason.replaceAll('_', ' ')})`}.`
}

function goalText(event: JsonObject): string {
  const goal = asObject(event['goal'])
  return joinTexts([asText(goal?.['status']), asText(goal?.['objective'])], ': ') || 'Goal cleared'
}

/** Events of the first enveloped builds whose content is also in another record (rollout-format 3.3). */
const noise = new Set(
  `
  agent_message_delta agent_message_content_delta agent_reasoning_delta agent_reasoning_raw_content_delta
  agent_reasoning_section_break reasoning_content_delta reasoning_raw_content_delta item_started exec_command_begin
  exec_command_output_delta terminal_interaction patch_apply_begin patch_apply_updated mcp_tool_call_begin
  web_search_begin image_generation_begin dynamic_tool_call_request plan_update plan_delta turn_diff
  background_event session_configured exec_approval_request apply_patch_approval_request request_user_input
  request_permissions elicitation_request hook_started hook_completed get_history_entry_response
  mcp_list_tools_response mcp_startup_update mcp_startup_complete list_custom_prompts_response list_skills_response
  skills_update_available shutdown_complete raw_response_item deprecation_notice collab_agent_spawn_begin
  collab_agent_interaction_begin collab_waiting_begin collab_close_begin collab_resume_begin thread_queue_updated
  conversation_path
`
    .trim()
    .split(/\s+/),
)

/** The fact of an event; `skip` for known events without content of their own, `undefined` for unknown ones. */
export function eventMsg(event: JsonObject): Fact | 'skip' | undefined {
  const type = asString(event['type']) ?? ''
  if (Object.hasOwn(decoders, type)) return decoders[type]?.(event)
  return noise.has(type) || type.startsWith('realtime_') ? 'skip' : undefined
}

// `item_completed` items of paginated files (rollout-format 3.4).

type Item = (item: JsonObject, turnId: string | undefined) => Fact | undefined

/** Applies an event's result decoder to an item, with the item's id as the call id. */
function result(decode: (event: JsonObject) => Fact): Item {
  return (item, turnId) => decode({ ...item, call_id: item['id'], turn_id: turnId })
}

const items: Readonly<Record<string, Item>> = {
  UserMessage: (item, turnId) => ({
    kind: 'message',
    log: 'event',
    role: 'user',
    parts: userInput(item['content']),
    ...sender(item),
    ...ids(item, turnId),
  }),
  AgentMessage: (item, turnId) => ({
    kind: 'message',
    log: 'event',
    role: 'assistant',
    shown: true,
    parts: [...asArray(item['content']).map(saidPart), ...citedMemories(item['memory_citation'])],
    ...defined({ phase: phaseOf(item['phase']) }),
    ...delivery(item),
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
    ...defined({ callId: asText(item['id']), tool: asText(item['name']) }),
    outcome: readOutcome(outputText(item['output'])),
    pictures: [],
  }),
  EnteredReviewMode: (item) => reviewEntered(item),
  ExitedReviewMode: (item) => reviewExited(item),
  ContextCompaction: () => ({ kind: 'compaction', from: 'item' }),
  Extension: (item, turnId) => extension(item, turnId),
}

/** The fact of an item, or `undefined` for a type that this version does not know. */
function turnItem(item: JsonObject, turnId: string | undefined): Fact | undefined {
  const type = asString(item['type']) ?? ''
  return ownValue(items, type)?.(item, turnId)
}

function ids(item: JsonObject, turnId: string | undefined): { id?: string; turnId?: string } {
  return defined({ id: asText(item['id']), turnId })
}

function saidPart(part: unknown): Part {
  const text = partText(part)
  return text === undefined ? { kind: 'placeholder', text: partName(part) } : { kind: 'text', text, class: 'typed' }
}

/** `UserInput` parts; types are compared without regard to case or underscores (rollout-format 3.4). */
function userInput(value: unknown): Part[] {
  return asArray(value).map((part) => inputPart(asObject(part) ?? {}))
}

function shownText(text: string): Part {
  return { kind: 'text', text, ...classifyShown(text) }
}

function inputPart(part: JsonObject): Part {
  const type = (asString(part['type']) ?? '').toLowerCase().replace(/_/g, '')
  if (type === 'text') return shownText(asString(part['text']) ?? '')
  if (type === 'image') return { kind: 'image', ...pictureOf(part) }
  if (type === 'localimage') return { kind: 'image', ...defined({ url: asPath(part['path']) }) }
  if (type === 'skill' || type === 'mention') return mention(part, type === 'skill' ? 'skill' : 'file')
  return saidPart(part)
}

function mention(part: JsonObject, what: 'skill' | 'file'): Part {
  const label = asText(part['name'])
  const target = asPath(part['path']) ?? label
  if (target === undefined) return { kind: 'placeholder', text: 'Mention without a target' }
  return { kind: 'reference', what, target, ...defined({ label }) }
}

/** Extension items: `web.search` is a search, image kinds are image results, the rest are small tool calls. */
function extension(item: JsonObject, turnId: string | undefined): Fact {
  const name = asText(item['kind']) ?? 'extension'
  const event = { ...item, call_id: item['id'], turn_id: turnId }
  if (name === 'web.search') return searchResult(event)
  if (/image/.test(name)) return imageResult(event)
  const { id: _id, type: _type, kind: _kind, status: _status, ...rest } = item
  return {
    kind: 'result',
    ...defined({ callId: asText(item['id']), turnId }),
    result: { type: 'tool', family: 'dynamic', tool: name, input: JSON.stringify(rest), pictures: [] },
    status: statusOf(item['status']) ?? 'completed',
    ...defined({ durationMs: asDuration(item['durationMs']) }),
  }
}
