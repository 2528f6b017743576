/** From a finished stage to the new site: the journal is written down, then the swap is made. */
import { join } from 'node:path'
import type { WritePlan } from '../model/output.ts'
import { manifestName } from '../model/paths.ts'
import { defined } from '../util/defined.ts'
import { sha256 } from '../util/hash.ts'
import { type Disk, explainDiskError } from './disk-fs.ts'
import { type Journal, type JournalInstall, type JournalRemoval, journalName, newFolder } from './journal.ts'
import { releaseStagingName } from './owner-fs.ts'
import { type NextFile, orderSwap } from './plan.ts'
import { dropStaging, swapOrUndo } from './recover-fs.ts'
import { createSiteFolder, type OutputState, unchanged } from './site-fs.ts'

/** A stage that is ready. */
export interface SwapInput {
  old: OutputState
  disk: Disk
  /** Name of the staging folder. */
  name: string
  files: ReadonlyMap<string, NextFile>
  plan: WritePlan
  /** Text of the new manifest. */
  manifest: string
}

/** Swaps the new site for the old one and removes the staging folder. Throws a `UsageError` where the disk refuses. */
export async function swapSite(input: SwapInput): Promise<void> {
  const { old, disk, name } = input
  const place = { root: old.root, staging: join(old.root, name), disk }
  const manifest: NextFile = { path: manifestName, hash: sha256(input.manifest), staged: true }
  try {
    disk.folder(join(place.staging, newFolder))
    disk.write(join(place.staging, newFolder, manifestName), input.manifest)
    const journal = planJournal(input, manifest)
    // What takes the place of an old site must be there after a power cut; of a first build it takes seconds.
    const files = old.manifestText === undefined ? [] : journal.install
    await disk.syncFiles(files.map(({ path }) => join(place.staging, newFolder, path)))
    disk.writeDurably(join(place.staging, journalName), `${JSON.stringify(journal)}\n`)
    swapOrUndo(journal, place)
  } catch (error) {
    throw explainDiskError(error, place.root, unchanged)
  } finally {
    releaseStagingName(name)
  }
  try {
    dropStaging(place)
  } catch (error) {
    throw explainDiskError(error, place.staging, 'The new site stands; the next build removes what is left.')
  }
}

/** Orders the swap, after a fresh look at everything in its way. */
function planJournal({ old, plan, files }: SwapInput, manifest: NextFile): Journal {
  const site = createSiteFolder(old)
  const order = orderSwap(plan, (path) => site.look(path).kind === 'file')
  for (const path of order.install) site.refuseForeign(path)
  let asides = 0
  const aside = (): string => `o${asides++}`
  // What is gone, or is no file any more, is not ours to remove.
  const remove = (path: string): JournalRemoval[] => (site.look(path).kind === 'file' ? [{ path, aside: aside() }] : [])
  const install = (file: NextFile | undefined): JournalInstall[] => {
    if (file?.staged === undefined) return []
    const { path, hash } = file
    const folder = site.missingFolder(path)
    return [{ path, hash, ...(site.look(path).kind === 'file' ? { aside: aside() } : defined({ folder })) }]
  }
  return {
    schema: 'codex-export/journal',
    version: 2,
    clear: order.clear.flatMap(remove),
    install: [...order.install.map((path) => files.get(path)), manifest].flatMap(install),
    remove: order.remove.flatMap(remove),
  }
}
