/** The lines of a thread's segments, whatever contains them: JSON Lines, compressed or not, or one document. */

import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { Segment, Thread } from '../rollout/discover/rollout.ts'
import { ordinalOf, parseEntry, type SourceRef } from '../rollout/parse/entry.ts'
import type { Entry } from '../rollout/parse/facts.ts'
import { type Line, type LineRange, walkLines } from '../rollout/read/lines.ts'
import { openRollout } from '../rollout/read/open-fs.ts'
import type { ByteSource } from '../rollout/read/source.ts'
import { itemValues, type LineValues, parseLine, readDocument } from '../rollout/read/value.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'

/** A line before it is parsed. */
export interface ThreadLine {
  segment: number
  line: number
  start: number
  /** After the newline. */
  end: number
  /** Raw bytes, valid until the next line; absent for items of a document. */
  bytes?: Buffer
  /** Whether a later segment undid it, because it is after the point up to which its segment is valid (rollout-format 6.3). */
  undone: boolean
  /** Parses the line, once no matter how often it is called. */
  values: () => LineValues
  /** The same line with its own copy of the bytes, which stays valid. */
  copy: () => ThreadLine
}

/** The lines of a segment, open for reading. */
export interface SegmentReader {
  /** Begins a walk over all lines or over a range, which counts bytes, or items in documents. The caller must close the walk. */
  walk: (range?: LineRange) => ThreadWalk
  diagnostics: Diagnostic[]
  close: () => void
}

/** A walk over the lines of a segment. */
interface ThreadWalk {
  next: () => ThreadLine | undefined
  close: () => void
}

/** Lines and bytes to read between two turns of the event loop: some tens of milliseconds of work. */
const maxStep = { lines: 1000, bytes: 4 << 20 }

/** Calls `onLine` for every line of a segment, or of a range of it. Rejects with the signal's reason if it is aborted. */
export async function readInSteps(
  reader: SegmentReader,
  onLine: (line: ThreadLine) => void,
  { range, signal }: { range?: LineRange | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const walk = reader.walk(range)
  let remaining = { ...maxStep }
  try {
    for (let line = walk.next(); line !== undefined; line = walk.next()) {
      onLine(line)
      remaining.lines--
      remaining.bytes -= line.end - line.start
      if (remaining.lines > 0 && remaining.bytes > 0) continue
      await yieldToEventLoop()
      signal?.throwIfAborted()
      remaining = { ...maxStep }
    }
  } finally {
    walk.close()
  }
}

/** Opens the segments of a thread, oldest first; the caller closes them. Throws what `openRollout` throws. */
export async function openThread(thread: Thread, spoolDir: () => string): Promise<SegmentReader[]> {
  const readers: SegmentReader[] = []
  try {
    for (const [index, segment] of thread.segments.entries()) {
      const source = await openRollout(segment.file, { spoolDir })
      readers.push(
        segment.file.format === 'document'
          ? documentReader(source, index, segment)
          : linesReader(source, index, segment),
      )
    }
  } catch (error) {
    for (const reader of readers) reader.close()
    throw error
  }
  return readers
}

function linesReader(source: ByteSource, index: number, segment: Segment): SegmentReader {
  const { file } = segment
  const isUndone = undoneTest(source, segment)
  const diagnostics: Diagnostic[] = []
  if (source.damage !== undefined)
    diagnostics.push(diagnostic('damaged-compression', { file: file.name }, `Reason: ${source.damage}.`))
  if (source.size === 0) diagnostics.push(diagnostic('empty-file', { file: file.name }))
  return {
    walk(range) {
      const walk = walkLines(source, range)
      const next = (): ThreadLine | undefined => {
        const line = walk.next()
        return line && threadLine(line, index, isUndone(line))
      }
      return { next, close: () => walk.close() }
    },
    diagnostics,
    close: () => source.close(),
  }
}

/**
 * Returns a test for undone lines: by byte if a line ends there, or else by ordinal, for example if the file was rewritten since
 * (1.4).
 */
function undoneTest(source: ByteSource, { endByte, endOrdinal }: Segment): (line: Line) => boolean {
  if (endByte === undefined && endOrdinal === undefined) return () => false
  if (endByte !== undefined && (endOrdinal === undefined || endsLine(source, endByte))) {
    return ({ byteOffset }) => byteOffset >= endByte
  }
  return ({ bytes }) => (ordinalOf(bytes) ?? 0) >= (endOrdinal ?? 0)
}

function endsLine(source: ByteSource, endByte: number): boolean {
  if (endByte === 0 || endByte >= source.size) return endByte === 0 || endByte === source.size
  const before = Buffer.alloc(1)
  source.read(before, 0, 1, endByte - 1)
  return before[0] === 0x0a
}

function threadLine(line: Line, segment: number, undone: boolean): ThreadLine {
  const end = line.byteOffset + line.byteLength + (line.terminated ? 1 : 0)
  let parsed: LineValues | undefined
  const values = (): LineValues => {
    parsed ??= parseLine(line)
    return parsed
  }
  const copy = (): ThreadLine => threadLine({ ...line, bytes: Buffer.from(line.bytes) }, segment, undone)
  return { segment, line: line.number, start: line.byteOffset, end, bytes: line.bytes, undone, values, copy }
}

function documentReader(source: ByteSource, segment: number, { file }: Segment): SegmentReader {
  const document = readDocument(source)
  source.close()
  const items = 'fault' in document ? [] : document.items
  const diagnostics = 'fault' in document ? [diagnostic(document.fault, { file: file.name })] : []
  return {
    walk({ start, end } = { start: 0, end: items.length, firstLine: 1 }) {
      let position = start
      const next = (): ThreadLine | undefined => {
        if (position >= Math.min(end, items.length)) return undefined
        const index = position++
        const values = () => itemValues(items[index])
        const line: ThreadLine = {
          ...{ segment, line: index + 1, start: index, end: index + 1, undone: false, values },
          copy: () => line,
        }
        return line
      }
      return { next, close() {} }
    },
    diagnostics,
    close() {},
  }
}

// Lines to entries: parsed if possible, otherwise marked as damaged or blank.

/** The entries of a line: usually one, or several if records ran together. */
export function entriesOf(line: ThreadLine): Entry[] {
  const { values, faults } = line.values()
  const sourceRef = sourceRefOf(line)
  if (values.length === 0) {
    if (faults.length === 0) return [counted(sourceRef, 'blank')]
    return [{ source: { ...sourceRef, kind: 'damaged' }, facts: [], count: 'damaged', kind: 'damaged', faults }]
  }
  const entries = values.map((value, part) => parseEntry(value, part === 0 ? sourceRef : { ...sourceRef, part }))
  const [first] = entries
  if (first !== undefined && faults.length > 0) first.faults = [...faults, ...first.faults]
  return entries
}

function sourceRefOf({ segment, line, start, bytes }: ThreadLine): SourceRef {
  if (bytes === undefined) return segment === 0 ? { line } : { file: segment, line }
  return segment === 0 ? { line, byteOffset: start } : { file: segment, line, byteOffset: start }
}

function counted(sourceRef: SourceRef, kind: string): Entry {
  return { source: { ...sourceRef, kind }, facts: [], count: 'skipped', kind, faults: [] }
}
