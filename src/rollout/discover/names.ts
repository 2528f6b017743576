/** Reads the names of rollouts (rollout-format 1.3) and of our backups. */

import { compareText } from '../../util/compare.ts'
import { hashKey } from '../../util/hash.ts'
import { isUuid } from '../../util/time.ts'
import type { RolloutFile } from './rollout.ts'

/** Facts in a file's name; ids in it are hints only. */
export type NameFacts = Pick<RolloutFile, 'compression' | 'format' | 'stamp' | 'nameId' | 'nameRolloutId'>

const stamp = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/

/** The usual name, matched by one expression because most of thousands of files have it. */
const usual =
  /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/

/** Files beside the rollouts that share their extension but are not rollouts. */
const lists = new Set(['history.jsonl', 'session_index.jsonl'])

/**
 * Reads a file's base name; `undefined` if it is not a rollout. Any `.jsonl` may be one, even if somebody renamed it. A
 * `.json` is one only if it is called `rollout-….json`, or `<id>.json` in a home, or if the user names the file itself.
 */
export function parseName(base: string, where: 'home' | 'folder' | 'given'): NameFacts | undefined {
  const [, time, nameId] = usual.exec(base) ?? []
  if (time !== undefined && nameId !== undefined) return { compression: 'none', format: 'lines', stamp: time, nameId }
  if (lists.has(base) || base.startsWith('.')) return undefined
  const [, stem = '', ending] = base.match(/^(.+?)(\.jsonl\.zst|\.jsonl|\.json)$/s) ?? []
  if (ending === undefined) return undefined
  if (ending !== '.json') {
    return { compression: ending.endsWith('.zst') ? 'zstd' : 'none', format: 'lines', ...idsOf(stem) }
  }
  const isSession = where === 'given' || stem.startsWith('rollout-') || (where === 'home' && isUuid(stem))
  if (!isSession) return undefined
  return { compression: 'none', format: 'document', ...idsOf(stem) }
}

/**
 * `rollout-` + stamp of 19 characters + `-` + thread id + optional `_` + rollout id; older names have a date without a
 * time.
 */
function idsOf(stem: string): Pick<NameFacts, 'stamp' | 'nameId' | 'nameRolloutId'> {
  const time = stem.slice(8, 27)
  const stamped = stem.startsWith('rollout-') && stamp.test(time) && stem[27] === '-'
  const rest = stamped ? stem.slice(28) : stem.replace(/^rollout-(?:\d{4}-\d\d-\d\d-)?/, '')
  const [threadId = '', rolloutId = ''] = rest.split('_', 2)
  return {
    ...(stamped ? { stamp: time } : {}),
    ...(isUuid(threadId) ? { nameId: threadId.toLowerCase() } : {}),
    ...(isUuid(threadId) && isUuid(rolloutId) ? { nameRolloutId: rolloutId.toLowerCase() } : {}),
  }
}

// Names of backups of rollouts. Codex before 0.93 finds a session by a fuzzy search below `sessions`: any name that
// contains the characters of the id in order matches, even a hidden one or one with another extension. So a name contains
// no id, and no hyphens, of which every id has four. The first line of a backup says which session it belongs to.

/** One backup, by its name alone. */
export interface BackupName {
  /** Base name. */
  name: string
  /** The beginning that the names of all backups of a rollout share: see `backupKey`. */
  key: string
  /** From 1, oldest first. */
  number: number
  /**
   * Base name of the rollout, if an earlier version made the backup: an old Codex may resume such a copy instead of the
   * rollout.
   */
  rollout?: string
}

/** Folder of a Codex home that holds backups: outside of `sessions`, where no Codex looks. */
export const backupFolder = 'codex-export-backups'

const form = /^(?<key>[0-9a-f]{24})(?:\.(?<number>[2-9]|[1-9]\d+))?\.bak$/
const earlierForm = /^(?<rollout>.+\.jsonl(?:\.zst)?)\.bak(?:\.(?<number>[2-9]|[1-9]\d+))?$/s

/** The key that names a rollout's backups: the same whether the rollout is plain or compressed. */
export function backupKey(rollout: string): string {
  return hashKey(plainName(rollout))
}

/** Reads a base name; `undefined` if it is not a backup of a rollout. */
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
  return a.number - b.number || compareText(a.name, b.name)
}

/** The name for the next backup: its number is higher than any existing one. */
export function nextBackupName(existing: readonly BackupName[], rollout: string): string {
  return backupName(rollout, Math.max(0, ...existing.map((backup) => backup.number)) + 1)
}

/** The name of a rollout's backup with this number. */
export function backupName(rollout: string, number: number): string {
  return `${backupKey(rollout)}${number === 1 ? '' : `.${number}`}.bak`
}

/** The name of a rollout when it is not compressed. */
export function plainName(rollout: string): string {
  return rollout.replace(/\.zst$/, '')
}
