import { expect, test } from 'vitest'
import { chooseItems, readSelections } from '../../../../src/memory/edit/choose.ts'
import { itemAnchor } from '../../../../src/model/urls.ts'
import { liveSegment, memoryOf, pairAt } from '../../../helpers/memory.ts'

const memory = memoryOf([
  { turn: 1 },
  { category: 'reasoning', turn: 1 },
  ...pairAt(3).map((item) => ({ ...item, turn: 1 })),
  { turn: 2 },
  { category: 'reasoning', turn: 2 },
])

function chosen(...texts: string[]) {
  const read = readSelections(texts)
  if ('fault' in read) throw new Error(read.fault)
  return chooseItems(memory, read.selections)
}

test.each([
  [['3,5-6'], [3, 5, 6]],
  [['turn:2'], [5, 6]],
  [['category:reasoning'], [2, 6]],
  [['l3-l4'], [2, 3]],
  [
    ['2', ' 2 , 4,'],
    [2, 4],
  ],
])('%j names items %j', (texts, indices) => {
  expect(chosen(...texts)).toEqual({ indices, notes: [] })
})

test('what names no item is told, and so is a run that goes on behind the end', () => {
  expect(chosen('9', '5-9', 'category:image')).toEqual({
    indices: [5, 6],
    notes: [
      '`9` names no item; the last item is 6.',
      '`5-9` goes on behind the end; the last item is 6.',
      '`category:image` names no item; the last item is 6.',
    ],
  })
  const empty = chooseItems(memoryOf([]), [{ text: '1', selection: { by: 'item', from: 1, to: 1 } }])
  expect(empty.notes).toEqual(['`1` names no item; the memory is empty.'])
})

test('a text that is no selection is named', () => {
  expect(readSelections(['1,reasoning'])).toEqual({ fault: 'reasoning' })
})

test('lines of a later segment are named as their anchors on the page are', () => {
  const rolloutId = '0198c0de-0000-7000-8000-00000000002a'
  const later = memoryOf([{}, {}], [liveSegment, { ...liveSegment, rolloutId }])
  const read = readSelections([itemAnchor(3, rolloutId), 'l2'])
  if ('fault' in read) throw new Error(read.fault)
  expect(chooseItems(later, read.selections)).toEqual({
    indices: [2],
    notes: ['`l2` names no item; the last item is 2.'],
  })
})
