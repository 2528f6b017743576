/** What `publish` says when it is done. */

import type { RemovalError } from '../../diagnostics/removal.ts'
import { printable } from '../../util/printable.ts'
import { formatAmount, formatBytes, formatCount } from '../../util/time.ts'
import type { PublishedFiles, PublishResult } from './types.ts'

/** Lines of one kind that are shown at most; `--json` has them all. */
const maxLines = 20

/** Lines for people: what became public, or why nothing did. Ends with a newline. */
export function publishText(result: PublishResult, out: string): string {
  const lines = result.refused && !result.dryRun ? refusal(result, out) : [...warnings(result), ...outcome(result)]
  return `${lines.map(printableLine).join('\n')}\n`
}

/** The result as one JSON document for machines. */
export function publishJson(result: PublishResult): string {
  return `${JSON.stringify({ schema: 'codex-export/publish-result', version: 1, ...result }, undefined, 2)}\n`
}

/** The same for a publish that stopped because most published sessions would go. */
export function refusedPublishJson({ losses, message }: RemovalError): string {
  const document = { schema: 'codex-export/publish-result', version: 1, refused: true, losses, message }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function refusal({ findings }: PublishResult, out: string): string[] {
  const listed = findings.filter(({ level }) => level !== 'info')
  const lines = listed.map(({ file, line, ruleId, message }) => {
    const place = line === undefined ? file : `${file}:${line}`
    return `${place} ${ruleId} ${message}`
  })
  return [
    ...cut(lines),
    `Nothing was published: the audit has ${formatAmount(listed.length, 'finding')}.`,
    `\`codex-export check ${out}\` tells them all. Mend them and build again, or publish in spite of them by \`--allow-findings\`.`,
  ]
}

function warnings({ findings, dryRun, refused }: PublishResult): string[] {
  const listed = findings.filter(({ level }) => level !== 'info').length
  if (listed === 0) return []
  const head = `The audit has ${formatAmount(listed, 'finding')}.`
  if (refused) return [`${head} Without \`--allow-findings\` nothing would be published.`]
  return [`${head} ${dryRun ? 'It would be' : 'It was'} published all the same.`]
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

function summary(files: PublishedFiles, place: string, dryRun: boolean): string {
  const { added, changed, removed, kept } = files
  if (added.length + changed.length + removed.length === 0)
    return `Nothing to publish: ${place} holds this site already (${formatAmount(kept, 'file')}).`
  const bytes = [...added, ...changed].reduce((sum, { size }) => sum + size, 0)
  const counts = [
    `${formatAmount(added.length, 'file')} added`,
    `${formatCount(changed.length)} changed`,
    `${formatCount(removed.length)} removed`,
    `${formatCount(kept)} unchanged`,
  ]
  const verb = dryRun ? 'Would publish' : 'Published'
  return `${verb} to ${place}: ${counts.join(', ')}; ${formatBytes(bytes)} ${dryRun ? 'to send' : 'sent'}.`
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
  if (total > 0) lines.push(`The site holds ${sum.filter((part) => part !== '').join(', ')}.`)
  return lines
}

function cut(lines: string[]): string[] {
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `  … and ${formatCount(rest)} more`]
}

/** Titles come from sessions. The blanks that a line begins with are ours. */
function printableLine(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? []
  return indent + printable(line.slice(indent.length))
}
