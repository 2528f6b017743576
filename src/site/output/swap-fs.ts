/**
 * The swap of an old site for a new one. After the journal, it consists only of renames, in an order in which every page that a
 * reader can reach has what it loads, even if a kill ends the swap anywhere. The next program that opens the site completes or
 * undoes it. Every step may be repeated.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import type { WritePlan } from '../../render/output.ts'
import { compareText } from '../../util/compare.ts'
import { sha256 } from '../../util/hash.ts'
import { withDefined } from '../../util/own.ts'
import { errorCode } from '../../util/reason.ts'
import { type Disk, explainDiskError, pathKind } from './disk-fs.ts'
import { foldersOf, manifestName } from './paths.ts'
import {
  decodeJournal,
  encodeJournal,
  type Journal,
  type JournalInstall,
  type JournalRemoval,
  journalName,
  type NextFile,
  newFolder,
  orderSwap,
} from './plan.ts'
import { createSiteFolder, type OutputState, outcomeOfFailure } from './site-fs.ts'
import { releaseStagingName } from './staging-folder-fs.ts'

/** Where a swap happens: absolute paths of folders. */
interface SwapFolders {
  root: string
  staging: string
  disk: Disk
}

/** A staging area that is ready for the swap. */
interface SwapInput {
  old: OutputState
  disk: Disk
  /** Name of the staging folder. */
  name: string
  files: ReadonlyMap<string, NextFile>
  plan: WritePlan
  /** Returns the text of the new manifest. */
  manifest: () => Iterable<string>
}

/** Swaps the old site for the new one and removes the staging folder. Throws a `UsageError` if the disk refuses. */
export async function swapSite(input: SwapInput): Promise<void> {
  const { old, disk, name } = input
  const folders = { root: old.root, staging: join(old.root, name), disk }
  try {
    disk.folder(join(folders.staging, newFolder))
    const hash = await disk.writePieces(
      join(folders.staging, newFolder, manifestName),
      input.manifest(),
      async () => {},
    )
    const journal = planJournal(input, { path: manifestName, hash, staged: true })
    // What replaces an old site must survive a power cut; for a first build, this would take seconds for nothing.
    const files = old.manifestText === undefined ? [] : journal.install
    await disk.syncFiles(files.map(({ path }) => join(folders.staging, newFolder, path)))
    disk.writeDurably(join(folders.staging, journalName), encodeJournal(journal))
    swapOrUndo(journal, folders)
  } catch (error) {
    throw explainDiskError(error, folders.root, outcomeOfFailure(old.manifestText !== undefined))
  } finally {
    releaseStagingName(name)
  }
  try {
    dropStaging(folders)
  } catch (error) {
    throw explainDiskError(error, folders.staging, 'The new site is in place; the next build removes the leftovers.')
  }
}

/** Plans the swap in order, after a fresh look at everything in its way. */
function planJournal({ old, plan, files }: SwapInput, manifest: NextFile): Journal {
  const site = createSiteFolder(old)
  const order = orderSwap(plan, (path) => site.probe(path).kind === 'file')
  for (const path of order.install) site.refuseForeign(path)
  let asides = 0
  const aside = (): string => `o${asides++}`
  // A file that is missing, or is no longer a file, is not ours to remove.
  const remove = (path: string): JournalRemoval[] =>
    site.probe(path).kind === 'file' ? [{ path, aside: aside() }] : []
  const install = (file: NextFile | undefined): JournalInstall[] => {
    if (file?.staged === undefined) return []
    const { path, hash } = file
    const folder = site.missingFolder(path)
    return [withDefined({ path, hash }, site.probe(path).kind === 'file' ? { aside: aside() } : { folder })]
  }
  return {
    schema: 'codex-export/journal',
    version: 2,
    clear: order.clear.flatMap(remove),
    install: [...order.install.map((path) => files.get(path)), manifest].flatMap(install),
    remove: order.remove.flatMap(remove),
  }
}

// What earlier builds left: an unfinished swap is completed or undone, and the rest is removed.

/** What was done about an unfinished swap. */
export type Recovery = 'none' | 'completed' | 'undone'

/** Whether a staging folder contains a swap that was begun. */
export function hasJournal(root: string, name: string): boolean {
  return pathKind(join(root, name, journalName)) !== 'absent'
}

/** Completes or undoes the swap in the staging folder of a dead build, then removes the folder. */
export function recoverStaging(root: string, name: string, disk: Disk): Recovery {
  const folders: SwapFolders = { root, staging: join(root, name), disk }
  const recovery = hasJournal(root, name) ? recover(readJournal(folders), folders) : 'none'
  dropStaging(folders)
  return recovery
}

/** Makes a complete swap or none: if a step fails, the earlier ones are undone. */
function swapOrUndo(journal: Journal, folders: SwapFolders): void {
  try {
    applySwap(journal, folders)
  } catch (error) {
    undo(journal, folders)
    // Only an old site has a manifest to put aside.
    const hadSite = journal.install.some(({ path, aside }) => path === manifestName && aside !== undefined)
    throw explainDiskError(error, folders.root, outcomeOfFailure(hadSite))
  }
}

function undo(journal: Journal, folders: SwapFolders): void {
  try {
    undoSwap(journal, folders)
    dropStaging(folders)
  } catch (error) {
    throw explainDiskError(error, folders.root, 'The site is half replaced: correct this and build again.')
  }
}

