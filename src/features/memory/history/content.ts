/** What an item contains, whatever its type: texts, pictures, and encrypted content, which only the model's vendor can read. */

import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
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
    case 'tool_search_call':
      addTexts(['tool_search', JSON.stringify(item['arguments'] ?? {})], content)
      break
    case 'tool_search_output':
      addTexts([JSON.stringify(item['tools'] ?? [])], content)
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

/** Adds the parts of a message or an output, which may also be a single text. */
function addParts(value: unknown, content: Content): void {
  if (typeof value === 'string') addTexts([value], content)
  for (const part of asArray(value)) {
    const object = asObject(part) ?? {}
    if (/image/.test(asString(object['type']) ?? '')) content.pictures++
    else addTexts([object['text'], object['refusal']], content)
    content.encrypted += asString(object['encrypted_content'])?.length ?? 0
  }
}

/** Adds reasoning. Its encrypted form represents its words; without one, the recorded words count. */
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

/** Fields that identify or describe an item, or are counted separately, and are not part of its text. */
const bookkeeping: ReadonlySet<string> = new Set([
  'id',
  'type',
  'call_id',
  'status',
  'execution',
  'encrypted_content',
  'metadata',
  'internal_chat_message_metadata_passthrough',
])

/** Adds the fields of an item of any other type as JSON. */
function addRest(item: ResponseItem, content: Content): void {
  content.encrypted += asString(item['encrypted_content'])?.length ?? 0
  const rest = Object.entries(item).filter(([key]) => !bookkeeping.has(key))
  if (rest.length > 0) content.texts.push(JSON.stringify(Object.fromEntries(rest)))
}
