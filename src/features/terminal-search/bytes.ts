/**
 * Decides from the bytes of a rollout whether it may hold what is asked for. This is fast, and errs only by saying yes,
 * except for words that a carriage return put together on a terminal. Words that scripts of code mode put together are in
 * no bytes either, so these scripts are read.
 */

import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { openRollout, type Reading } from '../../rollout/read/open-fs.ts'
import { type ByteSource, bufferSource, throwOwnFault } from '../../rollout/read/source.ts'
import { pacer } from '../../util/event-loop.ts'
import { type BytePattern, lower, markBytes, maxRunLength } from './byte-patterns.ts'
import { type ByteSign, findSign, neighboursOf, scanned } from './byte-scan.ts'

/** Bytes that are searched at once: few enough to stay in the processor's cache. */
const pieceSize = 1 << 18
const overlap = 64 * maxRunLength
const buffer = scanned.subarray(0, overlap + pieceSize)

/**
 * Removes from `open` each pattern that the source matches, and stops when none is left. Returns offsets, up to there, in
 * lines of code-mode scripts that may put words together.
 */
export function dropFound(source: ByteSource, open: Set<BytePattern>): number[] {
  const scripts: number[] = []
  let end = 0
  for (let position = 0; position < source.size && open.size > 0; position += pieceSize) {
    // The end of the last piece is kept before the next one.
    const kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
    end = kept + source.read(buffer, kept, pieceSize, position)
    for (const pattern of open) if (matchesAny(pattern, end)) open.delete(pattern)
    for (const at of scriptsIn(Math.max(0, kept - callEnd + 1), end)) scripts.push(position - kept + at)
  }
  return scripts
}

/** The rarest character of `"name":"exec"`, between its neighbours. */
const callSign: ByteSign = {
  code: 0x78,
  caseBit: 0,
  neighbours: neighboursOf(
    (byte) => byte === 0x65,
    (byte) => byte === 0x65,
  ),
}
const call = /"name"\s{0,4}:\s{0,4}"exec"$/
/** Characters that a call has before that sign, and from it on. */
const [callStart, callEnd] = [18, 4]

