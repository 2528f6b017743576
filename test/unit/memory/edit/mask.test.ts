import { expect, test } from 'vitest'
import { ascending, exclude, include, openMask, shiftDeleted } from '../../../../src/features/memory/edit/selector.ts'

test('the open mask excludes nothing, and `include` removes items from a mask', () => {
  expect([...openMask]).toEqual([])
  const mask = exclude(exclude(openMask, [3, 7]), [5])
  expect(ascending(mask)).toEqual([3, 5, 7])
  expect(ascending(include(mask, [5, 6]))).toEqual([3, 7])
})

test('a deletion shifts the mask after it and drops what it deleted', () => {
  const mask = exclude(openMask, [2, 4, 9])
  expect(ascending(shiftDeleted(mask, [4, 1]))).toEqual([1, 7])
  expect(ascending(shiftDeleted(mask, []))).toEqual([2, 4, 9])
})
