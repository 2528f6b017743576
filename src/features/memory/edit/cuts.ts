/** Where removed items stand in the bytes of a rollout. */

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

/** Where a walk over the lines found what is to be cut, and how the file ends. */
export interface CutPlan {
  /** What to leave out and to put in, in order. */
  cuts: Edit[]
  /** The last line is cut off. */
  torn: boolean
  /** What makes a last line that is cut off one that another can follow: its end, or that it goes. */
  mend?: Edit
  /** The last turn that said that it began has not said that it ended. */
  openTurn: boolean
}

/** What a prune in place leaves for what it takes out. Codex keeps places by their bytes only of rollouts whose lines have ordinals. */
export function layoutOf({ head }: Segment): CutLayout | undefined {
  return head.generation === 'G3' ? 'blank' : undefined
}

/** Finds the bytes of items, in one walk. Throws `UsageError` where the file is not as the items say. */
export function findCuts(
  source: ByteSource,
  removed: readonly RemovedItem[],
  layout: CutLayout | undefined = 'cut',
): CutPlan {
  const byLine = groupBy(removed, ({ line }) => line)
  const cuts: Edit[] = []
  let before: { kind: string | undefined; start: number } | undefined
  let openTurn = false
  let mend: Edit | undefined
  readLines(source, (line) => {
    const kind = sniff(line.bytes)?.kind
    openTurn = isOpen(kind, openTurn)
    if (!line.terminated) mend = mended(line)
    const items = byLine.get(line.number)
    if (items !== undefined) {
      cuts.push(...cutsOf(line, items, source, layout))
      // It says of the next record how that was delivered, and would now say it of another one.
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
    torn: mend !== undefined,
    openTurn,
    ...defined({ mend }),
  }
}

/** The edit that takes out a line with its end, or leaves the end, so that no other line gets another number. */
function lineCut(start: number, end: number, layout: CutLayout): Edit {
  return { start, end: layout === 'blank' ? end - 1 : end }
}

/** The edits that take out a last line without an end, such that Codex begins the next line on one of its own. */
function lastLineCut(start: number, end: number, layout: CutLayout): Edit[] {
  if (layout === 'cut') return [{ start, end }]
  return [
    { start, end: end - 1 },
    { start: end - 1, end, insert: Buffer.from([lineEnd]) },
  ]
}

/** The same edits with blanks for what they shorten. A text that is longer than what was there uses up blanks that follow. */
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

/** Whether a turn is open behind a record of some kind. */
function isOpen(kind: string | undefined, before: boolean): boolean {
  if (kind === 'event_msg/task_started' || kind === 'event_msg/turn_started') return true
  return /^event_msg\/(?:task_complete|turn_complete|turn_aborted)$/.test(kind ?? '') ? false : before
}

function cutsOf(line: Line, items: readonly RemovedItem[], source: ByteSource, layout: CutLayout): Edit[] {
  const end = line.byteOffset + line.byteLength
  if (items.some(({ replacement, text }) => replacement === undefined && text === undefined))
    return line.terminated ? [lineCut(line.byteOffset, end + 1, layout)] : lastLineCut(line.byteOffset, end, layout)
  // The line as it is stored: long ones reach us without their pictures.
  const bytes = Buffer.allocUnsafeSlow(line.byteLength)
  source.read(bytes, 0, line.byteLength, line.byteOffset)
  const edits = items.some(({ replacement }) => replacement === undefined)
    ? items.flatMap(({ text = '' }) => [
        replacedOutput(bytes, text, line),
        ...withoutOriginals(bytes, valueSpan(bytes, ['metadata'])),
      ])
    : elementEdits(bytes, items, line)
  return edits.map((edit) => ({ ...edit, start: line.byteOffset + edit.start, end: line.byteOffset + edit.end }))
}

/** What is to be done to the history of a compaction. */
function elementEdits(bytes: Buffer, items: readonly RemovedItem[], line: Line): Edit[] {
  const indices = items
    .flatMap(({ replacement, text }) => (text === undefined ? (replacement ?? []) : []))
    .sort((a, b) => a - b)
  const elements = elementSpans(bytes, ['payload', 'replacement_history']) ?? []
  if (items.some(({ replacement = 0 }) => elements[replacement] === undefined)) throw notThere(line)
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

/** A text in place of the output that a record holds, or an item within it. */
function replacedOutput(bytes: Buffer, text: string, line: Line, item?: Span): Edit {
  const spans = outputPaths.map((keys) => valueSpan(bytes, keys, item))
  const output = spans.find((span) => span !== undefined)
  if (output === undefined) throw notThere(line)
  return { ...output, insert: Buffer.from(JSON.stringify(text)) }
}

/** Pictures of an output stand once more, as they were attached, in what Codex notes of it. */
function withoutOriginals(bytes: Buffer, notes: Span | undefined): Edit[] {
  const originals = notes === undefined ? undefined : valueSpan(bytes, ['image_replay_sources'], notes)
  return originals === undefined ? [] : [{ ...originals, insert: Buffer.from('[]') }]
}

function notThere({ number }: Line): UsageError {
  return new UsageError(`Line ${number} of the rollout does not contain the items that should be removed from it.`)
}

/** The bytes between the cuts and what is put in their place, in pieces. */
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
  for (let left = count; left > 0; left -= piece.length) yield piece.subarray(0, left)
}

/** How many bytes that gives. */
export function keptSize({ size }: ByteSource, cuts: readonly Edit[]): number {
  return cuts.reduce(
    (sum, { start, end, insert, blanks = 0 }) => sum - (end - start) + (insert?.length ?? 0) + blanks,
    size,
  )
}

const lineEnd = 0x0a

/**
 * A content, and behind it what was appended to another one since its byte `start`. What began a line there begins one
 * here: the content may end within a line, which was cut out of the other one.
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
