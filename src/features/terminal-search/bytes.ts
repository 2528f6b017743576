/**
 * Which rollouts may hold what is looked for, told from their bytes: quick, and wrong only in saying yes, but for words that
 * a carriage return put together on a terminal.
 */

import type { ByteSource } from '../../rollout/read/source.ts'
import type { Query, Term } from './query.ts'

/** Characters that every writer of JSON leaves as they are, or escapes in the one way that is looked for. */
const plainRun = /[\p{L}\p{M}\p{N}_.+=@!#%^*-]+/gu
/** Small enough that pieces stay in the cache of the processor: ten times as fast as a megabyte. */
const pieceSize = 1 << 16
/** Characters of a run that are looked for; escaped, each takes some 20 bytes. */
const longestRun = 40
const overlap = 32 * longestRun
const buffer = Buffer.allocUnsafeSlow(overlap + pieceSize)

/** Texts that stand in place of what was redacted: no file holds them. */
const stands = ['~', 'user', 'host']

/** For each list of terms a pattern over bytes read as Latin-1; lists that bytes tell nothing about have none. */
export function bytePatterns({ all }: Query, roots: readonly string[]): RegExp[] {
  const synthetic = [...stands, ...roots].map((text) => text.toLowerCase())
  return all.flatMap((terms) => {
    const sources = terms.map((term) => sourceOf(term, synthetic))
    return sources.some((source) => source === undefined) ? [] : [new RegExp(sources.join('|'), 'i')]
  })
}

/** A part of the term that stands in each file which holds it; `undefined` where there is none. */
function sourceOf({ text, isLiteral }: Term, synthetic: readonly string[]): string | undefined {
  if (!isLiteral || asksForMarks(text)) return undefined
  // The marks of a diff's lines may be ours: Codex records what was added without them.
  const plain = text.match(plainRun)?.map((run) => run.replace(/^[+-]+/, '')) ?? []
  const runs = plain.filter((run) => !synthetic.some((mark) => mark.includes(run.toLowerCase())))
  const run = runs.reduce((longest, next) => (next.length > longest.length ? next : longest), '')
  return run === '' ? undefined : [...run].slice(0, longestRun).map(characterSource).join('')
}

/** Whether a text is looked for that may stand in the mark of something redacted. Others are not looked for there. */
export function asksForMarks(text: string): boolean {
  return /redact/i.test(text)
}

/** A character in any letter case, composed or not. */
function characterSource(character: string): string {
  if (character < '\x80') return pointSource(character)
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()])
  const forms = new Set([...cases].flatMap((form) => [form.normalize('NFC'), form.normalize('NFD')]))
  return `(?:${[...forms].map((form) => [...form].map(pointSource).join('')).join('|')})`
}

/** A code point as UTF-8 or as an escape of JSON, within any number of JSON texts. */
function pointSource(point: string): string {
  if (point < '\x80') return /\w/.test(point) ? point : `\\${point}`
  const units = Array.from({ length: point.length }, (_, at) => point.charCodeAt(at).toString(16).padStart(4, '0'))
  return `(?:${Buffer.from(point).toString('latin1')}|${units.map((unit) => `\\\\+u${unit}`).join('')})`
}

/** Controls and escape sequences of terminals as JSON has them: texts are matched without. */
const invisible =
  /\\+u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\\]*(?:\\+u0007|\\+u001b\\+)?)|\\+u00(?:0[0-8b-f]|1[0-9a-f]|7f|[89][0-9a-f])|\xC2[\x80-\x9F]/gi

/** Takes each pattern out of `open` that a source matches; stops when none is left. */
export function dropFound(source: ByteSource, open: Set<RegExp>): void {
  let end = 0
  for (let position = 0; position < source.size && open.size > 0; position += pieceSize) {
    // What the last piece ended with stands before the next one.
    const kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
    end = kept + source.read(buffer, kept, pieceSize, position)
    const text = buffer.toString('latin1', 0, end)
    drop(text, open)
    if (open.size > 0 && /u00[01789]|\xC2[\x80-\x9F]/i.test(text)) drop(text.replace(invisible, ''), open)
  }
}

function drop(text: string, open: Set<RegExp>): void {
  for (const pattern of open) if (pattern.test(text)) open.delete(pattern)
}
