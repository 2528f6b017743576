/** What earlier builds left in the output folder: an unfinished swap is completed or undone, the rest removed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { type Disk, explainDiskError, kindOf } from './disk-fs.ts'
import { decodeJournal, type Journal, journalName } from './journal.ts'
import { createSiteFolder, unchanged } from './site-fs.ts'
import { applySwap, canComplete, type SwapPlace, undoSwap } from './swap-fs.ts'

/** What became of an unfinished swap. */
export type Recovery = 'none' | 'completed' | 'undone'

/** Whether a staging folder holds a swap that was begun. */
export function hasJournal(root: string, name: string): boolean {
  return kindOf(join(root, name, journalName)) !== 'absent'
}

/** Completes or undoes the swap in the staging folder of a dead build, then removes the folder. */
export function recoverStaging(root: string, name: string, disk: Disk): Recovery {
  const place: SwapPlace = { root, staging: join(root, name), disk }
  const recovery = hasJournal(root, name) ? settle(readJournal(place), place) : 'none'
  dropStaging(place)
  return recovery
}

/** Makes a whole swap or none: a step that fails is followed by the undoing of those before it. */
export function swapOrUndo(journal: Journal, place: SwapPlace): void {
  try {
    applySwap(journal, place)
  } catch (error) {
    undo(journal, place)
    throw explainDiskError(error, place.root, unchanged)
  }
}

function undo(journal: Journal, place: SwapPlace): void {
  try {
    undoSwap(journal, place)
    dropStaging(place)
  } catch (error) {
    throw explainDiskError(error, place.root, 'The site is half replaced: mend that and build again.')
  }
}

/** Removes a staging folder: the journal first, for the rest means nothing without it. */
export function dropStaging({ staging, disk }: SwapPlace): void {
  const journal = join(staging, journalName)
  if (kindOf(journal) !== 'absent') disk.remove(journal)
  disk.remove(staging)
}

function settle(journal: Journal, place: SwapPlace): Recovery {
  const site = createSiteFolder({ root: place.root, files: {} })
  for (const { path } of [...journal.clear, ...journal.install, ...journal.remove]) site.look(path)
  if (canComplete(journal, place)) {
    swapOrUndo(journal, place)
    return 'completed'
  }
  undoSwap(journal, place)
  return 'undone'
}

function readJournal({ root, staging }: SwapPlace): Journal {
  const path = join(staging, journalName)
  const journal = kindOf(path) === 'file' ? decodeJournal(readFileSync(path, 'utf8')) : undefined
  if (journal !== undefined) return journal
  const hint = `Empty the folder \`${root}\` and build again.`
  throw new UsageError(`The journal \`${path}\` of an unfinished build is damaged. ${hint}`)
}
