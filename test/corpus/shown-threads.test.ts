/**
 * What holds for every genuine thread as it is shown: its title, and what both searches find in it. Each home is read
 * once.
 */
import { describe, it } from 'vitest'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { useSlicedThreads } from '../helpers/genuine-slices.ts'
import { expectBytesOfWords } from './search.ts'
import { expectAgreement } from './search-agreement.ts'
import { expectTitles } from './titles.ts'

describeWithCorpus('a genuine home', ({ homes, lived }) => {
  describe.each([...homes, ...lived])('$name', (home) => {
    const threads = useSlicedThreads(home)

    it('gives each thread a meaningful title and subtitle', () => expectTitles(threads()))
    it('lets the search find every word of its sessions', () => expectBytesOfWords(threads()))
    it('has the same search results on the site and on the terminal', () => expectAgreement(threads()))
  })
})
