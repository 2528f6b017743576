/** `codex-export publish` */

import type { CommandModule, Invocation } from '../../cli/command.ts'
import { exitCodes } from '../../cli/exit-codes.ts'
import { type CallSettings, readSettings } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import type { World } from '../../cli/world.ts'
import { type PublishTarget, publishTargets } from '../../config/publish.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { RemovalError } from '../../diagnostics/removal.ts'
import { printable } from '../../util/printable.ts'
import type { PublishOptions } from './types.ts'

/** Puts the built site on a host. */
export const publishCommand: CommandModule = {
  name: 'publish',
  usage: 'publish [target]',
  describe: 'Audit the built site and publish it to a host',
  positionals: { target: `Where: ${publishTargets.join(', ')}` },
  examples: [['publish dir --to /srv/www/sessions --dry-run', 'show what would change in that folder']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings('publish', invocation)
    const target = targetOf(invocation, call)
    const { publish } = await import('./publish.ts')
    const { publishJson, publishText, refusedPublishJson } = await import('./report.ts')
    const result = await supervise(world, (host) =>
      publish({ ...optionsOf(call), target, cwd: world.cwd, confirm: confirm(world, host.signal) }, host),
    ).catch(async (error) => {
      if (call.settings.json && error instanceof RemovalError) await world.stdout.write(refusedPublishJson(error))
      throw error
    })
    await world.stderr.write(publishText(result, call.settings.out))
    if (call.settings.json) await world.stdout.write(publishJson(result))
    return result.refused ? exitCodes.findings : exitCodes.fine
  },
}

function targetOf({ flags }: Invocation, { settings }: CallSettings): PublishTarget {
  const given = flags['target'] === undefined ? settings.publish?.target : String(flags['target'])
  const target = publishTargets.find((name) => name === given)
  if (target !== undefined) return target
  const list = publishTargets.map((name) => `\`${name}\``).join(', ')
  if (given === undefined) throw new UsageError(`\`publish\` needs a target: ${list}.`)
  throw new UsageError(`The target \`${given}\` is not known; expected one of ${list}.`)
}

/** Options of the use case: flags before what stands in `publish` of the configuration file. */
function optionsOf({ settings }: CallSettings): Omit<PublishOptions, 'target' | 'cwd' | 'confirm'> {
  const { out, siteUrl, allowFindings, allowUnredacted, allowRemoval, replace, dryRun } = settings
  const { scanners, waivers } = settings
  const { publish: config = {} } = settings
  return {
    ...{ out, siteUrl, allowFindings, allowUnredacted, allowRemoval, replace, dryRun, scanners, waivers },
    to: settings.to ?? config.to,
    branch: settings.toBranch ?? config.branch,
    history: settings.history ?? config.history ?? false,
    author: config.author,
    name: settings.siteName ?? config.name,
    endpoint: settings.endpoint ?? config.endpoint,
    region: settings.region ?? config.region,
    pathStyle: settings.pathStyle ?? config.pathStyle ?? false,
  }
}

/** Asks on a terminal. Anything but a yes counts as a no. */
function confirm(world: World, signal: AbortSignal): PublishOptions['confirm'] {
  if (!world.stdin.isTerminal || !world.stderr.isTerminal) return undefined
  return async (question) => {
    await world.stderr.write(`${printable(question)} [y/N] `)
    return /^y(?:es)?$/i.test((await world.stdin.readLine(signal))?.trim() ?? '')
  }
}
