/** `response_item` lines, bare lines of G1 and items of G0: what the model exchanged (rollout-format 3.2). */
import type { AgentMessageFact, Fact } from '../../model/facts.ts'
import { asArray, asObject, asString, asText, type JsonObject } from '../decode.ts'
import {
  callOutput,
  customCall,
  functionCall,
  imageCall,
  localShellCall,
  toolSearchCall,
  toolSearchOutput,
  webSearchCall,
} from './call.ts'
import { messageItem } from './message.ts'
import { reasoningItem } from './reasoning.ts'
import { optional } from './shared.ts'

type Decoder = (payload: JsonObject, metadata: JsonObject | undefined) => Fact | 'skip'

const skip: Decoder = () => 'skip'

/** Text between agents is an envelope whose head lines name the task (rollout-format 3.2). */
function agentMessage(payload: JsonObject): AgentMessageFact {
  const parts = asArray(payload['content']).map((part) => asObject(part) ?? {})
  const text = parts.map((part) => asString(part['text'])).filter((part) => part !== undefined)
  return {
    kind: 'agentMessage',
    ...optional('author', asText(payload['author'])),
    ...optional('recipient', asText(payload['recipient'])),
    ...(text.length > 0 ? { text: text.join('\n') } : {}),
    encrypted: parts.some((part) => part['type'] === 'encrypted_content'),
  }
}

const decoders: Readonly<Record<string, Decoder>> = {
  message: messageItem,
  reasoning: (payload) => reasoningItem(payload) ?? 'skip',
  local_shell_call: localShellCall,
  function_call: functionCall,
  function_call_output: callOutput,
  custom_tool_call: customCall,
  custom_tool_call_output: callOutput,
  web_search_call: webSearchCall,
  image_generation_call: imageCall,
  tool_search_call: toolSearchCall,
  tool_search_output: toolSearchOutput,
  agent_message: agentMessage,
  additional_tools: skip,
  ghost_snapshot: skip,
  compaction: skip,
  compaction_summary: skip,
  context_compaction: skip,
  compaction_trigger: skip,
  configuration_update: skip,
  other: skip,
}

/** Whether a bare line's `type` names a response item. */
export function isResponseItem(type: string): boolean {
  return Object.hasOwn(decoders, type)
}

/** The fact of an item, `skip` for known items without content, `undefined` for unknown ones. */
export function responseItem(payload: JsonObject, metadata?: JsonObject): Fact | 'skip' | undefined {
  const type = asString(payload['type']) ?? ''
  return Object.hasOwn(decoders, type) ? decoders[type]?.(payload, metadata) : undefined
}
