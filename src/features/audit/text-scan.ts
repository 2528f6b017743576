/** Looks for hits in a text of any length, window by window, so that memory contains only one window. */

import { type Base64Run, base64Runs, findHits, type Hit, type HitOptions } from './text-hits.ts'

/** The position of a piece of text in its file. */
export interface Mark {
  /** 1-based line of its first character. */
  line?: number
  /** Anchor of the nearest element before it. */
  place?: string
}

/** Receives a hit with the text that contains it; offsets of the hit are relative to that text. */
export type OnHit = (hit: Hit, text: string, mark: Mark) => void

/** A window that was read, for scanners that are slower. */
export interface ReadWindow {
  /** The same object for all windows of a text. */
  stream: object
  text: string
  /** Only what begins at `from` or later and before `to` counts here; neighbouring windows cover the rest. */
  from: number
  to: number
  /** What our rules found in the whole window. */
  hits: readonly Hit[]
  runs: readonly Base64Run[]
  markAt(offset: number): Mark
}

/** Receives a text piece by piece. */
export interface TextScan {
  write(text: string, mark: Mark): void
  end(): void
}

const windowSize = 1 << 20
/** No rule looks further ahead; a hit that begins this close to the end of a window waits for the next one. */
const overlap = 32 << 10
/** How far rules may look back. */
const context = 1 << 10

/**
 * A scan that reports each hit once, with the mark of the piece in which it begins and the line counted from there. Each window
 * that was read is passed to `onWindow`.
 */
export function textScan(options: HitOptions, onHit: OnHit, onWindow?: (window: ReadWindow) => void): TextScan {
  const stream = {}
  let text = ''
  let marks: { at: number; mark: Mark }[] = []
  /** Hits that begin before this offset were reported. */
  let reportedTo = 0

  function readWindow(text: string, from: number, to: number, marks: readonly MarkAt[]): ReadWindow {
    const runs = base64Runs(text)
    const hits = findHits(text, options, runs)
    return { stream, text, from, to, hits, runs, markAt: (offset) => markAt(text, offset, marks) }
  }

  function flush(limit: number): void {
    const window = readWindow(text, reportedTo, limit, marks)
    for (const hit of window.hits) {
      if (hit.start >= reportedTo && hit.start < limit) onHit(hit, text, window.markAt(hit.start))
    }
    onWindow?.(window)
    const from = Math.max(0, limit - context)
    marks = marksFrom(text, from, marks)
    text = text.slice(from)
    reportedTo = limit - from
  }

  return {
    write(piece, mark) {
      for (let at = 0; at < piece.length; at += windowSize) {
        marks.push({ at: text.length, mark: at === 0 ? mark : { ...mark, ...lineOn(mark.line, piece, 0, at) } })
        text += piece.slice(at, at + windowSize)
        if (text.length >= windowSize) flush(text.length - overlap)
      }
    },
    end: () => flush(text.length),
  }
}

interface MarkAt {
  at: number
  mark: Mark
}

/** The mark of an offset: that of its piece, with the line breaks up to the offset counted. */
function markAt(text: string, offset: number, marks: readonly MarkAt[]): Mark {
  const last = lastBefore(marks, offset)
  return last === undefined ? {} : { ...last.mark, ...lineOn(last.mark.line, text, last.at, offset) }
}

function lineOn(line: number | undefined, text: string, from: number, to: number): { line?: number } {
  return line === undefined ? {} : { line: line + breaksIn(text.slice(from, to)) }
}

/** The number of line breaks in a text. */
export function breaksIn(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++
  return breaks
}

/** The marks for the part of a window that is kept. */
function marksFrom(text: string, from: number, marks: readonly MarkAt[]): MarkAt[] {
  const kept = marks.filter(({ at }) => at > from).map(({ at, mark }) => ({ at: at - from, mark }))
  return [{ at: 0, mark: markAt(text, from, marks) }, ...kept]
}

/** The last mark at or before an offset, by binary search, because a page has thousands. */
function lastBefore(marks: readonly MarkAt[], offset: number): MarkAt | undefined {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.at ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return marks[low - 1]
}
