/** Opens rollouts: whatever is on disk becomes plain UTF-8 bytes at random access. */

import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { writeAll } from '../../util/files-fs.ts'
import { defined } from '../../util/own.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import type { RolloutFile } from '../discover/rollout.ts'
import { asUtf8, ByteBuilder, type ByteSource, bufferSource, pieces, utf16Of, VanishedFileError } from './source.ts'

const mebibyte = 1024 * 1024

/** How to open. */
export interface OpenOptions {
  /** Gives an existing folder for the plain bytes of large compressed files; asked only when one is needed. */
  spoolDir: () => string
  /** Up to here plain bytes stay in memory (default: 8 MiB). */
  memoryBytes?: number
  /** What a compressed file may expand to (default: 1,000 times its size, at least 256 MiB, at most 16 GiB). */
  maxBytes?: number
}

/** How a command reads rollouts. */
export interface Reading {
  /** Gives an existing folder for temporary files; asked only when one is needed. */
  spoolDir: () => string
  /** Stops the reading; its reason is thrown. */
  signal: AbortSignal
}

/** How a file is stored, by its first bytes; its name may be wrong. */
export type Storage = 'plain' | 'zstd' | 'utf16'

/**
 * Opens a rollout. zstd is decompressed and UTF-16 rewritten as UTF-8, both as a stream. Throws `VanishedFileError`
 * when the file is gone, and an error when it cannot be read or expands beyond the limit. Close the source.
 */
export async function openRollout(file: RolloutFile, options: OpenOptions): Promise<ByteSource> {
  const stored = openStored(file)
  try {
    const storage = storageOf(stored, file)
    if (storage === 'plain') return stored
    const plain = await spool(plainChunks(stored, storage), {
      spoolDir: options.spoolDir,
      memoryBytes: options.memoryBytes ?? 8 * mebibyte,
      maxBytes: options.maxBytes ?? Math.min(16 * 1024 * mebibyte, Math.max(256 * mebibyte, 1000 * stored.size)),
    })
    stored.close()
    return plain
  } catch (error) {
    stored.close()
    throw error
  }
}

