/**
 * Homes of the corpus with their threads as the site and the terminal show them, redacted and cut; read once for all
 * tests.
 */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import { slicesOf } from '../../src/site/slices.ts'
import { scanWithLineage, threadIndex } from '../../src/survey/lineage.ts'
import { type PrivateThread, privacyOf, privateThread } from '../../src/survey/privacy.ts'
import { survey } from '../../src/survey/survey.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { defined } from '../../src/util/own.ts'
import type { CorpusHome } from './corpus.ts'

/** A thread with the trees of its pages in order. */
export interface SlicedThread extends PrivateThread {
  trees: Session[]
}

const options = { spoolDir: () => tmpdir() }

async function readThreads({ path }: CorpusHome): Promise<SlicedThread[]> {
  const { catalog } = await survey(findRoots([path], { env: {}, homeDir: path }), options)
  const index = threadIndex(catalog.threads)
  const privacy = privacyOf({}, { homeDir: '' })
  const threads: SlicedThread[] = []
  for (const thread of catalog.threads) {
    const { facts } = await scanWithLineage(thread, index, options)
    if (facts === undefined) continue
    const found = privateThread(thread, facts, privacy)
    const assets = () => undefined
    const { slices } = slicesOf(found.thread, found.facts, {
      ...options,
      ...defined({ redactor: found.redactor }),
      assets,
    })
    const trees: Session[] = []
    for await (const { tree } of slices) trees.push(tree)
    threads.push({ ...found, trees })
  }
  return threads
}

/** Reads the threads of a home before the tests of a suite, and releases them after the tests. */
export function useSlicedThreads(home: CorpusHome): () => SlicedThread[] {
  let threads: SlicedThread[] = []
  beforeAll(async () => {
    threads = await readThreads(home)
  })
  afterAll(() => {
    threads = []
  })
  return () => threads
}
