/** Files of any size without their whole content in memory. */

import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep, win32 } from 'node:path'
import { errorCode } from './reason.ts'

/** The bytes of a file, piece by piece; a piece holds only until the next. Throws the error of the system. */
export function* filePieces(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(1 << 20)
    for (;;) {
      const length = readSync(descriptor, buffer)
      if (length === 0) return
      yield buffer.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The bytes of a file between two places, read into `memory`; fewer where it ends before. Throws the error of the system. */
export function readAt(
  descriptor: number,
  start: number,
  end: number,
  memory: Buffer = Buffer.allocUnsafe(end - start),
): Buffer {
  const bytes = memory.subarray(0, end - start)
  let length = 0
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, start + length)
    if (count === 0) break
    length += count
  }
  return bytes.subarray(0, length)
}

/** Writes bytes where a descriptor stands; the system may take fewer at once. Throws its error. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}

// Names that outlive a power cut.

/** What systems say that do not let a folder be opened, or not for this. */
const unable: readonly (string | undefined)[] = ['EACCES', 'EINVAL', 'EISDIR', 'EPERM']

/** Makes the names in a folder durable, where the system lets a folder be opened for that. */
export function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!unable.includes(errorCode(error))) throw error
  }
}

/**
 * Writes a file that only its owner may read, in one step: who reads it finds the old one or the new one, whole. A `durable` one is
 * there after a power cut too, at the cost of waiting for the disk. Throws the error of the system.
 */
export function writeInOneStep(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  durable = false,
): void {
  const draft = `${path}.${process.pid}.tmp`
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  try {
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      // A draft of a process with the same number may have been left for all to read.
      fchmodSync(descriptor, 0o600)
      for (const piece of pieces) writeFileSync(descriptor, piece)
      if (durable) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, path)
    if (durable) syncFolder(dirname(path))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

// Folders.

/**
 * Makes a folder and those above it, and gives those that were made, the outermost first. Node itself says of several on a
 * read-only disk that there is no such folder.
 */
export function makeFolders(path: string, mode = 0o777): string[] {
  if (existsSync(path)) return []
  const above = makeFolders(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return above
  }
  return [...above, path]
}

/**
 * Makes a folder and closes it to others. Folders above it that are missing are made as well, and nobody else may write
 * to them, whatever the umask says. Throws the error of the system.
 */
export function makePrivate(folder: string): void {
  makeFolders(dirname(folder), 0o755)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

// What is at a path.

/** An absolute path with its links followed, as far as something stands there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}

/** Whether a path is a folder or lies below it, links followed as far as something stands there. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(realPath(resolve(folder)), realPath(resolve(path)))
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

/** Whether a regular file stands at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Names in a folder; none where it cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Text of a file; empty where it cannot be read. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether a folder stands at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

// The folder in which programs keep what they can do without.

/** The parts of the world that decide the place. */
export interface CacheHost {
  env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  homeDir: string
  /** Default: that of this process. */
  platform?: NodeJS.Platform
}

/** A path in our part of the user's cache folder. */
export function cachePath(host: CacheHost, ...names: readonly string[]): string {
  return pathsOf(host).join(userCache(host), 'codex-export', ...names)
}

/** Rules for paths of a platform. */
export function pathsOf({ platform = process.platform }: CacheHost): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** The user's cache folder, absolute: as the XDG specification, macOS or Windows say. */
export function userCache(host: CacheHost): string {
  const { env, homeDir, platform = process.platform } = host
  const path = pathsOf(host)
  const absolute = (value: string | undefined): string | undefined =>
    value !== undefined && path.isAbsolute(value) ? value : undefined
  // The XDG base directory specification: a relative path is to be ignored.
  const named = absolute(env['XDG_CACHE_HOME'])
  if (named !== undefined) return named
  if (platform === 'darwin') return path.join(homeDir, 'Library', 'Caches')
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? path.join(homeDir, 'AppData', 'Local')
  return path.join(homeDir, '.cache')
}
