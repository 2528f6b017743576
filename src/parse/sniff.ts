/** Reads the kind of an enveloped line from its first bytes, without parsing it (performance: reader). */
import { asCount } from './decode.ts'

/** What the head of a line tells. */
export interface Sniffed {
  /** As written; not validated. */
  at: string
  /** `type/payload type`, and `/item type` for completed items. */
  kind: string
  /** Role of a message item. */
  role?: string
}

const headBytes = 640
const envelope = /^\{"timestamp":"([^"\\]{10,40})",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"type":"(\w+)")?/
const item = /"item":\{"type":"(\w+)"/
const role = /"role":"(\w+)"/

/** The head of a line, or `undefined` on any doubt: then the line must be parsed. */
export function sniff(bytes: Buffer): Sniffed | undefined {
  const head = bytes.toString('latin1', 0, Math.min(headBytes, bytes.length))
  const match = envelope.exec(head)
  if (match === null) return undefined
  const [, at = '', type = '', payload] = match
  if (payload === 'item_completed') {
    const name = item.exec(head)?.[1]
    return name === undefined ? undefined : { at, kind: `${type}/${payload}/${name}` }
  }
  if (type === 'response_item' && payload === 'message') {
    const word = role.exec(head)?.[1]
    return word === undefined ? undefined : { at, kind: `${type}/${payload}`, role: word }
  }
  if ((type === 'response_item' || type === 'event_msg') && payload === undefined) return undefined
  return { at, kind: payload === undefined ? type : `${type}/${payload}` }
}

const callIdKey = Buffer.from('"call_id":"')
const idKey = Buffer.from('"id":"')
const itemKey = Buffer.from('"item":{')
const quote = 0x22

/** The call id of a call, output or end record: the first in its head, else the last of the line. */
export function sniffCallId(bytes: Buffer, kind: string): string | undefined {
  if (kind.includes('item_completed')) {
    const start = bytes.indexOf(itemKey)
    return start < 0 ? undefined : valueAt(bytes, bytes.indexOf(idKey, start), idKey.length)
  }
  const first = bytes.subarray(0, headBytes).indexOf(callIdKey)
  return valueAt(bytes, first >= 0 ? first : bytes.lastIndexOf(callIdKey), callIdKey.length)
}

function valueAt(bytes: Buffer, key: number, length: number): string | undefined {
  if (key < 0) return undefined
  const start = key + length
  const end = bytes.indexOf(quote, start)
  return end < 0 || end - start > 200 ? undefined : bytes.toString('latin1', start, end)
}

const viewImage = '"name":"view_image"'

/** Whether a function call looks at a picture. */
export function sniffsViewImage(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, Math.min(headBytes, bytes.length)).includes(viewImage)
}

const spawnAgent = '"name":"spawn_agent"'

/** Whether a function call starts an agent. */
export function sniffsSpawn(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, Math.min(headBytes, bytes.length)).includes(spawnAgent)
}

/** The ordinal in the head of a paginated line. */
export function ordinalOf(bytes: Buffer): number | undefined {
  const match = /"ordinal":(\d+),/.exec(bytes.toString('latin1', 0, Math.min(96, bytes.length)))
  return match === null ? undefined : asCount(match[1])
}
