/** Lines of a patch with their old and new numbers, and the words in which two lines differ. */

import type { Hunk } from '../../../transcript/trast.ts'

/** One line of a diff. A number is absent if that side has no such line or the patch has no numbers. */
export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'note'
  oldNumber?: number
  newNumber?: number
  /** The line without its sign. */
  text: string
}

/**
 * Lines of a hunk's value, whose first characters are signs. A line without a sign is context that lost its leading space;
 * `\ No newline at end of file` is a note.
 */
export function diffLines(hunk: Pick<Hunk, 'value' | 'oldStart' | 'newStart'>): DiffLine[] {
  let oldNumber = hunk.oldStart
  let newNumber = hunk.newStart
  const lines = hunk.value.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((raw) => {
    const line = readLine(raw.endsWith('\r') ? raw.slice(0, -1) : raw)
    if (line.kind === 'del' || line.kind === 'same') {
      if (oldNumber !== undefined) line.oldNumber = oldNumber++
    }
    if (line.kind === 'add' || line.kind === 'same') {
      if (newNumber !== undefined) line.newNumber = newNumber++
    }
    return line
  })
}

function readLine(raw: string): DiffLine {
  const text = raw.slice(1)
  if (raw.startsWith('+')) return { kind: 'add', text }
  if (raw.startsWith('-')) return { kind: 'del', text }
  if (raw.startsWith('\\')) return { kind: 'note', text: raw }
  return { kind: 'same', text: raw.startsWith(' ') ? text : raw }
}

const signs: Readonly<Record<DiffLine['kind'], string>> = { add: '+', del: '\u2212', same: ' ', note: ' ' }

/** Widths of the number columns over all lines of a file; 0 if no line has a number. */
export function gutterWidths(lines: readonly DiffLine[]): { old: number; new: number } {
  const widths = { old: 0, new: 0 }
  for (const line of lines) {
    widths.old = Math.max(widths.old, digits(line.oldNumber))
    widths.new = Math.max(widths.new, digits(line.newNumber))
  }
  return widths
}

/** The margin of a line in columns: old number, new number, sign. */
export function gutter(line: DiffLine, widths: { old: number; new: number }): string {
  const old = widths.old === 0 ? '' : `${String(line.oldNumber ?? '').padStart(widths.old)} `
  const next = widths.new === 0 ? '' : `${String(line.newNumber ?? '').padStart(widths.new)} `
  return `${old}${next}${signs[line.kind]}`
}

function digits(number: number | undefined): number {
  return number === undefined ? 0 : String(number).length
}

// The words that changed in a changed line.

/** Part of a text, by UTF-16 indices; `end` is exclusive. */
export interface Range {
  start: number
  end: number
}

/** UTF-16 units of a line; longer ones are data or minified code, in which marks do not help. */
const maxLineLength = 500
/** Lines of a run; longer ones are rewritten rather than changed. */
const maxRunLength = 50
/** Words on each side that are compared. */
const maxWords = 200
/** Shares of the longer line that must be the same, because marks all over a line say nothing. */
const minShare = 0.4
const minUnevenShare = 0.7

/**
 * Changed parts by index of their line. The lines of a removed run are paired in order with those of the added run after it;
 * if one run is longer, only lines that are mostly the same count as a pair.
 */
export function changedWords(lines: readonly DiffLine[]): Map<number, Range[]> {
  const marks = new Map<number, Range[]>()
  for (const { from, middle, end } of changedRuns(lines)) {
    const [removed, added] = [middle - from, end - middle]
    if (Math.max(removed, added) > maxRunLength) continue
    const share = removed === added ? minShare : minUnevenShare
    for (let index = 0; index < Math.min(removed, added); index++) {
      const pair = wordChanges(lines[from + index]?.text ?? '', lines[middle + index]?.text ?? '', share)
      if (pair === undefined) continue
      marks.set(from + index, pair.before)
      marks.set(middle + index, pair.after)
    }
  }
  return marks
}

