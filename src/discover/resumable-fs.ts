/** Copies of rollouts that earlier versions left where an old Codex may resume them. */
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseBackupName } from '../model/backup-names.ts'
import { compareText } from '../util/compare.ts'
import { baseName } from '../util/paths.ts'
import type { Root } from './homes-fs.ts'

/** A draft that a killed run of an earlier version left. */
const earlierDraft = /^\..+\.jsonl(?:\.zst)?(?:\.bak)?\.codex-export$/

/**
 * Names of backups and drafts below the session folders of homes, with `/`. Codex before 0.93 looks for an id in all
 * names there, whatever their ending. A folder that cannot be read has none; the walk tells of it.
 */
export function resumableCopies(roots: readonly Root[]): string[] {
  return roots
    .filter(({ kind }) => kind === 'home')
    .flatMap(({ path }) => ['sessions', 'archived_sessions'].flatMap((folder) => namesBelow(path, folder)))
    .sort(compareText)
}

function namesBelow(home: string, folder: string): string[] {
  try {
    return readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => isResumable(baseName(name)))
      .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
  } catch {
    return []
  }
}

function isResumable(name: string): boolean {
  return parseBackupName(name)?.rollout !== undefined || earlierDraft.test(name)
}
