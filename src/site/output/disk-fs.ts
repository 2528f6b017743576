/** Every change that a build makes on disk goes through here, so that tests can fail any one of them. */

import {
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { makeFolders, syncFolder } from '../../util/files-fs.ts'
import { hasher } from '../../util/hash.ts'
import { encoded } from '../../util/pieces.ts'
import { errorCode, isDiskError, reasonOf } from '../../util/reason.ts'

/** One change on disk, told before it is made. */
export interface DiskStep {
  action: 'folder' | 'write' | 'sync' | 'aside' | 'rename' | 'remove'
  path: string
}

/** Called before each change; what it throws stands for a failing disk or the end of the process. */
export type BeforeStep = (step: DiskStep) => void

/** The changes, each one call of the system or a few. */
export interface Disk {
  /** Makes a folder and those above it. */
  folder(path: string): void
  write(path: string, content: string | Uint8Array): void
  /** Writes a file piece by piece and gives its SHA-256; `rest` is awaited after each, so that the process hears signals. */
  writePieces(path: string, pieces: Iterable<string | Uint8Array>, rest: () => Promise<void>): Promise<string>
  /** Makes the contents of files durable, several at a time. */
  syncFiles(paths: readonly string[]): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void
  /** Writes a file that is whole or absent, even after a power cut. */
  writeDurably(path: string, pieces: Iterable<string>): void
  /** Puts a file at a new place; what stood there is replaced in one step. */
  rename(from: string, to: string): void
  /** Gives a file a second name, or a copy where the disk knows no second names: the first never lacks. */
  setAside(from: string, to: string): void
  /** Removes a folder that is empty; gives `false` where it is not. */
  removeEmpty(path: string): boolean
  /** Removes a file or a whole folder, present or not. */
  remove(path: string): void
}

/** Makes a disk; `beforeStep` sees every change. */
export function createDisk(beforeStep: BeforeStep = () => {}): Disk {
  return {
    folder(path) {
      if (kindOf(path) === 'folder') return
      beforeStep({ action: 'folder', path })
      makeFolders(path)
    },
    write(path, content) {
      beforeStep({ action: 'write', path })
      writeFileSync(path, content)
    },
    async syncFiles(paths) {
      if (paths[0] === undefined) return
      beforeStep({ action: 'sync', path: paths[0] })
      const queue = paths.values()
      const work = async (): Promise<void> => {
        for (const path of queue) await syncFile(path)
      }
      await Promise.all(Array.from({ length: parallelSyncs }, work))
    },
    syncFolder(path) {
      beforeStep({ action: 'sync', path })
      syncFolder(path)
    },
    async writePieces(path, pieces, rest) {
      beforeStep({ action: 'write', path })
      const descriptor = openSync(path, 'w')
      const whole = hasher()
      try {
        for (const piece of pieces) {
          const bytes = encoded(piece)
          whole.add(bytes)
          writeFileSync(descriptor, bytes)
          await rest()
        }
      } finally {
        closeSync(descriptor)
      }
      return whole.digest()
    },
    writeDurably(path, pieces) {
      const draft = `${path}.tmp`
      beforeStep({ action: 'write', path: draft })
      const descriptor = openSync(draft, 'w')
      try {
        for (const piece of pieces) writeFileSync(descriptor, encoded(piece))
      } finally {
        closeSync(descriptor)
      }
      beforeStep({ action: 'sync', path: draft })
      sync(draft)
      beforeStep({ action: 'rename', path })
      renameSync(draft, path)
      syncFolder(dirname(path))
    },
    rename(from, to) {
      beforeStep({ action: 'rename', path: to })
      try {
        renameSync(from, to)
      } catch (error) {
        // A part of the site may be a mount point: there the file is copied first, and takes its place in one step.
        if (errorCode(error) !== 'EXDEV' || kindOf(from) !== 'file') throw error
        moveAcross(from, to)
      }
    },
    setAside(from, to) {
      beforeStep({ action: 'aside', path: from })
      try {
        linkSync(from, to)
      } catch {
        copyFileSync(from, `${to}.tmp`)
        renameSync(`${to}.tmp`, to)
      }
    },
    removeEmpty(path) {
      beforeStep({ action: 'remove', path })
      try {
        rmdirSync(path)
        return true
      } catch {
        return false
      }
    },
    remove(path) {
      beforeStep({ action: 'remove', path })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** What stands at a path, itself: links are not followed. */
export function kindOf(path: string): PathKind {
  return inspectPath(path).kind
}

/** What a path may lead to. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link' | 'other'

/** The same, with the time of what stands there in milliseconds since the epoch; 0 where nothing does. */
export function inspectPath(path: string): { kind: PathKind; mtimeMs: number } {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? absent : { kind: kindOfEntry(stats), mtimeMs: stats.mtimeMs }
  } catch (error) {
    // A file stands where the path needs a folder.
    if (errorCode(error) === 'ENOTDIR') return absent
    throw error
  }
}

const absent = { kind: 'absent', mtimeMs: 0 } as const

function kindOfEntry(stats: Stats): PathKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** Turns a failure of the disk into a message for people; gives any other error back as it is. */
export function explainDiskError(error: unknown, path: string, outcome: string): unknown {
  if (!isDiskError(error)) return error
  return new UsageError(`Cannot write \`${path}\`: ${reasonOf(error)} (${errorCode(error)}). ${outcome}`, {
    cause: error,
  })
}

/** The draft lies where the next try finds it, should this one be cut off. */
function moveAcross(from: string, to: string): void {
  const draft = `${to}.codex-export-draft`
  copyFileSync(from, draft)
  renameSync(draft, to)
  rmSync(from)
}

/** As many as Node has threads for files by itself. */
const parallelSyncs = 4

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whether a file is there and `holds` says so of it. */
export function isHeld(file: string, holds: (file: string) => boolean): boolean {
  try {
    return holds(file)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
