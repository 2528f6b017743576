import { expect, test } from 'vitest'
import { byCount, countBy, groupBy, sumOfCounts, withoutEqual } from '../../../src/util/groups.ts'

const lengthOf = (word: string): number => word.length

test('keys stand in the order in which they first appear, items in their own', () => {
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

test('each of the others takes one equal item away, the first ones first', () => {
  expect(withoutEqual(['a', 'b', 'a', 'a'], ['a', 'c', 'a'], (word) => word)).toEqual(['b', 'a'])
})

test('counts come most first, then by name, without zeros, and with names of every kind', () => {
  const counts = { b: 1, constructor: 2, a: 1, none: 0 }
  expect(byCount(counts)).toEqual([
    ['constructor', 2],
    ['a', 1],
    ['b', 1],
  ])
  expect(sumOfCounts(counts)).toBe(4)
})
