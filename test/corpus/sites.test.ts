/** What holds for the site of every genuine home: its numbers of failures, and its shards. Each site is built once. */
import { describe, it } from 'vitest'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { useGenuineSite } from '../helpers/genuine-site.ts'
import { expectSameFailures, expectSameFailuresAlone } from './failure-counts.ts'
import { expectSameFromShards, total } from './shards.ts'

describeWithCorpus('a genuine home', ({ spread, lived }) => {
  // The search depends only on the pages, so that small homes show as much of it as large ones.
  const all = [
    ...spread.map((home) => ({ ...home, search: true })),
    ...lived.map((home) => ({ ...home, search: false })),
  ]
  describe.each(all)('$name', (home) => {
    const site = useGenuineSite(home, home)

    it('has the same number of failures on all pages', () => expectSameFailures(site))
    it('has the same number of failures in `show` and in the API', () => expectSameFailuresAlone(home))
    it(`is the same from ${total} shards`, () => expectSameFromShards(site))
  })
})
