/** Finds the rollout files below a root (rollout-format 1.2, 1.3). */

import { type Dirent, readdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type Diagnostic, diagnostic } from '../../diagnostics/codes.ts'
import { compareText } from '../../util/compare.ts'
import { namesIn, realPath } from '../../util/files-fs.ts'
import { baseName } from '../../util/paths.ts'
import { errorCode, reasonOf } from '../../util/reason.ts'
import { entryFault, type Root, statOf } from './homes-fs.ts'
import {
  type BackupName,
  backupFolder,
  backupKey,
  byBackupNumber,
  type NameFacts,
  parseBackupName,
  parseName,
} from './names.ts'
import type { RolloutFile } from './rollout.ts'

/** What a walk found, with files sorted by name. */
export interface WalkResult {
  files: RolloutFile[]
  diagnostics: Diagnostic[]
}

/** A backup; `path` is relative to the root. */
interface FoundBackup extends BackupName {
  path: string
}

/** One walk: its root and what was found so far. */
interface Walk extends WalkResult {
  root: Root
  /** Real path of the folder that links to files must not leave. */
  realRoot: string
  /** Backups by the key of their rollout, not by folder, because archiving moves only the rollout. */
  backups: Map<string, FoundBackup[]>
}

/**
 * Lists the rollouts of a home (its session folders), of a plain folder at any depth, or a single file. What cannot be
 * read or may not be followed gives a diagnostic; nothing throws. Looks only at names, sizes and times.
 */
export function walk(root: Root): WalkResult {
  const found: Walk = { root, realRoot: root.path, files: [], diagnostics: [], backups: new Map() }
  const fault = root.kind === 'file' ? undefined : entryFault(root.path)
  if (fault !== undefined) addFolderFault(found, '', fault)
  else if (root.kind === 'file') {
    found.root = { ...root, path: dirname(root.path) }
    addFile(found, root.path.slice(found.root.path.length).replace(/^[\\/]/, ''), root.path)
  } else if (root.kind === 'folder') {
    walkTree(found, '')
  } else {
    for (const folder of ['sessions', 'archived_sessions']) walkTree(found, folder)
    // A home has no backup folder until something is pruned.
    for (const name of namesIn(join(root.path, backupFolder))) noteBackup(found, `${backupFolder}/${name}`)
  }
  found.files.sort((a, b) => compareText(a.name, b.name))
  for (const file of found.files) addBackups(file, found)
  return { files: found.files, diagnostics: found.diagnostics }
}

/** Walks everything below a folder. The folder itself may be a link: people keep `sessions` on another disk. */
function walkTree(found: Walk, top: string): void {
  try {
    found.realRoot = realpathSync(join(found.root.path, top))
  } catch (error) {
    // It is normal for a home to have no archive.
    if (errorCode(error) !== 'ENOENT') addFolderFault(found, top, error)
    return
  }
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const prefix = folder === '' ? '' : `${folder}/`
    // Calling `join` for each of thousands of files would take as long as reading their names.
    const path = join(found.root.path, folder, sep)
    for (const entry of entriesOf(found, folder)) {
      const name = prefix + entry.name
      if (isPlainFolder(entry, found)) pending.push(name)
      else if (entry.isSymbolicLink()) addLink(found, name)
      else addFile(found, name, path + entry.name)
    }
  }
}

/** Whether an entry is a folder to descend into. One that is named like a rollout is a mistake, which `addFile` reports. */
function isPlainFolder(entry: Dirent, found: Walk): boolean {
  return entry.isDirectory() && !(entry.name.startsWith('rollout-') && factsOf(found, entry.name) !== undefined)
}

function entriesOf(found: Walk, folder: string): Dirent[] {
  try {
    return readdirSync(join(found.root.path, folder), { withFileTypes: true })
  } catch (error) {
    addFolderFault(found, folder, error)
    return []
  }
}

function addFolderFault(found: Walk, folder: string, error: unknown): void {
  const { label, path } = found.root
  const itself = folder === '' ? `It is \`${label || baseName(path)}\` itself. ` : ''
  const reason = `${itself}Reason: ${faultOf(error, folder)}.`
  found.diagnostics.push(diagnostic('unreadable-folder', { file: folder || '.' }, reason))
}

/** Node decodes names as UTF-8, so a file whose name is not UTF-8 cannot be opened. */
function faultOf(error: unknown, name: string): string {
  const isOtherName = errorCode(error) === 'ENOENT' && name.includes('\ufffd')
  return isOtherName ? 'its name is not UTF-8; rename it' : reasonOf(error)
}

