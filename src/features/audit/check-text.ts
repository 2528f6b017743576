/** What `check` prints. */

import { packageVersion } from '../../config/package-fs.ts'
import type { Settings } from '../../config/schema.ts'
import { type Diagnostic, rules } from '../../diagnostics/codes.ts'
import { baseRule, type Finding, findingRules } from '../../diagnostics/finding.ts'
import { redactor } from '../../redact/redactor.ts'
import { countRules } from '../../site/report.ts'
import type { LineCounts } from '../../transcript/trast.ts'
import { compareText } from '../../util/compare.ts'
import { groupBy, sumBy, sumOfCounts } from '../../util/groups.ts'
import { ownValue, setOwn } from '../../util/own.ts'
import { jsonDocument, printable } from '../../util/printable.ts'
import { beginningOf, joinTexts } from '../../util/text.ts'
import { formatAmount, formatBytes, formatCount } from '../../util/time.ts'
import type { CheckResult } from './check.ts'
import { checkSarif } from './sarif.ts'
import type { SiteAudit } from './site-fs.ts'

// Findings by rule, for people.

/** Findings by rule, rules in alphabetical order. */
function findingsByRule(findings: readonly Finding[]): Map<Finding['ruleId'], Finding[]> {
  return groupBy(
    findings.toSorted((a, b) => compareText(a.ruleId, b.ruleId)),
    ({ ruleId }) => ruleId,
  )
}

/** How many locations the findings represent, because one may count many. */
function amountOf(findings: readonly Pick<Finding, 'count'>[]): number {
  return sumBy(findings, ({ count = 1 }) => count)
}

/**
 * Lines for each rule: what it is, whether a build replaces it, what to do, and at most twenty locations; then a blank one. Of
 * personal data that a build replaces, only the number is reported, because it occurs on every other line.
 */
function findingLines(findings: readonly Finding[]): string[] {
  return [...findingsByRule(findings)].flatMap(([ruleId, items]) => {
    const { summary, help } = findingRules[baseRule(ruleId)]
    const head = `${ruleId} (${levelOf(items)}, ${formatCount(amountOf(items))}): ${[summary, ...dispositionOf(items)].join(' ')}`
    if (items.every(({ level, replaced }) => level === 'info' && replaced)) return [head, '']
    const places = listed(items, (item) => findingLine(item, summary), 'more places; `--json` lists them')
    return [head, `  ${help}`, ...places, '']
  })
}

function levelOf(items: readonly Finding[]): string {
  return items.find(({ level }) => level !== 'info')?.level ?? 'info'
}

/** What a build does with the findings; empty for findings in a site. */
function dispositionOf(items: readonly Finding[]): string[] {
  const replaced = items.map((item) => item.replaced).filter((value) => value !== undefined)
  if (replaced.length === 0) return []
  return [replaced.every(Boolean) ? 'A build replaces it.' : 'A build with these options keeps it.']
}

function findingLine(
  { file, line, turn, place, field, count, fingerprint, message }: Finding,
  summary: string,
): string {
  const parts = [
    line === undefined ? file : `${file}:${line}`,
    turn === undefined ? '' : `turn ${turn}`,
    place === undefined ? '' : `#${place}`,
    field ?? '',
    count === undefined ? '' : `(${formatCount(count)} times from here on)`,
    particulars(message, summary),
    fingerprint === undefined ? '' : `Fingerprint: ${fingerprint}`,
  ]
  return printable(joinTexts(parts, ' '))
}

/** The most locations that are listed for one rule. */
const perRule = 20

function listed<T>(items: readonly T[], lineOf: (item: T) => string, rest: string): string[] {
  const more = items.length - perRule
  const lines = items.slice(0, perRule).map((item) => `  ${lineOf(item)}`)
  return more > 0 ? [...lines, `  … and ${formatCount(more)} ${rest}`] : lines
}

/** The findings by rule and the receipt, for people. Without control characters; ends with a newline. */
export function checkText({ diagnostics, findings, lines, sessions, failed }: CheckResult): string {
  const found = Object.keys(countRules(diagnostics)).map((id) => diagnostics.filter(({ ruleId }) => ruleId === id))
  const without = failed === 0 ? '' : `; ${formatAmount(failed, 'session')} could not be read`
  return [
    ...findingLines(findings),
    ...found.flatMap((items) => [...ruleLines(items), '']),
    sum([...diagnostics.map(({ level }) => ({ level })), ...findings]),
    `${formatAmount(lines.total, 'line')} in ${formatAmount(sessions, 'session')}${without}:`,
    ...receiptLines(publicLines(lines)),
    '',
  ].join('\n')
}

