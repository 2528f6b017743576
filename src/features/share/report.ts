/** The report about a shared page, which fits on one screen. */

import { quoted } from '../../cli/called-as-fs.ts'
import type { Invocation } from '../../cli/command.ts'
import { repeatedFlags } from '../../cli/parser.ts'
import type { ShownSessions } from '../../cli/show/show.ts'
import { partCounts } from '../../config/personal.ts'
import type { Preset } from '../../config/publication.ts'
import type { Finding } from '../../diagnostics/finding.ts'
import { leftOutText } from '../../render/pages/receipt.ts'
import { allTurns } from '../../transcript/stats.ts'
import { byCount, sumBy, sumOfCounts } from '../../util/groups.ts'
import { baseName } from '../../util/paths.ts'
import { printable } from '../../util/printable.ts'
import { formatAmount, formatBytes, formatCount } from '../../util/time.ts'

/** A page that was written, and the findings of its check. */
export interface SharedPage extends ShownSessions {
  /** Absolute path. */
  file: string
  /** The same as an address. */
  address: string
  bytes: number
  title: string
  /** The target as typed: the start of a thread id, or a path. */
  target: string
  redacts: boolean
  preset: Preset
  findings: readonly Finding[]
}

/** At most this many findings are shown; `check` of a site lists all. */
const maxFindings = 8

/** The lines of the report: what the page contains, what was left out of it, and what to do next. */
export function pageText(page: SharedPage, invocation: Invocation): string[] {
  const { file, bytes, title, redacts, sessions } = page
  const turns = sumBy(sessions, ({ stats }) => allTurns(stats))
  const agents = sessions.length > 1 ? `, ${formatAmount(sessions.length - 1, 'sub-agent')}` : ''
  return [
    `Wrote ${printable(baseName(file))}: ${formatBytes(bytes)}, ${formatAmount(turns, 'turn')}${agents}.`,
    // Without redaction the title may be private, and a terminal keeps what it has shown.
    ...(redacts ? [`  Title     ${printable(title)}`] : []),
    ...removedText(page),
    ...(page.findings.length > 0 ? findingsText(page) : ['  Check     nothing was found that should not be published']),
    'Names in sentences, and passwords made of words, are not recognised: read the page before you give it away.',
    ...nextText(page, invocation),
  ]
}

function removedText({ sessions, redacts }: SharedPage): string[] {
  const redacted = sumOf(sessions.map(({ stats }) => stats.redacted))
  const omitted = sumOf(sessions.map(({ stats }) => stats.omitted))
  const { secrets, personal } = partCounts(redacted)
  if (!redacts) return ['  Redacted  nothing: secrets and personal data are as they were recorded (`--no-redact`)']
  return [
    `  Redacted  ${countsText(secrets, 'secret') || 'no secret was found'}`,
    `  Replaced  ${countsText(personal, 'place with personal data', 'places with personal data') || 'no personal data'}`,
    `  Left out  ${leftOutText(omitted) || 'nothing'}`,
  ]
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  return Object.fromEntries(sums)
}

/** Counts as `4 secrets (token 3, password 1)`; empty if there are none. */
function countsText(counts: Readonly<Record<string, number>>, one: string, many?: string): string {
  const entries = byCount(counts)
  const total = sumOfCounts(counts)
  if (total === 0) return ''
  const kinds = entries.slice(0, 4).map(([name, count]) => `${printable(name)} ${formatCount(count)}`)
  return `${formatAmount(total, one, many)} (${kinds.join(', ')}${entries.length > kinds.length ? ', …' : ''})`
}

function findingsText({ findings }: SharedPage): string[] {
  const shown = findings.slice(0, maxFindings).map(({ line, ruleId, message }) => {
    return `    ${line === undefined ? '' : `line ${line} `}${printable(`${ruleId} ${message}`)}`
  })
  const rest = findings.length - shown.length
  return [
    `  Check     ${formatAmount(findings.length, 'finding')}: look at each before you give the page away`,
    ...shown,
    ...(rest > 0 ? [`    … and ${formatCount(rest)} more`] : []),
  ]
}

function nextText({ address, target, findings, preset }: SharedPage, { world, flags }: Invocation): string[] {
  // Repeats the flags of this call, except those that say where the page goes.
  const command = (without: readonly string[], ...more: string[]): string => {
    const kept = Object.entries(flags).filter(([name]) => !['gist', 'to', 'yes', ...without].includes(name))
    const repeated = repeatedFlags(Object.fromEntries(kept), 'share').map(printable)
    return [world.program, 'share', quoted(printable(target)), ...repeated, ...more].join(' ')
  }
  return [
    'Next:',
    `  ${address}`,
    '    open it; it is one file, which needs no other and loads nothing',
    ...(findings.length > 0 ? [] : [`  ${command([], '--gist')}`, '    upload it as a secret gist through `gh`']),
    ...(preset === 'public'
      ? []
      : [`  ${command(['preset'], '--preset', 'public')}`, '    leave out what a stranger need not see']),
  ]
}
