/** What `check` prints. */

import { packageVersion } from '../../config/package-fs.ts'
import type { Settings } from '../../config/schema.ts'
import { type Diagnostic, type Level, rules } from '../../diagnostics/codes.ts'
import { baseRule, type Finding, findingRules } from '../../diagnostics/finding.ts'
import { redactor } from '../../redact/redactor.ts'
import { countRules, sortDiagnostics } from '../../site/report.ts'
import type { LineCounts } from '../../transcript/trast.ts'
import { compareText } from '../../util/compare.ts'
import { groupBy, sumBy, sumOfCounts } from '../../util/groups.ts'
import { sha256 } from '../../util/hash.ts'
import { joinTexts } from '../../util/join-texts.ts'
import { defined, ownValue, setOwn } from '../../util/own.ts'
import { jsonDocument, printable } from '../../util/printable.ts'
import { formatAmount, formatBytes, formatCount } from '../../util/time.ts'
import type { CheckResult } from './check.ts'
import type { SiteAudit } from './site-fs.ts'

// Findings by rule, for people.

/** Findings by rule, rules in alphabetical order. */
function findingsByRule(findings: readonly Finding[]): Map<Finding['ruleId'], Finding[]> {
  return groupBy(
    findings.toSorted((a, b) => compareText(a.ruleId, b.ruleId)),
    ({ ruleId }) => ruleId,
  )
}

/** How many things findings stand for: one may count many. */
function amountOf(findings: readonly Pick<Finding, 'count'>[]): number {
  return sumBy(findings, ({ count = 1 }) => count)
}

/**
 * Lines for each rule: what it is, whether a build replaces it, what to do, and at most twenty places; then a blank one.
 * Personal data that a build replaces are told by their number alone: they stand on every other line.
 */
function findingLines(findings: readonly Finding[]): string[] {
  return [...findingsByRule(findings)].flatMap(([ruleId, items]) => {
    const { summary, help } = findingRules[baseRule(ruleId)]
    const head = `${ruleId} (${levelOf(items)}, ${formatCount(amountOf(items))}): ${[summary, ...dispositionOf(items)].join(' ')}`
    if (items.every(({ level, replaced }) => level === 'info' && replaced)) return [head, '']
    const more = items.length - perRule
    return [
      head,
      `  ${help}`,
      ...items.slice(0, perRule).map((item) => `  ${withPlace(item, summary)}`),
      ...(more > 0 ? [`  … and ${formatCount(more)} more places; \`--json\` lists them`] : []),
      '',
    ]
  })
}

function levelOf(items: readonly Finding[]): string {
  return items.find(({ level }) => level !== 'info')?.level ?? 'info'
}

/** What a build does with the findings; empty for those in a site. */
function dispositionOf(items: readonly Finding[]): string[] {
  const replaced = items.map((item) => item.replaced).filter((value) => value !== undefined)
  if (replaced.length === 0) return []
  return [replaced.every(Boolean) ? 'A build replaces it.' : 'A build with these options keeps it.']
}

function withPlace({ file, line, turn, place, field, count, fingerprint, message }: Finding, summary: string): string {
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

/** `2 findings, 31 notes.` Notes are what is of level `info`. */
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
  const more = items.length - perRule
  return [
    `${ruleId} (${level}, ${formatCount(items.length)}): ${summary}`,
    ...items.slice(0, perRule).map((item) => `  ${placed(item, summary)}`),
    ...(more > 0 ? [`  … and ${formatCount(more)} more; \`--json\` lists all`] : []),
  ]
}

function placed({ file, line, message }: Diagnostic, summary: string): string {
  const place = [file, line].filter((part) => part !== undefined).join(':')
  return printable(joinTexts([place, particulars(message, summary)], ' '))
}

/** A message without what the head of its rule says. */
function particulars(message: string, summary: string): string {
  return message.startsWith(summary) ? message.slice(summary.length).trim() : message
}

