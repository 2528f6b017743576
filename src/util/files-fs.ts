/** Files of any size without their whole content in memory. */

import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
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

// Folders that only their owner may look into.

/**
 * Makes a folder and closes it to others. Folders above it that are missing are made as well, and nobody else may write
 * to them, whatever the umask says. Throws the error of the system.
 */
export function makePrivate(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

// Tells a path from the beginning of a thread id.

/** Whether a regular file stands at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
