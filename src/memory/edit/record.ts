/** The mask of a thread as it is kept between two prunes: what was taken out of its rollout, and where all of it is. */
import { asArray, asCount, asObject, asString } from '../../parse/decode.ts'

/** Bytes of a file, known again by their hash. */
export interface Content {
  bytes: number
  sha256: string
}

/** An item that was taken out, by its place in the base. */
export interface RemovedItem {
  /** Physical line, from 1. */
  line: number
  /** Index in the `replacement_history` of that line. */
  replacement?: number
  /** SHA-256 of the item as JSON. */
  hash: string
  /** Taken out for good: only a backup brings it back. */
  deleted: boolean
}

/** What was taken out of one rollout, and how to tell that this is still so. */
export interface MaskRecord {
  /** The backup beside the rollout that holds all items, deleted ones too. */
  base: Content & { name: string }
  /** The rollout as it was written. Codex may have appended to it since. */
  written: Content
  removed: RemovedItem[]
}

/** The masks of one rollout, newest first: the one before the last counts where a crash kept the last from being. */
export interface MaskFile {
  threadId: string
  rolloutId: string
  records: MaskRecord[]
}

const schema = 'codex-export/memory-mask'
const version = 1

/** The text of a mask file; keeps the two newest records. */
export function encodeMasks({ threadId, rolloutId, records }: MaskFile): string {
  return `${JSON.stringify({ schema, version, threadId, rolloutId, records: records.slice(0, 2) })}\n`
}

/** Reads a mask file; `undefined` for what is none, is damaged or is of another version. Never throws. */
export function decodeMasks(text: string): MaskFile | undefined {
  try {
    const file = asObject(JSON.parse(text))
    const threadId = asString(file?.['threadId'])
    const rolloutId = asString(file?.['rolloutId'])
    if (file?.['schema'] !== schema || file['version'] !== version) return undefined
    const records = asArray(file['records']).map(decodeRecord)
    if (threadId === undefined || rolloutId === undefined) return undefined
    // Half a mask would bring back or leave out the wrong items.
    return records.every((record) => record !== undefined) ? { threadId, rolloutId, records } : undefined
  } catch {
    return undefined
  }
}

function decodeRecord(value: unknown): MaskRecord | undefined {
  const record = asObject(value)
  const base = decodeContent(record?.['base'])
  const name = asString(asObject(record?.['base'])?.['name'])
  const written = decodeContent(record?.['written'])
  const removed = asArray(record?.['removed']).map(decodeRemoved)
  if (base === undefined || name === undefined || written === undefined) return undefined
  // A backup stands beside its rollout; a name with a folder in it is not ours.
  if (/[\\/]/.test(name) || removed.some((item) => item === undefined)) return undefined
  return { base: { ...base, name }, written, removed: removed.filter((item) => item !== undefined) }
}

function decodeContent(value: unknown): Content | undefined {
  const content = asObject(value)
  const bytes = asCount(content?.['bytes'])
  const sha256 = asString(content?.['sha256'])
  return bytes === undefined || sha256 === undefined ? undefined : { bytes, sha256 }
}

function decodeRemoved(value: unknown): RemovedItem | undefined {
  const item = asObject(value)
  const line = asCount(item?.['line'])
  const hash = asString(item?.['hash'])
  const replacement = asCount(item?.['replacement'])
  if (line === undefined || hash === undefined) return undefined
  return { line, hash, deleted: item?.['deleted'] === true, ...(replacement !== undefined && { replacement }) }
}