/** Runs of removed lines from `from` to `middle`, followed by added lines up to `end`. */
function changedRuns(lines: readonly DiffLine[]): { from: number; middle: number; end: number }[] {
  const runs: { from: number; middle: number; end: number }[] = []
  let end = 0
  while (end < lines.length) {
    const from = end
    while (lines[end]?.kind === 'del') end++
    const middle = end
    while (lines[end]?.kind === 'add') end++
    if (middle > from && end > middle) runs.push({ from, middle, end })
    if (end === from) end++
  }
  return runs
}

/** Changed parts of two lines; `undefined` if they are equal, too long, or share less than `share` of the longer one. */
export function wordChanges(
  before: string,
  after: string,
  share: number = minShare,
): { before: Range[]; after: Range[] } | undefined {
  if (before === after || before.length > maxLineLength || after.length > maxLineLength) return undefined
  const left = words(before)
  const right = words(after)
  const head = commonHead(left, right)
  const tail = commonTail(left.slice(head), right.slice(head))
  const middle = {
    left: left.slice(head, left.length - tail),
    right: right.slice(head, right.length - tail),
  }
  if (middle.left.length > maxWords || middle.right.length > maxWords) return undefined
  const kept = commonWords(middle.left, middle.right)
  const result = {
    before: changedRanges(left, head, middle.left.length, kept.left),
    after: changedRanges(right, head, middle.right.length, kept.right),
  }
  return isAlike(before, after, { ...result, share }) ? result : undefined
}

/** Words, runs of whitespace, and all other characters one by one. */
function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[\s\S]/gu) ?? []
}

function commonHead(left: readonly string[], right: readonly string[]): number {
  let count = 0
  while (count < left.length && count < right.length && left[count] === right[count]) count++
  return count
}

function commonTail(left: readonly string[], right: readonly string[]): number {
  let count = 0
  while (count < left.length && count < right.length && left.at(-1 - count) === right.at(-1 - count)) count++
  return count
}

/** Indices, on both sides, of the words of a longest common subsequence. */
function commonWords(left: readonly string[], right: readonly string[]): { left: Set<number>; right: Set<number> } {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const same = left[row] === right[column]
      const best = same
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
      lengths[row * width + column] = best
    }
  }
  const kept = { left: new Set<number>(), right: new Set<number>() }
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) {
      kept.left.add(row++)
      kept.right.add(column++)
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++
    else column++
  }
  return kept
}

/** Ranges of the words that are not kept; ranges with only whitespace between them are joined. */
function changedRanges(all: readonly string[], from: number, count: number, kept: ReadonlySet<number>): Range[] {
  const ranges: Range[] = []
  let offset = 0
  let gap = ''
  for (const [index, word] of all.entries()) {
    const isChanged = index >= from && index < from + count && !kept.has(index - from)
    const last = ranges.at(-1)
    if (!isChanged) gap += word
    else if (last !== undefined && gap.trim() === '') last.end = offset + word.length
    else ranges.push({ start: offset, end: offset + word.length })
    if (isChanged) gap = ''
    offset += word.length
  }
  return ranges
}

/** Whether enough is the same; whitespace does not count. */
function isAlike(before: string, after: string, marks: { before: Range[]; after: Range[]; share: number }): boolean {
  const same = Math.min(lettersOf(before, marks.before), lettersOf(after, marks.after))
  return same > 0 && same >= marks.share * Math.max(lettersOf(before, []), lettersOf(after, []))
}

/** Number of characters of a text outside some ranges, without whitespace. */
function lettersOf(text: string, without: readonly Range[]): number {
  let count = 0
  let from = 0
  for (const { start, end } of without) {
    count += letters(text, from, start)
    from = end
  }
  return count + letters(text, from, text.length)
}

function letters(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const isBlank = code <= 32 ? code === 32 || (code >= 9 && code <= 13) : code >= 0xa0 && /\s/.test(text.charAt(at))
    if (!isBlank) count += 1
  }
  return count
}
