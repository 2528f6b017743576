/** A Codex home with one invented session, and functions that prune it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ContextOptions, type ContextResult, context } from '../../src/features/memory/context.ts'
import { defaultReplacement } from '../../src/features/memory/edit/record.ts'
import type { MemoryHost } from '../../src/features/memory/files/guard.ts'
import type { MemoryTargetOptions } from '../../src/features/memory/files/target-fs.ts'
import { type PruneOptions, type PruneResult, prune } from '../../src/features/memory/prune.ts'
import { type RestoreOptions, type RestoreResult, restore } from '../../src/features/memory/restore.ts'
import { backupFolder, backupName } from '../../src/rollout/discover/names.ts'
import * as records from './records.ts'
import { threadId } from './rollout.ts'
import { quietHost } from './surroundings.ts'

/** When the session was last written; the clock of the tests is an hour later. */
const written = Date.UTC(2026, 2, 14, 10)

/** A home below a folder, and the operations on its session. */
export interface PruneHome {
  /** Folder of the Codex home. */
  home: string
  id: string
  /** Absolute path of the rollout. */
  path: string
  host: MemoryHost
  context: (change?: Partial<ContextOptions>) => Promise<ContextResult>
  prune: (change?: Partial<PruneOptions>) => Promise<PruneResult>
  restore: (change?: Partial<RestoreOptions>) => Promise<RestoreResult>
  /** Content of the rollout, or of a file next to it. */
  read: (name?: string) => string
  /** Names of the files in the rollout's folder, including hidden ones. */
  names: () => string[]
  /** Path of a backup, by its number. */
  backup: (number?: number) => string
  /** Names of all backups. */
  backups: () => string[]
}

/** Values as JSON lines. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

/** Records of two turns: a prompt with a thought and two calls, then a second prompt. Items: 1 prompt, 2 thought, 3-4 and 5-6 calls, 7 answer, 8 prompt, 9 answer. */
export function twoTurns(): records.Json[] {
  return [
    records.meta({
      id: threadId(1),
      timestamp: '2026-03-14T09:00:00.000Z',
      cwd: '/home/ada/engine',
      history_mode: 'paginated',
    }),
    records.started('turn-1'),
    records.turnContext({ turn_id: 'turn-1', cwd: '/home/ada/engine', model: 'gpt-5.4' }),
    records.userItem('How do I oil the engine?'),
    records.completed('UserMessage', { id: 'u1', content: [{ type: 'text', text: 'How do I oil the engine?' }] }),
    records.reasoningItem(['Look for the oil first.']),
    ...records.command('call-1', 'ls oil'),
    ...records.command('call-2', 'cat manual.txt', 0, 'Use the red can.\n'),
    records.answerItem('Use the red can.'),
    records.complete('turn-1'),
    records.started('turn-2'),
    records.userItem('And how often?'),
    records.answerItem('Every morning.'),
    records.complete('turn-2'),
  ]
}

/** Options of a prune that only plans, and is asked for nothing. */
export const pruneNothing: Omit<PruneOptions, keyof MemoryTargetOptions> = {
  ...{ exclude: [], include: [], delete: [], replace: [], replacement: defaultReplacement },
  ...{ output: undefined, newThread: false, inPlace: false, force: false, assumeClosed: false },
}

/** Options of a restore that is asked for nothing else. */
export const restoreNewest: Omit<RestoreOptions, keyof MemoryTargetOptions> = {
  ...{ backup: undefined, listBackups: false, undo: false, moveBackups: false, force: false, assumeClosed: false },
}

/** Creates a home with one rollout. `content` may be the lines of another session. */
export function pruneHome(
  folder: string,
  content: string | Uint8Array = jsonLines(records.envelopes(twoTurns(), true)),
  name: string = `rollout-2026-03-14T09-00-00-${threadId(1)}.jsonl`,
): PruneHome {
  const home = join(folder, 'codex')
  const path = join(home, 'sessions/2026/03/14', name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { mode: 0o640 })
  age(path)
  const env = { XDG_CACHE_HOME: join(folder, 'cache') }
  const host = quietHost({ now: () => written + 3_600_000, env, homeDir: folder })
  const target = { homes: [{ path: home }], target: threadId(1), targetPath: join(folder, threadId(1)) }
  const kept = join(home, backupFolder)
  return {
    home,
    id: threadId(1),
    path,
    host,
    context: (change) => context({ ...target, at: undefined, ...change }, host),
    prune: (change) => prune({ ...target, ...pruneNothing, ...change }, host),
    restore: (change) => restore({ ...target, ...restoreNewest, ...change }, host),
    read: (other = basename(path)) => readFileSync(join(dirname(path), other), 'utf8'),
    names: () => readdirSync(dirname(path)).sort(),
    backup: (number = 1) => join(kept, backupName(name, number)),
    backups: () => (existsSync(kept) ? readdirSync(kept).sort() : []),
  }
}

/** Sets the time of a file to that of the session. */
export function age(path: string): void {
  utimesSync(path, written / 1000, written / 1000)
}

/** What Codex does when a session is continued: appends lines, an hour before the clock of the tests. */
export function appendTo(path: string, values: readonly unknown[]): void {
  const { mode } = statSync(path)
  writeFileSync(path, readFileSync(path, 'utf8') + jsonLines(values), { mode })
  age(path)
}
