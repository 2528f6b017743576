/** What two versions of a rollout have and the other lacks. */
import { sniff } from '../parse/sniff.ts'
import { type Line, readLines } from '../read/lines.ts'
import type { ByteSource } from '../read/source.ts'
import { sha256 } from '../util/hash.ts'

/** Numbers of lines. A compaction that was only edited is in both. */
export interface LineDifference {
  onlyHere: number
  onlyThere: number
}

/** Compares lines, whatever their order. Keeps a number for each line of both, no text. */
export function lineDifference(here: ByteSource, there: ByteSource): LineDifference {
  const [mine, other] = [keysOf(here), keysOf(there)]
  return { onlyHere: countMissing(mine, other), onlyThere: countMissing(other, mine) }
}

function keysOf(source: ByteSource): Set<number> {
  const keys = new Set<number>()
  readLines(source, (line) => {
    if (line.bytes.length > 0) keys.add(keyOf(line))
  })
  return keys
}

/** The first 52 bits of a hash. Time and place tell a compaction: pruning edits what stands behind them. */
function keyOf({ bytes }: Line): number {
  const isCompaction = sniff(bytes)?.kind.startsWith('compacted')
  return Number.parseInt(sha256(isCompaction ? bytes.subarray(0, bytes.indexOf('"payload"')) : bytes).slice(0, 13), 16)
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
