/** Values that begin alike, in order: which of their spellings is at a place of a text. */

import { compareText } from '../../util/compare.ts'
import { lineEnd } from '../broken.ts'
import { isHead, isHiddenAt } from './cuts.ts'
import type { KnownHit, KnownValue } from './values.ts'

interface Spelling {
  text: string
  value: string
  known: KnownValue
  /** A text that is cut may end with its head. */
  hasHead: boolean
  /** The longest other spelling that it begins with. */
  inner?: Spelling | undefined
}

/** Spellings with the same first characters. */
export interface Bucket {
  spellings: Map<string, Spelling>
  /** In order; made when first needed. */
  sorted?: Spelling[]
}

/** The number of characters by which a spelling is found. */
export const anchor = 4

/**
 * Whether a text that may represent either of two values represents `a`. The result does not depend on the order in which they
 * were added.
 */
export function hasPriority(a: Spelling, b: Spelling): boolean {
  if (a.hasHead !== b.hasHead) return a.hasHead
  return a.known.rank === b.known.rank ? a.value < b.value : a.known.rank < b.known.rank
}

/** The longest spelling at an offset, or the head of one that is cut there. */
export function hitAt(text: string, start: number, bucket: Bucket): KnownHit | undefined {
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
/** How many spellings before and after a place in the order are compared with it if they begin alike. */
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
