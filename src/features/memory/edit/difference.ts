/** What two versions of a rollout have and the other lacks. */

import { sniff, sniffCallId } from '../../../rollout/parse/entry.ts'
import { type Line, readLines } from '../../../rollout/read/lines.ts'
import type { ByteSource } from '../../../rollout/read/source.ts'
import { sha256 } from '../../../util/hash.ts'

/** Numbers of lines. A compaction or an output that was only edited is in both. */
export interface LineDifference {
  onlyHere: number
  onlyThere: number
  /** Compactions of which the other version has another history, and outputs that say something else there. */
  edited: number
}

/** The lines of a source, whatever their order: a number for each, no text. */
export interface LineKeys {
  keys: Set<number>
  /** Numbers of whole lines by the number that stands for a compaction or an output. */
  editable: Map<number, number>
  /** Bytes of the source. */
  size: number
}

/** Compares lines, whatever their order. */
export function lineDifference(here: ByteSource, there: ByteSource): LineDifference {
  const [mine, other] = [lineKeys(here), lineKeys(there)]
  let edited = 0
  for (const [key, whole] of mine.editable) {
    const twin = other.editable.get(key)
    if (twin !== undefined && twin !== whole) edited++
  }
  return { onlyHere: countMissing(mine.keys, other.keys), onlyThere: countMissing(other.keys, mine.keys), edited }
}

/** Reads the lines of a source. */
export function lineKeys(source: ByteSource): LineKeys {
  const lines: LineKeys = { keys: new Set(), editable: new Map(), size: source.size }
  readLines(source, (line) => {
    if (line.bytes.length > 0) addKeys(line, lines)
  })
  return lines
}

/** Time and place tell a compaction, and with its call an output: pruning edits what stands behind them. */
function addKeys({ bytes }: Line, { keys, editable }: LineKeys): void {
  const whole = keyOf(bytes)
  const place = placeOf(bytes)
  const key = place === undefined ? whole : keyOf(place)
  keys.add(key)
  if (place !== undefined) editable.set(key, whole)
}

/** What stays of a line that pruning may edit; `undefined` for any other line. */
function placeOf(bytes: Buffer): string | undefined {
  const kind = sniff(bytes)?.kind ?? ''
  const head = `${bytes.subarray(0, bytes.indexOf('"payload"'))}${kind}`
  if (kind.startsWith('compacted')) return head
  const call = /^response_item\/\w+_output$/.test(kind) ? sniffCallId(bytes, kind) : undefined
  return call === undefined ? undefined : `${head} ${call}`
}

/** The first 52 bits of a hash. */
function keyOf(text: Uint8Array | string): number {
  return Number.parseInt(sha256(text).slice(0, 13), 16)
}

/** Whether one version has nothing that the other one lacks, and less of it: a pruned form of it, or an earlier state. */
export function isPartOf(part: LineKeys, whole: LineKeys): boolean {
  for (const key of part.keys) if (!whole.keys.has(key)) return false
  return part.keys.size < whole.keys.size || part.size < whole.size
}

function countMissing(keys: ReadonlySet<number>, from: ReadonlySet<number>): number {
  let count = 0
  for (const key of keys) if (!from.has(key)) count++
  return count
}

/** The first byte in which two sources differ; the length of the shorter one where it begins the other. */
export function firstDifference(a: ByteSource, b: ByteSource): number {
  const size = 64 * 1024
  const [left, right] = [Buffer.alloc(size), Buffer.alloc(size)]
  const end = Math.min(a.size, b.size)
  for (let position = 0; position < end; position += size) {
    const length = Math.min(size, end - position)
    a.read(left, 0, length, position)
    b.read(right, 0, length, position)
    if (left.compare(right, 0, length, 0, length) === 0) continue
    return position + left.subarray(0, length).findIndex((byte, at) => byte !== right[at])
  }
  return end
}
