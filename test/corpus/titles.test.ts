/** Titles and subtitles of genuine threads say something, on one line. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { scanWithLineage, threadIndex } from '../../src/survey/lineage.ts'
import { privacyOf, privateThread } from '../../src/survey/privacy.ts'
import { survey } from '../../src/survey/survey.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'

const maxLength = 120

function faults(text: string): string[] {
  return [
    ...(/\p{L}/u.test(text) ? [] : ['no letter']),
    ...(text.length > maxLength ? [`${text.length} characters`] : []),
    ...(/^rollout-\d{4}|\.jsonl?(?:\.zst)?$/.test(text) ? ['name of a file'] : []),
    ...(/\n/.test(text) ? ['lines'] : []),
  ].map((fault) => `${fault}: ${text.slice(0, 60)}`)
}

describeWithCorpus('a genuine home', ({ homes, lived }) => {
  it.each([...homes, ...lived])(
    'gives each thread a title and a subtitle that say something: $name',
    async ({ path }) => {
      const options = { spoolDir: () => tmpdir() }
      const privacy = privacyOf({}, { homeDir: '' })
      const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
      const index = threadIndex(catalog.threads)
      const found: string[] = []
      for (const thread of catalog.threads) {
        const { facts } = await scanWithLineage(thread, index, options)
        if (facts === undefined) continue
        const { title, subtitle } = privateThread(thread, facts, privacy).facts
        found.push(...faults(title), ...(subtitle === undefined ? [] : faults(subtitle)))
        if (/^(?:[{[<|]|```)/.test(subtitle ?? '')) found.push(`source: ${subtitle}`)
      }
      expect(found).toEqual([])
    },
  )
})
