/** `scrub`: one private rollout to a fixture of the same shape that can be shared. */
import { diagnostic } from '../diagnostics/codes.ts'
import { UsageError } from '../diagnostics/errors.ts'
import { findRoots } from '../discover/homes-fs.ts'
import { walk } from '../discover/walk-fs.ts'
import type { RolloutFile } from '../model/rollout.ts'
import { type Line, readLines } from '../read/lines.ts'
import { openRollout } from '../read/open-fs.ts'
import type { ByteSource } from '../read/source.ts'
import { scrubPicture } from '../scrub/blob.ts'
import { type Scrubber, scrubber } from '../scrub/line.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { sha256 } from '../util/hash.ts'
import { reasonOf } from '../util/reason.ts'
import { withSpool } from './spool-fs.ts'
import type { Host, ScrubOptions, ScrubResult } from './types.ts'

/** Bytes between two writes. */
const batchBytes = 1024 * 1024

/** The part of a file that decides the replacements: it holds the thread's id, which nobody can guess. */
const secretBytes = 64 * 1024

/**
 * Reads a rollout of any generation, plain or compressed, and hands its scrubbed lines to `write`. Throws `UsageError`
 * where the path holds no rollout or cannot be read.
 */
export function scrub(options: ScrubOptions, host: Host): Promise<ScrubResult> {
  return withSpool(async (spoolDir) => {
    const file = findFile(options.path)
    const source = await open(file, options.path, spoolDir)
    try {
      if (source.damage !== undefined)
        host.report(diagnostic('damaged-compression', { file: file.name }, `Reason: ${source.damage}.`))
      const work: Work = { source, scrubber: scrubber(secretOf(source)), write: options.write, host }
      return file.format === 'document' ? await scrubDocument(work) : await scrubLines(work)
    } finally {
      source.close()
    }
  })
}

interface Work {
  source: ByteSource
  scrubber: Scrubber
  write: ScrubOptions['write']
  host: Host
}

function findFile(path: string): RolloutFile {
  const { roots } = findRoots({ codexHomes: [path], env: {}, homeDir: path })
  if (roots.some(({ kind }) => kind !== 'file'))
    throw new UsageError(`\`${path}\` is a folder; name one rollout in it.`)
  const [file] = roots.flatMap((root) => walk(root).files)
  if (file === undefined) throw new UsageError(`\`${path}\` holds no rollout.`)
  return file
}

async function open(file: RolloutFile, path: string, spoolDir: () => string): Promise<ByteSource> {
  try {
    return await openRollout(file, { spoolDir })
  } catch (cause) {
    throw new UsageError(`Cannot read \`${path}\`: ${reasonOf(cause)}.`, { cause })
  }
}

function secretOf(source: ByteSource): string {
  const start = Buffer.alloc(Math.min(secretBytes, source.size))
  source.read(start, 0, start.length, 0)
  return sha256(start)
}

/** A session document of the TypeScript CLI: read whole, as it is by a build. */
async function scrubDocument({ source, scrubber, write }: Work): Promise<ScrubResult> {
  const bytes = Buffer.allocUnsafeSlow(source.size)
  source.read(bytes, 0, source.size, 0)
  await write(scrubber.scrub(bytes))
  return { lines: 1 }
}

/** Memory follows a batch and the longest line, never the file. */
async function scrubLines({ source, scrubber, write, host }: Work): Promise<ScrubResult> {
  const hasMark = beginsWithMark(source)
  let position = 0
  let lines = 0
  while (position < source.size) {
    await yieldToEventLoop()
    host.signal.throwIfAborted()
    const parts: Buffer[] = []
    let size = 0
    const take = (line: Line): boolean => {
      parts.push(...around(line, scrubber.scrub(line.bytes), hasMark))
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

/** Puts back what the reader took off a line: byte order mark, carriage return, newline. */
function around(line: Line, scrubbed: Buffer, hasMark: boolean): Buffer[] {
  const mark = hasMark && line.number === 1 ? '\ufeff' : ''
  const missing = line.byteLength - line.bytes.length - Buffer.byteLength(mark)
  return [Buffer.from(mark), scrubbed, Buffer.from(`${missing === 1 ? '\r' : ''}${line.terminated ? '\n' : ''}`)]
}

function beginsWithMark(source: ByteSource): boolean {
  const start = Buffer.alloc(3)
  return source.read(start, 0, 3, 0) === 3 && start.toString('utf8') === '\ufeff'
}
