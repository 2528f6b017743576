/** A short text in place of the output of a call: call and output stay, and so the pair is valid for the model's side. */

import type { HistoryItem, ResponseItem } from '../history/history.ts'

/** What stands in place of an output unless another text is asked for. */
export const defaultReplacement = '[output removed]'

/** Whether an item is an output in a file that can hold a text. */
export function isReplaceable({ item, synthetic }: Pick<HistoryItem, 'item' | 'synthetic'>): boolean {
  const type = item['type']
  return synthetic === undefined && (type === 'function_call_output' || type === 'custom_tool_call_output')
}

/** An output as it is sent with a text in its place. */
export function withOutput(item: ResponseItem, text: string): ResponseItem {
  return { ...item, output: text }
}

/** Keys under which a record holds an output, as rollouts with and without envelope do. */
export const outputPaths: readonly (readonly string[])[] = [['payload', 'output'], ['output']]
