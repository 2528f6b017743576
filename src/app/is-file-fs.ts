/** Tells a path from the beginning of a thread id. */
import { statSync } from 'node:fs'

/** Whether a regular file stands at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
