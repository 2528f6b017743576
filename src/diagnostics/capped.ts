/** Diagnostics of one session in bounded number: of a million damaged lines, the first ones and their sum tell all. */

import { type Diagnostic, diagnostic, type RuleId } from './codes.ts'

/** Of each rule, as many are kept one by one. */
const perRule = 1000

/** Collects the diagnostics of a session. */
export interface CappedDiagnostics {
  add(item: Diagnostic): void
  /** Those that were kept, and one for each rule that had more. */
  list(): Diagnostic[]
}

/** An empty collection; `max` of a rule are kept one by one (default 1,000). */
export function cappedDiagnostics(max: number = perRule): CappedDiagnostics {
  const kept: Diagnostic[] = []
  const counts = new Map<RuleId, { count: number; file: string | undefined }>()
  return {
    add(item) {
      const seen = counts.get(item.ruleId) ?? { count: 0, file: item.file }
      counts.set(item.ruleId, { ...seen, count: seen.count + 1 })
      if (seen.count < max) kept.push(item)
    },
    list() {
      const more = [...counts].filter(([, { count }]) => count > max)
      return [...kept, ...more.map(([ruleId, { count, file }]) => rest(ruleId, count - max, file))]
    },
  }
}

function rest(ruleId: RuleId, count: number, file: string | undefined): Diagnostic {
  const detail = `${count} more of this kind in this session are not listed.`
  return diagnostic(ruleId, file === undefined ? {} : { file }, detail)
}
