/** `scrub`: turns one private rollout into a fixture of the same shape that can be shared. */

import { diagnostic } from '../../diagnostics/codes.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { findRoots } from '../../rollout/discover/homes-fs.ts'
import type { RolloutFile } from '../../rollout/discover/rollout.ts'
import { walk } from '../../rollout/discover/walk-fs.ts'
import { type Line, readLines } from '../../rollout/read/lines.ts'
import { openAsked } from '../../rollout/read/open-fs.ts'
import { recordsOf } from '../../rollout/read/records.ts'
import type { ByteSource } from '../../rollout/read/source.ts'
import { withSpool } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { append } from '../../util/groups.ts'
import { sha256 } from '../../util/hash.ts'
import { parseJson } from '../../util/json.ts'
import { fillWord, randomOf } from './filler.ts'
import { namesOf } from './names.ts'
import { scrubLine as scrubText } from './text.ts'
import { type Scope, scrubPicture } from './tokens.ts'
import { isShallow, printLike, scrubValue } from './value.ts'
import { formatKeys, formatValues } from './vocabulary.ts'

/** Options of `scrub`. */
interface ScrubOptions {
  /** Absolute path of one rollout. */
  readonly path: string
  /** Receives the scrubbed bytes, in order. */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/** What `scrub` did. */
export interface ScrubResult {
  /** Lines that were read; a document counts as one. */
  lines: number
}

/** Bytes read between two writes. */
const batchBytes = 1024 * 1024

/** The part of a file that determines the replacements: it contains the thread's id, which nobody can guess. */
const secretBytes = 64 * 1024

/**
 * Reads a rollout of any generation, plain or compressed, and passes its scrubbed lines to `write`. Throws `UsageError` if the
 * path holds no rollout or cannot be read.
 */
export function scrub(options: ScrubOptions, host: Host): Promise<ScrubResult> {
  return withSpool(async (spoolDir) => {
    const file = findFile(options.path)
    const source = await openAsked(file, { spoolDir }, options.path)
    try {
      if (source.damage !== undefined)
        host.report(diagnostic('damaged-compression', { file: file.name }, `Reason: ${source.damage}.`))
      const work: ScrubJob = { source, scrubLine: scrubber(secretOf(source)), write: options.write, host }
      return file.format === 'document' ? await scrubDocument(work) : await scrubLines(work)
    } finally {
      source.close()
    }
  })
}

interface ScrubJob {
  source: ByteSource
  scrubLine: ReturnType<typeof scrubber>
  write: ScrubOptions['write']
  host: Host
}

function findFile(path: string): RolloutFile {
  const { roots } = findRoots([path], { env: {}, homeDir: path })
  if (roots.some(({ kind }) => kind !== 'file'))
    throw new UsageError(`\`${path}\` is a folder; name one rollout in it.`)
  const [file] = roots.flatMap((root) => walk(root).files)
  if (file === undefined) throw new UsageError(`\`${path}\` holds no rollout.`)
  return file
}

function secretOf(source: ByteSource): string {
  const start = Buffer.alloc(Math.min(secretBytes, source.size))
  source.read(start, 0, start.length, 0)
  return sha256(start)
}

/** A session document of the TypeScript CLI, which is read as a whole, as in a build. */
async function scrubDocument({ source, scrubLine, write }: ScrubJob): Promise<ScrubResult> {
  const bytes = Buffer.allocUnsafeSlow(source.size)
  source.read(bytes, 0, source.size, 0)
  await write(scrubLine(bytes))
  return { lines: 1 }
}

/** Memory grows with a batch and the longest line, never with the file. */
async function scrubLines({ source, scrubLine, write, host }: ScrubJob): Promise<ScrubResult> {
  const hasMark = beginsWithMark(source)
  let position = 0
  let lines = 0
  while (position < source.size) {
    await yieldToEventLoop()
    host.signal.throwIfAborted()
    const parts: Buffer[] = []
    let size = 0
    const take = (line: Line): boolean => {
      append(parts, around(line, scrubLine(line.bytes), hasMark))
      size += line.byteLength
      return size < batchBytes
    }
    const range = { start: position, end: source.size, firstLine: lines + 1 }
    const read = readLines(source, take, range, { longString: scrubPicture })
    lines += read.lines
    position += read.bytes
    await write(Buffer.concat(parts))
  }
  return { lines }
}

/** Restores what the reader removed from a line: byte order mark, carriage return, newline. */
function around(line: Line, scrubbed: Buffer, hasMark: boolean): Buffer[] {
  const mark = hasMark && line.number === 1 ? '\ufeff' : ''
  const missing = line.byteLength - line.bytes.length - Buffer.byteLength(mark)
  return [Buffer.from(mark), scrubbed, Buffer.from(`${missing === 1 ? '\r' : ''}${line.terminated ? '\n' : ''}`)]
}

function beginsWithMark(source: ByteSource): boolean {
  const start = Buffer.alloc(3)
  return source.read(start, 0, 3, 0) === 3 && start.toString('utf8') === '\ufeff'
}

// One line of a rollout, intact or damaged.

/**
 * Returns a function that scrubs a line of one file without its line end, or a whole document; a name has the same replacement
 * in all calls. `secret` must be hard to guess: anyone who knows it can test guesses about the words.
 */
export function scrubber(secret: string): (bytes: Uint8Array) => Buffer {
  const scope: Scope = { names: namesOf(secret), secret }
  return (bytes) => {
    const { text, exact } = decodeBytes(bytes)
    return encodeBytes(scrubRecords(text, scope), exact)
  }
}

/** Whitespace, and what crashes and editors leave at the ends of a line. */
const padding = new Set([...'\0\ufeff \t\r\n'])

function scrubRecords(text: string, scope: Scope): string {
  let start = 0
  let end = text.length
  while (start < end && padding.has(text.charAt(start))) start++
  while (end > start && padding.has(text.charAt(end - 1))) end--
  const body = text.slice(start, end)
  if (body === '') return text
  return text.slice(0, start) + (scrubJson(body, scope) ?? scrubParts(body, scope)) + text.slice(end)
}

/** `undefined` if a text is not JSON that can be walked. */
function scrubJson(text: string, scope: Scope): string | undefined {
  const value = parseJson(text)
  return value !== undefined && isShallow(value) ? printLike(text, value, scrubValue(value, scope)) : undefined
}

/** Records that were joined, or one that is broken (rollout-format 9, hazards 1 and 2). */
function scrubParts(text: string, scope: Scope): string {
  return recordsOf(text)
    .map(({ text: part, value, isEmpty }) => {
      if (isEmpty) return part
      const scrubbed = value === undefined ? undefined : scrubJson(part, scope)
      return scrubbed ?? scrubDamaged(part, scope)
    })
    .join('')
}

// Bytes as text without loss: a byte that is not UTF-8 becomes a private-use character, and later a byte again.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The last plane ends with 256 characters that nobody uses; JSON does not escape them. */
const firstStandIn = 0x10ff00

/** Text of some bytes; `exact` is `false` if it includes stand-ins for bytes that are not UTF-8. */
function decodeBytes(bytes: Uint8Array): { text: string; exact: boolean } {
  const text = tryDecode(bytes)
  return text === undefined ? { text: decodeParts(bytes), exact: false } : { text, exact: true }
}

function decodeParts(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    const length = sequenceLength(first)
    const part = tryDecode(bytes.subarray(at, at + length))
    parts.push(part ?? String.fromCodePoint(firstStandIn + first))
    at += part === undefined ? 1 : length
  }
  return parts.join('')
}

