/** Finds values that are already known, in all their spellings, in one pass over a text, however many there are. */

import { readingsOf } from '../readings.ts'
import { rangeIn, unquoted, type View, withoutQuotes } from '../view.ts'
import { anchor, type Bucket, hasPriority, hitAt } from './buckets.ts'
import { minHead } from './cuts.ts'
import { type KnownEnds, knownEnds } from './ends.ts'
import { spellingsOf } from './spellings.ts'
import type { KnownHit, KnownValue, KnownValues } from './values.ts'

/** A search for values, to which more can be added at any time. */
export interface KnownSearch {
  add: (value: string, known: KnownValue) => void
  /** Returns all occurrences in order, without overlaps; the longest value at each offset. */
  find: (text: string) => KnownHit[]
  /** The number of spellings that are looked for. */
  readonly size: number
}

const slots = 1 << 14
/** What four characters may be of a spelling: its beginning, or another part that occurs wherever the spelling does. */
const [isWithin, isBeginning] = [1, 2]

/** An empty search. */
function knownSearch(): KnownSearch {
  // Allocated late, because most sessions have no values and there are thousands of searches.
  let flags: Uint8Array | undefined
  const buckets = new Map<string, Bucket>()
  const ends = knownEnds()
  let size = 0
  let stride = minHead - anchor + 1
  let hasQuotes = false
  return {
    add(value, known) {
      flags ??= new Uint8Array(slots)
      const bare = withoutQuotes(value)
      hasQuotes ||= bare !== value
      ends.add(value, known)
      for (const [index, text] of [...spellingsOf(value), ...(bare === value ? [] : [bare])].entries()) {
        const beginning = text.slice(0, anchor)
        if (beginning.length < anchor) continue
        const bucket: Bucket = buckets.get(beginning) ?? { spellings: new Map() }
        const other = bucket.spellings.get(text)
        const spelling = { text, value, known, hasHead: index === 0 }
        if (other === undefined) size++
        else if (!hasPriority(spelling, other)) continue
        bucket.spellings.set(text, spelling)
        delete bucket.sorted
        buckets.set(beginning, bucket)
        stride = Math.min(stride, markParts(text, flags))
      }
    },
    find: (text) => (flags === undefined ? [] : hitsInReadings(text, { flags, stride, buckets, ends, hasQuotes })),
    get size() {
      return size
    },
  }
}

/** Marks the parts that occur in every text with this spelling or its head, and returns how many there are. */
function markParts(text: string, flags: Uint8Array): number {
  const parts = Math.min(text.length, minHead) - anchor + 1
  for (let at = 0; at < parts; at++) {
    const slot = slotAt(text, at)
    flags[slot] = (flags[slot] ?? 0) | (at === 0 ? isBeginning : isWithin)
  }
  return parts
}

interface Compiled {
  flags: Uint8Array
  /** Only every such offset is looked at, because what is looked for is so long that it covers one of them. */
  stride: number
  buckets: ReadonlyMap<string, Bucket>
  ends: KnownEnds
  /** Whether a value has quotes. Each text around it writes them in its own way, or layer over layer, so they are ignored. */
  hasQuotes: boolean
}

/** Finds known values in all readings of a text. Only the text itself may be cut, because other readings are parts of it. */
function hitsInReadings(text: string, compiled: Compiled): KnownHit[] {
  const read = readingsOf(text)
  const views = compiled.hasQuotes ? [...read, ...read.flatMap(unquoted)] : read
  const ends = compiled.ends.find(text)
  if (views.length === 1 && ends.length === 0) return hitsIn(text, compiled)
  const all = views.flatMap((view) => {
    const found = hitsIn(view.text, compiled)
    return view.origin === undefined ? found : found.filter(({ isCut }) => !isCut).map((hit) => inOriginal(view, hit))
  })
  all.push(...ends)
  const hits: KnownHit[] = []
  for (const hit of all.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = hits.at(-1)
    if (last === undefined || hit.start >= last.end) hits.push(hit)
    else last.end = Math.max(last.end, hit.end)
  }
  return hits
}

function inOriginal(view: View, hit: KnownHit): KnownHit {
  const [start, end] = rangeIn(view, hit.start, hit.end)
  return { ...hit, start, end }
}

function hitsIn(text: string, { flags, stride, buckets }: Compiled): KnownHit[] {
  const hits: KnownHit[] = []
  let from = 0
  for (let offset = 0; offset + anchor <= text.length; offset += stride) {
    if (flags[slotAt(text, offset)] === 0) continue
    for (let start = Math.max(from, offset - stride + 1); start <= offset; start++) {
      if (((flags[slotAt(text, start)] ?? 0) & isBeginning) === 0) continue
      const bucket = buckets.get(text.slice(start, start + anchor))
      const hit = bucket === undefined ? undefined : hitAt(text, start, bucket)
      if (hit === undefined) continue
      hits.push(hit)
      from = hit.end
      start = from - 1
    }
  }
  return hits
}

/** A search for some values. */
export function searchOf(values: KnownValues): KnownSearch {
  const search = knownSearch()
  for (const [value, known] of values) search.add(value, known)
  return search
}

/** The slot of the four characters at an offset. */
function slotAt(text: string, offset: number): number {
  const first = ((text.charCodeAt(offset) & 127) << 7) | (text.charCodeAt(offset + 1) & 127)
  const last = ((text.charCodeAt(offset + 2) & 127) << 7) | (text.charCodeAt(offset + 3) & 127)
  return Math.imul((first << 14) | last, 0x9e3779b1) >>> 18
}
