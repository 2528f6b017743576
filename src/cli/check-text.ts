/** What `check` prints. */
import type { CheckResult } from '../app/types.ts'
import { type Diagnostic, rules } from '../diagnostics/codes.ts'
import { countRules } from '../diagnostics/report.ts'
import type { LineCounts } from '../model/trast.ts'
import { printable } from '../util/printable.ts'
import { formatAmount, formatCount } from '../util/time.ts'

/** Places that are named of one rule. */
const perRule = 20

/** The findings by rule and the receipt, for people. Without control characters; ends with a newline. */
export function checkText({ diagnostics, lines, sessions, failed }: CheckResult): string {
  const found = Object.keys(countRules(diagnostics)).map((id) => diagnostics.filter(({ ruleId }) => ruleId === id))
  const without = failed === 0 ? '' : `; ${formatAmount(failed, 'session')} could not be read`
  return [
    ...found.flatMap((items) => [...ruleLines(items), '']),
    found.length === 0 ? 'Nothing was found.' : `${formatAmount(diagnostics.length, 'finding')}.`,
    `${formatAmount(lines.total, 'line')} in ${formatAmount(sessions, 'session')}${without}:`,
    ...receiptLines(lines),
    '',
  ].join('\n')
}

/** The result as one JSON document for machines. */
export function checkJson({ diagnostics, ...result }: CheckResult): string {
  const counts = countRules(diagnostics)
  const document = { schema: 'codex-export/check-result', version: 1, ...result, counts, diagnostics }
  return `${JSON.stringify(document, undefined, 2)}\n`
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
    row('skipped', sum(skipped), skipped),
    row('unknown', sum(unknown), unknown),
    row('damaged', damaged),
  ]
}

function row(name: string, count: number, kinds: Readonly<Record<string, number>> = {}): string {
  const parts = Object.entries(kinds).map(([kind, amount]) => `${printable(kind.slice(0, 80))} ${formatCount(amount)}`)
  return `  ${name} ${formatCount(count)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
