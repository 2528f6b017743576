/** Lines of a thread's segments, whatever their container: JSON Lines, compressed, or one document. */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { LineFault } from '../model/facts.ts'
import type { Segment, Thread } from '../model/rollout.ts'
import { type Line, readLines } from '../read/lines.ts'
import { openRollout } from '../read/open-fs.ts'
import type { ByteSource } from '../read/source.ts'
import { parseLine } from '../read/value.ts'
import { readDocument } from '../read/whole-json.ts'

/** A line before it is parsed. */
export interface ThreadLine {
  segment: number
  line: number
  start: number
  /** Behind the newline. */
  end: number
  /** Raw bytes, valid until the next line; absent for items of a document. */
  bytes?: Buffer
  /** Behind the point up to which the segment counts: a later segment undid it (rollout-format 6.3). */
  undone: boolean
  values: () => { values: unknown[]; faults: LineFault[] }
}

/** A segment's lines, open for reading; ranges are byte ranges, for documents item ranges. */
export interface SegmentReader {
  read: (onLine: (line: ThreadLine) => void, range?: { start: number; end: number; firstLine: number }) => void
  diagnostics: Diagnostic[]
  close: () => void
}

/** Opens the segments of a thread, oldest first. Close them. Throws what `openRollout` throws. */
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

function linesReader(source: ByteSource, index: number, { file, endByte }: Segment): SegmentReader {
  const diagnostics: Diagnostic[] = []
  if (source.damage !== undefined)
    diagnostics.push(diagnostic('damaged-compression', { file: file.name }, `Reason: ${source.damage}.`))
  if (source.size === 0) diagnostics.push(diagnostic('empty-file', { file: file.name }))
  return {
    read(onLine, range = { start: 0, end: source.size, firstLine: 1 }) {
      readLines(source, (line) => onLine(threadLine(line, index, endByte)), range)
    },
    diagnostics,
    close: () => source.close(),
  }
}

function threadLine(line: Line, segment: number, endByte: number | undefined): ThreadLine {
  const end = line.byteOffset + line.byteLength + (line.terminated ? 1 : 0)
  return {
    segment,
    line: line.number,
    start: line.byteOffset,
    end,
    bytes: line.bytes,
    undone: endByte !== undefined && line.byteOffset >= endByte,
    values: () => parseLine(line),
  }
}

function documentReader(source: ByteSource, segment: number, { file }: Segment): SegmentReader {
  const document = readDocument(source)
  source.close()
  const items = 'fault' in document ? [] : document.items
  const diagnostics = 'fault' in document ? [diagnostic(document.fault, { file: file.name })] : []
  return {
    read(onLine, range = { start: 0, end: items.length, firstLine: 1 }) {
      for (let index = range.start; index < Math.min(range.end, items.length); index++) {
        const value = items[index]
        onLine({
          segment,
          line: index + 1,
          start: index,
          end: index + 1,
          undone: false,
          values: () => ({ values: [value], faults: [] }),
        })
      }
    },
    diagnostics,
    close() {},
  }
}
