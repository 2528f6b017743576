/** What stands at a path. */
import { type Stats, statSync } from 'node:fs'

/** What the system tells of a path, links followed; its error where it tells nothing. */
export function statOf(path: string): Stats | Error {
  try {
    return statSync(path)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