/** Links to folders are not followed, links to files only if they stay inside (rollout-format 9, hazard 21). */
function addLink(found: Walk, name: string): void {
  const path = join(found.root.path, name)
  const stat = statOf(path)
  if (!(stat instanceof Error) && stat.isDirectory()) {
    found.diagnostics.push(diagnostic('directory-loop', { file: name }))
    return
  }
  if (factsOf(found, name) === undefined) return
  if (!(stat instanceof Error) && !isInside(found.realRoot, path)) {
    found.diagnostics.push(diagnostic('outside-link', { file: name }))
    return
  }
  addFile(found, name, path)
}

function addFile(found: Walk, name: string, path: string): void {
  const facts = factsOf(found, name)
  if (facts === undefined) {
    noteBackup(found, name)
    return
  }
  const stat = statOf(path)
  const fault = stat instanceof Error ? faultOf(stat, name) : kindFault(stat)
  if (stat instanceof Error || fault !== undefined) {
    found.diagnostics.push(diagnostic('unreadable-file', { file: name }, `Reason: ${fault}.`))
    return
  }
  found.files.push({
    path,
    name,
    home: found.root.label,
    archived: name.startsWith('archived_sessions/') && found.root.kind === 'home',
    ...facts,
    bytes: stat.size,
    mtimeMs: stat.mtimeMs,
  })
}

/** A backup is not a session of its own; it shows what was pruned from its rollout. */
function noteBackup({ backups }: Walk, path: string): void {
  const backup = parseBackupName(lastPart(path))
  if (backup === undefined) return
  const siblings = backups.get(backup.key) ?? []
  siblings.push({ ...backup, path })
  backups.set(backup.key, siblings)
}

function addBackups(file: RolloutFile, { root, backups }: Walk): void {
  if (backups.size === 0) return
  const found = backups.get(backupKey(lastPart(file.name)))
  if (found === undefined) return
  file.backups = found.toSorted(byBackupNumber).flatMap((backup) => {
    const path = join(root.path, backup.path)
    const stat = statOf(path)
    return stat instanceof Error || !stat.isFile() ? [] : [{ path, bytes: stat.size, mtimeMs: stat.mtimeMs }]
  })
}

/**
 * Whether a path exists and belongs to one of the roots: any file of a home (even if its folders are links), and in other
 * folders any file that is read as a rollout.
 */
export function belongsTo(path: string, roots: readonly Root[]): boolean {
  if (statOf(path) instanceof Error) return false
  return roots.some(({ path: root, kind }) => {
    if (kind === 'file') return realPath(path) === realPath(root)
    const folders = kind === 'home' ? [root, join(root, 'sessions'), join(root, 'archived_sessions')] : [root]
    const isRead = kind === 'home' || parseName(baseName(path), kind) !== undefined
    return isRead && folders.some((folder) => isInside(realPath(folder), path))
  })
}

/** The session folder of a home that equals or contains a path, which need not exist yet. */
export function sessionFolderAround(path: string, roots: readonly Root[]): string | undefined {
  const real = `${realPath(path)}${sep}`
  const folders = roots.flatMap(({ path: root, kind }) =>
    kind === 'home' ? [join(root, 'sessions'), join(root, 'archived_sessions')] : [],
  )
  return folders.find((folder) => real.startsWith(`${realPath(folder)}${sep}`))
}

/** Pipes and devices would block the reader. */
function kindFault(stat: Stats): string | undefined {
  if (stat.isFile()) return undefined
  return stat.isDirectory() ? 'it is a folder' : 'it is not a regular file'
}

function isInside(realRoot: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)
  } catch {
    return false
  }
}

function factsOf({ root }: Walk, name: string): NameFacts | undefined {
  return parseName(lastPart(name), nameRules(root))
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The rules for names of rollouts in a root: a file that the user named is accepted under more names than one that was found. */
function nameRules({ kind }: Root): 'home' | 'folder' | 'given' {
  return kind === 'file' ? 'given' : kind
}

// Copies of rollouts that earlier versions left where an old Codex may resume them.

/** A draft left by a killed run of an earlier version. */
const earlierDraft = /^\..+\.jsonl(?:\.zst)?(?:\.bak)?\.codex-export$/s

/**
 * Names of backups and drafts in the session folders of homes, with `/` separators. Codex before 0.93 looks for an id in
 * all names there, whatever their extension. A folder that cannot be read gives no names; the walk reports it.
 */
export function resumableCopies(roots: readonly Root[]): string[] {
  return roots
    .filter(({ kind }) => kind === 'home')
    .flatMap(({ path }) => ['sessions', 'archived_sessions'].flatMap((folder) => namesBelow(path, folder)))
    .sort(compareText)
}

function namesBelow(home: string, folder: string): string[] {
  try {
    return readdirSync(join(home, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => isResumable(baseName(name)))
      .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
  } catch {
    return []
  }
}

function isResumable(name: string): boolean {
  return parseBackupName(name)?.rollout !== undefined || earlierDraft.test(name)
}
