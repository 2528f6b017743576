/** Finds the bytes of removed items in a rollout. */

import { UsageError } from '../../../diagnostics/errors.ts'
import type { Segment } from '../../../rollout/discover/rollout.ts'
import { sniff } from '../../../rollout/parse/entry.ts'
import { type Line, readLines } from '../../../rollout/read/lines.ts'
import { type ByteSource, pieces } from '../../../rollout/read/source.ts'
import { parseLine } from '../../../rollout/read/value.ts'
import { groupBy } from '../../../util/groups.ts'
import { defined } from '../../../util/own.ts'
import { type CutLayout, outputPaths, type RemovedItem } from './record.ts'
import { type Edit, elementCuts, elementSpans, joined, type Span, valueSpan } from './spans.ts'

/** The edits that a walk over the lines found, and how the file ends. */
export interface CutPlan {
  /** What to remove and insert, in order. */
  cuts: Edit[]
  /** The last line has no line end. */
  torn: boolean
  /** The edit after which another line can follow a torn last line: it adds a line end, or removes a damaged line. */
  mend?: Edit
  /** The last turn whose start was recorded has no recorded end. */
  openTurn: boolean
}

const historyPath = ['payload', 'replacement_history']

/** The layout for a prune in place. Codex stores byte offsets only for rollouts whose lines have ordinals. */
export function layoutOf({ head }: Segment): CutLayout | undefined {
  return head.generation === 'G3' ? 'blank' : undefined
}

/** Finds the bytes of items, in one walk. Throws a `UsageError` if the file does not contain the items. */
export function findCuts(
  source: ByteSource,
  removed: readonly RemovedItem[],
  layout: CutLayout | undefined = 'cut',
): CutPlan {
  const byLine = groupBy(removed, ({ line }) => line)
  const cuts: Edit[] = []
  let before: { kind: string | undefined; start: number } | undefined
  let openTurn = false
  let torn = false
  let mend: Edit | undefined
  readLines(source, (line) => {
    const kind = sniff(line.bytes)?.kind
    openTurn = isOpen(kind, openTurn)
    const items = byLine.get(line.number)
    if (!line.terminated) {
      torn = true
      // Where the line goes, the one before it has an end.
      if (items === undefined || !removesLine(items)) mend = mended(line)
    }
    if (items !== undefined) {
      cuts.push(...cutsOf(line, items, source, layout))
      // That record says how the next one was delivered. If it stayed, it would apply to another record.
      const isSaidBefore =
        kind === 'response_item/agent_message' && before?.kind === 'inter_agent_communication_metadata'
      if (isSaidBefore) cuts.push(lineCut(before?.start ?? line.byteOffset, line.byteOffset, layout))
      byLine.delete(line.number)
    }
    before = { kind, start: line.byteOffset }
  })
  if (byLine.size > 0) throw new UsageError('The rollout ends before an item that should be removed.')
  const edits = joined(cuts)
  return {
    cuts: layout === 'blank' ? filledUp(edits) : edits,
    torn,
    openTurn,
    ...defined({ mend }),
  }
}

/**
 * The edit that removes a line with its line end. In the layout `blank` the line end stays, so that all other lines keep
 * their numbers.
 */
function lineCut(start: number, end: number, layout: CutLayout): Edit {
  return { start, end: layout === 'blank' ? end - 1 : end }
}

/** The edits that remove a last line without a line end, so that Codex starts its next record on a new line. */
function lastLineCut(start: number, end: number, layout: CutLayout): Edit[] {
  if (layout === 'cut') return [{ start, end }]
  return [
    { start, end: end - 1 },
    { start: end - 1, end, insert: Buffer.from([lineEnd]) },
  ]
}

/**
 * The same edits, with spaces for the bytes by which they shorten the text. A plan inserts no text that is longer than
 * what it replaces. Earlier versions did, and added fewer spaces in later edits: their rollouts are recognised, and
 * undone, only if that is repeated here.
 */
function filledUp(edits: readonly Edit[]): Edit[] {
  let owed = 0
  return edits.map((edit) => {
    const spare = edit.end - edit.start - (edit.insert?.length ?? 0) - owed
    owed = Math.max(0, -spare)
    return { ...edit, blanks: Math.max(0, spare) }
  })
}

function mended(line: Line): Edit {
  const end = line.byteOffset + line.byteLength
  if (parseLine(line).faults.length > 0) return { start: line.byteOffset, end }
  return { start: end, end, insert: Buffer.from('\n') }
}

/** Whether a turn is open after a record of some kind. */
function isOpen(kind: string | undefined, before: boolean): boolean {
  if (kind === 'event_msg/task_started' || kind === 'event_msg/turn_started') return true
  return /^event_msg\/(?:task_complete|turn_complete|turn_aborted)$/.test(kind ?? '') ? false : before
}

/** Whether the whole line goes, and not only a part of it. */
function removesLine(items: readonly RemovedItem[]): boolean {
  return items.some(({ replacement, text }) => replacement === undefined && text === undefined)
}

function cutsOf(line: Line, items: readonly RemovedItem[], source: ByteSource, layout: CutLayout): Edit[] {
  const end = line.byteOffset + line.byteLength
  if (removesLine(items))
    return line.terminated ? [lineCut(line.byteOffset, end + 1, layout)] : lastLineCut(line.byteOffset, end, layout)
  const bytes = storedBytes(line, source)
  const edits = items.some(({ replacement }) => replacement === undefined)
    ? items.flatMap(({ text = '' }) => [
        replacedOutput(bytes, text, line),
        ...withoutOriginals(bytes, valueSpan(bytes, ['metadata'])),
      ])
    : elementEdits(bytes, items, line)
  return edits.map((edit) => ({ ...edit, start: line.byteOffset + edit.start, end: line.byteOffset + edit.end }))
}

