/** Findings by rule, for people. */
import { baseRule, type Finding, findingRules } from '../diagnostics/finding.ts'
import { compareText } from '../util/compare.ts'
import { printable } from '../util/printable.ts'
import { formatCount } from '../util/time.ts'

/** Places that are named of one rule. */
const perRule = 20

/** Findings by rule, rules in alphabetical order. */
export function findingsByRule(findings: readonly Finding[]): Map<Finding['ruleId'], Finding[]> {
  const groups = new Map<Finding['ruleId'], Finding[]>()
  for (const item of findings.toSorted((a, b) => compareText(a.ruleId, b.ruleId))) {
    const own = groups.get(item.ruleId)
    if (own === undefined) groups.set(item.ruleId, [item])
    else own.push(item)
  }
  return groups
}

/** How many things findings stand for: one may count many. */
export function amountOf(findings: readonly Pick<Finding, 'count'>[]): number {
  return findings.reduce((sum, { count = 1 }) => sum + count, 0)
}

/**
 * Lines for each rule: what it is, whether a build replaces it, what to do, and at most twenty places; then a blank one.
 * Personal data that a build replaces are told by their number alone: they stand on every other line.
 */
export function findingLines(findings: readonly Finding[]): string[] {
  return [...findingsByRule(findings)].flatMap(([ruleId, items]) => {
    const { summary, help } = findingRules[baseRule(ruleId)]
    const head = `${ruleId} (${levelOf(items)}, ${formatCount(amountOf(items))}): ${[summary, ...fate(items)].join(' ')}`
    if (items.every(({ level, replaced }) => level === 'info' && replaced)) return [head, '']
    const more = items.length - perRule
    return [
      head,
      `  ${help}`,
      ...items.slice(0, perRule).map((item) => `  ${placed(item, summary)}`),
      ...(more > 0 ? [`  … and ${formatCount(more)} more places; \`--json\` has them`] : []),
      '',
    ]
  })
}

function levelOf(items: readonly Finding[]): string {
  return items.find(({ level }) => level !== 'info')?.level ?? 'info'
}

/** What becomes of it in a build; nothing of findings in a site. */
function fate(items: readonly Finding[]): string[] {
  const replaced = items.map((item) => item.replaced).filter((value) => value !== undefined)
  if (replaced.length === 0) return []
  return [replaced.every(Boolean) ? 'A build replaces it.' : 'A build with these options leaves it in.']
}

function placed({ file, line, turn, place, field, count, fingerprint, message }: Finding, summary: string): string {
  const detail = message.startsWith(summary) ? message.slice(summary.length).trim() : message
  const parts = [
    line === undefined ? file : `${file}:${line}`,
    turn === undefined ? '' : `turn ${turn}`,
    place === undefined ? '' : `#${place}`,
    field ?? '',
    count === undefined ? '' : `(${formatCount(count)} times from here on)`,
    detail,
    fingerprint === undefined ? '' : `Fingerprint: ${fingerprint}`,
  ]
  return printable(parts.filter((part) => part !== '').join(' '))
}
