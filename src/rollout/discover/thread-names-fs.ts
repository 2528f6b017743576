/** Reads the thread names of a home, and finds the files and names below all roots. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { append } from '../../util/groups.ts'
import { parseJson } from '../../util/json.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { asObject, asText } from '../parse/decode.ts'
import { entryFault, type Root, statOf } from './homes-fs.ts'
import type { RolloutBackup, RolloutFile } from './rollout.ts'
import { type WalkResult, walk } from './walk-fs.ts'

/** Name of the list of thread names in a home. */
const threadNamesFile = 'session_index.jsonl'

/** The list grows by one line per rename; a larger file is not that list. */
const maxBytes = 64 * 1024 * 1024

/** Names by thread id. A root without a list has none; a list that cannot be read gives a diagnostic. */
function readThreadNames(root: Root): { names: Map<string, string>; diagnostics: Diagnostic[] } {
  if (root.kind !== 'home') return { names: new Map(), diagnostics: [] }
  const path = join(root.path, threadNamesFile)
  try {
    const stat = statSync(path)
    // A pipe would never end, nor would some devices.
    if (!stat.isFile()) throw new Error('it is not a regular file')
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`)
    return { names: parseThreadNames(readFileSync(path, 'utf8')), diagnostics: [] }
  } catch (error) {
    // A home that cannot be entered is one fault, and the walk reports it.
    if (errorCode(error) === 'ENOENT' || entryFault(root.path) !== undefined)
      return { names: new Map(), diagnostics: [] }
    const fault = diagnostic('unreadable-index', { file: threadNamesFile }, `Reason: ${reasonOf(error)}.`)
    return { names: new Map(), diagnostics: [fault] }
  }
}

// Names of threads (rollout-format 1.5).

/**
 * Reads the text of a `session_index.jsonl`: the last name of an id wins; blank names and lines that are not JSON objects
 * are ignored.
 */
function parseThreadNames(text: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const line of text.split('\n')) {
    const entry = parseEntry(line)
    if (entry !== undefined) names.set(entry.id, entry.name)
  }
  return names
}

function parseEntry(line: string): { id: string; name: string } | undefined {
  const entry = asObject(parseJson(line))
  const id = asText(entry?.['id'])
  const name = asText(entry?.['thread_name'])?.trim()
  return id === undefined || name === undefined ? undefined : { id: id.toLowerCase(), name }
}

/** What was found below some roots. */
export interface FoundFiles {
  files: RolloutFile[]
  /** Names by thread id. */
  names: Map<string, string>
  diagnostics: Diagnostic[]
}

/**
 * Walks all roots, except those whose result is already in `walks`. Roots may overlap: each path counts once, and if two
 * roots name a thread, the first wins.
 */
export function findFiles(roots: readonly Root[], walks: readonly WalkResult[] = []): FoundFiles {
  const files = new Map<string, RolloutFile>()
  const names = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  for (const [index, root] of roots.entries()) {
    const walked = walks[index] ?? walk(root)
    for (const file of walked.files) if (!files.has(file.path)) files.set(file.path, file)
    const named = readThreadNames(root)
    for (const [id, name] of named.names) if (!names.has(id)) names.set(id, name)
    append(diagnostics, walked.diagnostics)
    append(diagnostics, named.diagnostics)
  }
  return { files: [...files.values()], names, diagnostics }
}

// Whether anything changed below the roots, judged by names, sizes and times alone.

/** A text for each root that changes whenever one of its rollouts or its list of thread names changes. Never throws. */
export function rootFingerprints(roots: readonly Root[], walks: readonly WalkResult[] = []): string[] {
  return roots.map((root, index) => {
    const { files, diagnostics } = walks[index] ?? walk(root)
    const lines = files.flatMap((file) => [file, ...(file.backups ?? [])]).map(mark)
    return [JSON.stringify(root), namesMark(root), JSON.stringify(diagnostics), ...lines].join('\n')
  })
}

function mark({ path, bytes, mtimeMs }: RolloutBackup): string {
  return `${path} ${bytes} ${mtimeMs}`
}

function namesMark({ kind, path }: Root): string {
  if (kind !== 'home') return ''
  const stat = statOf(join(path, threadNamesFile))
  return stat instanceof Error ? (errorCode(stat) ?? '') : `${stat.size} ${stat.mtimeMs}`
}
