/** Finds values that are already known, in all their spellings, in one pass over a text, however many there are. */

import { compareText } from '../util/compare.ts'
import { addTo } from '../util/groups.ts'
import { lineEnd } from './broken.ts'
import { endOfValue, isHead, isHiddenAt, minHead } from './cut-values.ts'
import { readingsOf } from './readings.ts'
import { rangeIn, unquoted, type View, withoutQuotes } from './view.ts'

/** What is known about a value. */
export interface KnownValue {
  /** The rule that found it. */
  rule: string
  /** Position of that rule. The lowest names a value that several rules found. */
  rank: number
  /** Known only in its own session, because it is too short or too plain to be looked for in others. */
  isLocal?: true
}

/** What is known about each value that was found to be a secret. */
export type KnownValues = ReadonlyMap<string, KnownValue>

/** An occurrence of a known value, however it is written: `start` inclusive, `end` exclusive. */
export interface KnownHit {
  start: number
  end: number
  /** The value itself, or its head if the text is cut. */
  value: string
  rule: string
  rank: number
  isCut: boolean
}

/** A search for values, to which more can be added at any time. */
export interface KnownSearch {
  add: (value: string, known: KnownValue) => void
  /** Returns all occurrences in order, without overlaps; the longest value at each offset. */
  find: (text: string) => KnownHit[]
  /** The number of spellings that are looked for. */
  readonly size: number
}

interface Spelling {
  text: string
  value: string
  known: KnownValue
  /** A text that is cut may end with its head. */
  hasHead: boolean
  /** The longest other spelling that it begins with. */
  inner?: Spelling | undefined
}

interface Bucket {
  spellings: Map<string, Spelling>
  /** In order; made when first needed. */
  sorted?: Spelling[]
}

/** The number of characters by which a spelling is found. */
const anchor = 4
const slots = 1 << 14
/** What four characters may be of a spelling: its beginning, or another part that occurs wherever the spelling does. */
const [isWithin, isBeginning] = [1, 2]

