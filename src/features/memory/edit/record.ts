/** The mask of a thread as it is kept between two prunes: what was taken out of its rollout, and where all of it is. */

import { asArray, asCount, asObject, asString } from '../../../rollout/parse/decode.ts'
import { parseJson } from '../../../util/json.ts'
import { defined } from '../../../util/own.ts'
import type { HistoryItem, ResponseItem } from '../history/history.ts'

/** Bytes of a file, known again by their hash. */
export interface Fingerprint {
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
  /** Stands in place of its output; the item itself is still there. */
  text?: string
}

/**
 * How a rollout is without items: their bytes are cut out, or blanks stand in their place, so that all others stay where
 * they were. The database of Codex's app knows the turns of a paginated thread, and how far it read, by their bytes.
 */
export type CutLayout = 'cut' | 'blank'

/** What was taken out of one rollout, and how to tell that this is still so. */
export interface MaskRecord {
  /** The backup that holds all items, deleted ones too. */
  base: Fingerprint & { name: string }
  /** The rollout as it was written. Codex may have appended to it since. */
  written: Fingerprint
  removed: RemovedItem[]
  /** What stands in place of the items; earlier versions cut them out of every rollout. */
  layout?: CutLayout
}

/** One prune or restore: what the rollout was before, as a backup without some items, and what it became. */
export interface Change {
  kind: 'prune' | 'restore'
  before: MaskRecord
  after: Fingerprint
}

/** What is known of one rollout, newest first: what is older counts where a crash kept the newest from being. */
export interface MaskFile {
  threadId: string
  rolloutId: string
  records: MaskRecord[]
  /** What can be undone. */
  changes: Change[]
}

const schema = 'codex-export/memory-mask'
/**
 * The second one is written where an output was replaced, the third where blanks stand in place of items: who knows only
 * earlier ones would take an output for one that is out, and the rollout for another one.
 */
const versions: readonly unknown[] = [1, 2, 3]

/** Masks and changes that are kept of one rollout. */
const maxKept = 12

/** The text of a mask file; keeps the newest masks and changes. */
export function encodeMasks({ threadId, rolloutId, records, changes }: MaskFile): string {
  const [masks, steps] = [records.slice(0, maxKept), changes.slice(0, maxKept)]
  const known = [...masks, ...steps.map(({ before }) => before)]
  const version = Math.max(...known.map(versionOf), 1)
  return `${JSON.stringify({ schema, version, threadId, rolloutId, records: masks, changes: steps })}\n`
}

function versionOf({ removed, layout }: MaskRecord): number {
  if (layout === 'blank') return 3
  return removed.some(({ text }) => text !== undefined) ? 2 : 1
}

/** Reads a mask file; `undefined` for any other file, a damaged one and one of another version. Never throws. */
export function decodeMasks(text: string): MaskFile | undefined {
  const file = asObject(parseJson(text))
  const threadId = asString(file?.['threadId'])
  const rolloutId = asString(file?.['rolloutId'])
  if (file?.['schema'] !== schema || !versions.includes(file['version'])) return undefined
  const records = asArray(file['records']).map(decodeRecord)
  // Earlier versions kept none.
  const changes = asArray(file['changes'] ?? []).map(decodeChange)
  if (threadId === undefined || rolloutId === undefined) return undefined
  // Half a mask would bring back or leave out the wrong items.
  if (!isWhole(records) || !isWhole(changes)) return undefined
  return { threadId, rolloutId, records, changes }
}

function isWhole<T>(values: readonly (T | undefined)[]): values is T[] {
  return values.every((value) => value !== undefined)
}

function decodeChange(value: unknown): Change | undefined {
  const change = asObject(value)
  const kind = asString(change?.['kind'])
  const before = decodeRecord(change?.['before'])
  const after = decodeFingerprint(change?.['after'])
  if ((kind !== 'prune' && kind !== 'restore') || before === undefined || after === undefined) return undefined
  return { kind, before, after }
}

function decodeRecord(value: unknown): MaskRecord | undefined {
  const record = asObject(value)
  const base = decodeFingerprint(record?.['base'])
  const name = asString(asObject(record?.['base'])?.['name'])
  const written = decodeFingerprint(record?.['written'])
  const removed = asArray(record?.['removed']).map(decodeRemoved)
  if (base === undefined || name === undefined || written === undefined) return undefined
  // Backups are looked for where they may be; a name with a folder in it is not ours.
  if (/[\\/]/.test(name) || removed.some((item) => item === undefined)) return undefined
  const whole = { base: { ...base, name }, written, removed: removed.filter((item) => item !== undefined) }
  return record?.['layout'] === 'blank' ? { ...whole, layout: 'blank' } : whole
}

function decodeFingerprint(value: unknown): Fingerprint | undefined {
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
  const text = asString(item?.['text'])
  return { line, hash, deleted: item?.['deleted'] === true, ...defined({ replacement, text }) }
}

/** Whether the rollout as it is on disk begins with some content. */
export type Begins = (content: Fingerprint) => boolean

/**
 * The mask that tells what is out of a rollout now. The longest content with which the rollout begins counts: a pruned
 * rollout can begin like a whole one, and a whole one like a pruned one. `isWhole` where it has all that the backup has:
 * somebody put it back, or the last prune ended before its last step.
 */
export function currentMask(
  records: readonly MaskRecord[],
  begins: Begins,
): { record: MaskRecord; isWhole: boolean } | undefined {
  const candidates = records.flatMap((record) => [
    { record, content: record.base, isWhole: true },
    { record, content: record.written, isWhole: false },
  ])
  // Newer ones stay first among those of the same length.
  return candidates.sort((a, b) => b.content.bytes - a.content.bytes).find(({ content }) => begins(content))
}

/**
 * The newest change that made the rollout what it is, by its index; `undefined` where none did. One that was planned and
 * never carried out is passed over, as is one that was taken back by hand.
 */
export function lastChange(changes: readonly Change[], begins: Begins): number | undefined {
  const index = changes.findIndex(
    ({ before, after }) => begins(after) && (after.bytes >= before.written.bytes || !begins(before.written)),
  )
  return index === -1 ? undefined : index
}

/**
 * Masks with one that is planned, and behind it the one that holds until that is carried out: those of prunes that failed, of
 * which only so many are kept, do not push it out.
 */
export function withPlanned(records: readonly MaskRecord[], planned: MaskRecord, current: MaskRecord): MaskRecord[] {
  const first = current.removed.length > 0 ? [planned, current] : [planned]
  const isAmong = ({ base, written }: MaskRecord): boolean =>
    first.some((own) => own.base.sha256 === base.sha256 && own.written.sha256 === written.sha256)
  return [...first, ...records.filter((record) => !isAmong(record))]
}

// A short text in place of the output of a call: call and output stay, and so the pair is valid for the model's side.

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
