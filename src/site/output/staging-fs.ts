/** Opens the output folder for a build: refuses what is not ours, and handles what earlier builds left. */

import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { type BeforeStep, createDisk, type Disk, explainDiskError } from './disk-fs.ts'
import { inspectOutput, type OutputState } from './site-fs.ts'
import { createStagingArea, type StagingArea } from './site-staging-fs.ts'
import { claimStagingName, isLive, releaseStagingName, takeOver } from './staging-folder-fs.ts'
import { hasJournal, type Recovery, recoverStaging } from './swap-fs.ts'

/** Options of `openStagingArea`. */
interface StagingOptions {
  /** Only plan: nothing is written to the output folder, and an unfinished swap in it stays (default `false`). */
  dryRun?: boolean
  /** Absolute path of a folder outside the site in which new files of an interrupted build wait for the next one. */
  waiting?: string
  /** For tests: called before every change on disk. */
  beforeStep?: BeforeStep
}

/**
 * Opens an output folder, which must be absent or empty, or contain a site of ours. Throws a `UsageError` and changes nothing if
 * it contains anything else, or if another build is using it.
 */
export async function openStagingArea(out: string, options: StagingOptions = {}): Promise<StagingArea> {
  const disk = createDisk(options.beforeStep)
  const state = inspectOutput(out)
  if (options.dryRun) {
    refuseForeign(state)
    return createStagingArea({ state, disk, recovery: 'none' })
  }
  refuseLive(state.root, state.stagings)
  if (!state.stagings.some((name) => hasJournal(state.root, name))) refuseForeign(state)
  return claim(state, disk, options.waiting)
}

/**
 * Completes or undoes the swap of a build that was killed during it, if there is one; for programs that read the site but build
 * nothing. Throws a `UsageError` if the disk refuses.
 */
export function settleOutput(out: string): Recovery {
  const { root, exists, stagings } = inspectOutput(out)
  const begun = stagings.filter((name) => hasJournal(root, name))
  if (!exists || begun.length === 0 || stagings.some(isLive)) return 'none'
  const disk = createDisk()
  const name = claimStagingName()
  try {
    disk.folder(join(root, name))
    refuseLive(
      root,
      inspectOutput(root).stagings.filter((other) => other !== name),
    )
    return recoverAll(root, begun, disk)
  } finally {
    releaseStagingName(name)
    disk.remove(join(root, name))
  }
}

/** Makes our own staging folder first and then looks for others, so that of two builds at once at most one continues. */
function claim(before: OutputState, disk: Disk, waiting: string | undefined): StagingArea {
  const { root, exists } = before
  const name = claimStagingName()
  try {
    disk.folder(root)
    disk.folder(join(root, name))
    const others = inspectOutput(root, before).stagings.filter((other) => other !== name)
    refuseLive(root, others)
    const abandoned = others.filter((other) => !hasJournal(root, other)).map((other) => join(root, other))
    const isTakenOver = takeOver(join(root, name), { abandoned, waiting }, disk)
    const recovery = recoverAll(root, others, disk)
    const state = inspectOutput(root, before)
    refuseForeign(state)
    return createStagingArea({ state: { ...state, exists }, disk, name, recovery, isTakenOver, waiting })
  } catch (error) {
    releaseStagingName(name)
    disk.remove(join(root, name))
    if (!exists) disk.removeEmpty(root)
    throw explainDiskError(error, root, 'No build was started.')
  }
}

function recoverAll(root: string, names: readonly string[], disk: Disk): Recovery {
  let recovery: Recovery = 'none'
  for (const name of names) {
    const result = recoverStaging(root, name, disk)
    if (result !== 'none') recovery = result
  }
  return recovery
}

function refuseForeign({ root, foreign }: OutputState): void {
  if (foreign === undefined) return
  const hint = 'Choose another `--out`, or empty the folder. Nothing was changed.'
  throw new UsageError(`\`${root}\` contains \`${foreign}\` but no site of codex-export. ${hint}`)
}

function refuseLive(root: string, stagings: readonly string[]): void {
  const live = stagings.find(isLive)
  if (live === undefined) return
  const hint = `Wait for it, or choose another \`--out\`. If no build is running, remove \`${join(root, live)}\`.`
  throw new UsageError(`Another build is writing to \`${root}\`. ${hint}`)
}
