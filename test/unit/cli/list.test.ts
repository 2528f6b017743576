import { expect, test } from 'vitest'
import { tellingLength } from '../../../src/cli/list-sessions.ts'

test('ids are cut where they differ, and never below eight characters', () => {
  expect(tellingLength([])).toBe(8)
  expect(tellingLength(['0199a213-81c0', '0299a213-81c0'])).toBe(8)
  expect(tellingLength(['0199a213-81c0', '0299', '0199a213-81d0'])).toBe(12)
  expect(tellingLength(['0199a213', '0199a213-81c0'])).toBe(9)
})
