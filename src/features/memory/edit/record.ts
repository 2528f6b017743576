/**
 * The mask of a thread as it is stored between two prunes: what was removed from its rollout, and which backup has
 * everything.
 */

import { asArray, asCount, asObject, asString } from '../../../rollout/parse/decode.ts'
import { parseJson } from '../../../util/json.ts'
import { defined } from '../../../util/own.ts'
import type { HistoryItem, ResponseItem } from '../history/history.ts'

/** The first bytes of a file, recognised by their hash. */
export interface Fingerprint {
  bytes: number
  sha256: string
}

/** An item that was removed, or an output that was replaced, by its position in the base. */
export interface RemovedItem {
  /** Physical line, from 1. */
  line: number
  /** Index in the `replacement_history` of that line. */
  replacement?: number
  /** SHA-256 of the item as JSON. */
  hash: string
  /** Removed for good: only a backup brings it back. */
  deleted: boolean
  /** The text that replaces its output; the item itself is still there. */
  text?: string
}

/**
 * How a rollout is written without items: `cut` removes their bytes, `blank` puts spaces in their place, so that all
 * other bytes keep their offsets. The database of Codex's app finds the turns of a paginated thread, and how far it has
 * read, by byte offsets.
 */
export type CutLayout = 'cut' | 'blank'

/** What was removed from one rollout, and how to check that this still applies. */
export interface MaskRecord {
  /** The backup that has all items, including deleted ones. */
  base: Fingerprint & { name: string }
  /** The rollout as it was written. Codex may have appended to it since. */
  written: Fingerprint
  removed: RemovedItem[]
  /** What replaces the items; absent for `cut`, which earlier versions used for every rollout. */
  layout?: CutLayout
}

/** One prune or restore: the rollout before it, as a backup without some items, and the rollout after it. */
export interface Change {
  kind: 'prune' | 'restore'
  before: MaskRecord
  after: Fingerprint
}

/** What is stored about one rollout, newest first. Older entries count if a crash kept the newest from taking effect. */
export interface MaskFile {
  threadId: string
  rolloutId: string
  records: MaskRecord[]
  /** Changes that can be undone. */
  changes: Change[]
}

const schema = 'codex-export/memory-mask'
/**
 * Version 2 is written if an output was replaced, version 3 if spaces replace items. A program that knows only earlier
 * versions would take a replaced output for a removed item, and a rollout with spaces for another rollout.
 */
const versions: readonly unknown[] = [1, 2, 3]

/** At most this many masks, and as many changes, are kept for one rollout. */
const maxKept = 12

/** Returns the text of a mask file; keeps only the newest masks and changes. */
export function encodeMasks({ threadId, rolloutId, records, changes }: MaskFile): string {
  const [masks, steps] = [records.slice(0, maxKept), changes.slice(0, maxKept)]
  const contents = [...masks, ...steps.map(({ before }) => before)]
  const version = Math.max(...contents.map(versionOf), 1)
  return `${JSON.stringify({ schema, version, threadId, rolloutId, records: masks, changes: steps })}\n`
}

function versionOf({ removed, layout }: MaskRecord): number {
  if (layout === 'blank') return 3
  return removed.some(({ text }) => text !== undefined) ? 2 : 1
}

/** Parses a mask file; `undefined` for any other file, a damaged one and one of an unknown version. Never throws. */
export function decodeMasks(text: string): MaskFile | undefined {
  const file = asObject(parseJson(text))
  const threadId = asString(file?.['threadId'])
  const rolloutId = asString(file?.['rolloutId'])
  if (file?.['schema'] !== schema || !versions.includes(file['version'])) return undefined
  const records = asArray(file['records']).map(decodeRecord)
  // Earlier versions stored no changes.
  const changes = asArray(file['changes'] ?? []).map(decodeChange)
  if (threadId === undefined || rolloutId === undefined) return undefined
  // An incomplete mask would bring back or leave out the wrong items.
  if (!areComplete(records) || !areComplete(changes)) return undefined
  return { threadId, rolloutId, records, changes }
}

function areComplete<T>(values: readonly (T | undefined)[]): values is T[] {
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
  // Backups are only searched for in their folders, so a name with a folder in it is not ours.
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

/** Whether the rollout on disk starts with some content. */
export type Begins = (content: Fingerprint) => boolean

/**
 * The mask that applies to a rollout now. The longest content with which the rollout starts decides, because a pruned
 * rollout can start like a full one, and a full one like a pruned one. `isUnpruned` if the rollout has everything that the
 * backup has: the user put it back, or the last prune ended before its last step.
 */
export function currentMask(
  records: readonly MaskRecord[],
  begins: Begins,
): { record: MaskRecord; isUnpruned: boolean } | undefined {
  const candidates = records.flatMap((record) => [
    { record, content: record.base, isUnpruned: true },
    { record, content: record.written, isUnpruned: false },
  ])
  // Newer ones stay first among those of the same length.
  return candidates.sort((a, b) => b.content.bytes - a.content.bytes).find(({ content }) => begins(content))
}

/**
 * The index of the newest change that made the rollout what it is; `undefined` if none did. A change that was planned and
 * never carried out is skipped, and so is one that was reverted by hand.
 */
export function lastChange(changes: readonly Change[], begins: Begins): number | undefined {
  const index = changes.findIndex(
    ({ before, after }) => begins(after) && (after.bytes >= before.written.bytes || !begins(before.written)),
  )
  return index === -1 ? undefined : index
}

/**
 * Puts a planned mask first, followed by the current one, which applies until the plan is carried out. So the masks of
 * failed prunes cannot push the current one out of the limited list.
 */
export function withPlanned(records: readonly MaskRecord[], planned: MaskRecord, current: MaskRecord): MaskRecord[] {
  const first = current.removed.length > 0 ? [planned, current] : [planned]
  const isAmong = ({ base, written }: MaskRecord): boolean =>
    first.some((own) => own.base.sha256 === base.sha256 && own.written.sha256 === written.sha256)
  return [...first, ...records.filter((record) => !isAmong(record))]
}

// A short text that replaces the output of a call. Call and output both stay, so the model's side accepts the pair.

/** The text that replaces an output unless another one is given. */
export const defaultReplacement = '[output removed]'

/** Whether an item is an output recorded in a file, which a text can replace. */
export function isReplaceable({ item, synthetic }: Pick<HistoryItem, 'item' | 'synthetic'>): boolean {
  const type = item['type']
  return synthetic === undefined && (type === 'function_call_output' || type === 'custom_tool_call_output')
}

/** An output item as it is sent with a replaced text. */
export function withOutput(item: ResponseItem, text: string): ResponseItem {
  return { ...item, output: text }
}

/** Paths of keys to the output in a record, with and without an envelope. */
export const outputPaths: readonly (readonly string[])[] = [['payload', 'output'], ['output']]
