/** Opens rollouts: turns whatever is on disk into plain UTF-8 bytes with random access. */

import { randomUUID } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { writeAll } from '../../util/files-fs.ts'
import { defined } from '../../util/own.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import type { RolloutFile } from '../discover/rollout.ts'
import {
  asUtf8,
  ByteBuilder,
  type ByteSource,
  bufferSource,
  fileFault,
  pieces,
  UnreadableFileError,
  utf16Of,
  VanishedFileError,
} from './source.ts'
import { decompress, isZstd } from './zstd-fs.ts'

const mebibyte = 1024 * 1024

/** How to open. */
interface OpenOptions {
  /** Returns an existing folder for the plain bytes of large compressed files; called only when one is needed. */
  spoolDir: () => string
  /** Up to this size, plain bytes stay in memory (default: 8 MiB). */
  memoryBytes?: number
  /** Size to which a compressed file may expand (default: 1,000 times its own, at least 256 MiB, at most 16 GiB). */
  maxBytes?: number
}

/** How a command reads rollouts. */
export interface Reading {
  /** Returns an existing folder for temporary files; called only when one is needed. */
  spoolDir: () => string
  /** Stops reading; its reason is thrown. */
  signal: AbortSignal
}

/** How a file is stored, judged by its first bytes because its name may be wrong. */
type Storage = 'plain' | 'zstd' | 'utf16'

/**
 * Opens a rollout. zstd is decompressed and UTF-16 rewritten as UTF-8, both as a stream. Throws `VanishedFileError` if
 * the file is gone, and an error for which `fileFault` says why if it cannot be read or expands beyond the limit. The caller
 * must close the source.
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

/** Opens the rollout that somebody asked for, by the name in `called`. Throws `UsageError` where it cannot be read. Close the source. */
export async function openAsked(
  file: RolloutFile,
  options: OpenOptions,
  called: string = file.name,
): Promise<ByteSource> {
  try {
    return await openRollout(file, options)
  } catch (cause) {
    if (fileFault(cause) === undefined) throw cause
    throw new UsageError(`Cannot read \`${called}\`: ${reasonOf(cause)}.`, { cause })
  }
}

/** Returns how stored bytes must be read. Throws for a `.zst` file that contains something else. */
export function storageOf(stored: ByteSource, file: Pick<RolloutFile, 'name'>): Storage {
  const start = Buffer.alloc(4)
  const length = stored.read(start, 0, 4, 0)
  if (isZstd(start)) return 'zstd'
  if (utf16Of(start) !== undefined) return 'utf16'
  if (file.name.endsWith('.zst') && length > 0 && !/^[\xef{\s]/.test(start.toString('latin1'))) {
    throw new UnreadableFileError('it is not a zstd file')
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

// Makes a stream of bytes readable at random: in memory while it is small, else in a temporary file.

/** Where to spool, and up to which size. */
interface SpoolOptions {
  /** Returns an existing folder for temporary files; called only when one is needed. */
  spoolDir: () => string
  /** Up to this size, the bytes stay in memory. */
  memoryBytes: number
  /** More bytes than this are an error, so that a small file cannot fill the disk. */
  maxBytes: number
}

/**
 * Collects a stream. If it breaks off after some bytes, the source has `damage`; if it gives none, its error is thrown.
 * Leaves no temporary file when it throws.
 */
async function spool(chunks: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<ByteSource> {
  const sink = new Spool(options)
  let damage: string | undefined
  try {
    for await (const chunk of chunks) sink.write(chunk)
  } catch (error) {
    if (sink.failed || sink.size === 0 || fileFault(error) !== 'unreadable-file') {
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
  /** Whether the error came from writing, not from the stream. */
  failed = false

  constructor(options: SpoolOptions) {
    this.#options = options
  }

  write(chunk: Uint8Array): void {
    this.failed = true
    this.size += chunk.length
    if (this.size > this.#options.maxBytes) {
      throw new UnreadableFileError(`it expands to more than the limit of ${this.#options.maxBytes} bytes`)
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

// The bytes of rollouts as they are on disk, wherever Codex moved them.

/** A source over the first `size` bytes of an open file. Closing the source closes the file and then calls `afterClose`. */
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
 * Opens a rollout's bytes as they are on disk. Codex compresses, restores, archives and unarchives files while we work,
 * so a file that is missing is looked for once at its other paths (rollout-format 1.3 and hazard 15). Throws
 * `VanishedFileError` if it is at none of them, else what the system reports.
 */
export function openStored(file: RolloutFile): ByteSource {
  for (const path of [file.path, ...otherPaths(file)]) {
    const source = openIfThere(path)
    if (source !== undefined) return source
  }
  throw new VanishedFileError('it is gone')
}

/**
 * Without this flag, opening a pipe that replaced a file would block until somebody writes to it. Windows has no such
 * flag.
 */
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
  throw new UnreadableFileError(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file')
}

// Where a rollout may be after Codex moved it.

/**
 * Other paths of the same rollout: its compressed or plain form beside it and, for a file of a home, the archive, or if
 * it was archived, the dated folder (rollout-format 1.2, 1.3).
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
