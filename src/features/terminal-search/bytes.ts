/**
 * Which rollouts may hold what is looked for, told from their bytes: quick, and wrong only in saying yes, but for words that
 * a carriage return put together on a terminal.
 */

import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { openRollout } from '../../rollout/read/open-fs.ts'
import type { ByteSource } from '../../rollout/read/source.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import type { Query, Term } from './query.ts'

/** Characters that every writer of JSON leaves as they are, or escapes in the one way that is looked for. */
const plainRun = /[\p{L}\p{M}\p{N}_.+=@!#%^-]+/gu

/**
 * What may stand between two characters of a text that a terminal shows: controls and escape sequences as JSON has them, for
 * texts are matched without; and marks of Markdown. Each alternative excludes the others, and their number is bounded, so that no text makes the
 * pattern try for long.
 */
const invisible = String.raw`(?:\\(?:u00(?:1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\\]*(?=\\)|(?![[\]PX^_]))|0[0-8b-f]|1[0-9ac-f]|7f|[89][0-9a-f])|(?!u00))|\xC2[\x80-\x9F]|[*\`~]){0,64}`

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
  return run === '' ? undefined : [...run].slice(0, longestRun).map(characterSource).join(invisible)
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

/** Takes each pattern out of `open` that a source matches; stops when none is left. */
export function dropFound(source: ByteSource, open: Set<RegExp>): void {
  let end = 0
  for (let position = 0; position < source.size && open.size > 0; position += pieceSize) {
    // What the last piece ended with stands before the next one.
    const kept = Math.min(overlap, end)
    buffer.copyWithin(0, end - kept, end)
    end = kept + source.read(buffer, kept, pieceSize, position)
    const text = buffer.toString('latin1', 0, end)
    for (const pattern of open) if (pattern.test(text)) open.delete(pattern)
  }
}

/** Which patterns a file does not hold; none of one that cannot be read, which is told when it is scanned. */
export type MissingIn = (file: RolloutFile) => Promise<ReadonlySet<RegExp>>

/** Reads each file once, when it is first asked about. Throws the reason of an aborted signal. */
export function missingPatterns(
  patterns: readonly RegExp[],
  { spoolDir, signal }: { spoolDir: () => string; signal: AbortSignal },
): MissingIn {
  const known = new Map<string, ReadonlySet<RegExp>>()
  return async (file) => {
    const before = known.get(file.path)
    const open = new Set(patterns)
    if (before !== undefined || open.size === 0) return before ?? open
    await yieldToEventLoop()
    signal.throwIfAborted()
    try {
      const source = await openRollout(file, { spoolDir })
      try {
        dropFound(source, open)
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

/** Whether some files together hold all patterns; reads no further than it must. */
export async function holdAll(files: readonly RolloutFile[], missingIn: MissingIn): Promise<boolean> {
  let open: readonly RegExp[] | undefined
  for (const file of files) {
    const missing = await missingIn(file)
    open = open === undefined ? [...missing] : open.filter((pattern) => missing.has(pattern))
    if (open.length === 0) return true
  }
  return false
}
