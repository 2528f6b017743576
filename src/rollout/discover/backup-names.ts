/**
 * Names of backups of rollouts. Codex before 0.93 finds a session by a fuzzy search below `sessions`: any name that holds
 * the characters of the id in order will do, a hidden one or one with another ending too. So a name holds no id, and no
 * hyphens, of which every id has four. Which session a backup belongs to stands in its first line.
 */

import { sha256 } from '../../util/hash.ts'

/** One backup, by its name alone. */
export interface BackupName {
  /** Base name. */
  name: string
  /** What the names of all backups of a rollout begin with: see `backupKey`. */
  key: string
  /** From 1, oldest first. */
  number: number
  /** Base name of the rollout, where an earlier version made the backup: an old Codex may resume it in the rollout's place. */
  rollout?: string
}

/** Folder of a Codex home that holds backups: outside of `sessions`, where no Codex looks. */
export const backupFolder = 'codex-export-backups'

const form = /^(?<key>[0-9a-f]{24})(?:\.(?<number>[2-9]|[1-9]\d+))?\.bak$/
const earlierForm = /^(?<rollout>.+\.jsonl(?:\.zst)?)\.bak(?:\.(?<number>[2-9]|[1-9]\d+))?$/

/** What stands for a rollout in the names of its backups: the same for a plain and a compressed one. */
export function backupKey(rollout: string): string {
  return sha256(plainName(rollout)).slice(0, 24)
}

/** Reads a base name; `undefined` for what is no backup of a rollout. */
export function parseBackupName(name: string): BackupName | undefined {
  const { key, number = '1' } = form.exec(name)?.groups ?? {}
  if (key !== undefined) return { name, key, number: Number(number) }
  const earlier = earlierForm.exec(name)?.groups
  if (earlier?.['rollout'] === undefined) return undefined
  const { rollout } = earlier
  return { name, key: backupKey(rollout), number: Number(earlier['number'] ?? 1), rollout }
}

/** Order of backups, oldest first. */
export function byBackupNumber(a: BackupName, b: BackupName): number {
  return a.number - b.number || Number(a.name > b.name) - Number(a.name < b.name)
}

/** The name for the next backup: its number is higher than that of any that is there. */
export function nextBackupName(existing: readonly BackupName[], rollout: string): string {
  return backupName(rollout, Math.max(0, ...existing.map((backup) => backup.number)) + 1)
}

/** The name of a backup with a number. */
export function backupName(rollout: string, number: number): string {
  return `${backupKey(rollout)}${number === 1 ? '' : `.${number}`}.bak`
}

/** The name that a rollout has when it is not compressed. */
export function plainName(rollout: string): string {
  return rollout.replace(/\.zst$/, '')
}
