/** What an item holds, apart from its shape: texts, pictures, and what only the model's makers can read. */
import { asArray, asObject, asString, type JsonObject } from '../parse/decode.ts'
import type { ResponseItem } from './history.ts'

/** Content of an item. */
export interface Content {
  texts: string[]
  pictures: number
  /** Characters of encrypted content. */
  encrypted: number
}

/** The content of an item, of any type. */
export function contentOf(item: ResponseItem): Content {
  const content: Content = { texts: [], pictures: 0, encrypted: 0 }
  switch (item['type']) {
    case 'message':
    case 'agent_message':
      addParts(item['content'], content)
      break
    case 'reasoning':
      addReasoning(item, content)
      break
    case 'function_call':
      addTexts([item['name'], item['arguments']], content)
      break
    case 'custom_tool_call':
      addTexts([item['name'], item['input']], content)
      break
    case 'function_call_output':
    case 'custom_tool_call_output':
      addOutput(item['output'], content)
      break
    case 'image_generation_call':
      addTexts([item['revised_prompt']], content)
      content.pictures++
      break
    default:
      addRest(item, content)
  }
  return content
}

function addTexts(values: readonly unknown[], { texts }: Content): void {
  for (const value of values) if (typeof value === 'string' && value !== '') texts.push(value)
}

/** Parts of a message or of an output; a message of one text may be that text itself. */
function addParts(value: unknown, content: Content): void {
  if (typeof value === 'string') addTexts([value], content)
  for (const part of asArray(value)) {
    const object = asObject(part) ?? {}
    if (/image/.test(asString(object['type']) ?? '')) content.pictures++
    else addTexts([object['text'], object['refusal']], content)
    content.encrypted += asString(object['encrypted_content'])?.length ?? 0
  }
}

/** Encrypted reasoning stands for its words; without it the words that are there count. */
function addReasoning(item: ResponseItem, content: Content): void {
  content.encrypted += asString(item['encrypted_content'])?.length ?? 0
  addParts(item['summary'], content)
  addParts(item['content'], content)
}

/** An output is a text, parts, or in the earliest files an object with its text in `content` (rollout-format 3.8). */
function addOutput(value: unknown, content: Content): void {
  const object = asObject(value)
  addParts(object === undefined ? value : object['content'], content)
}

/** Items without texts of their own: what they say as JSON, without ids and what is encrypted. */
function addRest(item: ResponseItem, content: Content): void {
  const { id: _id, type: _type, call_id: _callId, status: _status, encrypted_content: encrypted, ...rest } = item
  content.encrypted += asString(encrypted)?.length ?? 0
  const text = JSON.stringify(rest satisfies JsonObject)
  if (text !== '{}') content.texts.push(text)
}
