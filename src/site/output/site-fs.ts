/** Examines the output folder and never changes it: whether it is ours, and what is at the paths of new files. */

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { errorCode } from '../../util/reason.ts'
import { inspectPath, type PathKind, pathKind } from './disk-fs.ts'
import { decodeManifest, folderOf, foldersOf, manifestName } from './paths.ts'
import { isStagingName } from './staging-folder-fs.ts'

/** The contents of an output folder. */
export interface OutputState {
  /** Absolute path; a link to the folder itself is followed. */
  root: string
  exists: boolean
  /** Names of staging folders of unfinished builds, live or dead. */
  stagings: string[]
  /** Paths and hashes in the manifest; empty if there is none. */
  files: Readonly<Record<string, string>>
  /** The text of the manifest. */
  manifestText: string | undefined
  /** When the manifest, the last file of a build, was written, in milliseconds since the epoch; 0 if there is none. */
  builtAtMs: number
  /** Name of an entry that is not ours, if the folder has contents but no manifest of ours. */
  foreign: string | undefined
}

const nothing = { files: {}, manifestText: undefined, builtAtMs: 0, foreign: undefined }

/**
 * Examines an output folder. Throws a `UsageError` if it is not a folder or its manifest cannot be read. `before` is an earlier
 * result: a manifest that is unchanged since then is not checked again.
 */
export function inspectOutput(out: string, before?: OutputState): OutputState {
  const root = realFolder(resolve(out))
  if (root === undefined) {
    return { ...nothing, root: resolve(out), exists: false, stagings: [] }
  }
  const names = readdirSync(root).sort()
  const stagings = names.filter((name) => isStagingName(name) && pathKind(join(root, name)) === 'folder')
  const state = { ...nothing, root, exists: true, stagings }
  if (!names.includes(manifestName)) return { ...state, foreign: names.find((name) => !stagings.includes(name)) }
  const manifest = join(root, manifestName)
  const manifestText = pathKind(manifest) === 'file' ? readFileSync(manifest, 'utf8') : ''
  const builtAtMs = lstatSync(manifest).mtimeMs
  if (manifestText === before?.manifestText) return { ...state, files: before.files, manifestText, builtAtMs }
  const decoded = decodeManifest(manifestText)
  if ('problem' in decoded) {
    const hint = 'Choose another `--out`, or empty the folder. Nothing was changed.'
    throw new UsageError(`\`${manifest}\` cannot be used: ${decoded.problem}. ${hint}`)
  }
  return { ...state, files: decoded.manifest.files, manifestText, builtAtMs }
}

function realFolder(path: string): string | undefined {
  try {
    if (pathKind(path) === 'absent') return undefined
    const root = realpathSync(path)
    if (statSync(root).isDirectory()) return root
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new UsageError(`\`${path}\` is a link to a folder that does not exist.`)
    throw error
  }
  throw new UsageError(`\`${path}\` is not a folder. Choose another \`--out\`.`)
}

/** Finds out what is at paths of the site; remembers the folders on the way. */
export interface SiteFolder {
  /**
   * What is at a path, and its modification time; `under` is a file where the path needs a folder. Throws a `UsageError` if a
   * folder on the way is a link, because nothing is written through links.
   */
  probe(path: string): { kind: PathKind; mtimeMs: number; under?: string }
  /** The uppermost missing folder above a path; `undefined` if all exist, or if a file is in the way. */
  missingFolder(path: string): string | undefined
  /** Throws a `UsageError` if a new file at a path would replace something that is not ours. */
  refuseForeign(path: string): void
}

/** What every failure before the swap leaves behind. */
export function outcomeOfFailure(hadSite: boolean): string {
  return hadSite ? 'The old site is unchanged.' : 'No site was made.'
}

/** After this many lookups of folders in the same folder, the remaining ones are listed at once. */
const manyFolders = 50

