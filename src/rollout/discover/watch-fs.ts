/** Notices when a rollout is written, added, renamed or removed: by file system events, else by polling. */

import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { throwOwnFault } from '../read/source.ts'
import type { Root } from './homes-fs.ts'
import { rootFingerprints } from './thread-names-fs.ts'

/** How to watch. */
interface WatchOptions {
  /** Returns the roots. Called once a second, because a home may appear or vanish; if it throws, there are no roots. */
  rootsOf: () => readonly Root[]
  /** Called at least once for each change, and sometimes although nothing changed. */
  changed: () => void
  /** Check all files every second instead of waiting for events, which some disks do not send. */
  poll?: boolean
}

/** A running watch. */
interface Watch {
  close(): void
}

/** How often the roots are determined and, with `poll`, their files checked. */
const homesMs = 1000
/**
 * How often files are checked although the system sends events: it may drop some, and sends none for changes by other
 * machines.
 */
const doubtMs = 30_000
/** Checks may take at most one part in this many of the time. */
const restFactor = 20

/** Watches the roots until closed. Never throws: what cannot be watched is polled. */
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
  } catch (error) {
    throwOwnFault(error)
    // A home that is missing may come back.
    return []
  }
}

// File system events.

/** The names in a home that concern sessions. Codex constantly writes logs and databases beside them. */
const homeNames: ReadonlySet<string> = new Set(['sessions', 'archived_sessions', 'session_index.jsonl'])

/** Whether one watcher covers a whole tree on this system. Elsewhere each folder needs its own. */
const watchesTrees = process.platform === 'darwin' || process.platform === 'win32'

interface FolderNotices {
  /** Watches these roots from now on, and no others. */
  cover(roots: readonly Root[]): void
  close(): void
}

/** The folders to watch, each with the names in it that count: these, or all, also in the folders below. */
type Wanted = Map<string, ReadonlySet<string> | 'all'>

/** A folder that is watched. */
interface Watched {
  watcher: FSWatcher
  names: ReadonlySet<string> | 'all'
  /** Which folder it was at that path. */
  identity: string
}

function folderNotices({ changed, failed }: { changed: () => void; failed: () => void }): FolderNotices {
  const watchers = new Map<string, Watched>()
  let covered = ''
  let roots: readonly Root[] = []
  const drop = (folder: string): void => {
    watchers.get(folder)?.watcher.close()
    watchers.delete(folder)
  }
  const cover = (): void => {
    const wanted = wantedFolders(roots)
    // A folder that was removed and created again is a different one, whose changes the old watcher does not report.
    for (const [folder, { names, identity }] of watchers)
      if (!isSame(names, wanted.get(folder)) || identity !== identityOf(folder)) drop(folder)
    for (const [folder, names] of wanted) if (!watchers.has(folder)) add(folder, names)
  }
  const add = (folder: string, names: Watched['names']): void => {
    try {
      const identity = identityOf(folder)
      const watcher = watch(folder, { recursive: watchesTrees && names === 'all' })
      watcher.on('error', () => {
        drop(folder)
        failed()
      })
      watcher.on('change', (kind, name) => {
        if (name !== null && names !== 'all' && !names.has(String(name))) return
        // Each day gets a new folder, which may already contain a rollout.
        if (kind === 'rename') cover()
        changed()
      })
      watchers.set(folder, { watcher, names, identity })
    } catch {
      // There are too many watchers, or the folder has just been removed.
      failed()
    }
  }
  return {
    cover(next) {
      const key = JSON.stringify([next, next.flatMap(topFolders).map(identityOf)])
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

function isSame(names: Watched['names'], others: Watched['names'] | undefined): boolean {
  if (names === 'all' || others === 'all' || others === undefined) return names === others
  return names.size === others.size && [...names].every((name) => others.has(name))
}

/** Which folder is at a path: its number, and when it was created, because numbers are reused. */
function identityOf(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true })
    return `${dev}:${ino}:${birthtimeNs}`
  } catch {
    return ''
  }
}

/** The folders at the top of what is watched of a root. */
function topFolders({ kind, path }: Root): string[] {
  if (kind === 'file') return [dirname(path)]
  return kind === 'folder' ? [path] : [path, join(path, 'sessions'), join(path, 'archived_sessions')]
}

function wantedFolders(roots: readonly Root[]): Wanted {
  const wanted: Wanted = new Map()
  for (const { kind, path } of roots) {
    if (kind === 'file') addNames(dirname(path), [basename(path)], wanted)
    else if (kind === 'folder') addTree(path, wanted)
    else {
      addNames(path, homeNames, wanted)
      for (const name of ['sessions', 'archived_sessions']) addTree(join(path, name), wanted)
    }
  }
  return wanted
}

/** Adds names of a folder that count, to those that another root wants. */
function addNames(folder: string, names: Iterable<string>, wanted: Wanted): void {
  const others = wanted.get(folder) ?? []
  if (others !== 'all') wanted.set(folder, new Set([...others, ...names]))
}

/** Adds a folder and, if one watcher does not cover a tree, all folders below it. */
function addTree(top: string, wanted: Wanted): void {
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = entriesOf(folder)
    if (entries === undefined) continue
    wanted.set(folder, 'all')
    if (watchesTrees) return
    for (const entry of entries) if (entry.isDirectory()) pending.push(join(folder, entry.name))
  }
}

/** The entries of a folder; `undefined` if it cannot be read. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return undefined
  }
}
