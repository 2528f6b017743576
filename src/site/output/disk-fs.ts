/** Every change that a build makes on disk goes through here, so that tests can make any of them fail. */

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

/** One change on disk, reported before it is made. */
export interface DiskStep {
  action: 'folder' | 'write' | 'sync' | 'aside' | 'rename' | 'remove'
  path: string
}

/** Called before each change; what it throws simulates a failing disk or the end of the process. */
export type BeforeStep = (step: DiskStep) => void

/** The kinds of changes; each is one or a few system calls. */
export interface Disk {
  /** Makes a folder and those above it. */
  folder(path: string): void
  write(path: string, content: string | Uint8Array): void
  /**
   * Writes a file piece by piece and returns its SHA-256; `rest` is awaited after each piece, so that the process can handle
   * signals.
   */
  writePieces(path: string, pieces: Iterable<string | Uint8Array>, rest: () => Promise<void>): Promise<string>
  /** Makes the contents of files durable, several at a time. */
  syncFiles(paths: readonly string[]): Promise<void>
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void
  /** Writes a file that is complete or absent, even after a power cut. */
  writeDurably(path: string, pieces: Iterable<string>): void
  /** Moves a file to a new path; an existing file there is replaced in one step. */
  rename(from: string, to: string): void
  /** Gives a file a second name, or makes a copy if the disk does not support that; the first name never disappears. */
  setAside(from: string, to: string): void
  /** Removes an empty folder; `false` if it is not empty. */
  removeEmpty(path: string): boolean
  /** Removes a file or a whole folder, whether it exists or not. */
  remove(path: string): void
}

/** Makes a disk; `beforeStep` is called before every change. */
export function createDisk(beforeStep: BeforeStep = () => {}): Disk {
  return {
    folder(path) {
      if (pathKind(path) === 'folder') return
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
        // A part of the site may be a mount point: the file is first copied there, and then put in place in one step.
        if (errorCode(error) !== 'EXDEV' || pathKind(from) !== 'file') throw error
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

/** What is at a path; links are not followed. */
export function pathKind(path: string): PathKind {
  return inspectPath(path).kind
}

/** What can be at a path. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link' | 'other'

/** The same, with its modification time in milliseconds since the epoch; 0 if nothing is there. */
export function inspectPath(path: string): { kind: PathKind; mtimeMs: number } {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? absent : { kind: kindOfEntry(stats), mtimeMs: stats.mtimeMs }
  } catch (error) {
    // There is a file where the path needs a folder.
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

/** Turns a failure of the disk into a message for people; returns any other error unchanged. */
export function explainDiskError(error: unknown, path: string, outcome: string): unknown {
  if (!isDiskError(error)) return error
  return new UsageError(`Cannot write \`${path}\`: ${reasonOf(error)} (${errorCode(error)}). ${outcome}`, {
    cause: error,
  })
}

/** Moves a file to another disk. The draft has a fixed name, so that the next attempt finds it if this one is cut off. */
function moveAcross(from: string, to: string): void {
  const draft = `${to}.codex-export-draft`
  copyFileSync(from, draft)
  renameSync(draft, to)
  rmSync(from)
}

/** As many as Node uses threads for files by default. */
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

/** Whether a file exists and passes the test `holds`. */
export function isHeld(file: string, holds: (file: string) => boolean): boolean {
  try {
    return holds(file)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
