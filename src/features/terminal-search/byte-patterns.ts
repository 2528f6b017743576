/** What a query's words look like in the bytes of a rollout, whoever wrote its JSON. */

import { formsOfSign } from '../../../templates/assets/search/signs.js'
import { type ByteSign, neighboursOf } from './byte-scan.ts'
import type { Query, Term } from './query.ts'

/** Characters that every JSON writer leaves as they are, or escapes in the one way that is matched here. */
const plainRun = /[\p{L}\p{M}\p{N}_.+=@!#%^-]+/gu

/**
 * Matches what a rollout may have between two characters that are adjacent when they are matched: controls and escape
 * sequences of terminals, as JSON escapes them, and marks of Markdown with the targets of links. The alternatives exclude
 * one another and their number is bounded, so that no text causes long backtracking.
 */
const invisible = String.raw`(?:\\(?:u00(?:1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\\]*(?=\\)|(?![[\]PX^_]))|0[0-8b-f]|1[0-9ac-f]|7f|[89][0-9a-f])|(?!u00))|\xC2[\x80-\x9F]|[*\`~[]|!\[|\]\([^()]{0,1000}\)){0,64}`

/** At most this many characters of a run are matched; escaped, each takes some 20 bytes. */
export const maxRunLength = 40

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

/** A byte; letters in lower case. */
export const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)

/** 1 for each byte that `invisible` matches, alone or with what follows it. */
export const markBytes: Uint8Array = new Uint8Array(256)
for (const sign of '\\*`~[!') markBytes[sign.charCodeAt(0)] = 1
