/** Decodes what says how calls ended: end events (rollout-format 3.3), and the same fields of completed items (3.4). */

import { byWord } from '../../util/groups.ts'
import { jsonOf, parseJson } from '../../util/json.ts'
import { defined, withDefined } from '../../util/own.ts'
import { isUuid } from '../../util/time.ts'
import type { Status } from '../terms.ts'
import { generatedImage, searchAction, toolName } from './call.ts'
import { contentTexts, picturesOf } from './content.ts'
import {
  asArray,
  asBoolean,
  asDuration,
  asExitCode,
  asObject,
  asPath,
  asString,
  asStrings,
  asText,
  type JsonObject,
} from './decode.ts'
import { statusByCode } from './exec-text.ts'
import type { AgentWork, ResultFact } from './facts.ts'
import { structuredChanges } from './patch-text.ts'
import { recordedActions, scriptOf } from './shell.ts'

/** Status words of events and items in every spelling. */
export function statusOf(value: unknown): Status | undefined {
  const word = asString(value)?.replace(/_/g, '').toLowerCase()
  if (word === 'completed' || word === 'failed' || word === 'declined') return word
  return word === 'inprogress' ? 'running' : undefined
}

function base(event: JsonObject): Pick<ResultFact, 'kind' | 'callId' | 'turnId' | 'durationMs'> {
  return withDefined(
    { kind: 'result' },
    {
      callId: asText(event['call_id']) ?? asText(event['callId']),
      turnId: asText(event['turn_id']) ?? asText(event['turnId']),
      durationMs: asDuration(event['duration']),
    },
  )
}

/** `exec_command_end`, or the fields of a `CommandExecution` item. */
export function commandResult(event: JsonObject): ResultFact {
  const argv = asStrings(event['command'])
  const exitCode = asExitCode(event['exit_code'])
  return {
    ...base(event),
    result: withDefined(
      {
        type: 'command',
        argv,
        script: scriptOf(argv),
        actions: recordedActions(event['parsed_cmd'], argv),
        actor: asString(event['source']) === 'user_shell' ? 'user' : 'agent',
      },
      {
        cwd: asPath(event['cwd']),
        exitCode,
        processId: asText(event['process_id']),
        input: asText(event['interaction_input']),
        output: commandOutput(event),
      },
    ),
    status: statusOf(event['status']) ?? statusByCode(exitCode),
  }
}

function commandOutput(event: JsonObject): string | undefined {
  const whole = asText(event['aggregated_output']) ?? asText(event['formatted_output'])
  if (whole !== undefined) return whole
  const streams = [asText(event['stdout']), asText(event['stderr'])].filter((text) => text !== undefined)
  if (streams.length > 0) return streams.join('\n')
  return asString(event['aggregated_output'])
}

/** `patch_apply_end`, or the fields of a `FileChange` item. */
export function patchResult(event: JsonObject): ResultFact {
  const success = asBoolean(event['success'])
  const bySuccess = success === false ? 'failed' : 'completed'
  return {
    ...base(event),
    result: {
      type: 'patch',
      changes: structuredChanges(event['changes']),
      ...defined({ stdout: asText(event['stdout']), stderr: asText(event['stderr']) }),
    },
    status: statusOf(event['status']) ?? bySuccess,
  }
}

/** `mcp_tool_call_end`, or the fields of an `McpToolCall` item. */
export function mcpResult(event: JsonObject): ResultFact {
  const invocation = asObject(event['invocation']) ?? event
  const wrapped = asObject(event['result'])
  const result = asObject(wrapped?.['Ok']) ?? wrapped
  const failure = asString(wrapped?.['Err']) ?? asText(asObject(event['error'])?.['message'])
  const isError = failure !== undefined || asBoolean(result?.['isError'] ?? result?.['is_error']) === true
  const text = failure ?? blockText(result)
  return {
    ...base(event),
    result: {
      type: 'tool',
      family: 'mcp',
      ...defined({ server: asText(invocation['server']) }),
      tool: asText(invocation['tool']) ?? 'unknown',
      ...defined({ input: jsonOf(invocation['arguments']), text }),
      pictures: picturesOf(result?.['content']),
    },
    status: isError ? 'failed' : (statusOf(event['status']) ?? 'completed'),
  }
}

