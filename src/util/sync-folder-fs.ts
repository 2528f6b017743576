/** Names that outlive a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { errorCode } from './reason.ts'

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
