/** The stage of a locked site: it seals what it takes, and keeps a ledger of that for the next build. */
import { type Ledger, usableEntries } from '../lock/ledger.ts'
import { writeLedger } from '../lock/ledger-fs.ts'
import { scratchFolder } from '../lock/scratch-fs.ts'
import type { Vault } from '../lock/vault-fs.ts'
import { loadLockAssets } from '../render/assets-fs.ts'
import { lockShell } from '../render/lock-shell.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import type { Stage } from '../write/site-stage-fs.ts'
import { lockedStage } from './locked-stage.ts'
import type { BuildOptions } from './types.ts'

/** What decides how it seals. */
interface SealedStageInput {
  options: BuildOptions
  cacheDir: string
  vault: Vault
  /** Sealed files of the last build with the same keys. */
  last: Pick<Ledger, 'shell' | 'entries'>
}

/** Puts a stage that seals before one that writes. Throws as `loadTemplates` does. */
export async function sealedStage(stage: Stage, { options, cacheDir, vault, last }: SealedStageInput): Promise<Stage> {
  const { dryRun, look, search } = options
  const { salt, rounds, check } = vault
  const shell = lockShell(await loadTemplates(look.templatesDir), await loadLockAssets(), {
    ...{ salt, rounds, check },
    search,
  })
  for (const file of shell.files) stage.put(file)
  // A dry run leaves the cache alone.
  const scratch = dryRun ? { path: () => stage.tempDir(), remove: () => {} } : scratchFolder(cacheDir)
  const entries = usableEntries(last, shell.key)
  const locked = lockedStage({ stage, vault, entries, loginPage: shell.page, scratch })
  return {
    ...locked,
    async commit() {
      const plan = await locked.commit()
      if (!dryRun)
        writeLedger(cacheDir, { facts: { salt, rounds, check }, shell: shell.key, entries: locked.entries() })
      return plan
    },
  }
}
