import { expect, test } from 'vitest'
import { reasoningWindow } from '../../../src/features/memory/history/records.ts'

/**
 * A turn with 1,000 tokens of reasoning, then the first request of the next turn, which is larger by this many tokens.
 */
function twoTurns(grown: number, { prompt = 50, reasoning = 1000, broken = false } = {}): boolean | undefined {
  const window = reasoningWindow()
  window.item('userMessage', 40)
  window.request({ input: 5000, total: 6200, reasoning }, 1)
  // Only the limits of the account have changed.
  window.request({ input: 5000, total: 6200, reasoning }, 1)
  window.item('reasoning', 900)
  window.item('assistantMessage', 200)
  if (broken) window.breakOff()
  window.item('userMessage', prompt)
  window.request({ input: 6200 + grown, total: 6300 + grown, reasoning: 0 }, 2)
  return window.isKept()
}

test('reasoning is not kept if the next request is smaller than the last one', () => {
  expect(twoTurns(-950)).toBe(false)
})

test('reasoning is kept if the next request grew only by the new prompt', () => {
  expect(twoTurns(55)).toBe(true)
})

test.each([
  ['hardly any reasoning', twoTurns(-90, { reasoning: 100 })],
  ['new context that may hide the difference', twoTurns(100, { prompt: 4000 })],
  ['a larger difference than the reasoning', twoTurns(-3000)],
  ['a compaction between the turns', twoTurns(-950, { broken: true })],
])('nothing is known about reasoning after %s', (_what, isKept) => {
  expect(isKept).toBeUndefined()
})