/** The text of a result: its blocks, followed by its structured content unless a block already says the same. */
function blockText(result: JsonObject | undefined): string | undefined {
  const texts = contentTexts(result?.['content'])
  const structured = result?.['structuredContent'] ?? result?.['structured_content'] ?? undefined
  const json = structured === undefined ? undefined : JSON.stringify(structured)
  if (json !== undefined && !texts.some((text) => jsonOf(parseJson(text)) === json))
    texts.push(JSON.stringify(structured, null, 2))
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** `web_search_end`, or the fields of a `WebSearch` item. */
export function searchResult(event: JsonObject): ResultFact {
  const search = searchAction(asObject(event['action']) ?? {}, asText(event['query']))
  const found = asArray(event['results']).flatMap((item) => {
    const { ref_id, url, title, snippet } = asObject(item) ?? {}
    const name = asText(ref_id)
    const shown = defined({ url: asText(url), title: asText(title), excerpt: asText(snippet) })
    return name === undefined ? [] : [{ name, ...shown }]
  })
  const result = found.length === 0 ? search : { ...search, found }
  return { ...base(event), result, status: statusOf(event['status']) ?? 'completed' }
}

/** `image_generation_end`, or the fields of an `ImageGeneration` item. */
export function imageResult(event: JsonObject): ResultFact {
  return {
    ...base(event),
    result: { ...generatedImage(event), ...defined({ path: asPath(event['saved_path']) }) },
    status:
      event['failure'] === undefined || event['failure'] === null
        ? (statusOf(event['status']) ?? 'completed')
        : 'failed',
  }
}

/** `view_image_tool_call`, or the fields of an `ImageView` item. */
export function viewResult(event: JsonObject): ResultFact {
  return { ...base(event), result: { type: 'viewImage', path: asPath(event['path']) ?? '' }, status: 'completed' }
}

/** `dynamic_tool_call_response`, or the fields of a `DynamicToolCall` item. */
export function dynamicResult(event: JsonObject): ResultFact {
  const items = event['content_items'] ?? event['contentItems']
  const texts = contentTexts(items)
  const failure = asText(event['error']) ?? asText(asObject(event['error'])?.['message'])
  return {
    ...base(event),
    result: {
      type: 'tool',
      family: 'dynamic',
      tool: toolName(asText(event['tool']) ?? 'unknown', asText(event['namespace'])).tool,
      ...defined({
        input: jsonOf(event['arguments']),
        text: failure ?? (texts.length > 0 ? texts.join('\n') : undefined),
      }),
      pictures: picturesOf(items),
    },
    status:
      asBoolean(event['success']) === false || failure !== undefined
        ? 'failed'
        : (statusOf(event['status']) ?? 'completed'),
  }
}

/** The words of records for each action. */
const agentActions = byWord<AgentWork['action']>({
  spawn: 'spawn_agent collab_agent_spawn_end started',
  send: 'send_input send_message followup_task collab_agent_interaction_end interacted',
  wait: 'wait wait_agent collab_waiting_end',
  finish: 'completed',
  resume: 'resume_agent collab_resume_end',
  close: 'close_agent interrupt_agent collab_close_end interrupted',
  list: 'list_agents',
})

/** `collab_*_end` and `sub_agent_activity` events, `CollabAgentToolCall` and `SubAgentActivity` items; `word` names the action. */
export function agentResult(event: JsonObject, word: string): ResultFact {
  const agent = asObject(asArray(event['receiver_agents'])[0])
  const threadIds = [
    ...asStrings(event['receiver_thread_ids']),
    ...asStrings([event['new_thread_id'], event['receiver_thread_id'], event['agent_thread_id']]),
  ]
  return {
    ...base(event),
    ...defined({ callId: asText(event['call_id']) ?? asText(event['event_id']) ?? asText(event['id']) }),
    result: {
      type: 'agent',
      action: agentActions.get(word) ?? 'wait',
      threadIds,
      ...defined({
        name: asText(event['new_agent_nickname']) ?? asText(agent?.['agent_nickname']) ?? asText(event['agent_path']),
        role: asText(event['new_agent_role']) ?? asText(agent?.['agent_role']),
        message: asText(event['prompt']),
      }),
    },
    status: statusOf(event['status']) ?? 'completed',
  }
}

// Threads that calls start.

/** The thread id in the output of a call that started an agent: `{"agent_id": …}`. */
export function startedId(body: string): string | undefined {
  const found = /"agent_id"\s*:\s*"([^"]+)"/.exec(body)?.[1]
  return found !== undefined && isUuid(found) ? found : undefined
}
