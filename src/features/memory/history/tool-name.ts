/** Names of the tools that items are calls and outputs of. */

import { asString } from '../../../rollout/parse/decode.ts'
import type { HistoryItem, ResponseItem } from './history.ts'

/** Calls whose item has no name of its own. */
const named: Readonly<Record<string, string>> = {
  local_shell_call: 'local_shell',
  tool_search_call: 'tool_search',
  tool_search_output: 'tool_search',
  web_search_call: 'web_search',
  image_generation_call: 'image_generation',
}

/** The name of a call's tool, behind its namespace where it has one; of an output only where it says it. */
export function toolName(item: ResponseItem): string | undefined {
  const type = asString(item['type']) ?? ''
  const own = Object.hasOwn(named, type) ? named[type] : undefined
  if (own !== undefined) return own
  const name = asString(item['name'])
  if (name === undefined || !/_call(?:_output)?$/.test(type)) return undefined
  const space = asString(item['namespace'])
  return space === undefined || space === '' ? name : `${space}.${name}`
}

/** Tools by index of item; an output has the tool of its call. */
export function toolNames(items: readonly HistoryItem[]): Map<number, string> {
  const names = new Map<number, string>()
  for (const { index, item } of items) {
    const name = toolName(item)
    if (name !== undefined) names.set(index, name)
  }
  for (const { index, pair } of items) {
    const name = pair === undefined ? undefined : names.get(Math.min(index, pair))
    if (name !== undefined) names.set(index, name)
  }
  return names
}
