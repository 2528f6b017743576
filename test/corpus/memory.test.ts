/** What the model remembers, compared item by item with every request that a genuine Codex sent and recorded. */
import { expect, it } from 'vitest'
import { compareHome } from '../helpers/compare-requests.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { recordedRequests } from '../helpers/recorded-requests.ts'

/**
 * The number of requests of a home, all of which must be explained item by item, and how often each rule was needed for
 * that.
 */
const expected: Record<string, { requests: number; rules: Record<string, number>; withoutFile?: number }> = {
  '0.144.0': { requests: 287, rules: { instructions: 63, compactionPrompt: 5 } },
  '0.144.0-zst': { requests: 7, rules: {} },
  '0.169.0': { requests: 287, rules: { instructions: 226, compactionPrompt: 5, emptyParts: 6 }, withoutFile: 2 },
  '0.169.0-migrated': { requests: 2, rules: { instructions: 2 } },
  '0.169.0-zst': { requests: 7, rules: { instructions: 7 } },
  '0.58.0': { requests: 180, rules: { outputAsText: 132, compactionPrompt: 2 } },
  '0.98.0': { requests: 217, rules: { compactionPrompt: 3, retry: 2 } },
}

describeWithCorpus('the memory of genuine threads', ({ homes }) => {
  const recorded = homes.filter((home) => recordedRequests(home).length > 0)

  it('is compared with the requests of all homes that have some', () => {
    expect(recorded.map(({ name }) => name)).toEqual(Object.keys(expected).sort())
  })

  it.each(recorded)('is what Codex sent: $name', async (home) => {
    const { requests, rules, withoutFile, different } = await compareHome(home)
    expect(different).toEqual([])
    expect({ requests, rules, withoutFile: withoutFile.length }).toEqual({ withoutFile: 0, ...expected[home.name] })
    // Titles are requested in a thread that has no file.
    for (const { input } of withoutFile) expect(JSON.stringify(input.at(-1))).toContain('Generate a concise')
  })
})
