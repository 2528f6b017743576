/** Reads the bytes of rollouts as they are on disk, wherever Codex moved them. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { defined } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'
import type { RolloutFile } from '../discover/rollout.ts'
import { type ByteSource, UnreadableFileError, VanishedFileError } from './source.ts'

/** A source over the first `size` bytes of an open file. Closing the source closes the file and then calls `afterClose`. */
export function descriptorSource(fd: number, size: number, afterClose?: () => void, damage?: string): ByteSource {
  let open = true
  return {
    size,
    ...defined({ damage }),
    read(target, targetOffset, length, position) {
      const wanted = Math.min(length, size - position)
      let done = 0
      while (done < wanted) {
        const count = readSync(fd, target, targetOffset + done, wanted - done, position + done)
        if (count === 0) throw new VanishedFileError(`it ended at byte ${position + done} of ${size}`)
        done += count
      }
      return done
    },
    close() {
      if (!open) return
      open = false
      closeSync(fd)
      afterClose?.()
    },
  }
}

/**
 * Opens a rollout's bytes as they are on disk. Codex compresses, restores, archives and unarchives files while we work,
 * so a file that is missing is looked for once at its other paths (rollout-format 1.3 and hazard 15). Throws
 * `VanishedFileError` if it is at none of them, else what the system reports.
 */
export function openStored(file: RolloutFile): ByteSource {
  for (const path of [file.path, ...otherPaths(file)]) {
    const source = openIfThere(path)
    if (source !== undefined) return source
  }
  throw new VanishedFileError('it is gone')
}

/**
 * Without this flag, opening a pipe that replaced a file would block until somebody writes to it. Windows has no such
 * flag.
 */
const readWithoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

function openIfThere(path: string): ByteSource | undefined {
  let fd: number
  try {
    fd = openSync(path, readWithoutWaiting)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const stat = fstatSync(fd)
  if (stat.isFile()) return descriptorSource(fd, stat.size)
  closeSync(fd)
  throw new UnreadableFileError(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file')
}

// Where a rollout may be after Codex moved it.

/**
 * Other paths of the same rollout: its compressed or plain form beside it and, for a file of a home, the archive, or if
 * it was archived, the dated folder (rollout-format 1.2, 1.3).
 */
export function otherPaths(file: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string[] {
  const moved = movedPath(file)
  return [twin(file.path), ...(moved === undefined ? [] : [moved, twin(moved)])]
}

function twin(path: string): string {
  return path.endsWith('.zst') ? path.slice(0, -'.zst'.length) : `${path}.zst`
}

function movedPath({ path, name, stamp }: Pick<RolloutFile, 'path' | 'name' | 'stamp'>): string | undefined {
  if (path.length <= name.length || stamp === undefined) return undefined
  const root = path.slice(0, -name.length)
  const base = name.slice(name.lastIndexOf('/') + 1)
  if (name.startsWith('sessions/')) return `${root}archived_sessions/${base}`
  if (!name.startsWith('archived_sessions/')) return undefined
  return `${root}sessions/${stamp.slice(0, 10).replaceAll('-', '/')}/${base}`
}
