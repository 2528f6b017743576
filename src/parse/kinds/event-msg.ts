/** `event_msg` lines: what the interface showed (rollout-format 3.3). */
import type { Fact, Part } from '../../model/facts.ts'
import {
  asArray,
  asCount,
  asDuration,
  asObject,
  asPath,
  asString,
  asStrings,
  asText,
  type JsonObject,
} from '../decode.ts'
import { phaseOf } from './message.ts'
import {
  agentResult,
  commandResult,
  dynamicResult,
  imageResult,
  mcpResult,
  patchResult,
  searchResult,
  viewResult,
} from './result.ts'
import { reviewEntered, reviewExited } from './review.ts'
import { threadSettings } from './settings.ts'
import { optional } from './shared.ts'
import { tokenCount } from './tokens.ts'
import { turnItem } from './turn-item.ts'

type Decoder = (event: JsonObject) => Fact | 'skip' | undefined

function userMessage(event: JsonObject): Fact | 'skip' {
  const kind = asText(event['kind'])
  if (kind !== undefined && kind !== 'plain') return 'skip'
  const pictures: Part[] = [
    ...asStrings(event['images']).map(
      (url): Part => (url.startsWith('data:') ? { kind: 'image', data: url } : { kind: 'image', url }),
    ),
    ...asArray(event['local_images']).map((path): Part => ({ kind: 'image', ...optional('url', asPath(path)) })),
  ]
  const text = asString(event['message']) ?? ''
  return { kind: 'message', log: 'event', role: 'user', parts: [{ kind: 'text', text, class: 'typed' }, ...pictures] }
}

function agentMessage(event: JsonObject): Fact {
  const text = asString(event['message']) ?? ''
  return {
    kind: 'message',
    log: 'event',
    role: 'assistant',
    shown: true,
    parts: [{ kind: 'text', text, class: 'typed' }],
    ...optional('phase', phaseOf(event['phase'])),
  }
}

function turnStart(event: JsonObject): Fact {
  return {
    kind: 'turnStart',
    ...optional('turnId', asText(event['turn_id'])),
    ...optional('contextWindow', asCount(event['model_context_window'])),
    ...optional('trigger', asText(asObject(event['turn_attribution'])?.['turn_trigger'])),
  }
}

function errorText(value: unknown): string | undefined {
  return asText(value) ?? asText(asObject(value)?.['message'])
}

function turnComplete(event: JsonObject): Fact {
  const error = errorText(event['error'])
  return {
    kind: 'turnEnd',
    ...optional('turnId', asText(event['turn_id'])),
    status: error === undefined ? 'completed' : 'failed',
    ...optional('durationMs', asDuration(event['duration_ms'])),
    ...optional('error', error),
  }
}

function turnAborted(event: JsonObject): Fact {
  return {
    kind: 'turnEnd',
    ...optional('turnId', asText(event['turn_id'])),
    status: 'interrupted',
    ...optional('reason', asText(event['reason'])),
    ...optional('durationMs', asDuration(event['duration_ms'])),
    ...optional('error', errorText(event['error'])),
  }
}

function errorEvent(event: JsonObject): Fact {
  const info = event['codex_error_info']
  const code = asText(info) ?? Object.keys(asObject(info) ?? {})[0]
  return { kind: 'error', message: asText(event['message']) ?? 'Error without a message', ...optional('code', code) }
}

function notice(
  notice: 'undo' | 'goal' | 'settings' | 'abort' | 'model',
  text: (event: JsonObject) => string,
): Decoder {
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
  collab_agent_spawn_end: (event) => agentResult(event, 'collab_agent_spawn_end'),
  collab_agent_interaction_end: (event) => agentResult(event, 'collab_agent_interaction_end'),
  collab_waiting_end: (event) => agentResult(event, 'collab_waiting_end'),
  collab_close_end: (event) => agentResult(event, 'collab_close_end'),
  collab_resume_end: (event) => agentResult(event, 'collab_resume_end'),
  sub_agent_activity: (event) => agentResult(event, asString(event['kind']) ?? ''),
  item_completed: (event) => turnItem(asObject(event['item']) ?? {}, asText(event['turn_id'])),
  error: errorEvent,
  stream_error: errorEvent,
  warning: (event) => ({ kind: 'error', message: asText(event['message']) ?? 'Warning', code: 'warning' }),
  model_reroute: notice('model', (event) => asText(event['message']) ?? 'The request went to another model.'),
  guardian_assessment: assessment,
}

/** The second of the two lines of a check; the first tells only that one begins. */
function assessment(event: JsonObject): Fact | 'skip' {
  const text = asText(event['rationale']) ?? asText(event['risk_level'])
  if (text === undefined) return 'skip'
  return {
    kind: 'result',
    ...optional('callId', asText(event['target_item_id'])),
    result: { type: 'assessment', text },
    status: 'completed',
  }
}

function goalText(event: JsonObject): string {
  const goal = asObject(event['goal'])
  return (
    [asText(goal?.['status']), asText(goal?.['objective'])].filter((text) => text !== undefined).join(': ') ||
    'Goal cleared'
  )
}

/** Events of the first enveloped builds whose content another record holds (rollout-format 3.3). */
const noise = new Set([
  'agent_message_delta',
  'agent_message_content_delta',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_section_break',
  'reasoning_content_delta',
  'reasoning_raw_content_delta',
  'item_started',
  'exec_command_begin',
  'exec_command_output_delta',
  'terminal_interaction',
  'patch_apply_begin',
  'patch_apply_updated',
  'mcp_tool_call_begin',
  'web_search_begin',
  'image_generation_begin',
  'dynamic_tool_call_request',
  'plan_update',
  'plan_delta',
  'turn_diff',
  'background_event',
  'session_configured',
  'exec_approval_request',
  'apply_patch_approval_request',
  'request_user_input',
  'request_permissions',
  'elicitation_request',
  'hook_started',
  'hook_completed',
  'get_history_entry_response',
  'mcp_list_tools_response',
  'mcp_startup_update',
  'mcp_startup_complete',
  'list_custom_prompts_response',
  'list_skills_response',
  'skills_update_available',
  'shutdown_complete',
  'raw_response_item',
  'deprecation_notice',
  'collab_agent_spawn_begin',
  'collab_agent_interaction_begin',
  'collab_waiting_begin',
  'collab_close_begin',
  'collab_resume_begin',
  'thread_queue_updated',
  'conversation_path',
])

/** The fact of an event, `skip` for known events without content of their own, `undefined` for unknown ones. */
export function eventMsg(event: JsonObject): Fact | 'skip' | undefined {
  const type = asString(event['type']) ?? ''
  if (Object.hasOwn(decoders, type)) return decoders[type]?.(event)
  return noise.has(type) || type.startsWith('realtime_') ? 'skip' : undefined
}