/** What was found in a built site, for people. Without control characters; ends with a newline. */
function siteText({ findings, files, bytes, webLinks, waived }: SiteAudit): string {
  const links = webLinks === 0 ? '' : `; ${formatAmount(webLinks, 'link')} to other sites, from which nothing is loaded`
  return [
    ...findingLines(findings),
    ...waived.map(({ fingerprint, ruleId, count, reason }) =>
      printable(`Accepted: ${ruleId} ${fingerprint} (${formatAmount(count, 'place')}): ${reason}`),
    ),
    sum(findings),
    `${formatAmount(files, 'file')}, ${formatBytes(bytes)}${links}.`,
    '',
  ].join('\n')
}

/** `2 findings, 31 notes.` Notes are findings of level `info`. */
function sum(items: readonly Pick<Finding, 'level' | 'count'>[]): string {
  if (items.length === 0) return 'Nothing was found.'
  const notes = amountOf(items.filter(({ level }) => level === 'info'))
  const findings = amountOf(items) - notes
  const parts = [findings > 0 ? formatAmount(findings, 'finding') : '', notes > 0 ? formatAmount(notes, 'note') : '']
  return `${joinTexts(parts, ', ')}.`
}

function ruleLines(items: readonly Diagnostic[]): string[] {
  const [first] = items
  if (first === undefined) return []
  const { ruleId, level } = first
  const { summary } = rules[ruleId]
  const head = `${ruleId} (${level}, ${formatCount(items.length)}): ${summary}`
  return [head, ...listed(items, (item) => diagnosticLine(item, summary), 'more; `--json` lists all')]
}

function diagnosticLine({ file, line, message }: Diagnostic, summary: string): string {
  const location = [file, line].filter((part) => part !== undefined).join(':')
  return printable(joinTexts([location, particulars(message, summary)], ' '))
}

/** A message without what the heading of its rule already says. */
function particulars(message: string, summary: string): string {
  return message.startsWith(summary) ? message.slice(summary.length).trim() : message
}

/** A receipt whose kinds may be shown, because the name of an unknown record is text from a session. */
function publicLines({ skipped, unknown, ...counts }: LineCounts): LineCounts {
  const { text } = redactor()
  const named = (kinds: Readonly<Record<string, number>>): Record<string, number> => {
    const sums: Record<string, number> = {}
    for (const [kind, count] of Object.entries(kinds))
      setOwn(sums, text(kind), (ownValue(sums, text(kind)) ?? 0) + count)
    return sums
  }
  return { ...counts, skipped: named(skipped), unknown: named(unknown) }
}

function receiptLines({ shown, folded, skipped, unknown, damaged }: LineCounts): string[] {
  return [
    row('shown', shown),
    row('folded', folded),
    row('skipped', sumOfCounts(skipped), skipped),
    row('unknown', sumOfCounts(unknown), unknown),
    row('damaged', damaged),
  ]
}

function row(name: string, count: number, kinds: Readonly<Record<string, number>> = {}): string {
  const parts = Object.entries(kinds).map(
    ([kind, amount]) => `${printable(beginningOf(kind, 80))} ${formatCount(amount)}`,
  )
  return `  ${name} ${formatCount(count)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

// What `check` prints for machines; docs/cli.md describes the keys.

/** The check of sessions as one JSON document. */
export function checkJson({ diagnostics, findings, lines, ...result }: CheckResult): string {
  const counts = countRules(diagnostics)
  const found = { findingCounts: countFindings(findings), findings }
  const document = { ...result, lines: publicLines(lines), counts, diagnostics, ...found }
  return jsonDocument({ schema: 'codex-export/check-result', version: 1, ...document })
}

/** The check of a site as one JSON document. */
export function siteJson({ findings, ...result }: SiteAudit): string {
  const found = { findingCounts: countFindings(findings), findings }
  return jsonDocument({ schema: 'codex-export/site-check-result', version: 1, ...result, ...found })
}

function countFindings(findings: readonly Finding[]): Record<string, number> {
  return Object.fromEntries([...findingsByRule(findings)].map(([ruleId, items]) => [ruleId, amountOf(items)]))
}

// What `check` prints, in the form that was asked for.

/** The requested form of the result; text if neither is requested. */
type CheckForm = Pick<Settings, 'json' | 'sarif'>

/** The report on sessions, in the requested form. */
export function sessionsOutput(result: CheckResult, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'sessions', ...result })
  return json ? checkJson(result) : checkText(result)
}

/** The report on a built site, in the requested form. */
export function siteOutput(audit: SiteAudit, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'site', diagnostics: [], ...audit })
  return json ? siteJson(audit) : siteText(audit)
}
