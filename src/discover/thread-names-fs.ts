/** Reads the thread names of a home. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import { errorCode, reasonOf } from '../util/reason.ts'
import type { Root } from './homes-fs.ts'
import { parseThreadNames } from './thread-names.ts'

/** Name of the list in a home. */
export const threadNamesFile = 'session_index.jsonl'

/** A list of names grows by a line a rename; a larger one is not that list. */
const maxBytes = 64 * 1024 * 1024

/** Names by thread id. A place without a list has none; one that cannot be read gives a diagnostic. */
export function readThreadNames(root: Root): { names: Map<string, string>; diagnostics: Diagnostic[] } {
  if (root.kind !== 'home') return { names: new Map(), diagnostics: [] }
  const path = join(root.path, threadNamesFile)
  try {
    const stat = statSync(path)
    // A pipe would never end, and neither would some devices.
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return { names: parseThreadNames(readFileSync(path, 'utf8')), diagnostics: [] }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { names: new Map(), diagnostics: [] }
    const fault = diagnostic('unreadable-index', { file: threadNamesFile }, `Reason: ${reasonOf(error)}.`)
    return { names: new Map(), diagnostics: [fault] }
  }
}
