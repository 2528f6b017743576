/** Formats what `check` found as SARIF 2.1.0, for code scanning. */

import { type Diagnostic, type Level, rules } from '../../diagnostics/codes.ts'
import { baseRule, type Finding, findingRules } from '../../diagnostics/finding.ts'
import { sortDiagnostics } from '../../site/report.ts'
import { compareText } from '../../util/compare.ts'
import { sha256 } from '../../util/hash.ts'
import { defined } from '../../util/own.ts'
import { jsonDocument, printable } from '../../util/printable.ts'

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'
/** Code scanning shows at most this many results of one run. */
const maxResults = 5000

/** Who checked what. */
interface SarifFacts {
  version: string
  /** Keeps checks of sessions and of a site separate in code scanning. */
  subject: 'sessions' | 'site'
  diagnostics: readonly Diagnostic[]
  findings: readonly Finding[]
}

/** A finding or a diagnostic: their rules differ, their locations do not. */
type Item = Omit<Finding, 'ruleId' | 'file'> & { ruleId: string; file?: string }

/**
 * One SARIF log with one run, the worst results first and no more than code scanning accepts. What has no location in a file
 * becomes a notification. Ends with a newline.
 */
export function checkSarif({ version, subject, diagnostics, findings }: SarifFacts): string {
  const items: readonly Item[] = [...findings, ...sortDiagnostics(diagnostics)]
  const placed = withFingerprints(items.filter(hasLocation))
  const listed = placed.toSorted((a, b) => severity(a.item) - severity(b.item)).slice(0, maxResults)
  const elsewhere = items.filter((item) => !hasLocation(item))
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
        toolExecutionNotifications: [...elsewhere.map(notification), ...omittedNote(placed.length - listed.length)],
      },
    ],
    results: listed.map(({ item, fingerprint }) => resultOf(item, ids.indexOf(item.ruleId), fingerprint)),
  }
  return jsonDocument({ $schema: schema, version: '2.1.0', runs: [run] })
}

const levels: Readonly<Record<Level, string>> = { fatal: 'error', warning: 'warning', info: 'note' }
const order: readonly Level[] = ['fatal', 'warning', 'info']

/** Secrets come before everything else of their level, because a long list must not cut them off. */
function severity({ level, ruleId }: Item): number {
  return order.indexOf(level) * 2 + (ruleId.startsWith('secret/') ? 0 : 1)
}

function hasLocation({ file }: Item): boolean {
  return file !== undefined && file !== ''
}

interface Fingerprinted {
  item: Item
  fingerprint: string
}

/** A finding is identified across runs by its rule and location; several at one location are numbered in order. */
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
  const { ruleId, level, file = '', line = 1, message, count } = item
  const { session, place, turn, field, replaced, fingerprint: value } = item
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

function omittedNote(count: number): object[] {
  if (count === 0) return []
  const text = `${count} further results were omitted: code scanning shows ${maxResults}. \`check --json\` lists them.`
  return [{ level: 'warning', message: { text } }]
}
