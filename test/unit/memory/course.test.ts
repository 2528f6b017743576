/** How the memory grows and shrinks from turn to turn. */
import { expect, it } from 'vitest'
import { memoryBuilder } from '../../../src/features/memory/history/builder.ts'
import { rulesOf } from '../../../src/features/memory/history/items.ts'
import type { MemoryRecord } from '../../../src/features/memory/history/records.ts'
import { memoryCourse } from '../../../src/features/memory/page/collector.ts'
import { user } from '../../helpers/remember.ts'

/** A prompt with this many tokens. */
const said = (tokens: number): MemoryRecord => ({ kind: 'item', item: user('x'.repeat(4 * tokens)) })
const used = (total: number): MemoryRecord => ({ kind: 'tokens', total })
const compacted = (tokens: number): MemoryRecord => ({
  kind: 'compaction',
  summary: '',
  replacement: [user('x'.repeat(4 * tokens))],
})

function courseOf(records: readonly [turn: number, record: MemoryRecord][]) {
  const course = memoryCourse(memoryBuilder({ keepItems: false, rules: rulesOf(undefined) }, () => ({})))
  for (const [index, [turn, record]] of records.entries())
    course.take(record, { source: { segment: 0, line: index + 1 }, ...(turn === 0 ? {} : { turn }) })
  return course.points()
}

it('the course has the sums at the end of each turn, and the current sums of the last one', () => {
  const points = courseOf([
    [0, said(5)],
    [1, said(10)],
    [1, used(40)],
    [2, said(20)],
  ])
  expect(points).toEqual([
    { turn: 0, moment: 'end', tokens: { userMessage: 5 } },
    { turn: 1, moment: 'end', tokens: { userMessage: 15 }, recorded: 40 },
    { turn: 2, moment: 'end', tokens: { userMessage: 35 }, recorded: 40 },
  ])
})

it('the course has the sums right before and after a compaction, and its record', () => {
  const points = courseOf([
    [1, said(100)],
    [1, used(500)],
    [2, compacted(7)],
    [2, said(1)],
  ])
  expect(points).toEqual([
    { turn: 1, moment: 'end', tokens: { userMessage: 100 }, recorded: 500 },
    { turn: 2, moment: 'full', tokens: { userMessage: 100 }, recorded: 500 },
    { turn: 2, moment: 'compacted', tokens: { userMessage: 7 }, source: { segment: 0, line: 3 } },
    { turn: 2, moment: 'end', tokens: { userMessage: 8 } },
  ])
})

it('the course stays short for any number of turns and compactions, and keeps the newest', () => {
  const turns = courseOf(Array.from({ length: 5000 }, (_, index) => [index + 1, said(1)]))
  expect(turns.length).toBeLessThan(500)
  expect(turns.at(-1)).toMatchObject({ turn: 5000, tokens: { userMessage: 5000 } })
  const compactions = courseOf(Array.from({ length: 5000 }, (_, index) => [index + 1, compacted(index % 50)]))
  expect(compactions.length).toBeLessThan(500)
  expect(compactions.at(-2)).toMatchObject({ turn: 5000, moment: 'compacted' })
})
