/** Folders that only their owner may look into. */
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and closes it to others. Folders above it that are missing are made as well, and nobody else may write
 * to them, whatever the umask says. Throws the error of the system.
 */
export function makePrivate(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
