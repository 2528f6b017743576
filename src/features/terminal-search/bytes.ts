/**
 * Decides from the bytes of a rollout whether it may hold what is asked for. This is fast, and errs only by saying yes,
 * except for words that a carriage return put together on a terminal. Words that scripts of code mode put together are in
 * no bytes either, so these scripts are read.
 */

import { formsOfSign } from '../../../templates/assets/search/signs.js'
import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { openRollout, type Reading } from '../../rollout/read/open-fs.ts'
import { type ByteSource, bufferSource, throwOwnFault } from '../../rollout/read/source.ts'
import { pacer } from '../../util/event-loop.ts'
import { type ByteSign, findSign, neighboursOf, scanned } from './byte-scan.ts'
import type { Query, Term } from './query.ts'

/** Characters that every JSON writer leaves as they are, or escapes in the one way that is matched here. */
const plainRun = /[\p{L}\p{M}\p{N}_.+=@!#%^-]+/gu

/**
 * Matches what a rollout may have between two characters that are adjacent when they are matched: controls and escape
 * sequences of terminals, as JSON escapes them, and marks of Markdown with the targets of links. The alternatives exclude
 * one another and their number is bounded, so that no text causes long backtracking.
 */
const invisible = String.raw`(?:\\(?:u00(?:1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\\]*(?=\\)|(?![[\]PX^_]))|0[0-8b-f]|1[0-9ac-f]|7f|[89][0-9a-f])|(?!u00))|\xC2[\x80-\x9F]|[*\`~[]|!\[|\]\([^()]{0,1000}\)){0,64}`

/** Bytes that are searched at once: few enough to stay in the processor's cache. */
const pieceSize = 1 << 18
/** At most this many characters of a run are matched; escaped, each takes some 20 bytes. */
const maxRunLength = 40
const overlap = 64 * maxRunLength
const buffer = scanned.subarray(0, overlap + pieceSize)

/** Replacements for redacted text, which no rollout contains. */
const replacements = ['~', 'user', 'host']

/** What is searched for in a file: a match of any of the runs. */
export interface BytePattern {
  /** Matches bytes that are read as Latin-1. */
  expression: RegExp
  runs: readonly string[]
  /** For each run, what is searched for first; absent if one of the runs has no rare character. */
  anchors: readonly Anchor[] | undefined
}

/** A rare character of a run. Finding it and comparing its neighbours takes a third of the time of the expression. */
interface Anchor {
  sign: ByteSign
  /** Bytes of its neighbours in the run, in lower case, nearest first: those before it, and those after it. */
  before: Uint8Array
  after: Uint8Array
}

/** Returns a pattern for each list of terms, except for lists about which the bytes say nothing. */
export function bytePatterns({ all }: Query, roots: readonly string[]): BytePattern[] {
  const synthetic = syntheticTexts(roots)
  return all.flatMap((terms) => {
    const runs = terms.flatMap((term) => runOf(term, synthetic) ?? [])
    return runs.length < terms.length ? [] : [bytePattern(runs)]
  })
}

/**
 * Returns a part of each term, such that every text with a term contains its part, redacted or not; `undefined` if a term
 * has no such part. `roots` are the names that replace folders.
 */
export function plainParts({ all, none }: Query, roots: readonly string[]): string[] | undefined {
  const synthetic = syntheticTexts(roots)
  const terms = [...all.flat(), ...none]
  const runs = terms.flatMap((term) => runOf(term, synthetic) ?? [])
  return runs.length < terms.length ? undefined : runs.map((run) => run.join(''))
}

function syntheticTexts(roots: readonly string[]): string[] {
  return [...replacements, ...roots].map((text) => text.toLowerCase())
}

/** The characters of a part of the term that every file with the term contains; `undefined` if there is none. */
function runOf({ text, isLiteral }: Term, synthetic: readonly string[]): [string[]] | undefined {
  if (!isLiteral || asksForMarks(text)) return undefined
  // A `+` or `-` at the start may be a mark that we give to a line of a diff: Codex records added files without them.
  const plain = text.match(plainRun)?.map((run) => run.replace(/^[+-]+/, '')) ?? []
  const runs = plain.filter((run) => !synthetic.some((mark) => mark.includes(run.toLowerCase())))
  const run = runs.reduce((longest, next) => (next.length > longest.length ? next : longest), '')
  return run === '' ? undefined : [[...run].slice(0, maxRunLength)]
}

function bytePattern(runs: readonly string[][]): BytePattern {
  const sources = runs.map((run) => run.map(characterSource).join(invisible))
  const anchors = runs.flatMap((run) => anchorOf(run) ?? [])
  return {
    expression: new RegExp(sources.join('|'), 'i'),
    runs: runs.map((run) => run.join('')),
    anchors: anchors.length < runs.length ? undefined : anchors,
  }
}

/** Characters by their frequency in rollouts, rarest first. */
const rare = '^%!@#+=9q8z7465j3x.v21-w0_ygkbfhpmudlciornaste'

/** At most this many neighbours of an anchor are compared on each side. Each excludes all but a thirtieth of encoded data. */
const looked = 8

function anchorOf(run: readonly string[]): Anchor | undefined {
  const letters = run.map((letter) => letter.toLowerCase())
  const ranks = letters.map((letter) => (isOneByte(letter) ? rare.indexOf(letter) : -1))
  // The last character has no follower, and so is compared more often.
  const at = rarestOf(ranks.slice(0, -1)) ?? rarestOf(ranks)
  if (run.length < 2 || at === undefined) return undefined
  const letter = letters[at] ?? ''
  const before = plainBytes(letters.slice(Math.max(0, at - looked), at).reverse())
  const after = plainBytes(letters.slice(at + 1, at + 1 + looked))
  const caseBit = /[a-z]/.test(letter) ? 0x20 : 0
  const sign: ByteSign = { code: letter.charCodeAt(0), caseBit, neighbours: neighboursBetween(before, after) }
  return { sign, before, after }
}

function rarestOf(ranks: readonly number[]): number | undefined {
  const ranked = ranks.filter((rank) => rank !== -1)
  return ranked.length === 0 ? undefined : ranks.indexOf(Math.min(...ranked))
}

const isOneByte = (character: string): boolean => character < '\x80' && formsOfSign(character) === character

/** The bytes with which `mayComeBefore` and `mayFollow` are true or look further. */
function neighboursBetween([before]: Uint8Array, [after]: Uint8Array): Uint8Array {
  return neighboursOf(
    // An escape ends in a letter, a digit or another sign from `@` on.
    (byte) => before === undefined || lower(byte) === before || markBytes[byte] === 1 || !noEnd.has(byte),
    (byte) => after === undefined || lower(byte) === after || markBytes[byte] === 1 || byte === 0xc2 || byte === 0x5d,
  )
}

/** Signs in which nothing invisible ends. */
const noEnd = new Set(Buffer.from(' "#$%&\'(+,-./:;<=>?'))

/** The bytes of the characters up to the first one that has several forms. */
function plainBytes(letters: readonly string[]): Uint8Array {
  const end = letters.findIndex((letter) => !isOneByte(letter))
  return Buffer.from((end === -1 ? letters : letters.slice(0, end)).join(''))
}

/** Whether a text may be part of the mark of a redaction. Only such texts are looked for in marks. */
export function asksForMarks(text: string): boolean {
  return /redact/i.test(text)
}

/** Source of a pattern for a character in any letter case, composed or not, or a character that looks like it. */
function characterSource(character: string): string {
  if (isOneByte(character)) return pointSource(character)
  const cases = new Set([...formsOfSign(character), character.toLowerCase(), character.toUpperCase()])
  const forms = new Set([...cases].flatMap((form) => [form.normalize('NFC'), form.normalize('NFD')]))
  return `(?:${[...forms].map((form) => [...form].map(pointSource).join('')).join('|')})`
}

/** Source of a pattern for a code point as UTF-8 or as a JSON escape, however deep the JSON is nested in strings. */
function pointSource(point: string): string {
  if (point < '\x80') return /\w/.test(point) ? point : `\\${point}`
  const units = Array.from({ length: point.length }, (_, at) => point.charCodeAt(at).toString(16).padStart(4, '0'))
  return `(?:${Buffer.from(point).toString('latin1')}|${units.map((unit) => `\\\\+u${unit}`).join('')})`
}

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

/** A byte; letters in lower case. */
const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)

/** A byte of the buffer; letters in lower case. */
const small = (at: number): number => lower(buffer[at] ?? 0)

/** 1 for each byte that `invisible` matches, alone or with what follows it. */
const markBytes = new Uint8Array(256)
for (const sign of '\\*`~[!') markBytes[sign.charCodeAt(0)] = 1

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
