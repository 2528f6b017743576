/**
 * Which rollouts may hold what is looked for, told from their bytes: quick, and wrong only in saying yes, but for words that
 * a carriage return put together on a terminal. What scripts of code mode put together stands in no bytes: they are read.
 */

import { formsOfSign } from '../../../templates/assets/search/signs.js'
import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { openRollout, type Reading } from '../../rollout/read/open-fs.ts'
import { type ByteSource, bufferSource } from '../../rollout/read/source.ts'
import { pacer } from '../../util/event-loop.ts'
import type { Query, Term } from './query.ts'

/** Characters that every writer of JSON leaves as they are, or escapes in the one way that is looked for. */
const plainRun = /[\p{L}\p{M}\p{N}_.+=@!#%^-]+/gu

/**
 * What may stand between two characters of a text that a terminal shows: controls and escape sequences as JSON has them, for
 * texts are matched without; and marks of Markdown, with the targets of links. Each alternative excludes the others, and their
 * number is bounded, so that no text makes the pattern try for long.
 */
const invisible = String.raw`(?:\\(?:u00(?:1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\\]*(?=\\)|(?![[\]PX^_]))|0[0-8b-f]|1[0-9ac-f]|7f|[89][0-9a-f])|(?!u00))|\xC2[\x80-\x9F]|[*\`~[]|!\[|\]\([^()]{0,1000}\)){0,64}`

/** Small enough that pieces stay in the cache of the processor: ten times as fast as a megabyte. */
const pieceSize = 1 << 17
/** Characters of a run that are looked for; escaped, each takes some 20 bytes. */
const maxRunLength = 40
const overlap = 64 * maxRunLength
const buffer = Buffer.allocUnsafeSlow(overlap + pieceSize)

/** Texts that stand in place of what was redacted: no file holds them. */
const stands = ['~', 'user', 'host']

/** What a file is looked through for: a match of any of some runs. */
export interface BytePattern {
  /** Over bytes read as Latin-1. */
  expression: RegExp
  runs: readonly string[]
  /** For each run what is looked for first; absent where one of them has nothing rare. */
  anchors: readonly Anchor[] | undefined
}

/** A rare character of a run: to find it and to look at what stands around it takes a third of the time of the expression. */
interface Anchor {
  /** Bytes of its letter cases. */
  codes: readonly number[]
  /** Bytes of its neighbours in the run from the nearest on, in small letters: those before it, and those behind. */
  before: Uint8Array
  behind: Uint8Array
}

/** For each list of terms a pattern; lists that bytes tell nothing about have none. */
export function bytePatterns({ all }: Query, roots: readonly string[]): BytePattern[] {
  const synthetic = syntheticTexts(roots)
  return all.flatMap((terms) => {
    const runs = terms.flatMap((term) => runOf(term, synthetic) ?? [])
    return runs.length < terms.length ? [] : [bytePattern(runs)]
  })
}

/**
 * Parts of all terms of which each text that holds a term holds one, redacted or not; `undefined` where some term has none.
 * `roots` are the names that stand for folders.
 */
export function plainParts({ all, none }: Query, roots: readonly string[]): string[] | undefined {
  const synthetic = syntheticTexts(roots)
  const terms = [...all.flat(), ...none]
  const runs = terms.flatMap((term) => runOf(term, synthetic) ?? [])
  return runs.length < terms.length ? undefined : runs.map((run) => run.join(''))
}

function syntheticTexts(roots: readonly string[]): string[] {
  return [...stands, ...roots].map((text) => text.toLowerCase())
}

/** Characters of a part of the term that stands in each file which holds it; `undefined` where there is none. */
function runOf({ text, isLiteral }: Term, synthetic: readonly string[]): [string[]] | undefined {
  if (!isLiteral || asksForMarks(text)) return undefined
  // The marks of a diff's lines may be ours: Codex records what was added without them.
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

/** Characters of rollouts from the rarest on. */
const rare = '^%!@#+=9q8z7465j3x.v21-w0_ygkbfhpmudlciornaste'

/** Neighbours of an anchor that are looked at on each side: with three, one of encoded data passes in some ten thousands. */
const looked = 3

function anchorOf(run: readonly string[]): Anchor | undefined {
  const letters = run.map((letter) => letter.toLowerCase())
  const ranks = letters.map((letter) => (isOneByte(letter) ? rare.indexOf(letter) : -1))
  const ranked = ranks.filter((rank) => rank !== -1)
  if (run.length < 2 || ranked.length === 0) return undefined
  const at = ranks.indexOf(Math.min(...ranked))
  const letter = letters[at] ?? ''
  const codes = [...new Set([letter, letter.toUpperCase()])].map((form) => form.charCodeAt(0))
  const before = letters.slice(Math.max(0, at - looked), at).reverse()
  return { codes, before: plainBytes(before), behind: plainBytes(letters.slice(at + 1, at + 1 + looked)) }
}

const isOneByte = (character: string): boolean => character < '\x80' && formsOfSign(character) === character

/** Letters up to the first that has several forms. */
function plainBytes(letters: readonly string[]): Uint8Array {
  const end = letters.findIndex((letter) => !isOneByte(letter))
  return Buffer.from((end === -1 ? letters : letters.slice(0, end)).join(''))
}

/** Whether a text is looked for that may stand in the mark of something redacted. Others are not looked for there. */
export function asksForMarks(text: string): boolean {
  return /redact/i.test(text)
}

/** A character in any letter case, composed or not, or a sign that is like it. */
function characterSource(character: string): string {
  if (isOneByte(character)) return pointSource(character)
  const cases = new Set([...formsOfSign(character), character.toLowerCase(), character.toUpperCase()])
  const forms = new Set([...cases].flatMap((form) => [form.normalize('NFC'), form.normalize('NFD')]))
  return `(?:${[...forms].map((form) => [...form].map(pointSource).join('')).join('|')})`
}

/** A code point as UTF-8 or as an escape of JSON, within any number of JSON texts. */
function pointSource(point: string): string {
  if (point < '\x80') return /\w/.test(point) ? point : `\\${point}`
  const units = Array.from({ length: point.length }, (_, at) => point.charCodeAt(at).toString(16).padStart(4, '0'))
  return `(?:${Buffer.from(point).toString('latin1')}|${units.map((unit) => `\\\\+u${unit}`).join('')})`
}

/**
 * Takes each pattern out of `open` that a source matches; stops when none is left. Gives the offsets of what it passed in lines
 * of code-mode scripts that may put words together.
 */
export function dropFound(source: ByteSource, open: Set<BytePattern>): number[] {
  const scripts: number[] = []
  let end = 0
  for (let position = 0; position < source.size && open.size > 0; position += pieceSize) {
    // What the last piece ended with stands before the next one.
    const kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
    end = kept + source.read(buffer, kept, pieceSize, position)
    for (const pattern of open) if (holds(pattern, end)) open.delete(pattern)
    for (const at of scriptsIn(Math.max(0, kept - callEnd.length + 1), end)) scripts.push(position - kept + at)
  }
  return scripts
}

/** The end of `"name":"exec"`, which begins with its rarest character. */
const callEnd = 'xec"'

/** What a script needs to make a word of others, as JSON has it: templates, `+`, methods that give other texts, escapes. */
const composing =
  /\$\{|[\w'"`)\]]\s{0,40}\+=?\s{0,40}[\\\w'"`([]|\.(?:join|concat|repeat|replace|replaceAll|pad(?:Start|End)|to(?:String|Fixed)|reduce|raw|from(?:CharCode|CodePoint))\b|\\\\[xu]/

/**
 * Where calls of scripts that may put words together have their names in the buffer, one a line: whose lines end behind it, or
 * hold signs of that.
 */
function* scriptsIn(from: number, to: number): Generator<number> {
  const piece = buffer.subarray(0, to)
  let end = from
  for (let at = piece.indexOf(callEnd, end); at !== -1; at = piece.indexOf(callEnd, end)) {
    end = at + callEnd.length
    if (!/"name"\s{0,4}:\s{0,4}"e$/.test(piece.toString('latin1', Math.max(0, at - 20), at))) continue
    const border = piece.indexOf('\n', at)
    if (border === -1 || composing.test(piece.toString('latin1', at, border))) yield at
    if (border === -1) return
    end = border
  }
}

/** Anchors of a piece around which the expression is tried; where there are more, it is tried once over all. */
const maxTries = 64

/** Whether a pattern matches in the buffer, up to `end`. */
function holds({ expression, anchors }: BytePattern, end: number): boolean {
  const matches = (from: number, to: number): boolean => expression.test(buffer.toString('latin1', from, to))
  if (anchors === undefined) return matches(0, end)
  let tries = 0
  for (const at of places(anchors, buffer.subarray(0, end))) {
    if (++tries > maxTries) return matches(0, end)
    if (matches(Math.max(0, at - overlap), Math.min(end, at + overlap))) return true
  }
  return false
}

/** Where anchors stand in the beginning of the buffer, with what stands around them. */
function* places(anchors: readonly Anchor[], piece: Buffer): Generator<number> {
  for (const { codes, before, behind } of anchors)
    for (const code of codes)
      for (let at = piece.indexOf(code); at !== -1; at = piece.indexOf(code, at + 1))
        if (mayGoOn(behind, at + 1) && mayComeBefore(before, at - 1)) yield at
}

/**
 * Whether characters follow at a place, or may behind something between them that no terminal shows: single signs are passed
 * over, for texts within texts are full of them, and what is longer is left to the expression.
 */
function mayGoOn(behind: Uint8Array, from: number): boolean {
  let at = from
  for (const wanted of behind) {
    let byte = small(at)
    while (signs[byte] === 1) {
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

/** The same of the characters before a place, from the nearest on. */
function mayComeBefore(before: Uint8Array, from: number): boolean {
  let at = from
  for (const wanted of before) {
    let byte = small(at)
    while (signs[byte] === 1) {
      if (byte === wanted) return true
      byte = small(--at)
    }
    // The end of a link's target, part of another character, or what no piece before this one left whole.
    if (byte === 0x29 || byte >= 0x80 || at < 0 || endsEscape(at)) return true
    if (byte !== wanted) return false
    at--
  }
  return true
}

/** Characters of an escape sequence that are looked at: longer ones are left to the expression. */
const maxEscape = 32

/** Whether a control or an escape sequence, as JSON has them, may end at a place. */
function endsEscape(end: number): boolean {
  // `\u00` and two digits.
  if (buffer[end - 4] === 0x75 && buffer[end - 3] === 0x30 && buffer[end - 2] === 0x30) return true
  // `[`, its parameters and a letter; only the end of what it stands behind is asked for.
  let at = end - 1
  for (let byte = buffer[at] ?? 0; byte >= 0x20 && byte <= 0x3f; byte = buffer[--at] ?? 0)
    if (end - at > maxEscape) return true
  return buffer[at] === 0x5b && small(at - 1) === 0x62 && buffer[at - 2] === 0x31
}

/** A byte of the buffer, a letter as a small one. */
function small(at: number): number {
  const byte = buffer[at] ?? 0
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

/** 1 for each byte that `invisible` matches alone, or with the next one. */
const signs = new Uint8Array(256)
for (const sign of '\\*`~[!') signs[sign.charCodeAt(0)] = 1

/** Bytes that are looked through between two turns of the event loop, a piece for the opening of each file: some milliseconds. */
const bytesInTurn = 4 << 20

/** Which patterns a file does not hold; none of one that cannot be read, which is told when it is scanned. */
export type MissingIn = (file: RolloutFile) => Promise<ReadonlySet<BytePattern>>

/** Reads each file once, when it is first asked about. Throws the reason of an aborted signal. */
export function missingPatterns(patterns: readonly BytePattern[], { spoolDir, signal }: Reading): MissingIn {
  const known = new Map<string, ReadonlySet<BytePattern>>()
  const pace = pacer(bytesInTurn, signal)
  return async (file) => {
    const before = known.get(file.path)
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
    } catch {
      open.clear()
    }
    known.set(file.path, open)
    return open
  }
}

/** Takes each pattern out of `open` that stands in what scripts put together. */
async function dropComposed(source: ByteSource, scripts: readonly number[], open: Set<BytePattern>): Promise<void> {
  const { composedTexts } = await import('./composed.ts')
  const runs = [...open].flatMap((pattern) => pattern.runs)
  for (const text of composedTexts(source, scripts, runs)) {
    dropFound(bufferSource(Buffer.from(text)), open)
    if (open.size === 0) return
  }
}

/** Whether some files together hold all patterns; reads no further than it must. */
export async function holdAll(files: readonly RolloutFile[], missingIn: MissingIn): Promise<boolean> {
  let open: readonly BytePattern[] | undefined
  for (const file of files) {
    const missing = await missingIn(file)
    open = open === undefined ? [...missing] : open.filter((pattern) => missing.has(pattern))
    if (open.length === 0) return true
  }
  return false
}
