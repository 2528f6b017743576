import { expect, test } from 'vitest'
import { type PrunePlan, planPrune, runs } from '../../../../src/features/memory/edit/plan.ts'
import { ascending, openMask, readSelectors, type Selector } from '../../../../src/features/memory/edit/selector.ts'
import type { History } from '../../../../src/features/memory/history/history.ts'
import { liveSegment, memoryOf, pairAt } from '../../../helpers/memory.ts'

function selections(text: string): Selector[] {
  const read = readSelectors([text])
  if ('fault' in read) throw new Error(read.fault)
  return read.selectors
}

function plan(
  history: History,
  asked: { exclude?: string; include?: string; delete?: string; replace?: string },
  mask = openMask,
) {
  return planPrune(history, mask, {
    exclude: selections(asked.exclude ?? ''),
    include: selections(asked.include ?? ''),
    delete: selections(asked.delete ?? ''),
    replace: selections(asked.replace ?? ''),
    text: '[gone]',
  })
}

const states = ({ items }: PrunePlan) => items.map(({ state, along }) => (along ? `${state} along` : state)).join(', ')

const memory = memoryOf([{}, ...pairAt(2), {}])

test('the other half of a pair is excluded along with it, and the saving counts both', () => {
  const planned = plan(memory, { exclude: '3' })
  expect(states(planned)).toBe('included, exclude along, exclude, included')
  expect(planned).toMatchObject({ before: { items: 4, tokens: 40 }, after: { items: 2, tokens: 20 }, changes: true })
})

test('all outputs of a call are excluded with it, even if only the first of them was named', () => {
  const twice = memoryOf([...pairAt(1), { ...pairAt(1)[1], pair: 1 }, {}])
  for (const exclude of ['1', '2'])
    expect(states(plan(twice, { exclude })).replaceAll(' along', '')).toBe('exclude, exclude, exclude, included')
})

test('what was excluded stays so until it is included, and deleting shifts the mask', () => {
  const mask = new Set([2, 3])
  expect(states(plan(memory, {}, mask))).toBe('included, excluded, excluded, included')
  expect(plan(memory, {}, mask).changes).toBe(false)
  expect(states(plan(memory, { include: '2' }, mask))).toBe('included, include, include along, included')
  const deleted = plan(memory, { delete: '1' }, mask)
  expect(states(deleted)).toBe('delete, excluded, excluded, included')
  expect(ascending(deleted.mask)).toEqual([1, 2])
})

test('deleting overrides excluding, which overrides including', () => {
  expect(states(plan(memory, { delete: '1', exclude: '1,4', include: '1,4' }, new Set([1, 4])))).toBe(
    'delete, included, included, excluded',
  )
})

test('what cannot be removed from the file stays, with the other half of its pair and a reason', () => {
  const parent = { ...liveSegment, threadId: 'parent', rolloutId: 'parent', file: 'parent.jsonl', own: false }
  const [call, output] = pairAt(2)
  const fork = memoryOf(
    [
      { sources: [{ segment: 0, line: 4 }] },
      { ...call, sources: [{ segment: 0, line: 5 }] },
      output,
      { sources: [{ segment: 1, line: 8, part: 1 }] },
      { category: 'compactionSummary', sources: [{ segment: 1, line: 9 }] },
      { category: 'compactionSummary', sources: [{ segment: 1, line: 9, replacement: 2 }] },
      {
        sources: [
          { segment: 1, line: 10 },
          { segment: 1, line: 11 },
        ],
      },
    ],
    [parent, liveSegment],
  )
  const planned = plan(fork, { exclude: '1-7' })
  expect(states(planned)).toBe('included, included, included, included, included, exclude, included')
  expect(planned.notes).toEqual([
    'Items 1-2 stay: in the file of another session, `parent.jsonl`.',
    'Item 3 stays: the other half of its pair must.',
    'Item 4 stays: on one line with another record.',
    'Item 5 stays: the only trace of a compaction.',
    'Item 7 stays: made of several records.',
  ])
})

test('context that Codex sends again before an old summary stays, wherever its record is', () => {
  const at = (line: number) => ({ sources: [{ segment: 0, line }] })
  const memory = memoryOf([
    { category: 'developer', ...at(20) },
    { ...at(3) },
    { category: 'compactionSummary', ...at(10) },
    { category: 'developer', ...at(20) },
    { category: 'environmentContext', ...at(21) },
  ])
  const planned = plan(memory, { exclude: '1-5' })
  expect(states(planned)).toBe('included, exclude, included, included, exclude')
  expect(planned.notes).toEqual([
    'Items 1, 4 stay: put there again by Codex.',
    'Item 3 stays: the only trace of a compaction.',
  ])
})

test('an output that replaces a missing one is excluded with its call', () => {
  const [call, output] = pairAt(1)
  const cut = memoryOf([call, { ...output, synthetic: true }])
  expect(states(plan(cut, { exclude: '1' }))).toBe('exclude, exclude along')
  expect(states(plan(cut, { exclude: '2' }))).toBe('exclude along, exclude')
})

test('consecutive indices are written as ranges', () => {
  expect(runs([1, 2, 3, 5, 7, 8])).toBe('1-3, 5, 7-8')
})