/** Tells how stored bytes are to be read. Throws for a `.zst` file that holds something else. */
export function storageOf(stored: ByteSource, file: Pick<RolloutFile, 'name'>): Storage {
  const start = Buffer.alloc(4)
  const length = stored.read(start, 0, 4, 0)
  if (isZstd(start)) return 'zstd'
  if (utf16Of(start) !== undefined) return 'utf16'
  if (file.name.endsWith('.zst') && length > 0 && !/^[\xef{\s]/.test(start.toString('latin1'))) {
    throw new Error('it is not a zstd file')
  }
  return 'plain'
}

/** The first `end` stored bytes as UTF-8. */
export function plainChunks(
  stored: ByteSource,
  storage: Storage,
  end: number = stored.size,
): AsyncGenerator<Uint8Array> {
  return asUtf8(storage === 'zstd' ? decompress(stored, end) : pieces(stored, { end }))
}

// A stream of bytes made readable at random: in memory while it is small, else in a temporary file.

/** Where and how far to spool. */
export interface SpoolOptions {
  /** Gives an existing folder for temporary files; asked only when one is needed. */
  spoolDir: () => string
  /** Up to here the bytes stay in memory. */
  memoryBytes: number
  /** More bytes than this are an error: a small file must not fill the disk. */
  maxBytes: number
}

/**
 * Collects a stream. A stream that breaks off after some bytes gives a source with `damage`; one that gives nothing
 * throws its error. Leaves no temporary file behind when it throws.
 */
async function spool(chunks: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<ByteSource> {
  const sink = new Spool(options)
  let damage: string | undefined
  try {
    for await (const chunk of chunks) sink.write(chunk)
  } catch (error) {
    if (sink.failed || sink.size === 0 || error instanceof VanishedFileError) {
      sink.discard()
      throw error
    }
    damage = reasonOf(error)
  }
  return sink.finish(damage)
}

class Spool {
  readonly #options: SpoolOptions
  readonly #memory = new ByteBuilder()
  #file: { fd: number; path: string } | undefined
  size = 0
  /** The error came from writing, not from the stream. */
  failed = false

  constructor(options: SpoolOptions) {
    this.#options = options
  }

  write(chunk: Uint8Array): void {
    this.failed = true
    this.size += chunk.length
    if (this.size > this.#options.maxBytes) {
      throw new Error(`it expands to more than the limit of ${this.#options.maxBytes} bytes`)
    }
    if (this.size <= this.#options.memoryBytes) this.#memory.append(chunk)
    else this.#spill(chunk)
    this.failed = false
  }

  finish(damage: string | undefined): ByteSource {
    const file = this.#file
    if (file === undefined) return bufferSource(this.#memory.view(), damage)
    return descriptorSource(file.fd, this.size, () => rmSync(file.path, { force: true }), damage)
  }

  discard(): void {
    if (this.#file === undefined) return
    closeSync(this.#file.fd)
    rmSync(this.#file.path, { force: true })
    this.#file = undefined
  }

  #spill(chunk: Uint8Array): void {
    if (this.#file === undefined) {
      const path = join(this.#options.spoolDir(), `rollout-${randomUUID()}.spool`)
      // Transcripts are private: no other user of the machine may read the copy.
      this.#file = { fd: openSync(path, 'wx+', 0o600), path }
      writeAll(this.#file.fd, this.#memory.view())
    }
    writeAll(this.#file.fd, chunk)
  }
}

// zstd by Node where it has it (22.15 and later), else by WebAssembly.

const pieceBytes = 16 * 1024

/** The types of Node 20 do not know the decoder that later versions have. */
type ZstdModule = { createZstdDecompress?: () => Transform & { bytesWritten: number } }
const createDecoder = (zlib as ZstdModule).createZstdDecompress

/** Whether this Node decompresses zstd itself. */
export const hasNativeZstd: boolean = createDecoder !== undefined

/** Whether bytes begin like a zstd file: a frame, or a frame to skip (RFC 8878, 3.1). */
function isZstd(start: Uint8Array): boolean {
  const [first = 0, second, third, fourth] = start
  if (first === 0x28) return second === 0xb5 && third === 0x2f && fourth === 0xfd
  return first >= 0x50 && first <= 0x5f && second === 0x2a && third === 0x4d && fourth === 0x18
}

/**
 * Decompresses the first `end` bytes of a source, all frames. Throws where they are broken or cut off, after what
 * could be decoded before that place. A reader may go away early.
 */
export async function* decompress(
  source: ByteSource,
  end: number = source.size,
  native: boolean = hasNativeZstd,
): AsyncGenerator<Uint8Array> {
  try {
    yield* native ? byNode(source, end) : byWasm(source, end)
  } catch (cause) {
    // The decoders' own words differ; reports must not depend on the version of Node.
    throw cause instanceof VanishedFileError ? cause : new Error('its zstd data is broken or cut off', { cause })
  }
}

/** Node ends its stream behind the first frame, so each frame gets a decoder. */
async function* byNode(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < end; ) {
    const decoder = createDecoder?.()
    if (decoder === undefined) throw new Error('this Node has no zstd')
    // Errors of the input arrive at the decoder, whose end is awaited below; later input is not wanted.
    pipeline(Readable.from(pieces(source, { start, end, size: pieceBytes })), decoder).catch(() => {})
    yield* decoder
    if (decoder.bytesWritten === 0) return
    start += decoder.bytesWritten
  }
}

async function* byWasm(source: ByteSource, end: number): AsyncGenerator<Uint8Array> {
  const { ZSTDDecoder } = await import('zstddec/stream')
  const decoder = new ZSTDDecoder()
  await decoder.init()
  let wanted = true
  const parts = decoder.decodeStreaming(
    (function* () {
      for (const piece of pieces(source, { end, size: pieceBytes })) {
        if (!wanted) return
        yield piece
      }
    })(),
  )
  try {
    for (let part = nextPart(parts); part !== undefined; part = nextPart(parts)) yield part
  } finally {
    wanted = false
    giveBack(parts)
  }
}

/** The next bytes of the library's decoder; `undefined` at its end. Throws where it is stuck. */
function nextPart(parts: Iterator<Uint8Array>): Uint8Array | undefined {
  // The library repeats a failed step for ever; a sound step takes at least one byte of the piece.
  for (let idle = 0; idle <= pieceBytes; idle++) {
    const { done, value } = parts.next()
    if (done) return undefined
    if (value.length > 0) return value
  }
  throw new Error('zstd makes no progress')
}

/** Lets a decoder whose reader went away end the piece that it has: only at its end it gives its memory back. */
function giveBack(parts: Iterator<Uint8Array>): void {
  try {
    while (nextPart(parts) !== undefined);
  } catch {
    // It ends in the middle of its data, or is stuck there.
  }
}

// Files as byte sources.

/** A source over the first `size` bytes of an open file, which it closes; then `afterClose` runs. */
function descriptorSource(fd: number, size: number, afterClose?: () => void, damage?: string): ByteSource {
  let open = true
  return {
    size,
    ...defined({ damage }),
    read(target, targetOffset, length, position) {
      const wanted = Math.min(length, size - position)
      let done = 0
      while (done < wanted) {
        const count = readSync(fd, target, targetOffset + done, wanted - done, position + done)
        if (count === 0) throw new VanishedFileError(`it ended at byte ${position + done} of ${size}`)
        done += count
      }
      return done
    },
    close() {
      if (!open) return
      open = false
      closeSync(fd)
      afterClose?.()
    },
  }
}

/**
 * Opens a rollout's bytes as they are on disk. Codex compresses, restores, archives and unarchives files while we
 * work, so a file that is gone is looked for once at its other places (rollout-format 1.3 and hazard 15).
 * Throws `VanishedFileError` when it is at none of them, else what the system reports.
 */
export function openStored(file: RolloutFile): ByteSource {
  for (const path of [file.path, ...otherPaths(file)]) {
    const source = openIfThere(path)
    if (source !== undefined) return source
  }
  throw new VanishedFileError('it is gone')
}

/** A pipe that took the place of a file would hold the program until somebody writes to it. Windows has no such flag. */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

function openIfThere(path: string): ByteSource | undefined {
  let fd: number
  try {
    fd = openSync(path, readWithoutWaiting)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const stat = fstatSync(fd)
  if (stat.isFile()) return descriptorSource(fd, stat.size)
  closeSync(fd)
  throw new Error(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file')
}

// Where a rollout may be found again after Codex moved it.

/**
 * Other paths of the same rollout: compressed or plain beside it, and for files of a home the archive, or the
 * dated folder when it was archived (rollout-format 1.2, 1.3).
 */
export function otherPaths(file: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string[] {
  const moved = movedPath(file)
  return [twin(file.path), ...(moved === undefined ? [] : [moved, twin(moved)])]
}

function twin(path: string): string {
  return path.endsWith('.zst') ? path.slice(0, -'.zst'.length) : `${path}.zst`
}

function movedPath({ path, name, stamp }: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string | undefined {
  if (path.length <= name.length || stamp === undefined) return undefined
  const root = path.slice(0, -name.length)
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (name.startsWith('sessions/')) return `${root}archived_sessions/${base}`
  if (!name.startsWith('archived_sessions/')) return undefined
  return `${root}sessions/${stamp.slice(0, 10).replaceAll('-', '/')}/${base}`
}
