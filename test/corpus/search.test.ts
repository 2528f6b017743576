/** What `search` reads from bytes never hides a word that a genuine session shows. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { bytePatterns, dropFound } from '../../src/features/terminal-search/bytes.ts'
import { parseQuery } from '../../src/features/terminal-search/query.ts'
import { textsOf } from '../../src/features/terminal-search/texts.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { openRollout } from '../../src/rollout/read/open-fs.ts'
import { slicesOf } from '../../src/site/slices.ts'
import { scanWithLineage, threadIndex } from '../../src/survey/lineage.ts'
import { type PrivateThread, privacyOf, privateThread } from '../../src/survey/privacy.ts'
import { survey } from '../../src/survey/survey.ts'
import { defined } from '../../src/util/own.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'

/** Words of a thread that are asked for, spread over all that it holds. */
const asked = 40

const options = { spoolDir: () => tmpdir() }

async function wordsOf({ thread, facts, redactor }: PrivateThread): Promise<string[]> {
  const { slices } = slicesOf(thread, facts, { ...options, ...defined({ redactor }), assets: () => undefined })
  const found: string[] = []
  for await (const { tree } of slices)
    textsOf(tree, ({ value }) => {
      // Marks of what was redacted are not searched, nor do files hold what stands for names and home folders.
      found.push(...(value.replace(/\[redacted:[^\]]*\]/g, ' ').match(/[^\s"~]{3,}/g) ?? []))
    })
  const step = Math.max(1, Math.floor(found.length / asked))
  return found.filter((_, index) => index % step === 0)
}

async function mayHold({ segments }: Thread, word: string): Promise<boolean> {
  const open = new Set(bytePatterns(parseQuery([`"${word}"`]), []))
  for (const { file } of segments) {
    const source = await openRollout(file, options)
    dropFound(source, open)
    source.close()
  }
  return open.size === 0
}

describeWithCorpus('a genuine home', ({ homes, lived }) => {
  it.each([...homes, ...lived])('gives every word of its sessions to the search: $name', async ({ path }) => {
    const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
    const index = threadIndex(catalog.threads)
    const privacy = privacyOf({}, { homeDir: '' })
    const missed: string[] = []
    let words = 0
    for (const thread of catalog.threads) {
      const { facts } = await scanWithLineage(thread, index, options)
      if (facts === undefined) continue
      for (const word of await wordsOf(privateThread(thread, facts, privacy))) {
        words++
        if (!(await mayHold(thread, word))) missed.push(`${thread.id}: ${word}`)
      }
    }
    expect(words).toBeGreaterThan(0)
    expect(missed).toEqual([])
  })
})
