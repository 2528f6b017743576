/** Compares two records without the fields that a copy has of its own: time and ordinal. */
import type { Line } from '../read/lines.ts'
import { parseLine } from '../read/value.ts'

const envelope = /^\{"timestamp":"[^"\\]{10,40}",(?:"ordinal":\d+,)?/

/** Whether two lines hold the same type and payload: by bytes, else by value, where another version wrote the copy. */
export function samePayload(left: Line, right: Line): boolean {
  if (body(left).equals(body(right))) return true
  return sameValue(record(left), record(right))
}

/** The bytes behind the fields that differ. */
function body({ bytes }: Line): Buffer {
  const head = envelope.exec(bytes.toString('latin1', 0, Math.min(96, bytes.length)))?.[0] ?? ''
  return bytes.subarray(head.length)
}

function record(line: Line): unknown {
  const { values } = parseLine(line)
  const [value] = values
  if (values.length !== 1 || typeof value !== 'object' || value === null) return undefined
  const { timestamp: _timestamp, ordinal: _ordinal, ...rest } = value as Record<string, unknown>
  return rest
}

/** Deep equality; an absent field equals `null`. Records that do not parse equal nothing. */
function sameValue(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false
  return canonical(left) === canonical(right)
}

/** JSON with sorted keys and without empty fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const fields = Object.entries(item).filter(([, field]) => field !== null)
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
