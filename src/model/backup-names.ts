/** Names of the backups beside a rollout: `<rollout>.bak`, then `.bak.2`, `.bak.3` and so on. */

/** One backup, by its name alone. */
export interface BackupName {
  /** Base name. */
  name: string
  /** Base name of the rollout that it is a copy of. */
  rollout: string
  /** From 1. */
  number: number
}

const form = /^(?<rollout>.+\.jsonl(?:\.zst)?)\.bak(?:\.(?<number>[2-9]|[1-9]\d+))?$/

/** Reads a base name; `undefined` for what is no backup of a rollout. */
export function parseBackupName(name: string): BackupName | undefined {
  const { rollout, number = '1' } = form.exec(name)?.groups ?? {}
  return rollout === undefined ? undefined : { name, rollout, number: Number(number) }
}

/**
 * The backups among the names of a folder that belong to a rollout, oldest first. Plain and compressed copies count
 * together: Codex may have turned one form into the other between two of them.
 */
export function backupsAmong(names: readonly string[], rollout: string): BackupName[] {
  const stem = plainName(rollout)
  return names
    .toSorted(byBackupNumber)
    .map(parseBackupName)
    .filter((backup) => backup !== undefined && plainName(backup.rollout) === stem)
    .filter((backup) => backup !== undefined)
}

/** Order of names of backups, oldest first. */
export function byBackupNumber(a: string, b: string): number {
  const [left, right] = [parseBackupName(a)?.number ?? 0, parseBackupName(b)?.number ?? 0]
  return left - right || Number(a > b) - Number(a < b)
}

/** The name for the next backup: its number is higher than that of any that is there. */
export function nextBackupName(existing: readonly BackupName[], rollout: string): string {
  const number = Math.max(0, ...existing.map((backup) => backup.number)) + 1
  return `${rollout}.bak${number === 1 ? '' : `.${number}`}`
}

/** The name that a rollout has when it is not compressed. */
export function plainName(rollout: string): string {
  return rollout.replace(/\.zst$/, '')
}
