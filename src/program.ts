/** The program put together: its commands in the order of help, and what its features add to a build. */
import type { BuildFeatures } from './app/features.ts'
import { buildCommand } from './cli/build.ts'
import { checkCommand } from './cli/check.ts'
import type { CommandModule } from './cli/command.ts'
import { contextCommand } from './cli/context.ts'
import { listCommand } from './cli/list.ts'
import { pruneCommand } from './cli/prune.ts'
import { publishCommand } from './cli/publish.ts'
import { restoreCommand } from './cli/restore.ts'
import { scrubCommand } from './cli/scrub.ts'
import { serveCommand } from './cli/serve.ts'
import { showCommand } from './cli/show.ts'

/** All commands, in the order of help. What a command does is loaded when it runs. */
export const commands: readonly CommandModule[] = [
  buildCommand,
  listCommand,
  showCommand,
  serveCommand,
  checkCommand,
  publishCommand,
  contextCommand,
  pruneCommand,
  restoreCommand,
  scrubCommand,
]

/** What features add to a build; each is loaded by the first build that needs it. */
export const features: BuildFeatures = {
  async seal(options, cacheDir) {
    if (options.passwordFile === undefined) return undefined
    const { openLock } = await import('./app/build-lock.ts')
    return await openLock(options, cacheDir)
  },
  memory: async () => (await import('./app/session-memory.ts')).sessionMemory,
}
