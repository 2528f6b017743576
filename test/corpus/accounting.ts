/** Every genuine rollout is read to its last line: nothing is unknown, unexpected or unaccounted for. */
import { expect } from 'vitest'
import type { Diagnostic, RuleId } from '../../src/diagnostics/codes.ts'
import type { GenuineHome } from '../helpers/genuine-home.ts'

/** What genuine files are known to cause, by rule id, and in which homes. */
const known: Partial<Record<RuleId, RegExp>> = {
  // 0.8 appended with two writers at once (rollout-format 9, hazard 2).
  'run-together': /^0\.8\.0$/,
  // The TypeScript CLI wrote a new file at every save (rollout-format 2.1).
  'duplicate-thread': /^0\.1\.2504172351$/,
  // Computers that lost power, and sessions that were open when they were copied.
  'nul-bytes': /^life$/,
  'torn-last-line': /^life$/,
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((left, right) => left + right, 0)

/** Each line of each thread is shown, folded, skipped or damaged, and none is unknown. */
export function expectEveryLine({ name, threads, diagnostics }: GenuineHome): void {
  const found: Diagnostic[] = [...diagnostics]
  expect(threads.length).toBeGreaterThan(0)
  for (const { thread, session, diagnostics: said } of threads) {
    found.push(...said)
    const { total, shown, folded, skipped, unknown, damaged } = session.stats.lines
    expect({ thread: thread.id, unknown }).toEqual({ thread: thread.id, unknown: {} })
    expect(shown + folded + sum(skipped) + damaged, thread.id).toBe(total)
  }
  expect(found.filter(({ ruleId }) => known[ruleId]?.test(name) !== true)).toEqual([])
}
