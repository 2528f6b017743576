import { expect, test } from 'vitest'
import { byCount, countBy, groupBy, sumOfCounts, withoutEqual } from '../../../src/util/groups.ts'

const lengthOf = (word: string): number => word.length

test('groups are in the order in which their keys first appear, and items keep their order', () => {
  const words = ['bb', 'a', 'cc', 'd']
  expect([...groupBy(words, lengthOf)]).toEqual([
    [2, ['bb', 'cc']],
    [1, ['a', 'd']],
  ])
  expect([...countBy(words, lengthOf)]).toEqual([
    [2, 2],
    [1, 2],
  ])
})

test('each item of the second list removes one equal item of the first, from the front', () => {
  expect(withoutEqual(['a', 'b', 'a', 'a'], ['a', 'c', 'a'], (word) => word)).toEqual(['b', 'a'])
})

test('counts are sorted by number, then by name, without zeros, and may have any name', () => {
  const counts = { b: 1, constructor: 2, a: 1, none: 0 }
  expect(byCount(counts)).toEqual([
    ['constructor', 2],
    ['a', 1],
    ['b', 1],
  ])
  expect(sumOfCounts(counts)).toBe(4)
})
