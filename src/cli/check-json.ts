/** What `check` prints for machines; docs/cli.md describes the keys. */
import type { SiteAudit } from '../app/audit-site.ts'
import type { CheckResult } from '../app/types.ts'
import type { Finding } from '../diagnostics/finding.ts'
import { countRules } from '../diagnostics/report.ts'
import { amountOf, findingsByRule } from './check-findings.ts'

/** The check of sessions as one JSON document. */
export function checkJson({ diagnostics, findings, ...result }: CheckResult): string {
  const counts = countRules(diagnostics)
  const found = { findingCounts: countFindings(findings), findings }
  return encode({ schema: 'codex-export/check-result', version: 1, ...result, counts, diagnostics, ...found })
}

/** The check of a site as one JSON document. */
export function siteJson({ findings, ...result }: SiteAudit): string {
  const found = { findingCounts: countFindings(findings), findings }
  return encode({ schema: 'codex-export/site-check-result', version: 1, ...result, ...found })
}

function countFindings(findings: readonly Finding[]): Record<string, number> {
  return Object.fromEntries([...findingsByRule(findings)].map(([ruleId, items]) => [ruleId, amountOf(items)]))
}

function encode(document: object): string {
  return `${JSON.stringify(document, undefined, 2)}\n`
}
