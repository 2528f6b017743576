import { expect, test } from 'vitest'
import { chooseItems, readSelectors } from '../../../../src/features/memory/edit/selector.ts'

import { itemAnchor } from '../../../../src/transcript/urls.ts'
import { liveSegment, memoryOf, pairAt } from '../../../helpers/memory.ts'

const memory = memoryOf([
  { turn: 1 },
  { category: 'reasoning', turn: 1 },
  ...pairAt(3).map((item) => ({ ...item, turn: 1 })),
  { turn: 2 },
  { category: 'reasoning', turn: 2 },
])

function chosen(...texts: string[]) {
  const read = readSelectors(texts)
  if ('fault' in read) throw new Error(read.fault)
  return chooseItems(memory, read.selectors)
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
])('%j selects items %j', (texts, indices) => {
  expect(chosen(...texts)).toEqual({ indices, notes: [] })
})

test('a selector without items is reported, and so is a range beyond the end', () => {
  expect(chosen('9', '5-9', 'category:image')).toEqual({
    indices: [5, 6],
    notes: [
      '`9` names no item; the last item is 6.',
      '`5-9` goes past the end; the last item is 6.',
      '`category:image` names no item; the last item is 6.',
    ],
  })
  const empty = chooseItems(memoryOf([]), [
    { text: '1', terms: [{ by: 'place', selection: { by: 'item', from: 1, to: 1 } }] },
  ])
  expect(empty.notes).toEqual(['`1` names no item; the memory is empty.'])
})

test.each([
  ['1,reasoning', '`reasoning` does not name items; use one of these forms: `3`, `7-12`'],
  [
    'category:toolcalls',
    'There is no category `toolcalls`; the categories are userMessage, assistantMessage, reasoning',
  ],
  ['over:many', '`over:many` does not name items'],
  ['tokens:>5-9', '`tokens:>5-9` does not name items'],
  ['newer:3', '`newer:3` does not name items'],
  ['turn:4+', '`` does not name items'],
  ['turn:5-4', '`turn:5-4` does not name items'],
  ['tool:', '`tool:` does not name items'],
])('%s is rejected with what is possible', (text, fault) => {
  expect(readSelectors([text])).toEqual({ fault: expect.stringContaining(fault) })
})

test('lines of a later segment are selected by their anchors on the page', () => {
  const rolloutId = '0198c0de-0000-7000-8000-00000000002a'
  const later = memoryOf([{}, {}], [liveSegment, { ...liveSegment, rolloutId }])
  const read = readSelectors([itemAnchor(3, rolloutId), 'l2'])
  if ('fault' in read) throw new Error(read.fault)
  expect(chooseItems(later, read.selectors)).toEqual({
    indices: [2],
    notes: ['`l2` names no item; the last item is 2.'],
  })
})

const call = (name: string, fields = {}) => ({ type: 'function_call', name, ...fields })
const session = memoryOf([
  { category: 'developer' },
  { category: 'userMessage' },
  { category: 'reasoning', tokens: 900 },
  { category: 'userMessage', turn: 1 },
  { category: 'toolCall', turn: 1, pair: 6, item: call('exec_command') },
  { category: 'toolOutput', turn: 1, pair: 5, tokens: 2000 },
  { category: 'toolCall', turn: 3, pair: 8, item: call('search', { namespace: 'mcp__github' }) },
  { category: 'toolOutput', turn: 3, pair: 7, tokens: 2001 },
  { category: 'assistantMessage', turn: 3 },
])

test.each([
  ['over:2000', [8]],
  ['tokens:>=2000', [6, 8]],
  ['tokens:<=10', [1, 2, 4, 5, 7, 9]],
  ['tokens:900-2000', [3, 6]],
  ['TOOL:Exec_Command', [5, 6]],
  ['tool:search', [7, 8]],
  ['tool:mcp__github.*', [7, 8]],
  ['tool:*', [5, 6, 7, 8]],
  // Turn 2 was rolled back, or never had an item, so it is not one of the last turns.
  ['older:1', [2, 3, 4, 5, 6]],
  ['older:2', [2, 3]],
  ['older:3', []],
  ['older:0', [2, 3, 4, 5, 6, 7, 8, 9]],
  ['before:3', [2, 3, 4, 5, 6]],
  ['before:1', [2, 3]],
  ['category:ToolOutput + older:1', [6]],
  ['category:tool-output&over:1000', [6, 8]],
  ['tool:exec_command+category:toolOutput+turn:1', [6]],
  ['category:reasoning, over:2000', [3, 8]],
])('%s selects items %j', (text, indices) => {
  const read = readSelectors([text])
  if ('fault' in read) throw new Error(read.fault)
  expect(chooseItems(session, read.selectors).indices).toEqual(indices)
})

test('a tool without any call is rejected with the tools that have one', () => {
  const read = readSelectors(['tool:apply_patch'])
  if ('fault' in read) throw new Error(read.fault)
  expect(() => chooseItems(session, read.selectors)).toThrow(
    'The memory has no item of a tool `apply_patch`; there are exec_command, mcp__github.search.',
  )
})
