/** Every genuine rollout, pruned: the rest is read as planned, and every other byte stays. */
import { readFileSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findCuts, keptPieces, keptSize, layoutOf } from '../../src/features/memory/edit/cuts.ts'
import { withFile } from '../../src/features/memory/edit/full-rollout.ts'
import {
  isRemembered,
  type NamedItems,
  type PrunePlan,
  planNamed,
  sentItem,
} from '../../src/features/memory/edit/plan.ts'
import { openMask } from '../../src/features/memory/edit/selector.ts'
import { removedBy, sameItems } from '../../src/features/memory/edit/working.ts'
import type { History, ResponseItem } from '../../src/features/memory/history/history.ts'
import { readHistory } from '../../src/features/memory/history/read.ts'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Segment, Thread } from '../../src/rollout/discover/rollout.ts'
import { openRollout } from '../../src/rollout/read/open-fs.ts'
import { writeSpoolFile } from '../../src/site/spool-fs.ts'
import { type ThreadIndex, threadIndex } from '../../src/survey/lineage.ts'
import { survey } from '../../src/survey/survey.ts'
import { describeWithCorpus } from '../helpers/corpus.ts'
import { shareTempDir } from '../helpers/temp.ts'

const folder = shareTempDir()
const options = { spoolDir: () => folder, signal: new AbortController().signal }

const nothing: NamedItems = { delete: [], exclude: [], replace: [], include: [], text: '[output removed]' }
const indicesOf = (items: History['items']): number[] => items.map(({ index }) => index)

/** Ways to choose: every second item, everything except the prompts, the outputs of all calls. */
const choices: Record<string, (history: History) => Partial<NamedItems>> = {
  halves: ({ items }) => ({ exclude: indicesOf(items.filter(({ index }) => index % 2 === 0)) }),
  prompts: ({ items }) => ({ exclude: indicesOf(items.filter(({ category }) => category !== 'userMessage')) }),
  outputs: ({ items }) => ({ replace: indicesOf(items.filter(({ category }) => category === 'toolOutput')) }),
}

/** A plan for a thread, whose last file is changed. */
interface Pruning {
  thread: Thread
  live: Segment
  index: ThreadIndex
  history: History
  plan: PrunePlan
}

/**
 * Prunes copies of a thread in each way. Returns the outcomes: `as planned`, `none` if nothing could be removed, or
 * what is wrong.
 */
async function pruneAll(thread: Thread, index: ThreadIndex): Promise<[name: string, outcome: string][]> {
  const live = thread.segments.at(-1)
  if (live === undefined || live.file.format !== 'lines') return []
  const history = await readHistory(thread, index, options)
  const outcomes: [string, string][] = []
  for (const [name, named] of Object.entries(choices)) {
    const plan = planNamed(history, openMask, { ...nothing, ...named(history) })
    outcomes.push([name, plan.changes ? await prune({ thread, live, index, history, plan }) : 'none'])
  }
  return outcomes
}

async function prune({ thread, live, index, history, plan }: Pruning): Promise<string> {
  const source = await openRollout(live.file, options)
  try {
    const { cuts } = findCuts(source, removedBy(plan.items, { history, unlisted: [] }), layoutOf(live))
    const path = writeSpoolFile(folder, keptPieces(source, cuts))
    if (readFileSync(path).length !== keptSize(source, cuts)) return 'other bytes are missing'
    const { items } = await readHistory(withFile(thread, live, { path, compression: 'none' }), index, options)
    rmSync(path)
    return sameItems(
      kept(plan),
      items.map(({ item }) => item),
    )
      ? 'as planned'
      : 'read otherwise'
  } finally {
    source.close()
  }
}

function kept({ items }: PrunePlan): ResponseItem[] {
  return items.filter(({ state }) => isRemembered(state)).map(sentItem)
}

describeWithCorpus('pruned rollouts of genuine versions', ({ homes, lived }) => {
  it.each([...homes, ...lived])('are read as planned: $name', async ({ path }) => {
    const roots = findRoots([path], { env: {}, homeDir: path })
    const { catalog } = await survey(roots, options)
    const index = threadIndex(catalog.threads)
    const wrong: string[] = []
    let pruned = 0
    for (const thread of catalog.threads) {
      for (const [name, outcome] of await pruneAll(thread, index)) {
        if (outcome === 'as planned') pruned++
        else if (outcome !== 'none') wrong.push(`${thread.id} ${name}: ${outcome}`)
      }
    }
    expect(wrong).toEqual([])
    // Documents of the TypeScript CLI are not pruned.
    expect(pruned > 0).toBe(catalog.threads.some(({ segments }) => segments.at(-1)?.file.format === 'lines'))
  })
})
