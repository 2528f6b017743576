/** Tokens of genuine threads: each response once, compared with a count over the raw lines (rollout-format 7). */
import { tmpdir } from 'node:os'
import { expect } from 'vitest'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { openThread } from '../../src/survey/thread-lines.ts'
import type { InheritedRange } from '../../src/transcript/summary.ts'
import type { Usage } from '../../src/transcript/trast.ts'
import type { GenuineHome, GenuineThread } from '../helpers/genuine-home.ts'
import { type Counts, none, plus, type RawTokens, rawTokens } from '../helpers/raw-tokens.ts'
import { all } from '../helpers/slice.ts'
import { eachLine } from '../helpers/thread.ts'

function sum(usages: readonly (Usage | undefined)[]): Counts {
  return usages.reduce<Counts>(
    (left, usage) =>
      usage === undefined ? left : plus(left, [usage.input, usage.cached, usage.output, usage.reasoning]),
    none,
  )
}

/** Tokens in the raw lines of all segments, including those that a revert undid, because they were paid for. */
async function readTokens(thread: Thread, inherited: InheritedRange | undefined): Promise<RawTokens> {
  const lines: { json: Record<string, unknown>; copied: boolean }[] = []
  const readers = await openThread(thread, () => tmpdir())
  for (const [segment, reader] of readers.entries()) {
    eachLine(reader, ({ bytes, line }) => {
      if (bytes === undefined || !bytes.includes('"token_')) return
      const json: Record<string, unknown> = JSON.parse(bytes.toString('utf8'))
      if (typeof json['payload'] !== 'object') return
      const { from, to } = inherited ?? { from: 0, to: 0 }
      lines.push({ json, copied: segment === 0 && line >= from && line < to })
    })
    reader.close()
  }
  return rawTokens(lines, thread.segments[0]?.head.historyBase !== undefined)
}

interface Case extends GenuineThread {
  counted: RawTokens
  ours: Counts
  /** A later segment undid the end of an older one. */
  reverted: boolean
  /** There is no history of another thread, neither copied nor by reference. */
  alone: boolean
}

async function caseOf(read: GenuineThread): Promise<Case> {
  const { thread, session, facts } = read
  return {
    ...read,
    counted: await readTokens(thread, facts.inherited),
    ours: sum(Object.values(session.stats.usage)),
    reverted: thread.segments.some(({ endByte }) => endByte !== undefined),
    alone: facts.inherited === undefined && thread.segments[0]?.head.historyBase === undefined,
  }
}

function expectThread({ thread, counted, ours, reverted, alone }: Case): void {
  // The total of a revert continues from the point where the older segment was cut, so only the records have the rest.
  expect(ours, `${thread.id}: totals`).toEqual(reverted ? counted.recorded : counted.gained)
  expect(counted.recorded ?? ours, `${thread.id}: records`).toEqual(ours)
  if (alone && counted.restarts === 0) expect(ours, `${thread.id}: last total`).toEqual(counted.total ?? none)
}

function expectTurns({ thread, session, ours, reverted }: Case): void {
  const turns = all(session, 'turn').filter(({ data }) => data?.inherited !== true)
  // The first part of a turn that page borders cut has the numbers of the whole turn.
  const wholes = turns.filter(({ data }) => !data?.continued)
  if (!reverted) expect(sum(wholes.map(({ usage }) => usage)), `${thread.id}: turns`).toEqual(ours)
  const windowless = turns.filter((turn) => turn.contextTokens !== undefined && !turn.contextWindow)
  expect(windowless, `${thread.id}: windows`).toEqual([])
}

/** Every response is counted once. Totals of twins (`isTwin`) were moved. */
export async function expectTokens({ threads }: GenuineHome, { isTwin }: { isTwin: boolean }): Promise<void> {
  for (const thread of threads) {
    const found = await caseOf(thread)
    if (!isTwin && !found.reverted) expect(found.counted.moved, thread.thread.id).toBe(0)
    expectThread(found)
    expectTurns(found)
  }
}
