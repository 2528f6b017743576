/** `codex-export build` */
import type { BuildOptions } from '../app/types.ts'
import type { Resolved } from '../config/resolve.ts'
import { RemovalError } from '../diagnostics/removal.ts'
import { countLevel } from '../diagnostics/report.ts'
import { defined } from '../util/defined.ts'
import type { CommandModule } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { personalOf } from './personal.ts'
import { filtersOf, lookOf, publicationOf, readSettings, sourcesOf } from './settings.ts'
import { buildJson, buildSummary, refusedJson } from './summary.ts'
import { supervise } from './supervise.ts'

/** Options of the use case. */
export function buildOptions(resolved: Resolved): BuildOptions {
  const { settings } = resolved
  const { out, cache, formats, search, searchOutputs, offline, redact, missing, passwordFile } = settings
  const { dryRun, allowRemoval } = settings
  const common = {
    sources: sourcesOf(resolved),
    filters: filtersOf(resolved),
    look: lookOf(resolved),
    personal: personalOf(resolved),
    publication: publicationOf(resolved),
    ...defined({ passwordFile }),
  }
  return { ...common, out, cache, formats, search, searchOutputs, offline, redact, missing, dryRun, allowRemoval }
}

/** Where all diagnostics stand: in no file where the site is locked, for nobody could open it. */
export function reportOf({ passwordFile }: BuildOptions): { report?: string } {
  return passwordFile === undefined ? { report: 'build-report.json' } : {}
}

/** Builds the site. */
export const buildCommand: CommandModule = {
  name: 'build',
  usage: 'build',
  describe: 'Turn the sessions of Codex into a static, searchable site',
  examples: [
    ['build', 'your own sessions, from ~/.codex to site'],
    ['build --codex-home ~/.codex --project shop --since 30d', 'only some of them'],
  ],
  async run(invocation) {
    const { world, flags, features } = invocation
    const call = await readSettings('build', invocation)
    const { json, strict } = call.settings
    const begin = world.now()
    const { build } = await import('../app/build.ts')
    const options = buildOptions(call)
    const result = await supervise(world, (host) => build(options, host, features), reportOf(options)).catch(
      async (error) => {
        if (json && error instanceof RemovalError) await world.stdout.write(refusedJson(error, world.now() - begin))
        throw error
      },
    )
    await world.stderr.write(buildSummary(result, { ...call, cwd: world.cwd, flags }))
    if (json) await world.stdout.write(buildJson(result, world.now() - begin))
    const failed = result.failed > 0 || countLevel(result.diagnostics, 'fatal') > 0
    return failed || (strict && result.warnings > 0) ? exitCodes.findings : exitCodes.fine
  },
}
