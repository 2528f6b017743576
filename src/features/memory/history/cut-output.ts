/**
 * Outputs as builds of early 2026 sent them: whole in the file, cut in the request. Later builds write what they sent,
 * and their `turn_context` names no limit.
 */

import { asArray, asObject, asString } from '../../../rollout/parse/decode.ts'
import { tokenBytes } from './estimate.ts'
import type { ResponseItem } from './history.ts'

/** How much of an output is sent. */
export interface OutputLimit {
  unit: 'bytes' | 'tokens'
  limit: number
}

/** Room for the JSON around an output, which those builds grant on top. */
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

/** Parts share the room, in order. */
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

/** Head and tail of a text, in equal parts and of so many bytes in all, with a mark that counts what is gone. */
export function cutMiddle(text: string, bytes: number, unit: OutputLimit['unit']): string {
  // A character has at most three bytes a UTF-16 unit: short texts need no look at their bytes.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  const whole = Buffer.from(text)
  const left = Math.floor(bytes / 2)
  const head = whole.subarray(0, backToCharacter(whole, left))
  const tail = whole.subarray(onToCharacter(whole, whole.length - (bytes - left)))
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
