/** The stage that a build writes to: that of the output folder, or before it one that seals. */
import { usableEntries } from '../lock/ledger.ts'
import { writeLedger } from '../lock/ledger-fs.ts'
import { scratchFolder } from '../lock/scratch-fs.ts'
import { loadLockAssets } from '../render/assets-fs.ts'
import { lockShell } from '../render/lock-shell.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { waitingFolder } from '../write/cache-dir-fs.ts'
import type { Stage } from '../write/site-stage-fs.ts'
import { openStage } from '../write/stage-fs.ts'
import type { Lock } from './build-lock.ts'
import { lockedStage } from './locked-stage.ts'
import type { BuildOptions } from './types.ts'

/** What decides the stage. */
interface SiteStageInput {
  options: BuildOptions
  cacheDir: string
  lock?: Lock | undefined
}

/** Opens the output folder. Throws as `openStage` and `loadTemplates` do. */
export async function openSiteStage({ options, cacheDir, lock }: SiteStageInput): Promise<Stage> {
  const { out, dryRun, look } = options
  const stage = await openStage(out, { dryRun, waiting: waitingFolder(cacheDir) })
  if (lock === undefined) return stage
  try {
    const { vault, last } = lock
    const { salt, rounds, check } = vault
    const shell = lockShell(await loadTemplates(look.templatesDir), await loadLockAssets(), {
      ...{ salt, rounds, check },
      search: options.search,
    })
    for (const file of shell.files) stage.put(file)
    // A dry run leaves the cache alone.
    const scratch = dryRun ? { path: () => stage.tempDir(), remove: () => {} } : scratchFolder(cacheDir)
    const locked = lockedStage({
      stage,
      vault,
      entries: usableEntries(last, shell.key),
      loginPage: shell.page,
      scratch,
    })
    return {
      ...locked,
      async commit() {
        const plan = await locked.commit()
        if (!dryRun)
          writeLedger(cacheDir, { facts: { salt, rounds, check }, shell: shell.key, entries: locked.entries() })
        return plan
      },
    }
  } catch (error) {
    await stage.abort()
    throw error
  }
}