function sequenceLength(first: number): number {
  if (first < 0xc0) return 1
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text from `decodeBytes`. */
function encodeBytes(text: string, exact: boolean): Buffer {
  if (exact) return Buffer.from(text)
  const parts = text.split(/([\u{10ff80}-\u{10ffff}])/u)
  return Buffer.concat(
    parts.map((part, at) =>
      at % 2 === 1 ? Buffer.from([(part.codePointAt(0) ?? firstStandIn) - firstStandIn]) : Buffer.from(part),
    ),
  )
}

// Text that should be JSON and is not. Quotes, brackets, escapes and known keys stay, so that it remains damaged in the same way.

const kept = /"([\w.-]{1,60})"|\\u[0-9a-fA-F]{4}|\\[^u]|\b(?:true|false|null)\b/g

/** A damaged text with its words replaced. */
function scrubDamaged(text: string, scope: Scope): string {
  let scrubbed = ''
  let from = 0
  for (const match of text.matchAll(kept)) {
    const [found, name] = match
    if (name !== undefined && !formatKeys.has(name) && !formatValues.has(name)) continue
    scrubbed +=
      scrubText(text.slice(from, match.index), scope) + (found.startsWith('\\u') ? scrubEscape(found, scope) : found)
    from = match.index + found.length
  }
  return scrubbed + scrubText(text.slice(from), scope)
}

/** An escaped letter is replaced like any other. */
function scrubEscape(text: string, { secret }: Scope): string {
  const character = String.fromCharCode(Number.parseInt(text.slice(2), 16))
  if (!/\p{L}/u.test(character)) return text
  const filled = fillWord(character, randomOf(secret, text))
  return `\\u${filled.charCodeAt(0).toString(16).padStart(4, '0')}`
}
