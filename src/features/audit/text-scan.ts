/** Looks for hits in a text of any length, window by window, so that memory contains only one window. */

import { append } from '../../util/groups.ts'
import { type Hit, type HitOptions, isSecret, plainHits } from './text-hits.ts'

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
  let marks: MarkAt[] = []
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

// The hits of one window, including those in its base64.

/** The hits of a text in order; where rules overlap, the first of them counts. */
export function findHits(text: string, options: HitOptions, runs: readonly Base64Run[] = base64Runs(text)): Hit[] {
  const hits: Hit[] = []
  for (const { start, end, decoded } of runs) {
    for (const hit of plainHits(decoded, options)) {
      hits.push({ start, end, ruleId: hit.ruleId, encoded: decoded.slice(hit.start, hit.end) })
    }
  }
  // Of two hits of a run, the one that shows what it encodes comes first.
  append(hits, plainHits(text, options))
  return hits.length < 2 ? hits : distinct(hits)
}

/** A secret that two rules find counts once; so does personal data inside a secret. */
function distinct(hits: readonly Hit[]): Hit[] {
  const result: Hit[] = []
  let end = 0
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    const isAnother =
      hit.start >= end || (hit.encoded !== undefined && last?.encoded !== undefined && last.ruleId !== hit.ruleId)
    if (isAnother) result.push(hit)
    else if (last !== undefined && isSecret(hit) && !isSecret(last)) result[result.length - 1] = hit
    end = Math.max(end, hit.end)
  }
  return result
}

// Texts that another text contains in base64: a key does not become public by being encoded.

/** A run of base64 and what it decodes to; `end` is exclusive. */
interface Base64Run {
  start: number
  end: number
  decoded: string
}

const run = /[A-Za-z0-9+/_-]{32,}={0,2}/g
/** Enough to distinguish text from other bytes. */
const sampled = 48

/** The runs of base64 in a text, at least 32 characters long, that decode to text. */
function base64Runs(text: string): Base64Run[] {
  const found: Base64Run[] = []
  for (const { 0: match, index } of text.matchAll(run)) {
    if (!isText(decode(match.slice(0, sampled)))) continue
    const decoded = decode(match)
    if (isText(decoded)) found.push({ start: index, end: index + match.length, decoded })
  }
  return found
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1')
}

/** Whether nearly all characters are printable ASCII or whitespace; those of names and hashes that look like base64 are not. */
function isText(decoded: string): boolean {
  const odd = decoded.match(/[^\t\n\r\x20-\x7E]/g)?.length ?? 0
  return odd * 16 <= decoded.length
}
