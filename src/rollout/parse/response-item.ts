/** Decodes `response_item` lines, bare lines of G1 and items of G0: what the model exchanged (rollout-format 3.2). */

import { append } from '../../util/groups.ts'
import { defined, ownValue, recordOf, withDefined } from '../../util/own.ts'
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
import { citedInText, contentTexts, partName, partText, pictureOf } from './content.ts'
import { asArray, asObject, asString, asText, itemTurn, type JsonObject } from './decode.ts'
import type { AgentMessageFact, Fact, MessageFact, Part, ReasoningFact } from './facts.ts'
import { abortLabel, classifyPart, partKinds } from './prompt.ts'

// `message` response items of every role (rollout-format 3.2, 5.4).

const roles = new Set(['user', 'assistant', 'developer', 'system'])
const phases = new Set(['commentary', 'partial_answer', 'final_answer'])

/** A message of the model's log. An unknown role becomes `system`: shown folded, never as conversation. */
function messageItem(payload: JsonObject, metadata: JsonObject | undefined): MessageFact {
  const word = asString(payload['role']) ?? ''
  const role = (roles.has(word) ? word : 'system') as MessageFact['role']
  const content =
    typeof payload['content'] === 'string' ? [{ type: 'text', text: payload['content'] }] : asArray(payload['content'])
  const kinds = partKinds(payload, content.length)
  const parts = content.map((part, index) => messagePart(part, role, kinds[index]))
  if (role === 'assistant')
    append(
      parts,
      parts.flatMap((part) => (part.kind === 'text' ? citedInText(part.text) : [])),
    )
  const fact: MessageFact = { kind: 'message', log: 'item', role, parts }
  if (metadata?.['compaction_output'] === true) fact.compaction = true
  if (metadata?.['inherited_user_message'] === true) fact.inherited = true
  return withDefined(fact, { id: asText(payload['id']), phase: phaseOf(payload['phase']), turnId: itemTurn(payload) })
}

/** The phase of an assistant message; `undefined` for unknown words. */
export function phaseOf(value: unknown): MessageFact['phase'] {
  const word = asString(value)
  return word !== undefined && phases.has(word) ? (word as MessageFact['phase']) : undefined
}

function messagePart(value: unknown, role: MessageFact['role'], kind: string | undefined): Part {
  const part = asObject(value) ?? {}
  if (/image/.test(asString(part['type']) ?? '')) {
    const picture = pictureOf(part)
    return picture === undefined ? { kind: 'placeholder', text: 'Image' } : { kind: 'image', ...picture }
  }
  const text = partText(value)
  if (text === undefined) return { kind: 'placeholder', text: partName(value) }
  const marked = role === 'user' || role === 'developer' ? classifyPart(text, kind) : undefined
  const isKnown = role === 'user' || marked?.label === abortLabel
  return { kind: 'text', text, class: 'typed', ...(isKnown ? marked : {}) }
}

type Decoder = (payload: JsonObject, metadata: JsonObject | undefined) => Fact | 'skip'

const skip: Decoder = () => 'skip'

/** A message between agents; its text is an envelope whose first lines name the task (rollout-format 3.2). */
function agentMessage(payload: JsonObject): AgentMessageFact {
  const parts = asArray(payload['content']).map((part) => asObject(part) ?? {})
  const text = contentTexts(parts.filter((part) => part['type'] !== 'encrypted_content'))
  return {
    kind: 'agentMessage',
    ...defined({ author: asText(payload['author']), recipient: asText(payload['recipient']) }),
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
  ...recordOf('additional_tools ghost_snapshot compaction compaction_summary context_compaction', skip),
  ...recordOf('compaction_trigger configuration_update other', skip),
}

/** Whether a bare line's `type` names a response item. */
export function isResponseItem(type: string): boolean {
  return Object.hasOwn(decoders, type)
}

/** The fact of an item; `skip` for known items without content, `undefined` for unknown ones. */
export function responseItem(payload: JsonObject, metadata?: JsonObject): Fact | 'skip' | undefined {
  const type = asString(payload['type']) ?? ''
  return ownValue(decoders, type)?.(payload, metadata)
}

// `reasoning` response items (rollout-format 3.2). Ciphertext is never kept.

/** Summary and raw texts, or `undefined` if the file contains only ciphertext. */
function reasoningItem(payload: JsonObject): ReasoningFact | undefined {
  const summary = contentTexts(payload['summary']).filter((text) => text.trim() !== '')
  const raw = contentTexts(payload['content']).filter((text) => text.trim() !== '')
  if (summary.length === 0 && raw.length === 0) return undefined
  const fact: ReasoningFact = { kind: 'reasoning', log: 'item', summary, raw }
  return withDefined(fact, { id: asText(payload['id']), turnId: itemTurn(payload) })
}