/** A receipt whose kinds may be told: the name of an unknown record is text from a session. */
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
  const parts = Object.entries(kinds).map(([kind, amount]) => `${printable(kind.slice(0, 80))} ${formatCount(amount)}`)
  return `  ${name} ${formatCount(count)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

// What `check` prints for machines; docs/cli.md describes the keys.

/** The check of sessions as one JSON document. */
export function checkJson({ diagnostics, findings, lines, ...result }: CheckResult): string {
  const counts = countRules(diagnostics)
  const found = { findingCounts: countFindings(findings), findings }
  return jsonDocument({
    schema: 'codex-export/check-result',
    version: 1,
    ...result,
    lines: publicLines(lines),
    counts,
    diagnostics,
    ...found,
  })
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

/** Form of the result; text where neither is asked for. */
type CheckForm = Pick<Settings, 'json' | 'sarif'>

/** What was found in sessions. */
export function sessionsOutput(result: CheckResult, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'sessions', ...result })
  return json ? checkJson(result) : checkText(result)
}

/** What was found in a built site. */
export function siteOutput(audit: SiteAudit, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'site', diagnostics: [], ...audit })
  return json ? siteJson(audit) : siteText(audit)
}

// What `check` found as SARIF 2.1.0, for code scanning.

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
/** Code scanning shows no more results of one run. */
const maxResults = 5000

/** Who checked what. */
export interface SarifFacts {
  version: string
  /** Checks of sessions and of a site stay apart in code scanning. */
  subject: 'sessions' | 'site'
  diagnostics: readonly Diagnostic[]
  findings: readonly Finding[]
}

/** A finding or a diagnostic: their rules differ, their places do not. */
type Item = Omit<Finding, 'ruleId' | 'file'> & { ruleId: string; file?: string }

/**
 * One SARIF log with one run, the worst results first and no more than code scanning takes; what has no place in a file
 * is a notification. Ends with a newline.
 */
export function checkSarif({ version, subject, diagnostics, findings }: SarifFacts): string {
  const items: readonly Item[] = [...findings, ...sortDiagnostics(diagnostics)]
  const placed = withFingerprints(items.filter(isPlaced))
  const listed = placed.toSorted((a, b) => severity(a.item) - severity(b.item)).slice(0, maxResults)
  const elsewhere = items.filter((item) => !isPlaced(item))
  const ids = [...new Set([...listed.map(({ item }) => item), ...elsewhere].map(({ ruleId }) => ruleId))].sort(
    compareText,
  )
  const run = {
    tool: { driver: { name: 'codex-export', semanticVersion: version, version, rules: ids.map(ruleOf) } },
    automationDetails: { id: `codex-export/${subject}/` },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: [...elsewhere.map(notification), ...leftOut(placed.length - listed.length)],
      },
    ],
    results: listed.map(({ item, fingerprint }) => resultOf(item, ids.indexOf(item.ruleId), fingerprint)),
  }
  return jsonDocument({ $schema: schema, version: '2.1.0', runs: [run] })
}

const levels: Readonly<Record<Level, string>> = { fatal: 'error', warning: 'warning', info: 'note' }
const order: readonly Level[] = ['fatal', 'warning', 'info']

/** Secrets come before all else of their level: they are what a long list must not cut off. */
function severity({ level, ruleId }: Item): number {
  return order.indexOf(level) * 2 + (ruleId.startsWith('secret/') ? 0 : 1)
}

function isPlaced({ file }: Item): boolean {
  return file !== undefined && file !== ''
}

interface Fingerprinted {
  item: Item
  fingerprint: string
}

/** A finding is the same as in the run before by its rule and place; of several at one place, by their order. */
function withFingerprints(items: readonly Item[]): Fingerprinted[] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const key = JSON.stringify([item.ruleId, item.file, item.session, item.place ?? item.line, item.field])
    const number = (seen.get(key) ?? 0) + 1
    seen.set(key, number)
    return { item, fingerprint: sha256(`${key}${number}`).slice(0, 32) }
  })
}

function ruleOf(id: string): object {
  const { level, summary, help } = knownRule(id)
  const isSecurity = !Object.hasOwn(rules, id)
  return {
    id,
    name: id.replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: summary },
    fullDescription: { text: `${summary} ${help}` },
    help: { text: help },
    defaultConfiguration: { level: levels[level] },
    properties: {
      tags: isSecurity ? ['security', 'privacy'] : ['reliability'],
      ...(isSecurity && { 'security-severity': scoreOf(id, level) }),
    },
  }
}

function scoreOf(id: string, level: Level): string {
  if (id.startsWith('secret/')) return '8.5'
  return level === 'info' ? '2.0' : '5.0'
}

function knownRule(id: string): { level: Level; summary: string; help: string } {
  if (Object.hasOwn(rules, id)) {
    // Just looked up.
    const { level, summary } = rules[id as keyof typeof rules]
    return { level, summary, help: `See \`${id}\` in docs/diagnostics.md.` }
  }
  // All other items are findings.
  return findingRules[baseRule(id as Finding['ruleId'])]
}

function resultOf(item: Item, ruleIndex: number, fingerprint: string): object {
  const {
    ruleId,
    level,
    file = '',
    line = 1,
    message,
    session,
    place,
    turn,
    field,
    replaced,
    count,
    fingerprint: value,
  } = item
  return {
    ruleId,
    ruleIndex,
    level: levels[level],
    message: { text: printable(message) },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } }],
    partialFingerprints: { 'codexExportPlace/v1': fingerprint },
    ...defined({ occurrenceCount: count }),
    properties: defined({ session, place, turn, field, replaced, fingerprint: value }),
  }
}

function uriOf(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/')
}

function notification({ ruleId, level, message }: Item): object {
  return { level: levels[level], message: { text: printable(message) }, associatedRule: { id: ruleId } }
}

function leftOut(count: number): object[] {
  if (count === 0) return []
  const text = `${count} further results were omitted: code scanning shows ${maxResults}. \`check --json\` lists them.`
  return [{ level: 'warning', message: { text } }]
}
