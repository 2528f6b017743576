/** What `check` prints. */
import type { SiteAudit } from '../app/audit-site.ts'
import type { CheckResult } from '../app/types.ts'
import { type Diagnostic, rules } from '../diagnostics/codes.ts'
import type { Finding } from '../diagnostics/finding.ts'
import { countRules } from '../diagnostics/report.ts'
import type { LineCounts } from '../model/trast.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatBytes, formatCount } from '../util/time.ts'
import { amountOf, findingLines } from './check-findings.ts'

/** Places that are named of one rule. */
const perRule = 20

/** The findings by rule and the receipt, for people. Without control characters; ends with a newline. */
export function checkText({ diagnostics, findings, lines, sessions, failed }: CheckResult): string {
  const found = Object.keys(countRules(diagnostics)).map((id) => diagnostics.filter(({ ruleId }) => ruleId === id))
  const without = failed === 0 ? '' : `; ${formatAmount(failed, 'session')} could not be read`
  return [
    ...findingLines(findings),
    ...found.flatMap((items) => [...ruleLines(items), '']),
    sum([...diagnostics.map(({ level }) => ({ level })), ...findings]),
    `${formatAmount(lines.total, 'line')} in ${formatAmount(sessions, 'session')}${without}:`,
    ...receiptLines(lines),
    '',
  ].join('\n')
}

/** What was found in a built site, for people. Without control characters; ends with a newline. */
export function siteText({ findings, files, bytes, webLinks, waived }: SiteAudit): string {
  const links = webLinks === 0 ? '' : `; ${formatAmount(webLinks, 'link')} to other sites, from where nothing is loaded`
  return [
    ...findingLines(findings),
    ...waived.map(({ fingerprint, ruleId, count, reason }) =>
      printable(`Let pass: ${ruleId} ${fingerprint} (${formatAmount(count, 'place')}): ${reason}`),
    ),
    sum(findings),
    `${formatAmount(files, 'file')}, ${formatBytes(bytes)}${links}.`,
    '',
  ].join('\n')
}

/** `2 findings, 31 notes.` Notes are what is of level `info`. */
function sum(items: readonly Pick<Finding, 'level' | 'count'>[]): string {
  if (items.length === 0) return 'Nothing was found.'
  const notes = amountOf(items.filter(({ level }) => level === 'info'))
  const findings = amountOf(items) - notes
  const parts = [findings > 0 ? formatAmount(findings, 'finding') : '', notes > 0 ? formatAmount(notes, 'note') : '']
  return `${parts.filter((part) => part !== '').join(', ')}.`
}

function ruleLines(items: readonly Diagnostic[]): string[] {
  const [first] = items
  if (first === undefined) return []
  const { ruleId, level } = first
  const { summary } = rules[ruleId]
  const more = items.length - perRule
  return [
    `${ruleId} (${level}, ${formatCount(items.length)}): ${summary}`,
    ...items.slice(0, perRule).map((item) => `  ${placed(item, summary)}`),
    ...(more > 0 ? [`  … and ${formatCount(more)} more; \`--json\` has all`] : []),
  ]
}

/** Place and particulars: what the head of the rule says is not repeated. */
function placed({ file, line, message }: Diagnostic, summary: string): string {
  const place = [file, line].filter((part) => part !== undefined).join(':')
  const detail = message.startsWith(summary) ? message.slice(summary.length).trim() : message
  return printable([place, detail].filter((part) => part !== '').join(' '))
}

function receiptLines({ shown, folded, skipped, unknown, damaged }: LineCounts): string[] {
  return [
    row('shown', shown),
    row('folded', folded),
    row('skipped', total(skipped), skipped),
    row('unknown', total(unknown), unknown),
    row('damaged', damaged),
  ]
}

function row(name: string, count: number, kinds: Readonly<Record<string, number>> = {}): string {
  const parts = Object.entries(kinds).map(([kind, amount]) => `${printable(kind.slice(0, 80))} ${formatCount(amount)}`)
  return `  ${name} ${formatCount(count)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}
