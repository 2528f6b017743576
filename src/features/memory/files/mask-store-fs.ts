/** Masks of rollouts, one small file each. They hold hashes and places, no words of a session. */

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../../diagnostics/errors.ts'
import { makePrivate, textAt } from '../../../util/files-fs.ts'
import { sha256 } from '../../../util/hash.ts'
import { reasonOf } from '../../../util/reason.ts'
import { type Change, decodeMasks, encodeMasks, type MaskFile, type MaskRecord } from '../edit/record.ts'

/** Masks in a folder. */
export interface MaskStore {
  /** What is known of a rollout, newest first; nothing where the file is missing, damaged or of another rollout. */
  load(threadId: string, rolloutId: string): MaskRecord[]
  /** What prunes and restores did to a rollout, newest first. */
  changes(threadId: string, rolloutId: string): Change[]
  /** Replaces what is known, in one step. Throws `UsageError` where the disk refuses. */
  save(masks: MaskFile): void
}

/** Opens the store in a folder, which is made when first needed. */
export function openMaskStore(folder: string): MaskStore {
  const pathOf = (threadId: string, rolloutId: string): string =>
    join(folder, `${sha256(`${threadId}\0${rolloutId}`).slice(0, 32)}.json`)
  const read = (threadId: string, rolloutId: string): MaskFile | undefined => {
    const masks = decodeMasks(textAt(pathOf(threadId, rolloutId)))
    return masks?.threadId === threadId && masks.rolloutId === rolloutId ? masks : undefined
  }
  return {
    load: (threadId, rolloutId) => read(threadId, rolloutId)?.records ?? [],
    changes: (threadId, rolloutId) => read(threadId, rolloutId)?.changes ?? [],
    save(masks) {
      const path = pathOf(masks.threadId, masks.rolloutId)
      try {
        makePrivate(folder)
        writeFileSync(`${path}.tmp`, encodeMasks(masks), { mode: 0o600, flush: true })
        renameSync(`${path}.tmp`, path)
      } catch (cause) {
        throw new UsageError(
          `Cannot record in \`${folder}\` what was excluded: ${reasonOf(cause)}. The rollout is unchanged.`,
          {
            cause,
          },
        )
      }
    },
  }
}
