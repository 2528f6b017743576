import { expect, test } from 'vitest'
import { SpareBuffers } from '../../../src/rollout/read/lines.ts'

test('a buffer that was returned is lent again unless it has another size', () => {
  const spare = new SpareBuffers(16)
  const first = spare.acquire()
  expect(first).toHaveLength(16)
  spare.release(first)
  spare.release(Buffer.alloc(8))
  expect(spare.acquire()).toBe(first)
  expect(spare.acquire()).not.toBe(first)
})

test('at most eight buffers are kept, however many were used at once', () => {
  const spare = new SpareBuffers(16)
  const used = new Set(Array.from({ length: 100 }, () => spare.acquire()))
  for (const buffer of used) spare.release(buffer)
  const again = Array.from({ length: 100 }, () => spare.acquire())
  expect(again.filter((buffer) => used.has(buffer))).toHaveLength(8)
})
