/** The head of a rollout: identity and lineage, from its first bytes only. */

import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { append } from '../../util/groups.ts'
import type { RolloutFile, SessionHead } from '../discover/rollout.ts'
import { lineBuffers, readLines } from './lines.ts'
import { openRollout, openStored, plainChunks, storageOf } from './open-fs.ts'
import { ByteBuilder, type ByteSource, bufferSource, throwOwnFault } from './source.ts'
import { parseLine, readDocument } from './value.ts'

/** Most heads are shorter than this, including the instructions that Codex writes into them, so one read is enough. */
const usualHeadBytes = 24 * 1024

/** How far a head is searched for if the first line is damaged (rollout-format 9, hazard 3). */
const headBytes = 64 * 1024

/** Longest first line that is searched for a head. */
const firstLineBytes = 8 * 1024 * 1024

/** What the head of a file says. */
export interface HeadReading {
  /** Absent for a file without any record. */
  head?: SessionHead
  diagnostics: Diagnostic[]
}

/** What `readHead` needs from its caller. */
interface HeadOptions {
  /** Decodes parsed records into a head, or derives one from the file's name (`rollout/parse/head.ts`). */
  decodeHead: (records: unknown[], file: RolloutFile) => SessionHead
  /** Returns an existing folder for temporary files. */
  spoolDir: () => string
}

/**
 * Reads the head of a file: at most its first 64 KiB, or if its first line is longer, at most 8 MiB. Session documents
 * are read whole. Throws `VanishedFileError` if the file is gone, and an error if it cannot be read.
 */
export async function readHead(file: RolloutFile, options: HeadOptions): Promise<HeadReading> {
  return file.format === 'document' ? documentHead(file, options) : linesHead(file, options)
}

async function linesHead(file: RolloutFile, options: HeadOptions): Promise<HeadReading> {
  const memory = lineBuffers.acquire()
  const usual = firstHead(await readPrefix(file, usualHeadBytes, memory), file, options)
  lineBuffers.release(memory)
  if (usual !== undefined) return usual
  let prefix = await readPrefix(file, headBytes)
  if (!prefix.whole && !prefix.bytes.includes('\n')) prefix = await readPrefix(file, firstLineBytes)
  return firstHead(prefix, file, options) ?? named(options.decodeHead(recordsOf(prefix).records, file), file)
}

/**
 * The head from the first record alone, which is usually enough. Bare headers (without an envelope) lack the working
 * directory, which a later message gives.
 */
function firstHead(prefix: Prefix, file: RolloutFile, { decodeHead }: HeadOptions): HeadReading | undefined {
  const { records, blank } = recordsOf(prefix, 1)
  if (prefix.whole && blank) return { diagnostics: [diagnostic('empty-file', { file: file.name })] }
  const head = decodeHead(records, file)
  return head.idFrom === 'meta' && head.cwd !== undefined ? { head, diagnostics: [] } : undefined
}

async function documentHead(file: RolloutFile, options: HeadOptions): Promise<HeadReading> {
  const source = await openRollout(file, options)
  try {
    const document = readDocument(source)
    if (!('fault' in document)) return named(options.decodeHead([document], file), file)
    // Other faults are reported when the items are read.
    if (document.fault !== 'empty-file') return named(options.decodeHead([], file), file)
    return { diagnostics: [diagnostic('empty-file', { file: file.name })] }
  } finally {
    source.close()
  }
}

/** Adds a diagnostic if the head had to be derived from the file's name. */
function named(head: SessionHead, file: RolloutFile): HeadReading {
  return { head, diagnostics: head.idFrom === 'meta' ? [] : [diagnostic('missing-head', { file: file.name })] }
}

/** The records of the complete lines of a prefix, stopping once there are `limit`; `blank` if all lines are empty. */
function recordsOf(prefix: Prefix, limit: number = Number.POSITIVE_INFINITY): { records: unknown[]; blank: boolean } {
  const records: unknown[] = []
  let blank = true
  readLines(bufferSource(prefix.bytes), (line) => {
    // A prefix may end in the middle of a line. But a file whose lines end with CR alone has no terminated line.
    if (!line.terminated && !prefix.whole && !line.bytes.includes('\r')) return
    const { values, faults } = parseLine(line)
    if (values.length + faults.length > 0) blank = false
    append(records, values)
    return records.length < limit
  })
  return { records, blank }
}

// The first bytes of a rollout, without opening all of it.

/** How many stored bytes give about one plain byte; rollouts compress to about a fifth. */
const storedShare = { plain: 1, zstd: 0.25, utf16: 2 } as const

/** The beginning of a rollout as plain UTF-8. */
interface Prefix {
  bytes: Buffer
  /** Whether `bytes` is the whole rollout. */
  whole: boolean
}

/**
 * Reads about `limit` plain bytes, never more. If the file is stored plain and `memory` is given, the bytes are a view of
 * it. Throws if the file is gone, or if it is read to its end and gives nothing but an error.
 */
async function readPrefix(file: RolloutFile, limit: number, memory?: Buffer): Promise<Prefix> {
  const stored = openStored(file)
  try {
    return await prefixOf(stored, file, limit, memory)
  } finally {
    stored.close()
  }
}

async function prefixOf(stored: ByteSource, file: RolloutFile, limit: number, memory?: Buffer): Promise<Prefix> {
  const size = Math.min(limit, stored.size)
  const buffer = memory ?? Buffer.allocUnsafeSlow(size)
  const bytes = buffer.subarray(0, stored.read(buffer, 0, size, 0))
  const begun = bufferSource(bytes)
  const storage = storageOf(begun, file)
  if (storage === 'plain') return { bytes, whole: bytes.length === stored.size }
  const end = Math.min(stored.size, limit * storedShare[storage])
  const prefix = new ByteBuilder(Math.min(limit, Math.max(1, stored.size)))
  let whole = end === stored.size
  try {
    for await (const chunk of plainChunks(end <= begun.size ? begun : stored, storage, end)) {
      const capacity = limit - prefix.length
      if (chunk.length > capacity) whole = false
      prefix.append(chunk.subarray(0, capacity))
      if (!whole && prefix.length === limit) break
    }
  } catch (error) {
    throwOwnFault(error)
    // Compressed data that `end` cuts off cannot end well; what was decoded before the cut counts.
    if (whole && prefix.length === 0) throw error
    whole = false
  }
  return { bytes: prefix.view(), whole }
}