/** Removes a staging folder, its journal first, because the rest means nothing without the journal. */
function dropStaging({ staging, disk }: SwapFolders): void {
  const journal = join(staging, journalName)
  if (pathKind(journal) !== 'absent') disk.remove(journal)
  disk.remove(staging)
}

function recover(journal: Journal, folders: SwapFolders): Recovery {
  const site = createSiteFolder({ root: folders.root, files: {}, manifestText: undefined })
  for (const { path } of [...journal.clear, ...journal.install, ...journal.remove]) site.probe(path)
  if (canComplete(journal, folders)) {
    swapOrUndo(journal, folders)
    return 'completed'
  }
  undoSwap(journal, folders)
  return 'undone'
}

function readJournal({ root, staging }: SwapFolders): Journal {
  const path = join(staging, journalName)
  const journal = pathKind(path) === 'file' ? decodeJournal(readFileSync(path, 'utf8')) : undefined
  if (journal !== undefined) return journal
  const hint = `Empty the folder \`${root}\` and build again.`
  throw new UsageError(`The journal \`${path}\` of an unfinished build is damaged. ${hint}`)
}

// The steps of a journal.

/** Makes every step of a journal that has not been made yet. */
function applySwap(journal: Journal, folders: SwapFolders): void {
  // Second names for files that will be replaced change nothing for readers, so all of them come first.
  for (const file of journal.install) keepAside(file, folders)
  for (const removal of journal.clear) moveAside(removal, folders)
  removeEmptyFolders(journal.clear, folders)
  for (const file of journal.install) install(file, folders)
  for (const removal of journal.remove) moveAside(removal, folders)
  removeEmptyFolders(journal.remove, folders)
  // File systems write names in order, so this makes the earlier renames durable too.
  folders.disk.syncFolder(folders.root)
}

/** Undoes every step of a journal that was made, which restores the old site. */
function undoSwap(journal: Journal, folders: SwapFolders): void {
  for (const removal of journal.remove) moveBack(removal, folders)
  for (const file of [...journal.install].reverse()) uninstall(file, folders)
  removeEmptyFolders(journal.install, folders)
  for (const removal of journal.clear) moveBack(removal, folders)
}

/** Whether the content of every new file still exists, in staging or already in place. */
function canComplete(journal: Journal, { root, staging }: SwapFolders): boolean {
  return journal.install.every(
    ({ path, hash }) => hasContent(join(staging, newFolder, path), hash) || hasContent(join(root, path), hash),
  )
}

function moveAside({ path, aside }: JournalRemoval, { root, staging, disk }: SwapFolders): void {
  const from = join(root, path)
  const to = join(staging, aside)
  // If the file is already aside, the one at the path is new.
  if (pathKind(to) !== 'absent' || pathKind(from) !== 'file') return
  disk.rename(from, to)
}

function moveBack({ path, aside }: JournalRemoval, { root, staging, disk }: SwapFolders): void {
  const from = join(staging, aside)
  if (pathKind(from) === 'absent') return
  const to = join(root, path)
  disk.folder(join(to, '..'))
  disk.rename(from, to)
}

function keepAside({ path, aside }: JournalInstall, { root, staging, disk }: SwapFolders): void {
  if (aside === undefined || pathKind(join(staging, newFolder, path)) === 'absent') return
  const [from, to] = [join(root, path), join(staging, aside)]
  if (pathKind(from) === 'file' && pathKind(to) === 'absent') disk.setAside(from, to)
}

function install({ path, aside, folder }: JournalInstall, { root, staging, disk }: SwapFolders): void {
  if (folder !== undefined) installFolder(folder, { root, staging, disk })
  const from = join(staging, newFolder, path)
  if (pathKind(from) === 'absent') return
  const to = join(root, path)
  if (aside === undefined) disk.folder(join(to, '..'))
  disk.rename(from, to)
}

/** Puts a new folder in place at once. If somebody has made one there meanwhile, its files are moved one by one. */
function installFolder(folder: string, { root, staging, disk }: SwapFolders): void {
  const [from, to] = [join(staging, newFolder, folder), join(root, folder)]
  if (pathKind(to) !== 'absent' || pathKind(from) !== 'folder') return
  disk.folder(join(to, '..'))
  try {
    disk.rename(from, to)
  } catch (error) {
    // If it is a mount point, its files are moved one by one.
    if (errorCode(error) !== 'EXDEV') throw error
  }
}

function uninstall({ path, aside }: JournalInstall, folders: SwapFolders): void {
  if (aside !== undefined) {
    moveBack({ path, aside }, folders)
    return
  }
  const to = join(folders.root, path)
  if (pathKind(join(folders.staging, newFolder, path)) === 'absent' && pathKind(to) === 'file') folders.disk.remove(to)
}

/** Removes the folders above the given files that have become empty, deepest first. */
function removeEmptyFolders(files: readonly { path: string }[], { root, disk }: SwapFolders): void {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)))
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length || compareText(a, b))
  for (const folder of deepestFirst) if (pathKind(join(root, folder)) === 'folder') disk.removeEmpty(join(root, folder))
}

function hasContent(path: string, hash: string): boolean {
  return pathKind(path) === 'file' && sha256(readFileSync(path)) === hash
}
