/** Which response items are memory, and which of them belong together (rollout-format 3.2, 4.1). */

import { asString, asText } from '../../../rollout/parse/decode.ts'
import type { ResponseItem } from './history.ts'

/** Items that Codex sends back to the model; it drops all others, and messages of role `system`. */
const sent = new Set([
  'message',
  'reasoning',
  'local_shell_call',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
  'image_generation_call',
  'tool_search_call',
  'tool_search_output',
  'agent_message',
  'additional_tools',
  'compaction',
  'compaction_summary',
  'context_compaction',
])

/** Whether the model sees an item again. */
export function isSent(item: ResponseItem): boolean {
  const type = asString(item['type']) ?? ''
  return sent.has(type) && !(type === 'message' && item['role'] === 'system')
}

/** One half of a call and its output. Halves of different families never pair, whatever their ids. */
export interface Half {
  side: 'call' | 'output'
  family: 'function' | 'custom' | 'search'
  callId: string
}

const halves: Readonly<Record<string, Pick<Half, 'side' | 'family'>>> = {
  function_call: { side: 'call', family: 'function' },
  local_shell_call: { side: 'call', family: 'function' },
  function_call_output: { side: 'output', family: 'function' },
  custom_tool_call: { side: 'call', family: 'custom' },
  custom_tool_call_output: { side: 'output', family: 'custom' },
  tool_search_call: { side: 'call', family: 'search' },
  tool_search_output: { side: 'output', family: 'search' },
}

/** The half that an item is; `undefined` for items without a partner, also for a call that has no id to pair by. */
export function halfOf(item: ResponseItem): Half | undefined {
  const type = asString(item['type']) ?? ''
  const half = Object.hasOwn(halves, type) ? halves[type] : undefined
  if (half === undefined) return undefined
  const own = type === 'local_shell_call' ? asText(item['id']) : undefined
  const callId = asText(item['call_id']) ?? own
  return callId === undefined ? undefined : { ...half, callId }
}

/** The output that Codex sends for a call that has none. */
export function abortedOutput({ family, callId }: Half): ResponseItem {
  if (family === 'search')
    return { type: 'tool_search_output', call_id: callId, status: 'completed', execution: 'client', tools: [] }
  const type = family === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: callId, output: 'aborted' }
}
