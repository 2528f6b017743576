/** Stores the masks of rollouts, one small file each. They contain hashes and positions, but no words of a session. */

import { join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { makePrivate, textAt, writeInOneStep } from '../../../util/files-fs.ts'
import { sha256 } from '../../../util/hash.ts'
import { reasonOf } from '../../../util/reason.ts'
import { type Change, decodeMasks, encodeMasks, type MaskFile, type MaskRecord } from '../edit/record.ts'

/**
 * What is stored about one rollout, read from disk each time; nothing if the file is missing, damaged or about another
 * rollout.
 */
export interface MaskStore {
  /** Masks, newest first. */
  records(): MaskRecord[]
  /** What prunes and restores did, newest first. */
  changes(): Change[]
  /** Replaces what is stored, in one step. Throws a `UsageError` if the disk refuses. */
  save(known: Pick<MaskFile, 'records' | 'changes'>): void
}

/** Opens the store of a rollout in a folder, which is made when first written to. */
export function openMaskStore(folder: string, threadId: string, rolloutId: string): MaskStore {
  const path = join(folder, `${sha256(`${threadId}\0${rolloutId}`).slice(0, 32)}.json`)
  const read = (): MaskFile | undefined => {
    const masks = decodeMasks(textAt(path))
    return masks?.threadId === threadId && masks.rolloutId === rolloutId ? masks : undefined
  }
  return {
    records: () => read()?.records ?? [],
    changes: () => read()?.changes ?? [],
    save(known) {
      try {
        makePrivate(folder)
        // Synced to disk, because the rollout that is written next must not survive a power cut without it.
        writeInOneStep(path, encodeMasks({ threadId, rolloutId, ...known }), true)
      } catch (cause) {
        throw new UsageError(
          `Cannot record in \`${folder}\` what was excluded: ${reasonOf(cause)}. The rollout is unchanged.`,
          { cause },
        )
      }
    },
  }
}
