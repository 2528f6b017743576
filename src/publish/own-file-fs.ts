/** Writes files beside somebody's own, and never over them unasked. */
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import { isSigned } from './own-file.ts'

/** What stands at the place of a file of ours: nothing, the same text, one that we wrote, or somebody else's. */
export type OwnFileState = 'absent' | 'same' | 'ours' | 'foreign'

/** Looks at the place of a file. */
export function ownFileState(path: string, text: string): OwnFileState {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 'absent'
  if (!stats.isFile()) return 'foreign'
  const found = readFileSync(path, 'utf8')
  if (found === text) return 'same'
  return isSigned(found) ? 'ours' : 'foreign'
}

/** Writes a file in one step, with the folders that it needs. Throws a `UsageError` where the disk refuses. */
export function writeOwnFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw new UsageError(`Cannot write \`${path}\`: ${reasonOf(error)}.`, { cause: error })
  }
}
