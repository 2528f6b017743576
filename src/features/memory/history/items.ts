/** Which response items belong to the memory, and which of them are pairs (rollout-format 3.2, 4.1). */

import { asArray, asObject, asString, asText } from '../../../rollout/parse/decode.ts'
import { ownValue } from '../../../util/own.ts'
import { tokenBytes } from './estimate.ts'
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

/** Whether Codex sends an item back to the model. */
export function isSent(item: ResponseItem): boolean {
  const type = asString(item['type']) ?? ''
  return sent.has(type) && !(type === 'message' && item['role'] === 'system')
}

/** One half of a pair of call and output. Halves of different families never pair, whatever their ids. */
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

/** Which half an item is; `undefined` for items that have no partner, and for a call without an id to pair by. */
export function halfOf(item: ResponseItem): Half | undefined {
  const type = asString(item['type']) ?? ''
  const half = ownValue(halves, type)
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

// Rules in which builds of Codex differ for the same records. The build that began the rollout decides, because no record
// says that another one continued it. Observed in requests of the builds before and after each change.

/** How a build reads its own records. */
export interface MemoryRules {
  /**
   * What remains after a rollback of more turns than there were since the last compaction:
   * - `list`: the compacted history shrinks further, message by message, like any other;
   * - `suffix`: nothing from before the compaction;
   * - `windows`: the memory before the compaction, without the turns that are rolled back.
   */
  rollback: 'list' | 'suffix' | 'windows'
  /** Whether context that precedes a turn is rolled back with it. */
  trimsContext: boolean
  /** Whether a picture that the model made is sent as one of the user. */
  sendsMadePictures: boolean
}

/** The rules of the build that began a rollout; those of the newest builds if the version is unknown. */
export function rulesOf(version: string | undefined): MemoryRules {
  return {
    rollback: rollbackOf(version),
    trimsContext: !isBetween(version, 0, 117),
    sendsMadePictures: isBetween(version, 105, 113),
  }
}

function rollbackOf(version: string | undefined): MemoryRules['rollback'] {
  if (isBetween(version, 0, 113)) return 'list'
  return isBetween(version, 113, 156) ? 'suffix' : 'windows'
}

/** Whether a version 0.x has `from <= x < to`. */
export function isBetween(version: string | undefined, from: number, to: number): boolean {
  const minor = Number(/^0\.(\d+)\./.exec(version ?? '')?.[1] ?? Number.NaN)
  return minor >= from && minor < to
}

// Cutting of outputs.

/** How much of an output is sent. */
export interface OutputLimit {
  unit: 'bytes' | 'tokens'
  limit: number
}

/** Factor for the JSON around an output, which these builds allow on top of the limit. */
const allowance = 1.2

/** An output item with its text cut in the middle; any other item, and a short output, as it is. */
export function cutOutput(item: ResponseItem, limit: OutputLimit | undefined): ResponseItem {
  const type = asString(item['type']) ?? ''
  if (limit === undefined || (type !== 'function_call_output' && type !== 'custom_tool_call_output')) return item
  const bytes = Math.floor(limit.limit * allowance) * (limit.unit === 'tokens' ? tokenBytes : 1)
  const output = item['output']
  if (typeof output === 'string') return { ...item, output: cutMiddle(output, bytes, limit.unit) }
  if (!Array.isArray(output)) return item
  return { ...item, output: cutParts(asArray(output), bytes, limit.unit) }
}

/** Cuts the texts of parts, which use up the limit in order. */
function cutParts(parts: readonly unknown[], bytes: number, unit: OutputLimit['unit']): unknown[] {
  let capacity = bytes
  return parts.map((part) => {
    const object = asObject(part)
    const text = asString(object?.['text'])
    if (object === undefined || text === undefined) return part
    const shown = cutMiddle(text, Math.max(0, capacity), unit)
    capacity -= Buffer.byteLength(shown)
    return { ...object, text: shown }
  })
}

/**
 * The start and the end of a text, in equal parts and `bytes` long together, with a mark between them that counts what
 * was cut.
 */
export function cutMiddle(text: string, bytes: number, unit: OutputLimit['unit']): string {
  // UTF-8 has at most three bytes per UTF-16 unit, so the bytes of short texts need not be counted.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  const whole = Buffer.from(text)
  const half = Math.floor(bytes / 2)
  const head = whole.subarray(0, backToCharacter(whole, half))
  const tail = whole.subarray(onToCharacter(whole, whole.length - (bytes - half)))
  const [start, end] = [head.toString(), tail.toString()]
  const omitted =
    unit === 'bytes'
      ? `${[...text].length - [...start].length - [...end].length} chars`
      : `${Math.ceil((whole.length - bytes) / tokenBytes)} tokens`
  return `${start}…${omitted} truncated…${end}`
}

function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80
}

function backToCharacter(bytes: Uint8Array, from: number): number {
  let at = from
  while (at > 0 && isInside(bytes, at)) at--
  return at
}

function onToCharacter(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isInside(bytes, at)) at++
  return at
}
