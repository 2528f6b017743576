/** `codex-export publish`: the command and its report. */

import { asCalled, quoted } from '../../cli/called-as-fs.ts'
import { type CommandModule, exitCodes, type Invocation } from '../../cli/command.ts'
import { type CallSettings, readSettings } from '../../cli/settings.ts'
import { supervise } from '../../cli/supervise.ts'
import { confirm, note } from '../../cli/world.ts'
import { type PublishTarget, publishTargets } from '../../config/publish.ts'
import { RemovalError, UsageError } from '../../diagnostics/errors.ts'
import { jsonDocument, printable } from '../../util/printable.ts'
import { joinTexts } from '../../util/text.ts'
import { formatAmount, formatBytes, formatCount } from '../../util/time.ts'
import type { PublishedFiles, PublishOptions, PublishResult } from './plan.ts'

/** Puts the built site on a host. */
export const publishCommand: CommandModule = {
  name: 'publish',
  usage: 'publish [target]',
  describe: 'Audit the built site and publish it to a host',
  positionals: { target: `Where: ${publishTargets.join(', ')}` },
  examples: [['publish dir --to /srv/www/sessions --dry-run', 'show what would change in that folder']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const target = targetOf(invocation, call)
    const { publish } = await import('./publish.ts')
    const result = await supervise(world, (host) =>
      publish({ ...optionsOf(call), target, cwd: world.cwd, confirm: confirm(world, host.signal) }, host),
    ).catch(async (error) => {
      if (call.settings.json && error instanceof RemovalError) await world.stdout.write(refusedPublishJson(error))
      throw error
    })
    const text = asCalled(publishText(result, call.settings.out), world)
    await (result.refused ? world.stderr.write(text) : note(world, text))
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
  throw new UsageError(`\`${given}\` is not a known target; expected one of ${list}.`)
}

/** Options of `publish()`: flags take precedence over `publish` in the configuration file. */
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

// The report of `publish`.

/** At most this many lines of a kind are shown; `--json` has all. */
const maxLines = 20

/** The report for people: what became public, or why nothing did. Ends with a newline. */
function publishText(result: PublishResult, out: string): string {
  const lines = result.refused && !result.dryRun ? refusal(result, out) : [...warnings(result), ...outcome(result)]
  return `${lines.map(printableLine).join('\n')}\n`
}

/** The result as one JSON document for machines. */
export function publishJson(result: PublishResult): string {
  return jsonDocument({ schema: 'codex-export/publish-result', version: 1, ...result })
}

/** The JSON document of a publish that stopped because it would remove too many published sessions. */
function refusedPublishJson({ losses, message }: RemovalError): string {
  const document = { schema: 'codex-export/publish-result', version: 1, refused: true, losses, message }
  return jsonDocument(document)
}

function refusal({ findings }: PublishResult, out: string): string[] {
  const listed = findings.filter(({ level }) => level !== 'info')
  const lines = listed.map(({ file, line, ruleId, message }) => {
    const location = line === undefined ? file : `${file}:${line}`
    return `${location} ${ruleId} ${message}`
  })
  return [
    ...cut(lines),
    `Nothing was published: the audit has ${formatAmount(listed.length, 'finding')}.`,
    `\`codex-export check ${quoted(out)}\` lists them all. Fix them and build again, or publish anyway with \`--allow-findings\`.`,
  ]
}

function warnings({ findings, dryRun, refused }: PublishResult): string[] {
  const listed = findings.filter(({ level }) => level !== 'info').length
  if (listed === 0) return []
  const head = `The audit has ${formatAmount(listed, 'finding')}.`
  if (refused) return [`${head} Without \`--allow-findings\` nothing would be published.`]
  return [`${head} ${dryRun ? 'It would be' : 'It was'} published anyway.`]
}

function outcome(result: PublishResult): string[] {
  const { files, place, dryRun, done, next, address } = result
  const lines = [...done]
  if (files !== undefined) lines.push(summary(files, place, dryRun))
  if (files !== undefined && dryRun) lines.push(...changes(files))
  lines.push(...sessions(result))
  if (address !== undefined && files !== undefined && !dryRun) lines.push(`Address: ${address}`)
  if (next.length > 0 && !dryRun) lines.push(`Left to do for ${place}:`, ...next.map((step) => `  ${step}`))
  return lines
}

function summary(files: PublishedFiles, target: string, dryRun: boolean): string {
  const { added, changed, removed, kept } = files
  if (added.length + changed.length + removed.length === 0)
    return `Nothing to publish: ${target} already has this site (${formatAmount(kept, 'file')}).`
  const bytes = [...added, ...changed].reduce((sum, { size }) => sum + size, 0)
  const counts = [
    `${formatAmount(added.length, 'file')} added`,
    `${formatCount(changed.length)} changed`,
    `${formatCount(removed.length)} removed`,
    `${formatCount(kept)} unchanged`,
  ]
  const verb = dryRun ? 'Would publish' : 'Published'
  return `${verb} to ${target}: ${counts.join(', ')}; ${formatBytes(bytes)} ${dryRun ? 'to send' : 'sent'}.`
}

function changes({ added, changed, removed }: PublishedFiles): string[] {
  const sized = (sign: string) => (file: { path: string; size: number }) =>
    `  ${sign} ${file.path} (${formatBytes(file.size)})`
  return [...cut(added.map(sized('+'))), ...cut(changed.map(sized('~'))), ...cut(removed.map((path) => `  - ${path}`))]
}

function sessions({ sessions: { total, added, changed, removed }, dryRun, files }: PublishResult): string[] {
  if (files === undefined) return total === 0 ? [] : [`The site holds ${formatAmount(total, 'session')}.`]
  const lines: string[] = []
  if (added.length > 0) {
    lines.push(`${dryRun ? 'Would become' : 'Became'} public: ${formatAmount(added.length, 'session')}`)
    lines.push(
      ...cut(added.map(({ title, path, url }) => (title === '' ? `  ${url ?? path}` : `  ${title} (${url ?? path})`))),
    )
  }
  if (removed.length > 0) {
    lines.push(`${dryRun ? 'Would be' : 'Is'} no longer there: ${formatAmount(removed.length, 'session')}`)
    lines.push(...cut(removed.map((path) => `  ${path}`)))
  }
  const sum = [formatAmount(total, 'session'), changed === 0 ? '' : `${formatCount(changed)} of them changed`]
  if (total > 0) lines.push(`The site holds ${joinTexts(sum, ', ')}.`)
  return lines
}

function cut(lines: string[]): string[] {
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `  … and ${formatCount(rest)} more`]
}

/** Makes a line safe to print, because titles come from sessions, and keeps our indentation. */
function printableLine(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? []
  return indent + printable(line.slice(indent.length))
}
