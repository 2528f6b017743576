import { expect, test } from 'vitest'
import { reasoningWindow } from '../../../src/features/memory/history/records.ts'

/** A turn with 1,000 tokens of reasoning, then the first request of the next one, by how much larger it is. */
function twoTurns(grown: number, { prompt = 50, reasoning = 1000, broken = false } = {}): boolean | undefined {
  const window = reasoningWindow()
  window.item('userMessage', 40)
  window.request({ input: 5000, total: 6200, reasoning }, 1)
  // Only the limits of the account changed.
  window.request({ input: 5000, total: 6200, reasoning }, 1)
  window.item('reasoning', 900)
  window.item('assistantMessage', 200)
  if (broken) window.breakOff()
  window.item('userMessage', prompt)
  window.request({ input: 6200 + grown, total: 6300 + grown, reasoning: 0 }, 2)
  return window.isKept()
}

test('a next request that is smaller than the last one lacks its reasoning', () => {
  expect(twoTurns(-950)).toBe(false)
})

test('one that grew by the new prompt alone holds it', () => {
  expect(twoTurns(55)).toBe(true)
})

test.each([
  ['hardly any reasoning', twoTurns(-90, { reasoning: 100 })],
  ['new context that may hide what went', twoTurns(100, { prompt: 4000 })],
  ['more missing than was thought', twoTurns(-3000)],
  ['a compaction between the turns', twoTurns(-950, { broken: true })],
])('%s tells nothing', (_what, isKept) => {
  expect(isKept).toBeUndefined()
})
