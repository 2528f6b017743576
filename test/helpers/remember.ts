/** Memories built from invented records. */
import { type Built, memoryBuilder } from '../../src/features/memory/history/builder.ts'
import type { History, HistoryItem, ResponseItem } from '../../src/features/memory/history/history.ts'
import { rulesOf } from '../../src/features/memory/history/items.ts'
import { historyOf, locator } from '../../src/features/memory/history/read.ts'
import { type MemoryRecord, readRecord } from '../../src/features/memory/history/records.ts'

const segments = [{ threadId: 'thread', rolloutId: 'thread', file: 'rollout.jsonl', own: true }]

export const user = (text: string): ResponseItem => message('user', 'input_text', text)
export const assistant = (text: string): ResponseItem => message('assistant', 'output_text', text)
export const developer = (text: string): ResponseItem => message('developer', 'input_text', text)
export const environment = (folder: string): ResponseItem =>
  user(`<environment_context>\n  <cwd>${folder}</cwd>\n</environment_context>`)
export const instructions = (text: string): ResponseItem =>
  user(`# AGENTS.md instructions for /home/kim/shop\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`)

function message(role: string, type: string, text: string): ResponseItem {
  return { type: 'message', role, content: [{ type, text }] }
}

export const call = (id: string, name = 'shell'): ResponseItem => ({
  type: 'function_call',
  name,
  arguments: '{}',
  call_id: id,
})
export const output = (id: string, text = 'done'): ResponseItem => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})

const isRecord = (value: ResponseItem | MemoryRecord): value is MemoryRecord => 'kind' in value

/** Builds records and items, which are on lines 1, 2, 3 …, by the rules of a version. */
function build(records: readonly (ResponseItem | MemoryRecord)[], version?: string): Built {
  const describe = { keepItems: true, rules: rulesOf(version) }
  const builder = memoryBuilder(describe, locator({ segments }))
  for (const [index, value] of records.entries()) {
    const record = isRecord(value) ? value : readRecord({ type: 'response_item', payload: value })
    if (record !== undefined) builder.take(record, { source: { segment: 0, line: index + 1 } })
  }
  return builder.built()
}

/** The memory of records and items, which are on lines 1, 2, 3 … */
export function remember(records: readonly (ResponseItem | MemoryRecord)[], version?: string): History {
  return historyOf(build(records, version), { threadId: 'thread', turn: 0, segments })
}

/** The text of each item, in order. */
export function textsOf(history: { items: readonly HistoryItem[] }): string[] {
  return history.items.map(({ item }) => {
    const content = item['content']
    const [part] = Array.isArray(content) ? content : []
    return String(part?.text ?? item['output'] ?? item['name'] ?? item['type'])
  })
}
