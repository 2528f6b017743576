/** What an item is, in the words of tables and plots. */

import type { MemoryCategory } from '../model/memory.ts'
import { asArray, asObject, asString, asStrings } from '../parse/decode.ts'
import type { ResponseItem } from './history.ts'

/** Tells who wrote a text of role `user`, and what an injected one is called; `classifyPart` of the parser. */
export type Classify = (
  text: string,
  kind: string | undefined,
) => { class: 'typed' | 'injected' | 'wrapper'; label?: string }

const byType: Readonly<Record<string, MemoryCategory>> = {
  reasoning: 'reasoning',
  function_call: 'toolCall',
  custom_tool_call: 'toolCall',
  local_shell_call: 'toolCall',
  tool_search_call: 'toolCall',
  function_call_output: 'toolOutput',
  custom_tool_call_output: 'toolOutput',
  tool_search_output: 'toolOutput',
  web_search_call: 'webSearch',
  image_generation_call: 'image',
  agent_message: 'agentMessage',
  additional_tools: 'developer',
  compaction: 'compactionSummary',
  compaction_summary: 'compactionSummary',
  context_compaction: 'compactionSummary',
}

const byLabel: Readonly<Record<string, MemoryCategory>> = {
  Environment: 'environmentContext',
  Instructions: 'userInstructions',
  'Compaction summary': 'compactionSummary',
}

/** The category of an item. */
export function categoryOf(item: ResponseItem, classify: Classify): MemoryCategory {
  const type = asString(item['type']) ?? ''
  if (type !== 'message') return (Object.hasOwn(byType, type) ? byType[type] : undefined) ?? 'injected'
  if (item['role'] === 'assistant') return 'assistantMessage'
  return item['role'] === 'user' ? userCategory(item, classify) : 'developer'
}

/** A message with anything that somebody typed, or with nothing but pictures, is the user's (rollout-format 5.4). */
function userCategory(item: ResponseItem, classify: Classify): MemoryCategory {
  const parts = typeof item['content'] === 'string' ? [{ text: item['content'] }] : asArray(item['content'])
  const kinds = asStrings(asObject(item['internal_chat_message_metadata_passthrough'])?.['content_item_kinds'])
  const labels = kinds.length === parts.length ? kinds : []
  const texts = parts.map((part, index) => {
    const text = asString(asObject(part)?.['text'])
    return text === undefined ? undefined : classify(text, labels[index])
  })
  if (texts.some((found) => found?.class === 'typed')) return 'userMessage'
  const injected = texts.find((found) => found?.class === 'injected')
  if (injected === undefined) return 'userMessage'
  return (injected.label === undefined ? undefined : byLabel[injected.label]) ?? 'injected'
}