/** A lookup for a site; `files` are those that are ours. It is valid as long as nobody changes the folders. */
export function createSiteFolder({
  root,
  files,
  manifestText,
}: Pick<OutputState, 'root' | 'files' | 'manifestText'>): SiteFolder {
  const isOurs = (path: string): boolean => Object.hasOwn(files, path)
  const at = (path: string): string => `${root}${sep}${path}`
  const folders = new Map<string, PathKind>()
  /** How many folders in a folder were looked up. */
  const asked = new Map<string, number>()
  const inspectFolder = (folder: string): PathKind => {
    const above = folderOf(folder)
    const count = (asked.get(above) ?? 0) + 1
    asked.set(above, count)
    if (count === manyFolders && above !== '')
      for (const name of namesOfFolders(at(above))) folders.set(`${above}/${name}`, 'folder')
    return folders.get(folder) ?? pathKind(at(folder))
  }
  const folderKind = (folder: string): PathKind => {
    const known = folders.get(folder)
    if (known !== undefined) return known
    const kind = inspectFolder(folder)
    if (kind === 'link' || kind === 'other') {
      const hint = 'Nothing is written through it: remove it, or choose another `--out`.'
      throw new UsageError(`\`${folder}\` in \`${root}\` is a link or a device, not a folder. ${hint}`)
    }
    folders.set(folder, kind)
    return kind
  }
  const probe: SiteFolder['probe'] = (path) => {
    if (folders.get(folderOf(path)) === 'folder') return inspectPath(at(path))
    for (const folder of foldersOf(path).reverse()) {
      const kind = folderKind(folder)
      if (kind === 'file') return { kind: 'absent', mtimeMs: 0, under: folder }
      if (kind === 'absent') return { kind, mtimeMs: 0 }
    }
    return inspectPath(at(path))
  }
  const foreignAt = (path: string): string | undefined => {
    const { kind, under } = probe(path)
    if (under !== undefined) return isOurs(under) ? undefined : under
    if (kind === 'absent') return undefined
    if (kind === 'folder') return foreignInside(root, path, isOurs)
    return kind === 'file' && isOurs(path) ? undefined : path
  }
  return {
    probe,
    missingFolder(path) {
      if (folders.get(folderOf(path)) === 'folder') return undefined
      const first = foldersOf(path)
        .reverse()
        .find((folder) => folderKind(folder) !== 'folder')
      return first !== undefined && folderKind(first) === 'absent' ? first : undefined
    },
    refuseForeign(path) {
      const foreign = foreignAt(path)
      if (foreign === undefined) return
      const hint = `Move it away, or choose another \`--out\`. ${outcomeOfFailure(manifestText !== undefined)}`
      throw new UsageError(
        `\`${foreign}\` in \`${root}\` is not from codex-export and is where \`${path}\` must go. ${hint}`,
      )
    },
  }
}

/** Names of the folders in a folder, as far as it can be listed and entries have types. */
function namesOfFolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** The first entry below a folder that is not ours. An empty folder belongs to nobody, so it is itself in the way. */
function foreignInside(root: string, folder: string, isOurs: (path: string) => boolean): string | undefined {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  if (entries.length === 0) return folder
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    const foreign = entry.isDirectory() ? foreignInside(root, path, isOurs) : undefined
    if (foreign !== undefined) return foreign
    if (!entry.isDirectory() && !(entry.isFile() && isOurs(path))) return path
  }
  return undefined
}

// What is in the output folder, for pages that cannot be rendered again.

/** Bytes of a file of the site; `undefined` if it cannot be read. */
export function siteFile(out: string, path: string): Buffer | undefined {
  try {
    return readFileSync(join(out, path))
  } catch {
    return undefined
  }
}

/** Whether the site in an output folder is locked: its start page asks for a password, and no path names a session. */
export function isLocked(out: string): boolean {
  return siteFile(out, 'index.html')?.includes('<template id="sealed" ') ?? false
}

/** Hashes of the site's files by path, according to its manifest; empty if there is no site of ours. */
export function standingFiles(out: string): ReadonlyMap<string, string> {
  const text = siteFile(out, manifestName)?.toString('utf8')
  const decoded = text === undefined ? undefined : decodeManifest(text)
  return new Map(decoded !== undefined && 'manifest' in decoded ? Object.entries(decoded.manifest.files) : [])
}

/** The contents of the site's `build-report.json`; empty if it cannot be read. */
export function siteReport(out: string): Record<string, unknown> {
  const value = parseJson(siteFile(out, 'build-report.json')?.toString('utf8') ?? '')
  return isObject(value) ? value : {}
}
