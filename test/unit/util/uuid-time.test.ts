import { expect, test } from 'vitest'
import { uuidTime } from '../../../src/util/time.ts'

test('ids of version 7 contain the time when they were made, others do not', () => {
  expect(uuidTime('019c0000-0001-7000-8000-000000000000')).toBe(0x019c00000001)
  expect(uuidTime('019c0000-0001-4000-8000-000000000000')).toBeUndefined()
  expect(uuidTime('turn-1')).toBeUndefined()
  expect(uuidTime(undefined)).toBeUndefined()
})
