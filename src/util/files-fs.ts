/** Reading and writing files of any size in pieces, durable names, folders, and the user's cache folder. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
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
import { errorCode, reasonOf } from './reason.ts'

/** The bytes of a file, piece by piece; a piece is valid only until the next one. Throws the error of the system. */
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

/**
 * The bytes of a file from `start` to `end`, read into `memory`; fewer if the file ends earlier. Throws the error of the system.
 */
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

/** Writes bytes at the current position of a descriptor; repeats, because the system may take fewer at once. Throws its error. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
}

// Names that survive a power cut.

/** Error codes of systems on which a folder cannot be opened, or not for syncing. */
const notSyncable: readonly (string | undefined)[] = ['EACCES', 'EINVAL', 'EISDIR', 'EPERM']

/** Makes the names in a folder durable if the system lets a folder be opened for that. */
export function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!notSyncable.includes(errorCode(error))) throw error
  }
}

/**
 * Writes a file that only its owner may read, in one step: a reader finds either the old file or the new one, complete. A
 * `durable` file also survives a power cut, at the cost of waiting for the disk. Throws the error of the system.
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
      // A draft left by an earlier process with the same number may be readable by everyone.
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
 * Makes a folder and those above it, and returns those that it made, outermost first. Not `mkdir` with `recursive`: on a
 * read-only disk, Node then reports that the folder does not exist.
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
 * Makes a folder that only its owner can open. Missing folders above it are made too, and only the owner may write to them,
 * whatever the umask. Throws the error of the system.
 */
export function makePrivate(folder: string): void {
  makeFolders(dirname(folder), 0o755)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

// What is at a path.

/** An absolute path with its links followed, as far as the path exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}

/** Whether a path is a folder or is below it, with links followed as far as the paths exist. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(realPath(resolve(folder)), realPath(resolve(path)))
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}

/**
 * Why a folder can neither be written to nor be made, as a clause that names what is in the way; `undefined` if nothing is.
 * Changes nothing.
 */
export function writeFault(folder: string): string | undefined {
  let at = folder
  try {
    while (!isPresent(at) && dirname(at) !== at) at = dirname(at)
    // A link that leads nowhere is present, but what it names is not.
    const stat = statSync(at, { throwIfNoEntry: false })
    if (stat === undefined) return `\`${at}\` is a link to nothing`
    if (!stat.isDirectory()) return `\`${at}\` is not a folder`
    accessSync(at, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return at === folder ? reasonOf(error) : `\`${at}\`: ${reasonOf(error)}`
  }
}

/** Whether something is at a path, even if it is only a link to nothing. */
function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // A file is where the path needs a folder; some versions of Node throw for that.
    if (errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Whether there is a regular file at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** Names in a folder; none if it cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Text of a file; empty if it cannot be read. */
export function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether there is a folder at a path. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

// The folder for data that programs can do without.

/** The parts of the environment that decide where it is. */
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

/** The path rules of a platform. */
export function pathsOf({ platform = process.platform }: CacheHost): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** The user's cache folder, absolute, as defined by the XDG specification, macOS or Windows. */
export function userCache(host: CacheHost): string {
  const { env, homeDir, platform = process.platform } = host
  const path = pathsOf(host)
  const absolute = (value: string | undefined): string | undefined =>
    value !== undefined && path.isAbsolute(value) ? value : undefined
  // The XDG base directory specification says to ignore relative paths.
  const named = absolute(env['XDG_CACHE_HOME'])
  if (named !== undefined) return named
  if (platform === 'darwin') return path.join(homeDir, 'Library', 'Caches')
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? path.join(homeDir, 'AppData', 'Local')
  return path.join(homeDir, '.cache')
}
