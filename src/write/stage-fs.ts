/** Opens the output folder for a build: refuses what is not ours, settles what earlier builds left. */
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { type BeforeStep, createDisk, type Disk, explainDiskError } from './disk-fs.ts'
import { claimStagingName, isLive, releaseStagingName } from './owner-fs.ts'
import { hasJournal, type Recovery, recoverStaging } from './recover-fs.ts'
import { inspectOutput, type OutputState } from './site-fs.ts'
import { createStage, type Stage } from './site-stage-fs.ts'

/** Options of `openStage`. */
export interface StageOptions {
  /** Plan only: nothing is written to the output folder, and an unfinished swap in it is left as it is (default `false`). */
  dryRun?: boolean
  /** For tests: sees every change on disk before it is made. */
  beforeStep?: BeforeStep
}

/**
 * Opens an output folder: one that is absent or empty, or holds a site of ours. Throws a `UsageError`, and changes
 * nothing, where it holds anything else or another build works in it.
 */
export async function openStage(out: string, options: StageOptions = {}): Promise<Stage> {
  const disk = createDisk(options.beforeStep)
  const state = inspectOutput(out)
  if (options.dryRun) {
    refuseForeign(state)
    return createStage({ state, disk, recovery: 'none' })
  }
  refuseLive(state.root, state.stagings)
  if (!state.stagings.some((name) => hasJournal(state.root, name))) refuseForeign(state)
  return claim(state, disk)
}

/** Makes our own staging folder first and looks for others then: of two builds at once, at most one goes on. */
function claim(before: OutputState, disk: Disk): Stage {
  const { root, exists } = before
  const name = claimStagingName()
  try {
    disk.folder(root)
    disk.folder(join(root, name))
    const others = inspectOutput(root, before).stagings.filter((other) => other !== name)
    refuseLive(root, others)
    const recovery = recoverAll(root, others, disk)
    const state = inspectOutput(root, before)
    refuseForeign(state)
    return createStage({ state: { ...state, exists }, disk, name, recovery })
  } catch (error) {
    releaseStagingName(name)
    disk.remove(join(root, name))
    if (!exists) disk.removeEmpty(root)
    throw explainDiskError(error, root, 'No build was begun.')
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
  throw new UsageError(`\`${root}\` holds \`${foreign}\` but no site of codex-export. ${hint}`)
}

function refuseLive(root: string, stagings: readonly string[]): void {
  const live = stagings.find(isLive)
  if (live === undefined) return
  const hint = `Wait for it, or choose another \`--out\`. If no build runs, remove \`${join(root, live)}\`.`
  throw new UsageError(`Another build is writing to \`${root}\`. ${hint}`)
}