/** What a script that builds words contains, as JSON escapes it: templates, `+`, methods that return other texts, escapes. */
const composing =
  /\$\{|[\w'"`)\]]\s{0,40}\+=?\s{0,40}[\\\w'"`([]|\.(?:join|concat|repeat|replace|replaceAll|pad(?:Start|End)|to(?:String|Fixed)|reduce|raw|from(?:CharCode|CodePoint))\b|\\\\[xu]/

/**
 * Yields the offsets in the buffer of calls of scripts, one per line, if the line shows signs of building words or does
 * not end in the buffer.
 */
function* scriptsIn(from: number, to: number): Generator<number> {
  let border = from
  for (let at = findSign(callSign, from, to); at !== -1; at = findSign(callSign, border, to)) {
    border = at + 1
    if (buffer[at + 2] !== 0x63 || buffer[at + 3] !== 0x22 || at + callEnd > to) continue
    if (!call.test(buffer.toString('latin1', Math.max(0, at - callStart), at + callEnd))) continue
    border = buffer.subarray(0, to).indexOf('\n', at)
    if (border === -1 || composing.test(buffer.toString('latin1', at, border))) yield at
    if (border === -1) return
  }
}

/**
 * Around at most this many anchors of a piece, the expression is tried. If there are more, it is tried once on the whole
 * piece.
 */
const maxTries = 64

/** Whether a pattern matches in the buffer, before `end`. */
function matchesAny({ expression, anchors }: BytePattern, end: number): boolean {
  const matches = (from: number, to: number): boolean => expression.test(buffer.toString('latin1', from, to))
  if (anchors === undefined) return matches(0, end)
  let tries = 0
  for (const { sign, before, after } of anchors)
    for (let at = findSign(sign, 0, end); at !== -1; at = findSign(sign, at + 1, end)) {
      if (!mayFollow(after, at + 1) || !mayComeBefore(before, at - 1)) continue
      if (++tries > maxTries) return matches(0, end)
      if (matches(Math.max(0, at - overlap), Math.min(end, at + overlap))) return true
    }
  return false
}

/**
 * Whether the characters of `after` follow at an offset, or may follow after something invisible between them. Single
 * signs are skipped, because nested JSON is full of them; longer sequences are left to the expression.
 */
function mayFollow(after: Uint8Array, from: number): boolean {
  let at = from
  for (const wanted of after) {
    let byte = small(at)
    while (markBytes[byte] === 1) {
      const next = small(at + 1)
      if (byte === wanted || (byte === 0x5c && next === 0x75)) return true
      byte = small(++at)
    }
    if (byte === 0xc2) return small(at + 1) >= 0x80
    if (byte === 0x5d) return small(at + 1) === 0x28
    if (byte !== wanted) return false
    at++
  }
  return true
}

/** The same for the characters before an offset, nearest first. */
function mayComeBefore(before: Uint8Array, from: number): boolean {
  let at = from
  for (const wanted of before) {
    let byte = small(at)
    while (markBytes[byte] === 1) {
      if (byte === wanted) return true
      byte = small(--at)
    }
    // The end of a link's target, part of a character of several bytes, the start of the buffer, or the end of an escape.
    if (byte === 0x29 || byte >= 0x80 || at < 0 || endsEscape(at)) return true
    if (byte !== wanted) return false
    at--
  }
  return true
}

/** At most this many characters of an escape sequence are checked; longer ones are left to the expression. */
const maxEscape = 32

/** Whether a control character or an escape sequence, as JSON escapes it, may end at an offset. */
function endsEscape(end: number): boolean {
  // `\u00` and two digits.
  if (buffer[end - 4] === 0x75 && buffer[end - 3] === 0x30 && buffer[end - 2] === 0x30) return true
  // `[`, its parameters and a letter. Of the escape before it, only the end (`1b`) is checked.
  let at = end - 1
  for (let byte = buffer[at] ?? 0; byte >= 0x20 && byte <= 0x3f; byte = buffer[--at] ?? 0)
    if (end - at > maxEscape) return true
  return buffer[at] === 0x5b && small(at - 1) === 0x62 && buffer[at - 2] === 0x31
}

/** A byte of the buffer; letters in lower case. */
const small = (at: number): number => lower(buffer[at] ?? 0)

/**
 * Bytes that are searched before other events get a turn, which takes some milliseconds. Opening a file counts as one
 * piece.
 */
const bytesInTurn = 4 << 20

/** Returns the patterns that a file does not hold. Returns none for a file that cannot be read; its scan reports that. */
export type MissingIn = (file: RolloutFile) => Promise<ReadonlySet<BytePattern>>

/**
 * Returns a look-up that reads each file once, when it is first asked about. The look-up throws the reason of an aborted
 * signal.
 */
export function missingPatterns(patterns: readonly BytePattern[], { spoolDir, signal }: Reading): MissingIn {
  const cache = new Map<string, ReadonlySet<BytePattern>>()
  const pace = pacer(bytesInTurn, signal)
  return async (file) => {
    const before = cache.get(file.path)
    const open = new Set(patterns)
    if (before !== undefined || open.size === 0) return before ?? open
    if (pace.isDue(pieceSize + file.bytes)) await pace.pause()
    try {
      const source = await openRollout(file, { spoolDir })
      try {
        const scripts = dropFound(source, open)
        if (open.size > 0 && scripts.length > 0) await dropComposed(source, scripts, open)
      } finally {
        source.close()
      }
    } catch (error) {
      throwOwnFault(error)
      open.clear()
    }
    cache.set(file.path, open)
    return open
  }
}

/** Removes from `open` each pattern that matches what scripts put together. */
async function dropComposed(source: ByteSource, scripts: readonly number[], open: Set<BytePattern>): Promise<void> {
  const { composedTexts } = await import('./composed.ts')
  const runs = [...open].flatMap((pattern) => pattern.runs)
  for (const text of composedTexts(source, scripts, runs)) {
    dropFound(bufferSource(Buffer.from(text)), open)
    if (open.size === 0) return
  }
}

/** Whether the files together hold all patterns; reads no more of them than necessary. */
export async function containAll(files: readonly RolloutFile[], missingIn: MissingIn): Promise<boolean> {
  let open: readonly BytePattern[] | undefined
  for (const file of files) {
    const missing = await missingIn(file)
    open = open === undefined ? [...missing] : open.filter((pattern) => missing.has(pattern))
    if (open.length === 0) return true
  }
  return false
}