/** The line as it is stored, because long lines are passed without their pictures. */
function storedBytes({ byteLength, byteOffset }: Line, source: ByteSource): Buffer {
  const bytes = Buffer.allocUnsafeSlow(byteLength)
  source.read(bytes, 0, byteLength, byteOffset)
  return bytes
}

/** The edits of the history of a compaction. */
function elementEdits(bytes: Buffer, items: readonly RemovedItem[], line: Line): Edit[] {
  const indices = items
    .flatMap(({ replacement, text }) => (text === undefined ? (replacement ?? []) : []))
    .sort((a, b) => a - b)
  const elements = elementSpans(bytes, historyPath) ?? []
  if (items.some(({ replacement = 0 }) => elements[replacement] === undefined)) throw missingItem(line)
  const facts = elementSpans(bytes, ['payload', 'replacement_history_metadata'])
  const twins = facts?.length === elements.length ? elementCuts(facts, indices) : []
  const texts = items.flatMap(({ replacement = 0, text }) =>
    text === undefined
      ? []
      : [
          replacedOutput(bytes, text, line, elements[replacement]),
          ...withoutOriginals(bytes, facts?.length === elements.length ? facts[replacement] : undefined),
        ],
  )
  return [...elementCuts(elements, indices), ...twins, ...texts]
}

/** The edit that replaces the output in a record, or in an item within it, by a text. */
function replacedOutput(bytes: Buffer, text: string, line: Line, item?: Span): Edit {
  const output = outputSpan(bytes, item)
  if (output === undefined) throw missingItem(line)
  return { ...output, insert: storedText(text) }
}

function outputSpan(bytes: Buffer, item?: Span): Span | undefined {
  return outputPaths.map((keys) => valueSpan(bytes, keys, item)).find((span) => span !== undefined)
}

/** A text as it takes the place of an output. */
export function storedText(text: string): Buffer {
  return Buffer.from(JSON.stringify(text))
}

/** The bytes of outputs in a rollout, in one walk, by what names them. */
export function outputSizes<Output extends Pick<RemovedItem, 'line' | 'replacement'>>(
  source: ByteSource,
  outputs: readonly Output[],
): Map<Output, number> {
  const byLine = groupBy(outputs, ({ line }) => line)
  const sizes = new Map<Output, number>()
  readLines(source, (line) => {
    const here = byLine.get(line.number)
    if (here === undefined) return
    const bytes = storedBytes(line, source)
    const elements = elementSpans(bytes, historyPath) ?? []
    for (const output of here) {
      const span = outputSpan(bytes, output.replacement === undefined ? undefined : elements[output.replacement])
      if (span !== undefined) sizes.set(output, span.end - span.start)
    }
  })
  return sizes
}

/**
 * The edit that removes the second copies of an output's pictures, which Codex keeps as they were attached in the notes
 * about the output.
 */
function withoutOriginals(bytes: Buffer, notes: Span | undefined): Edit[] {
  const originals = notes === undefined ? undefined : valueSpan(bytes, ['image_replay_sources'], notes)
  return originals === undefined ? [] : [{ ...originals, insert: Buffer.from('[]') }]
}

function missingItem({ number }: Line): UsageError {
  return new UsageError(`Line ${number} of the rollout does not contain the items that should be removed from it.`)
}

/** Yields the bytes between the cuts, and what replaces the cuts, in pieces. */
export function* keptPieces(source: ByteSource, cuts: readonly Edit[]): Generator<Uint8Array> {
  let position = 0
  for (const { start, end, insert, blanks = 0 } of cuts) {
    yield* pieces(source, { start: position, end: start })
    if (insert !== undefined) yield insert
    yield* blankPieces(blanks)
    position = end
  }
  yield* pieces(source, { start: position })
}

function* blankPieces(count: number): Generator<Uint8Array> {
  const piece = Buffer.alloc(Math.min(count, 64 * 1024), ' ')
  for (let remaining = count; remaining > 0; remaining -= piece.length) yield piece.subarray(0, remaining)
}

/** The number of bytes that `keptPieces` yields. */
export function keptSize({ size }: ByteSource, cuts: readonly Edit[]): number {
  return cuts.reduce(
    (sum, { start, end, insert, blanks = 0 }) => sum - (end - start) + (insert?.length ?? 0) + blanks,
    size,
  )
}

const lineEnd = 0x0a

/**
 * Yields a content, and then what was appended to another source after its byte `start`. What began a line there begins
 * one here too: the content may end within a line that was cut out of the other source.
 */
export function* continuedPieces(
  content: Iterable<Uint8Array>,
  other: ByteSource,
  start: number,
): Generator<Uint8Array> {
  let last: number | undefined
  for (const piece of content) {
    last = piece.at(-1) ?? last
    yield piece
  }
  const before = Buffer.from([lineEnd])
  if (start > 0) other.read(before, 0, 1, start - 1)
  const joins = last !== undefined && last !== lineEnd && before[0] === lineEnd
  if (joins && start < other.size) yield before
  yield* pieces(other, { start })
}
