import { expect, test } from 'vitest'
import { SpareBuffers } from '../../../src/rollout/read/lines.ts'

test('a buffer that was given back is lent again, one of another size is not', () => {
  const spare = new SpareBuffers(16)
  const first = spare.take()
  expect(first).toHaveLength(16)
  spare.giveBack(first)
  spare.giveBack(Buffer.alloc(8))
  expect(spare.take()).toBe(first)
  expect(spare.take()).not.toBe(first)
})

test('few wait to be lent, however many were used at once', () => {
  const spare = new SpareBuffers(16)
  const used = new Set(Array.from({ length: 100 }, () => spare.take()))
  for (const buffer of used) spare.giveBack(buffer)
  const again = Array.from({ length: 100 }, () => spare.take())
  expect(again.filter((buffer) => used.has(buffer))).toHaveLength(8)
})
