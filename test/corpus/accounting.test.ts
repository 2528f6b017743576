/** Every genuine rollout is read to the last line: nothing unknown, nothing unexpected, nothing unaccounted for. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import type { Diagnostic, RuleId } from '../../src/diagnostics/codes.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { survey } from '../../src/survey/survey.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'

/** What genuine files are known to give, by the rule's id: in which homes. */
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

describeWithCorpus('a home that a genuine Codex wrote', ({ homes, lived }) => {
  it.each([...homes, ...lived])('is read without loss: $name', async ({ name, path }) => {
    const options = { spoolDir: () => tmpdir() }
    const { catalog, diagnostics } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
    const found: Diagnostic[] = [...diagnostics]
    expect(catalog.threads.length).toBeGreaterThan(0)
    for (const thread of catalog.threads) {
      const { session, diagnostics: said } = await transcribeThread(thread, { ...options, family: catalog.threads })
      found.push(...said)
      const { total, shown, folded, skipped, unknown, damaged } = session.stats.lines
      expect({ thread: thread.id, unknown }).toEqual({ thread: thread.id, unknown: {} })
      expect(shown + folded + sum(skipped) + damaged, thread.id).toBe(total)
    }
    expect(found.filter(({ ruleId }) => known[ruleId]?.test(name) !== true)).toEqual([])
  })
})
