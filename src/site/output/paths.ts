/** Which relative paths may be written: they must be safe on every file system, and must not conflict with each other. */

import type { FileRecord, Manifest } from '../../render/output.ts'
import { asObject } from '../../rollout/parse/decode.ts'
import { compareText } from '../../util/compare.ts'
import { parseJson } from '../../util/json.ts'
import { hasDeviceName } from '../../util/paths.ts'
import { toPieces } from '../../util/pieces.ts'

const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\..*)?$/i
const plain = /^[a-z0-9_-]+(?:[./][a-z0-9_-]+)*$/
const forbidden = /[\p{Cc}\p{Cs}\\<>:"|?*]/u

/** Name of the manifest in the output folder. */
export const manifestName = 'manifest.json'

/** The prefix of the names of all staging folders. */
export const stagingPrefix = '.staging-'

/** What is wrong with a path of the site; `undefined` if it may be written. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (path === manifestName) return 'the manifest is written last and by itself'
  // Nearly every path has this form, and an archive has many paths.
  if (path.length <= 200 && plain.test(path) && !hasDeviceName(path)) return undefined
  for (const segment of path.split('/')) {
    const problem = segmentProblem(segment)
    if (problem !== undefined) return problem
  }
  return undefined
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'it is absolute or has an empty part'
  if (segment === '.' || segment === '..') return 'it has a dot part'
  if (segment.length > 200) return 'a part is longer than 200 characters'
  if (device.test(segment)) return `\`${segment}\` is a device name on Windows`
  if (forbidden.test(segment)) return 'it has a character that some file systems do not allow'
  if (/[. ]$/.test(segment)) return 'a part ends in a dot or a space'
  if (segment.startsWith(stagingPrefix)) return `\`${stagingPrefix}\` is reserved for unfinished builds`
  return undefined
}

/** A form that is equal for two paths if they are the same file on a file system that ignores case or Unicode form. */
function foldPath(path: string): string {
  return plain.test(path) ? path : path.normalize('NFC').toLowerCase()
}

/** The folder that contains a path: `a/b` for `a/b/c`, an empty text for `a`. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '' : path.slice(0, end)
}

/** The folders above a path, nearest first: `a/b`, `a` for `a/b/c`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder)
  return folders
}

/** Returns a test for paths that conflict with the given ones: a folder where one of these is a file, or the reverse. */
export function obstaclesTo(paths: Iterable<string>): (path: string) => boolean {
  const files = new Set(paths)
  const folders = new Set<string>()
  for (const path of files) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder))
      folders.add(folder)
  }
  return (path) => folders.has(path) || foldersOf(path).some((folder) => files.has(folder))
}

/** Remembers the paths of one build and finds those that conflict. */
interface PathRegistry {
  /** Adds a path; throws an `Error` if it is unsafe or conflicts with an earlier one. */
  add(path: string): void
  /** Removes a path again. */
  remove(path: string): void
}

/** Makes an empty registry. */
export function createPathRegistry(): PathRegistry {
  const files = new Set<string>()
  const folders = new Set<string>()
  return {
    add(path) {
      const problem = pathProblem(path)
      if (problem !== undefined) throw new Error(`Cannot write \`${path}\`: ${problem}`)
      const folded = foldPath(path)
      let blocked = files.has(folded) || folders.has(folded)
      const added: string[] = []
      for (let folder = folderOf(folded); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
        blocked ||= files.has(folder)
        added.push(folder)
      }
      if (blocked) throw new Error(`Cannot write \`${path}\`: another file of the site is in the way`)
      files.add(folded)
      for (const folder of added) folders.add(folder)
    },
    // Its folders stay, because no file has the name of one.
    remove: (path) => files.delete(foldPath(path)),
  }
}

// `manifest.json`: which files of the output folder are ours.

const schema = 'codex-export/manifest'
const hashForm = /^[0-9a-f]{64}$/

/** The result of reading a `manifest.json`. `problem` is a clause for people. */
type DecodedManifest = { manifest: Manifest } | { problem: string }

/** Reads a manifest and checks every path in it, because the manifest decides what may be removed. Never throws. */
export function decodeManifest(text: string): DecodedManifest {
  const value = asObject(parseJson(text))
  if (value?.['schema'] !== schema) return { problem: 'it is not a manifest of codex-export' }
  if (value['version'] !== 1) return { problem: `its version \`${String(value['version'])}\` is unknown` }
  const files = asObject(value['files'])
  if (files === undefined) return { problem: 'it lists no files' }
  const checked: Record<string, string> = Object.create(null)
  for (const [path, hash] of Object.entries(files)) {
    if (typeof hash !== 'string' || !hashForm.test(hash)) return { problem: `\`${path}\` has no hash` }
    const wrong = pathProblem(path)
    if (wrong !== undefined) return { problem: `\`${path}\` may not be listed: ${wrong}` }
    checked[path] = hash
  }
  return { manifest: { schema, version: 1, files: checked } }
}

/** The text of a manifest, with its paths in code unit order, one per line. */
export function encodeManifest(records: Iterable<FileRecord>): string {
  return [...manifestPieces(records)].join('')
}

/** The same piece by piece, because for thousands of sessions it has megabytes. */
export function manifestPieces(records: Iterable<FileRecord>): Generator<string> {
  return toPieces(manifestLines([...records].sort((a, b) => compareText(a.path, b.path))))
}

function* manifestLines(records: readonly FileRecord[]): Generator<string> {
  yield `{\n  "schema": ${JSON.stringify(schema)},\n  "version": 1,\n  "files": {`
  for (const [index, { path, hash }] of records.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${JSON.stringify(path)}: ${JSON.stringify(hash)}`
  }
  yield records.length === 0 ? '}\n}\n' : '\n  }\n}\n'
}
