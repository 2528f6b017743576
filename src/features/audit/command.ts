/** `codex-export check` */

import path from 'node:path'
import { asCalled } from '../../cli/called-as-fs.ts'
import { type CommandModule, exitCodes, type Invocation } from '../../cli/command.ts'
import { requireProduct, writeTo } from '../../cli/product-fs.ts'
import { type CallSettings, personalOf, publicationOf, readSettings, sourcesOf } from '../../cli/settings.ts'
import { noSessions } from '../../cli/summary.ts'
import { supervise } from '../../cli/supervise.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import type { CheckResult } from './check.ts'
import type { SiteAudit } from './site-fs.ts'

/** Reads the sessions, or a built site, and prints what was found. */
export const checkCommand: CommandModule = {
  name: 'check',
  usage: 'check [site]',
  describe: 'Check the sessions or a built site, and change nothing',
  positionals: { site: 'Folder of a built site, every byte of which is read; without it, the sessions are checked' },
  examples: [['check site', 'check whether the built site can be published']],
  async run(invocation) {
    const call = await readSettings(invocation)
    const { json, sarif, output, homes } = call.settings
    requireProduct({ output, homes }, invocation.world)
    if (json && sarif) throw new UsageError('`--json` and `--sarif` cannot be given together.')
    const { site } = invocation.flags
    if (typeof site !== 'string' && call.settings.scanners.length > 0)
      throw new UsageError(
        '`--scanner` reads the texts of a built site: give its folder, as in `check site --scanner gitleaks`.',
      )
    if (call.settings.unknown) return checkUnknown(site, call, invocation)
    return typeof site === 'string' ? checkSite(site, call, invocation) : checkSessions(call, invocation)
  },
}

async function checkSessions(call: CallSettings, { world }: Invocation): Promise<number> {
  const { plugins, preset, redact, output, homes } = call.settings
  const [{ check }, { sessionsOutput }] = await Promise.all([import('./check.ts'), import('./check-text.ts')])
  const options = {
    ...sourcesOf(call),
    publication: publicationOf(call),
    ...{ plugins, preset, redact, personal: personalOf(call) },
  }
  const result = await supervise(world, (host) => check(options, host))
  if (result.sessions + result.failed === 0) await world.stderr.write(`${noSessions(result, world).join('\n')}\n`)
  const { json, sarif } = call.settings
  const text = sessionsOutput(result, call.settings)
  await writeTo({ output, homes }, world, (write) => write(json || sarif ? text : asCalled(text, world)))
  return isClean(result) ? exitCodes.fine : exitCodes.findings
}

/** Prints what this version does not know about the format. */
async function checkUnknown(site: unknown, call: CallSettings, { world }: Invocation): Promise<number> {
  const { json, sarif, output, homes } = call.settings
  if (typeof site === 'string') throw new UsageError('`--unknown` reads sessions, not a built site.')
  if (sarif) throw new UsageError('`--unknown` and `--sarif` cannot be given together.')
  const { findUnknown, unknownJson, unknownText } = await import('./unknown.ts')
  const report = await supervise(world, (host) => findUnknown(sourcesOf(call), host))
  if (report.sessions + report.failed === 0) await world.stderr.write(`${noSessions(report, world).join('\n')}\n`)
  await writeTo({ output, homes }, world, (write) => write(json ? unknownJson(report) : unknownText(report)))
  return report.rows.length + report.failed === 0 ? exitCodes.fine : exitCodes.findings
}

async function checkSite(site: string, call: CallSettings, { world }: Invocation): Promise<number> {
  const { output, homes, scanners, waivers } = call.settings
  const { home, emails } = personalOf(call)
  const [{ auditSite }, { siteOutput }] = await Promise.all([import('./site-fs.ts'), import('./check-text.ts')])
  const dir = path.resolve(world.cwd, site)
  const audit = await supervise(world, (host) => auditSite(dir, host, { homes: home, emails, scanners, waivers }))
  await writeTo({ output, homes }, world, (write) => write(siteOutput(audit, call.settings)))
  return isSafe(audit) ? exitCodes.fine : exitCodes.findings
}

function isClean(result: CheckResult): boolean {
  const { diagnostics, lines } = result
  const isRead = diagnostics.every(({ level }) => level === 'info') && Object.keys(lines.unknown).length === 0
  return isRead && isSafe(result)
}

function isSafe({ findings }: Pick<SiteAudit, 'findings'>): boolean {
  return findings.every(({ level }) => level === 'info')
}
