/** `message` response items of every role (rollout-format 3.2, 5.4). */
import type { MessageFact, Part } from '../../model/facts.ts'
import { asArray, asBoolean, asObject, asString, asStrings, asText, type JsonObject } from '../decode.ts'
import { classifyPart } from '../markers.ts'
import { itemTurn, optional, pictureOf } from './shared.ts'

const roles = new Set(['user', 'assistant', 'developer', 'system'])
const phases = new Set(['commentary', 'partial_answer', 'final_answer'])

/** A message of the model's log. An unknown role reads as `system`: shown folded, never as conversation. */
export function messageItem(payload: JsonObject, metadata: JsonObject | undefined): MessageFact {
  const word = asString(payload['role']) ?? ''
  const role = (roles.has(word) ? word : 'system') as MessageFact['role']
  const content =
    typeof payload['content'] === 'string' ? [{ type: 'text', text: payload['content'] }] : asArray(payload['content'])
  const kinds = asStrings(asObject(payload['internal_chat_message_metadata_passthrough'])?.['content_item_kinds'])
  const labels = kinds.length === content.length ? kinds : []
  return {
    kind: 'message',
    log: 'item',
    role,
    parts: content.map((part, index) => messagePart(part, role, labels[index])),
    ...optional('id', asText(payload['id'])),
    ...optional('phase', phaseOf(payload['phase'])),
    ...optional('turnId', itemTurn(payload)),
    ...(asBoolean(metadata?.['compaction_output']) ? { compaction: true } : {}),
    ...(asBoolean(metadata?.['inherited_user_message']) ? { inherited: true } : {}),
  }
}

/** The phase of an assistant message; unknown words are dropped. */
export function phaseOf(value: unknown): MessageFact['phase'] {
  const word = asString(value)
  return word !== undefined && phases.has(word) ? (word as MessageFact['phase']) : undefined
}

function messagePart(value: unknown, role: MessageFact['role'], kind: string | undefined): Part {
  const part = asObject(value) ?? {}
  const type = asString(part['type']) ?? ''
  if (/image/.test(type)) {
    const picture = pictureOf(part)
    return picture === undefined ? { kind: 'placeholder', text: 'Image' } : { kind: 'image', ...picture }
  }
  const text = asString(part['text']) ?? asString(part['refusal'])
  if (text === undefined) return { kind: 'placeholder', text: placeholder(type) }
  return { kind: 'text', text, ...(role === 'user' ? classifyPart(text, kind) : { class: 'typed' }) }
}

function placeholder(type: string): string {
  if (/audio/.test(type)) return 'Audio'
  return type === 'encrypted_content' ? 'Encrypted content' : `Content of an unknown kind (${type || 'no type'})`
}
