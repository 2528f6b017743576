/**
 * The swap of an old site for a new one: renames only, after a journal, in an order in which every page that a reader can
 * reach has what it loads, wherever a kill ends it; whoever opens the site next completes or undoes it (design: swap).
 * Every step may be made twice.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersOf } from '../model/paths.ts'
import { compareText } from '../util/compare.ts'
import { sha256 } from '../util/hash.ts'
import { errorCode } from '../util/reason.ts'
import { type Disk, kindOf } from './disk-fs.ts'
import { type Journal, type JournalInstall, type JournalRemoval, newFolder } from './journal.ts'

/** Where a swap happens: absolute folders. */
export interface SwapPlace {
  root: string
  staging: string
  disk: Disk
}

/** Makes every step of a journal that is not made yet. */
export function applySwap(journal: Journal, place: SwapPlace): void {
  // Second names of what will be replaced change nothing for readers, so that all of them come first.
  for (const file of journal.install) keepAside(file, place)
  for (const removal of journal.clear) moveAside(removal, place)
  removeEmptyFolders(journal.clear, place)
  for (const file of journal.install) install(file, place)
  for (const removal of journal.remove) moveAside(removal, place)
  removeEmptyFolders(journal.remove, place)
  // File systems write names down in order: what was renamed before is durable with this.
  place.disk.syncFolder(place.root)
}

/** Takes back every step of a journal that was made: the old site as it was. */
export function undoSwap(journal: Journal, place: SwapPlace): void {
  for (const removal of journal.remove) moveBack(removal, place)
  for (const file of [...journal.install].reverse()) uninstall(file, place)
  removeEmptyFolders(journal.install, place)
  for (const removal of journal.clear) moveBack(removal, place)
}

/** Whether the content of every new file is still there, in staging or already in place. */
export function canComplete(journal: Journal, { root, staging }: SwapPlace): boolean {
  return journal.install.every(
    ({ path, hash }) => hasContent(join(staging, newFolder, path), hash) || hasContent(join(root, path), hash),
  )
}

function moveAside({ path, aside }: JournalRemoval, { root, staging, disk }: SwapPlace): void {
  const from = join(root, path)
  const to = join(staging, aside)
  // Once it is aside, what stands at the path is new.
  if (kindOf(to) !== 'absent' || kindOf(from) !== 'file') return
  disk.rename(from, to)
}

function moveBack({ path, aside }: JournalRemoval, { root, staging, disk }: SwapPlace): void {
  const from = join(staging, aside)
  if (kindOf(from) === 'absent') return
  const to = join(root, path)
  disk.folder(join(to, '..'))
  disk.rename(from, to)
}

function keepAside({ path, aside }: JournalInstall, { root, staging, disk }: SwapPlace): void {
  if (aside === undefined || kindOf(join(staging, newFolder, path)) === 'absent') return
  const [from, to] = [join(root, path), join(staging, aside)]
  if (kindOf(from) === 'file' && kindOf(to) === 'absent') disk.setAside(from, to)
}

function install({ path, aside, folder }: JournalInstall, { root, staging, disk }: SwapPlace): void {
  if (folder !== undefined) installFolder(folder, { root, staging, disk })
  const from = join(staging, newFolder, path)
  if (kindOf(from) === 'absent') return
  const to = join(root, path)
  if (aside === undefined) disk.folder(join(to, '..'))
  disk.rename(from, to)
}

/** Puts a new folder in place at once. Where somebody made one meanwhile, its files go there one by one. */
function installFolder(folder: string, { root, staging, disk }: SwapPlace): void {
  const [from, to] = [join(staging, newFolder, folder), join(root, folder)]
  if (kindOf(to) !== 'absent' || kindOf(from) !== 'folder') return
  disk.folder(join(to, '..'))
  try {
    disk.rename(from, to)
  } catch (error) {
    // Into a mount point its files go one by one.
    if (errorCode(error) !== 'EXDEV') throw error
  }
}

function uninstall({ path, aside }: JournalInstall, place: SwapPlace): void {
  if (aside !== undefined) {
    moveBack({ path, aside }, place)
    return
  }
  const to = join(place.root, path)
  if (kindOf(join(place.staging, newFolder, path)) === 'absent' && kindOf(to) === 'file') place.disk.remove(to)
}

/** Removes the folders above the given files, deepest first, that hold nothing any more. */
function removeEmptyFolders(files: readonly { path: string }[], { root, disk }: SwapPlace): void {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)))
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length || compareText(a, b))
  for (const folder of deepestFirst) if (kindOf(join(root, folder)) === 'folder') disk.removeEmpty(join(root, folder))
}

function hasContent(path: string, hash: string): boolean {
  return kindOf(path) === 'file' && sha256(readFileSync(path)) === hash
}
