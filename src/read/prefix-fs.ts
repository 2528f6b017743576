/** The first bytes of a rollout, without opening the whole of it. */
import type { RolloutFile } from '../model/rollout.ts'
import { ByteBuilder } from '../util/byte-builder.ts'
import { openStored } from './file-source-fs.ts'
import { plainChunks, storageOf } from './open-fs.ts'
import type { ByteSource } from './source.ts'

/** How many stored bytes give about as many plain ones as asked for: rollouts compress to a fifth. */
const storedShare = { plain: 1, zstd: 0.25, utf16: 2 } as const

/** The beginning of a rollout as plain UTF-8. */
export interface Prefix {
  bytes: Buffer
  /** Nothing stands behind `bytes`. */
  whole: boolean
}

/** Reads about `limit` plain bytes, never more. Throws when the file is gone or gives no byte although it has some. */
export async function readPrefix(file: RolloutFile, limit: number): Promise<Prefix> {
  const stored = openStored(file)
  try {
    return await prefixOf(stored, file, limit)
  } finally {
    stored.close()
  }
}

async function prefixOf(stored: ByteSource, file: RolloutFile, limit: number): Promise<Prefix> {
  const storage = storageOf(stored, file)
  const end = Math.min(stored.size, limit * storedShare[storage])
  const prefix = new ByteBuilder(Math.min(limit, Math.max(1, stored.size)))
  let whole = end === stored.size
  try {
    for await (const chunk of plainChunks(stored, storage, end)) {
      const room = limit - prefix.length
      if (chunk.length > room) whole = false
      prefix.append(chunk.subarray(0, room))
      if (!whole && prefix.length === limit) break
    }
  } catch (error) {
    // Compressed data that was cut by `end` cannot end well; what came before the cut counts.
    if (whole && prefix.length === 0) throw error
    whole = false
  }
  return { bytes: prefix.view(), whole }
}
