/** From a finished stage to the new site: the journal is written down, then the swap is made. */
import { join } from 'node:path'
import type { WritePlan } from '../model/output.ts'
import { manifestName } from '../model/paths.ts'
import { sha256 } from '../util/hash.ts'
import { type Disk, explainDiskError } from './disk-fs.ts'
import { type Journal, type JournalInstall, type JournalRemoval, journalName } from './journal.ts'
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
  /** Its name in the staging folder. */
  manifestAt: string
}

/** Swaps the new site for the old one and removes the staging folder. Throws a `UsageError` where the disk refuses. */
export function swapSite(input: SwapInput): void {
  const { old, disk, name } = input
  const place = { root: old.root, staging: join(old.root, name), disk }
  const manifest: NextFile = { path: manifestName, hash: sha256(input.manifest), staged: input.manifestAt }
  try {
    disk.write(join(place.staging, input.manifestAt), input.manifest)
    const journal = planJournal(input, manifest)
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
  const order = orderSwap(plan)
  for (const path of order.install) site.refuseForeign(path)
  let asides = 0
  const aside = (): string => `o${asides++}`
  // What is gone, or is no file any more, is not ours to remove.
  const remove = (path: string): JournalRemoval[] => (site.look(path).kind === 'file' ? [{ path, aside: aside() }] : [])
  const install = (file: NextFile | undefined): JournalInstall[] => {
    if (file?.staged === undefined) return []
    const { path, hash, staged } = file
    return [site.look(path).kind === 'file' ? { path, hash, staged, aside: aside() } : { path, hash, staged }]
  }
  return {
    schema: 'codex-export/journal',
    version: 1,
    clear: order.clear.flatMap(remove),
    install: [...order.install.map((path) => files.get(path)), manifest].flatMap(install),
    remove: order.remove.flatMap(remove),
  }
}