/** An empty search. */
function knownSearch(): KnownSearch {
  // Allocated late, because most sessions have no values and there are thousands of searches.
  let flags: Uint8Array | undefined
  const buckets = new Map<string, Bucket>()
  const tails = knownTails()
  let size = 0
  let stride = minHead - anchor + 1
  let hasQuotes = false
  return {
    add(value, known) {
      flags ??= new Uint8Array(slots)
      const bare = withoutQuotes(value)
      hasQuotes ||= bare !== value
      tails.add(value, known)
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
    find: (text) => (flags === undefined ? [] : hitsInReadings(text, { flags, stride, buckets, tails, hasQuotes })),
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
  tails: KnownTails
  /** Whether a value has quotes. Each text around it writes them in its own way, or layer over layer, so they are ignored. */
  hasQuotes: boolean
}

/** Finds known values in all readings of a text. Only the text itself may be cut, because other readings are parts of it. */
function hitsInReadings(text: string, compiled: Compiled): KnownHit[] {
  const read = readingsOf(text)
  const views = compiled.hasQuotes ? [...read, ...read.flatMap(unquoted)] : read
  const tails = compiled.tails.find(text)
  if (views.length === 1 && tails.length === 0) return hitsIn(text, compiled)
  const all = views.flatMap((view) => {
    const found = hitsIn(view.text, compiled)
    return view.origin === undefined ? found : found.filter(({ isCut }) => !isCut).map((hit) => inOriginal(view, hit))
  })
  all.push(...tails)
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

/**
 * Whether a text that may represent either of two values represents `a`. The result does not depend on the order in which they
 * were added.
 */
function hasPriority(a: Spelling, b: Spelling): boolean {
  if (a.hasHead !== b.hasHead) return a.hasHead
  return a.known.rank === b.known.rank ? a.value < b.value : a.known.rank < b.known.rank
}

/** The slot of the four characters at an offset. */
function slotAt(text: string, offset: number): number {
  const first = ((text.charCodeAt(offset) & 127) << 7) | (text.charCodeAt(offset + 1) & 127)
  const last = ((text.charCodeAt(offset + 2) & 127) << 7) | (text.charCodeAt(offset + 3) & 127)
  return Math.imul((first << 14) | last, 0x9e3779b1) >>> 18
}

/** The longest spelling at an offset, or the head of one that is cut there. */
function hitAt(text: string, start: number, bucket: Bucket): KnownHit | undefined {
  bucket.sorted ??= inOrder(bucket)
  const { sorted } = bucket
  const next = insertionIndex(sorted, text, start)
  let whole = sorted[next - 1]
  while (whole !== undefined && !text.startsWith(whole.text, start)) whole = whole.inner
  if (whole !== undefined) return hitOf(whole, start, start + whole.text.length)
  const broken = brokenAt(text, start, sorted, next)
  if (broken !== undefined) return broken
  const head = headAt(text, start, [sorted[next - 1], sorted[next]])
  if (head === undefined) return undefined
  const length = commonLength(text, start, head.text)
  return { ...hitOf(head, start, start + length), value: head.value.slice(0, length), isCut: true }
}

function hitOf({ value, known: { rule, rank } }: Spelling, start: number, end: number): KnownHit {
  return { start, end, value, rule, rank, isCut: false }
}

/** What lays out or joins the parts of a value: a line end, the quotes of two literals, the mark of bold text. */
const gap = new RegExp(`${lineEnd}|["'\`]\\s{0,40}(?:[+.&~]|\\.\\.|\\|\\|)?\\s{0,40}["'\`]|\\*\\*`, 'y')
const maxGaps = 64
/** How many values that begin or end alike are compared with one place. */
const maxAlike = 64

/** The longest spelling at an offset that has gaps. */
function brokenAt(text: string, start: number, sorted: readonly Spelling[], next: number): KnownHit | undefined {
  const lengthOf = (index: number): number => commonLength(text, start, sorted[index]?.text ?? '')
  const length = Math.max(lengthOf(next - 1), lengthOf(next))
  if (length < anchor || !isGap(text, start + length)) return undefined
  let best: KnownHit | undefined
  const compare = (index: number): void => {
    const spelling = sorted[index]
    const end = spelling === undefined ? undefined : endOfBroken(text, start, spelling.text)
    if (spelling !== undefined && end !== undefined && end > (best?.end ?? 0)) best = hitOf(spelling, start, end)
  }
  for (let at = next - 1; at >= 0 && next - at <= maxAlike && lengthOf(at) === length; at--) compare(at)
  for (let at = next; at < sorted.length && at - next < maxAlike && lengthOf(at) === length; at++) compare(at)
  return best
}

function isGap(text: string, at: number): boolean {
  gap.lastIndex = at
  return gap.test(text)
}

/** Where a spelling that begins at `start` ends if gaps are left out; `undefined` if it is another text. */
function endOfBroken(text: string, start: number, spelling: string): number | undefined {
  let at = start
  let gaps = 0
  for (let index = 0; index < spelling.length; index++, at++) {
    if (text.charCodeAt(at) === spelling.charCodeAt(index)) continue
    if (++gaps > maxGaps || !isGap(text, at)) return undefined
    at = gap.lastIndex
    if (text.charCodeAt(at) !== spelling.charCodeAt(index)) return undefined
  }
  return at
}

function inOrder({ spellings }: Bucket): Spelling[] {
  const sorted = [...spellings.values()].sort((a, b) => compareText(a.text, b.text))
  let before: Spelling | undefined
  for (const spelling of sorted) {
    while (before !== undefined && !spelling.text.startsWith(before.text)) before = before.inner
    spelling.inner = before
    before = spelling
  }
  return sorted
}

/** The number of spellings that sort before, or equal, the text from an offset on. */
function insertionIndex(sorted: readonly Spelling[], text: string, start: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAfter(sorted[middle]?.text ?? '', text, start)) high = middle
    else low = middle + 1
  }
  return low
}

function isAfter(spelling: string, text: string, start: number): boolean {
  const length = commonLength(text, start, spelling)
  if (length === spelling.length) return false
  return start + length >= text.length || spelling.charCodeAt(length) > text.charCodeAt(start + length)
}

function commonLength(text: string, start: number, spelling: string): number {
  let length = 0
  while (length < spelling.length && spelling.charCodeAt(length) === text.charCodeAt(start + length)) length++
  return length
}

function headAt(text: string, start: number, around: readonly (Spelling | undefined)[]): Spelling | undefined {
  return around.find((spelling) => {
    if (spelling?.hasHead !== true) return false
    const length = commonLength(text, start, spelling.text)
    return isHead(spelling.text.slice(0, length)) && isHiddenAt(text, start + length)
  })
}

// The ends of values, after a cut or at the beginning of a text.

/** A search for the ends of values, to which more can be added at any time. */
interface KnownTails {
  add: (value: string, known: KnownValue) => void
  /** Returns all occurrences in order, without overlaps. */
  find: (text: string) => KnownHit[]
}

interface Tail {
  value: string
  known: KnownValue
  minLength: number
}

const mark = '…|\\.{3}|\\*{3}|•{3}'
/** What follows a cut, up to the next whitespace or cut. What Codex writes in place of omitted lines ends with a bracket. */
const rest = new RegExp(
  `(?:^|…|(?:(?<!\\.)\\.{3,}(?!\\.)|(?<!\\*)\\*{3,}(?!\\*)|(?<!•)•{3,}(?!•))\\]?)\\n{0,2}(?<rest>(?:(?!${mark})\\S){8,2048})`,
  'g',
)

/** An empty search. */
function knownTails(): KnownTails {
  const tails = new Map<string, Tail[]>()
  return {
    add(value, known) {
      const end = endOfValue(value)
      const key = value.slice(-minHead)
      if (end === undefined || (tails.get(key)?.length ?? 0) >= maxAlike) return
      addTo(tails, key, { value, known, minLength: end.length })
    },
    find: (text) => (tails.size === 0 ? [] : tailsIn(text, tails)),
  }
}

function tailsIn(text: string, tails: ReadonlyMap<string, readonly Tail[]>): KnownHit[] {
  const hits: KnownHit[] = []
  for (const { 0: whole, groups, index } of text.matchAll(rest)) {
    const stop = index + whole.length
    const hit = tailAt(text, stop - (groups?.['rest']?.length ?? 0), stop, tails)
    if (hit !== undefined) hits.push(hit)
  }
  return hits
}

/** The end of a value that begins at `start` and ends somewhere before `stop`. */
function tailAt(
  text: string,
  start: number,
  stop: number,
  tails: ReadonlyMap<string, readonly Tail[]>,
): KnownHit | undefined {
  for (let end = start + minHead; end <= stop; end++) {
    const alike = tails.get(text.slice(end - minHead, end))
    if (alike === undefined) continue
    const own = text.slice(start, end)
    const tail = alike.find(
      ({ value, minLength }) => own.length >= minLength && own.length < value.length && value.endsWith(own),
    )
    if (tail === undefined) continue
    const { rule, rank } = tail.known
    return { start, end, value: tail.value, rule, rank, isCut: true }
  }
  return undefined
}

// How else a value may be written.

/** A shorter piece of an encoded value reveals too little. */
const minEncoded = 10

/**
 * The value, and its spellings inside other texts: escaped as JSON once and twice, as XML, percent-encoded, in letters of one
 * case, and as hexadecimal digits and base64 of its bytes, also in the middle of something longer. The value itself comes first.
 */
export function spellingsOf(value: string): string[] {
  const json = escaped(value)
  const bytes = Buffer.from(value, 'utf8')
  const all = [value, json, escaped(json), xml(value), ...percent(value), value.toLowerCase(), value.toUpperCase()]
  all.push(...hexadecimal(bytes), ...base64(bytes), ...base64(Buffer.from(value, 'utf16le')))
  return [...new Set(all)].filter((text, index) => index === 0 || text.length >= minEncoded)
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function xml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** As programs write it in an address, with uppercase and lowercase escapes. Unpaired surrogates cannot be encoded. */
function percent(value: string): string[] {
  const escapePunctuation = (text: string): string =>
    text.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  if (/\p{Cs}/u.test(value)) return []
  const plain = [encodeURIComponent(value), encodeURI(value), escapePunctuation(encodeURIComponent(value))]
  const small = plain.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
  return [...plain, ...small, ...[...plain, ...small].map((text) => text.replaceAll('%20', '+'))]
}

function hexadecimal(bytes: Buffer): string[] {
  const digits = bytes.toString('hex')
  return [digits, digits.toUpperCase()]
}

/**
 * Three bytes become four characters, and what precedes a value shifts it by zero, one or two bytes. Characters at its edges that
 * also depend on other bytes are left out.
 */
function base64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const end = Math.floor(((before + bytes.length) * 4) / 3)
    const inner = text.slice(Math.ceil((before * 4) / 3), (before + bytes.length) % 3 === 0 ? text.length : end)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
