/** Every change that the write room makes on disk goes through here, so that tests can fail any one of them. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode } from '../util/reason.ts'
import { syncFolder } from '../util/sync-folder-fs.ts'

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
  /** Writes a file piece by piece. */
  writePieces(path: string, pieces: Iterable<string>): void
  /** Writes a file that is whole or absent, even after a power cut. */
  writeDurably(path: string, content: string): void
  /** Puts a file at a new place; what stood there is replaced in one step. */
  rename(from: string, to: string): void
  /** Gives a file a second name where the disk can (so that the first never lacks), else moves it. */
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
      mkdirSync(path, { recursive: true })
    },
    write(path, content) {
      beforeStep({ action: 'write', path })
      writeFileSync(path, content)
    },
    writePieces(path, pieces) {
      beforeStep({ action: 'write', path })
      const descriptor = openSync(path, 'w')
      try {
        for (const piece of pieces) writeFileSync(descriptor, piece)
      } finally {
        closeSync(descriptor)
      }
    },
    writeDurably(path, content) {
      const draft = `${path}.tmp`
      beforeStep({ action: 'write', path: draft })
      writeFileSync(draft, content)
      beforeStep({ action: 'sync', path: draft })
      sync(draft)
      beforeStep({ action: 'rename', path })
      renameSync(draft, path)
      syncFolder(dirname(path))
    },
    rename(from, to) {
      beforeStep({ action: 'rename', path: to })
      renameSync(from, to)
    },
    setAside(from, to) {
      beforeStep({ action: 'aside', path: from })
      try {
        linkSync(from, to)
      } catch {
        renameSync(from, to)
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
export function kindOf(path: string): 'absent' | 'file' | 'folder' | 'link' | 'other' {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return 'absent'
    if (stats.isFile()) return 'file'
    if (stats.isDirectory()) return 'folder'
    return stats.isSymbolicLink() ? 'link' : 'other'
  } catch (error) {
    // A file stands where the path needs a folder.
    if (errorCode(error) === 'ENOTDIR') return 'absent'
    throw error
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'it may not be written',
  EBUSY: 'another program holds it open',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk fails',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its path is too long',
  ENOSPC: 'the disk is full',
  EPERM: 'it may not be written, or another program holds it open',
  EROFS: 'the disk is read-only',
  EXDEV: 'a part of the folder lies on another disk',
}

/** Turns a failure of the disk into a message for people; gives any other error back as it is. */
export function explainDiskError(error: unknown, path: string, outcome: string): unknown {
  const code = errorCode(error)
  const reason = code === undefined ? undefined : reasons[code]
  if (reason === undefined) return error
  return new UsageError(`Cannot write \`${path}\`: ${reason} (${code}). ${outcome}`, { cause: error })
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
