/** Puts the program together: its commands, and what its features add to a build. */

import type { CommandModule } from './cli/command.ts'
import { buildCommand, listCommand, mergeCommand, serveCommand, showCommand } from './cli/commands.ts'
import { checkCommand } from './features/audit/command.ts'
import { mcpCommand } from './features/mcp/command.ts'
import { contextCommand, pruneCommand, restoreCommand } from './features/memory/commands.ts'
import { publishCommand } from './features/publish/command.ts'
import { scrubCommand } from './features/scrub/command.ts'
import { completionCommand, doctorCommand, initCommand, openCommand } from './features/setup/command.ts'
import { shareCommand } from './features/share/command.ts'
import { searchCommand } from './features/terminal-search/command.ts'
import type { BuildFeatures } from './site/context.ts'

/** All commands, in the order in which help lists them. The code of a command is loaded when it runs. */
export const commands: readonly CommandModule[] = [
  buildCommand,
  mergeCommand,
  listCommand,
  showCommand,
  shareCommand,
  searchCommand,
  mcpCommand,
  serveCommand,
  checkCommand,
  publishCommand,
  contextCommand,
  pruneCommand,
  restoreCommand,
  scrubCommand,
  initCommand,
  openCommand,
  doctorCommand,
  completionCommand,
]

/** What features add to a build; each is loaded by the first build that needs it. */
export const features: BuildFeatures = {
  async seal(options, cacheDir) {
    if (options.passwordFile === undefined) return undefined
    const { openLock } = await import('./features/lock/build-lock.ts')
    return await openLock(options, cacheDir)
  },
  memory: async () => (await import('./features/memory/page/session-memory.ts')).sessionMemory,
}
