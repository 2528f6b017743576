import { expect, test } from 'vitest'
import { formatSelection, parseSelection, selects } from '../../../src/config/selectors.ts'

test.each([
  ['turn:3', { by: 'turn', from: 3, to: 3 }],
  ['turn:3-5', { by: 'turn', from: 3, to: 5 }],
  ['7', { by: 'item', from: 7, to: 7 }],
  ['item:7-12', { by: 'item', from: 7, to: 12 }],
  [' 7-12 ', { by: 'item', from: 7, to: 12 }],
  ['l120', { by: 'line', from: 120, to: 120 }],
  ['l120-l188', { by: 'line', from: 120, to: 188 }],
  ['0199a213-l4-l9', { by: 'line', from: 4, to: 9, segment: '0199a213' }],
  ['0199a213-l4-0199a213-l9', { by: 'line', from: 4, to: 9, segment: '0199a213' }],
  ['category:toolOutput', { by: 'category', category: 'toolOutput' }],
])('%j is a selection', (text, selection) => {
  expect(parseSelection(text)).toEqual(selection)
})

test.each([
  ...[
    '',
    'turn',
    'turn:',
    'turn:x',
    '5-3',
    'l9-l3',
    '-3',
    '3-',
    'l120-188',
    'l120--l188',
    'category:',
    'category:a b',
    '../x',
  ],
  ...['l120-0199a213-l188', '0199a213-l120-ffffffff-l188'],
])('%j is no selection', (text) => {
  expect(parseSelection(text)).toBeUndefined()
})

test.each([
  ['turn:3-5', { turn: 5 }, true],
  ['turn:3-5', { turn: 6 }, false],
  ['turn:3', { item: 3, line: 3 }, false],
  ['l4-l9', { line: 4 }, true],
  ['l4-l9', { line: 4, segment: '0199a213' }, false],
  ['0199a213-l4-l9', { line: 9, segment: '0199a213' }, true],
  ['0199a213-l4-l9', { line: 9 }, false],
  ['category:reasoning', { category: 'reasoning' }, true],
  ['category:reasoning', { category: 'toolCall' }, false],
])('%s selects %j: %s', (text, place, expected) => {
  const selection = parseSelection(text)
  expect(selection !== undefined && selects(selection, place)).toBe(expected)
})

test.each([
  'turn:3',
  'turn:3-5',
  'item:7',
  'l120',
  'l120-l188',
  '0a1b2c3d-l2',
  '0a1b2c3d-l2-0a1b2c3d-l9',
  'category:images',
])('%s is written as it was read', (text) => {
  const selection = parseSelection(text)
  expect(selection === undefined ? undefined : formatSelection(selection)).toBe(text)
})
