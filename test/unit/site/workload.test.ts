import { expect, test } from 'vitest'
import { isCrowd, Workload } from '../../../src/site/workload.ts'

/** How often a host hears that its memory is crowded, by `anew` threads of an archive of `all`. */
function noticesOf(all: number, anew: readonly number[]): number {
  let count = 0
  const work = new Workload(all, { crowded: () => void count++ })
  for (const bytes of anew) work.add(bytes)
  return count
}

const small = (count: number): number[] => new Array<number>(count).fill(50_000)

test('a build of thousands of sessions reports crowded memory once many of them are read', () => {
  expect(noticesOf(5000, small(5000))).toBe(1)
  expect(noticesOf(5000, small(201))).toBe(1)
})

test('a build in which nearly all sessions are unchanged does not', () => {
  expect(noticesOf(5000, small(3))).toBe(0)
  expect(noticesOf(5000, [])).toBe(0)
})

test('a small archive does not, unless one of its sessions is very large', () => {
  expect(noticesOf(2000, small(2000))).toBe(0)
  expect(noticesOf(1, [100_000_000])).toBe(1)
  expect(noticesOf(2, [100_000_000, 100_000_000])).toBe(1)
})

test('more than 2,000 rendered sessions are worth a garbage collection', () => {
  expect(isCrowd(2001)).toBe(true)
  expect(isCrowd(2000)).toBe(false)
})
