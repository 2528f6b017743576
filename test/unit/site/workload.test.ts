import { expect, test } from 'vitest'
import { isCrowd, Workload } from '../../../src/site/workload.ts'

/** How often a host hears that its memory is crowded, of `anew` threads of an archive of `all`. */
function told(all: number, anew: readonly number[]): number {
  let count = 0
  const work = new Workload(all, { crowded: () => void count++ })
  for (const bytes of anew) work.add(bytes)
  return count
}

const small = (count: number): number[] => new Array<number>(count).fill(50_000)

test('a build of thousands of sessions crowds its memory once many of them are read anew', () => {
  expect(told(5000, small(5000))).toBe(1)
  expect(told(5000, small(201))).toBe(1)
})

test('a build in which nearly all sessions stay as they were does not', () => {
  expect(told(5000, small(3))).toBe(0)
  expect(told(5000, [])).toBe(0)
})

test('a small archive does not, unless one of its sessions is very large', () => {
  expect(told(2000, small(2000))).toBe(0)
  expect(told(1, [100_000_000])).toBe(1)
  expect(told(2, [100_000_000, 100_000_000])).toBe(1)
})

test('what was rendered is worth a collection where it was thousands of sessions', () => {
  expect(isCrowd(2001)).toBe(true)
  expect(isCrowd(2000)).toBe(false)
})
