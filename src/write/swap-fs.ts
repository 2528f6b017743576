/**
 * The swap of an old site for a new one: renames only, after a journal, so that a kill at any point leaves what
 * the next build completes or undoes (design: swap). Every step may be made twice.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersOf } from '../model/paths.ts'
import { compareText } from '../util/compare.ts'
import { sha256 } from '../util/hash.ts'
import { type Disk, kindOf } from './disk-fs.ts'
import type { Journal, JournalInstall, JournalRemoval } from './journal.ts'

/** Where a swap happens: absolute folders. */
export interface SwapPlace {
  root: string
  staging: string
  disk: Disk
}

/** Makes every step of a journal that is not made yet. */
export function applySwap(journal: Journal, place: SwapPlace): void {
  for (const removal of journal.clear) moveAside(removal, place)
  removeEmptyFolders(journal.clear, place)
  for (const file of journal.install) install(file, place)
  for (const removal of journal.remove) moveAside(removal, place)
  removeEmptyFolders(journal.remove, place)
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
    ({ path, hash, staged }) => hasContent(join(staging, staged), hash) || hasContent(join(root, path), hash),
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

function install(file: JournalInstall, { root, staging, disk }: SwapPlace): void {
  const from = join(staging, file.staged)
  if (kindOf(from) === 'absent') return
  const to = join(root, file.path)
  if (file.aside === undefined) disk.folder(join(to, '..'))
  else if (kindOf(to) === 'file' && kindOf(join(staging, file.aside)) === 'absent') {
    disk.setAside(to, join(staging, file.aside))
  }
  disk.rename(from, to)
}

function uninstall(file: JournalInstall, place: SwapPlace): void {
  if (file.aside !== undefined) {
    moveBack({ path: file.path, aside: file.aside }, place)
    return
  }
  const staged = join(place.staging, file.staged)
  const path = join(place.root, file.path)
  if (kindOf(staged) === 'absent' && kindOf(path) === 'file') place.disk.rename(path, staged)
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
