/** Folders that only their owner may look into. */
import { chmodSync, mkdirSync } from 'node:fs'

/** Makes a folder with those above it, and closes it to others. Throws the error of the system. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
}
