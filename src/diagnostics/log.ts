/** Diagnostics as lines for people. */
import { printable } from '../util/printable.ts'
import { type Diagnostic, formatDiagnostic, type Level } from './codes.ts'
import { countLevel, countRules, sortDiagnostics } from './report.ts'

const perRule = 20

/**
 * One line `file:line rule-id message` for each fatal one and warning, at most 20 of a rule and then their number;
 * notes of level `info` are counted only. The last line sums up. Without control characters. `report` names the
 * file that has them all, where there is one.
 */
export function logLines(diagnostics: readonly Diagnostic[], report?: string): string[] {
  const where = report === undefined ? '' : ` (see ${report})`
  const seen = new Map<string, number>()
  const lines: string[] = []
  for (const item of sortDiagnostics(diagnostics)) {
    if (item.level === 'info') continue
    const count = (seen.get(item.ruleId) ?? 0) + 1
    seen.set(item.ruleId, count)
    if (count <= perRule) lines.push(printable(formatDiagnostic(item)))
  }
  for (const [ruleId, count] of seen) {
    if (count > perRule) lines.push(`${ruleId} … and ${count - perRule} more${where}`)
  }
  const sum = summary(diagnostics)
  return sum === undefined ? lines : [...lines, sum]
}

function summary(diagnostics: readonly Diagnostic[]): string | undefined {
  const parts = [part(diagnostics, 'fatal', 'error'), part(diagnostics, 'warning', 'warning'), notes(diagnostics)]
  const text = parts.filter((item) => item !== undefined).join(', ')
  return text === '' ? undefined : text
}

function part(diagnostics: readonly Diagnostic[], level: Level, noun: string): string | undefined {
  const count = countLevel(diagnostics, level)
  if (count === 0) return undefined
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Notes by rule: there may be thousands, and each is worth telling only once. */
function notes(diagnostics: readonly Diagnostic[]): string | undefined {
  const items = diagnostics.filter((item) => item.level === 'info')
  const head = part(items, 'info', 'note')
  if (head === undefined) return undefined
  const rules = Object.entries(countRules(items)).map(([ruleId, count]) => `${ruleId} ${count}`)
  return `${head} (${rules.join(', ')})`
}
