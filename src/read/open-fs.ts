/** Opens rollouts: whatever is on disk becomes plain UTF-8 bytes at random access. */
import type { RolloutFile } from '../model/rollout.ts'
import { openStored } from './file-source-fs.ts'
import { type ByteSource, pieces } from './source.ts'
import { spool } from './spool-fs.ts'
import { asUtf8, utf16Of } from './utf16.ts'
import { decompress, isZstd } from './zstd-fs.ts'

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
  return asUtf8(storage === 'zstd' ? decompress(stored, end) : pieces(stored, undefined, { start: 0, end }))
}
