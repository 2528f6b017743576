/** Hears that a rollout was written, added, renamed or removed: by notices of the system, else by looking. */

import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import type { Root } from './homes-fs.ts'
import { rootFingerprints } from './thread-names-fs.ts'

/** How to watch. */
export interface WatchOptions {
  /** Where sessions are, asked again and again: a home may come or go. May throw, which is no root. */
  rootsOf: () => readonly Root[]
  /** Called once or more for each change, also for some that turn out to be none. */
  changed: () => void
  /** Look at all files every second in place of waiting for notices, which some disks do not give. */
  poll?: boolean
}

/** Sources that are watched. */
export interface Watch {
  close(): void
}

/** How often homes are looked for, and with `poll` their files. */
const homesMs = 1000
/** How often files are looked at though the system gives notices: it may drop some, and gives none for other machines. */
const doubtMs = 30_000
/** A look takes at most one part in so many of the time. */
const restFactor = 20

/** Watches the places until it is closed. Never throws: what cannot be watched is looked at. */
export function watchRoots({ rootsOf, changed, poll = false }: WatchOptions): Watch {
  const notices = folderNotices({ changed, failed: () => checkOften() })
  let everyMs = poll ? homesMs : doubtMs
  let roots = safeRoots(rootsOf)
  let seen = rootFingerprints(roots).join('\n')
  let nextCheck = performance.now() + everyMs
  const checkOften = (): void => {
    everyMs = homesMs
    nextCheck = 0
  }
  const check = (): void => {
    const begin = performance.now()
    const now = rootFingerprints(roots).join('\n')
    nextCheck = begin + Math.max(everyMs, (performance.now() - begin) * restFactor)
    if (now === seen) return
    seen = now
    changed()
  }
  const tick = (): void => {
    const before = JSON.stringify(roots)
    roots = safeRoots(rootsOf)
    if (JSON.stringify(roots) !== before) {
      changed()
      nextCheck = 0
    }
    if (!poll) notices.cover(roots)
    if (performance.now() >= nextCheck) check()
  }
  if (!poll) notices.cover(roots)
  const timer = setInterval(tick, homesMs)
  return {
    close() {
      clearInterval(timer)
      notices.close()
    },
  }
}

function safeRoots(rootsOf: () => readonly Root[]): readonly Root[] {
  try {
    return rootsOf()
  } catch {
    // A home that is gone may come back.
    return []
  }
}

// Notices of the system.

/** Names in a home that lead to sessions. Codex writes logs and databases beside them all the time. */
const homeNames: ReadonlySet<string> = new Set(['sessions', 'archived_sessions', 'session_index.jsonl'])

/** Whether the system watches all that lies below a folder at the price of one. Elsewhere each folder is watched. */
const watchesTrees = process.platform === 'darwin' || process.platform === 'win32'

interface FolderNotices {
  /** Watches these places from now on, and no others. */
  cover(roots: readonly Root[]): void
  close(): void
}

/** What is to be watched: a folder, and which names in it count. */
type Wanted = Map<string, (name: string) => boolean>

function folderNotices({ changed, failed }: { changed: () => void; failed: () => void }): FolderNotices {
  const watchers = new Map<string, FSWatcher>()
  let covered = ''
  let roots: readonly Root[] = []
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const cover = (): void => {
    const wanted = wantedFolders(roots)
    for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder)
    for (const [folder, counts] of wanted) if (!watchers.has(folder)) add(folder, counts)
  }
  const add = (folder: string, counts: (name: string) => boolean): void => {
    try {
      const watcher = watch(folder, { recursive: watchesTrees && counts === all })
      watcher.on('error', () => {
        drop(folder)
        failed()
      })
      watcher.on('change', (kind, name) => {
        if (name !== null && !counts(String(name))) return
        // A new day is a new folder, in which a rollout may stand already.
        if (kind === 'rename') cover()
        changed()
      })
      watchers.set(folder, watcher)
    } catch {
      // Too many are watched, or the folder has just gone.
      failed()
    }
  }
  return {
    cover(next) {
      const key = JSON.stringify(next)
      if (key === covered) return
      covered = key
      roots = next
      cover()
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

const all = (): boolean => true

function wantedFolders(roots: readonly Root[]): Wanted {
  const wanted: Wanted = new Map()
  for (const { kind, path } of roots) {
    if (kind === 'file') wanted.set(dirname(path), (name) => name === basename(path))
    else if (kind === 'folder') addTree(path, wanted)
    else {
      wanted.set(path, (name) => homeNames.has(name))
      for (const name of ['sessions', 'archived_sessions']) addTree(join(path, name), wanted)
    }
  }
  return wanted
}

/** A folder and, where the system does not watch them with it, all folders below it. */
function addTree(top: string, wanted: Wanted): void {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = entriesOf(folder)
    if (entries === undefined) continue
    wanted.set(folder, all)
    if (watchesTrees) return
    for (const entry of entries) if (entry.isDirectory()) pending.push(join(folder, entry.name))
  }
}

/** What lies in a folder; `undefined` where it cannot be read. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}
