import { expect, test } from 'vitest'
import { planNamed } from '../../../../src/features/memory/edit/plan.ts'
import {
  type Change,
  decodeMasks,
  encodeMasks,
  type MaskRecord,
  withPlanned,
} from '../../../../src/features/memory/edit/record.ts'
import { openMask } from '../../../../src/features/memory/edit/selector.ts'
import { removedBy, workingMemory } from '../../../../src/features/memory/edit/working.ts'
import { memoryOf, pairAt } from '../../../helpers/memory.ts'

const whole = memoryOf([{}, ...pairAt(2), {}, {}])
const named = { delete: [4], exclude: [3], replace: [], include: [], text: '' }
const removed = removedBy(planNamed(whole, openMask, named).items, { history: whole, unlisted: [] })

const record: MaskRecord = {
  base: { name: 'rollout.jsonl.bak', bytes: 9, sha256: 'a' },
  written: { bytes: 5, sha256: 'b' },
  removed,
}

test('a mask is read as it was written, and only the newest masks are kept', () => {
  const change: Change = { kind: 'restore', before: record, after: record.written }
  const file = { threadId: 'thread', rolloutId: 'thread', records: [record, record], changes: [change] }
  expect(decodeMasks(encodeMasks(file))).toEqual(file)
  const many = decodeMasks(encodeMasks({ ...file, records: Array(99).fill(record), changes: Array(99).fill(change) }))
  expect([many?.records.length, many?.changes.length]).toEqual([12, 12])
})

test('the mask in force is kept, however many planned prunes failed', () => {
  const file = { threadId: 'thread', rolloutId: 'thread', records: [record], changes: [] }
  for (let run = 0; run < 20; run++) {
    const planned = { ...record, written: { bytes: 4, sha256: `planned-${run}` } }
    file.records =
      decodeMasks(encodeMasks({ ...file, records: withPlanned(file.records, planned, record) }))?.records ?? []
    expect(file.records[0]).toEqual(planned)
    expect(file.records).toContainEqual(record)
  }
  expect(withPlanned([record], record, { ...record, removed: [] })).toEqual([record])
})

test('masks of versions that recorded no changes are read', () => {
  const file = { threadId: 'thread', rolloutId: 'thread', records: [record], changes: [] }
  expect(decodeMasks(encodeMasks(file).replace(',"changes":[]', ''))).toEqual(file)
})

test('an incomplete mask is rejected', () => {
  const text = encodeMasks({ threadId: 'thread', rolloutId: 'thread', records: [record], changes: [] })
  expect(decodeMasks(text.slice(0, -10))).toBeUndefined()
  expect(decodeMasks(text.replace('"version":1', '"version":4'))).toBeUndefined()
  expect(decodeMasks(text.replace(/"hash":"\w+"/, '"hash":1'))).toBeUndefined()
  expect(decodeMasks(text.replace('rollout.jsonl.bak', '../rollout.jsonl.bak'))).toBeUndefined()
})

test('the list that is edited lacks what was deleted and marks what was excluded', () => {
  expect(removed.map(({ line, deleted }) => ({ line, deleted }))).toEqual([
    { line: 3, deleted: false },
    { line: 4, deleted: false },
    { line: 5, deleted: true },
  ])
  const working = workingMemory(whole, removed)
  expect(working?.history.items.map(({ index, included, pair, preview }) => [index, included, pair, preview])).toEqual([
    [1, true, undefined, 'Words number 1'],
    [2, false, 3, 'Words number 2'],
    [3, false, 2, 'Words number 3'],
    [4, true, undefined, 'Words number 5'],
  ])
  expect(working?.mask).toEqual(new Set([2, 3]))
})

test('including an item again does not bring back the deleted ones', () => {
  const working = workingMemory(whole, removed)
  if (working === undefined) throw new Error('the mask fits')
  const plan = planNamed(working.history, working.mask, {
    delete: [],
    exclude: [],
    replace: [],
    include: [2],
    text: '',
  })
  expect(removedBy(plan.items, working).map(({ line }) => line)).toEqual([5])
})

test('a mask that does not fit its memory is rejected', () => {
  const [first, ...others] = removed
  if (first === undefined) throw new Error('items were removed')
  expect(workingMemory(whole, [{ ...first, hash: 'other' }, ...others])).toBeUndefined()
})

test('what a compaction has dropped since stays out of the file without being listed', () => {
  const later = memoryOf([{ sources: [{ segment: 0, line: 9 }] }])
  const working = workingMemory(later, removed)
  expect(working?.mask).toEqual(openMask)
  expect(working?.unlisted).toEqual(removed)
})
