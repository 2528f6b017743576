/** Counting and calibrating tokens. */
import { expect, it } from 'vitest'
import { calibrated, calibrationOf, countByLength } from '../../../src/features/memory/history/estimate.ts'

it.each([
  ['', 0],
  ['hello world', 3],
  ['x'.repeat(1_000_000), 250_000],
  ['<|endoftext|>', 4],
  // Scripts other than Latin take about a token for each character.
  ['안녕하세요', 5],
  ['ab漢字cd', 3],
])('tokens are counted by length: case %#', (text, tokens) => {
  expect(countByLength(text)).toBe(tokens)
})

it('what is recorded beyond the memory counts as instructions and tools', () => {
  const sample = { recorded: 5000, estimated: 1000 }
  const calibration = calibrationOf({ first: sample, last: sample })
  expect(calibration).toEqual({ factor: 1, fixed: 4000 })
  expect(calibrated(1500, calibration)).toBe(5500)
})

it('the growth of recorded counts gives the tokens for each estimated one', () => {
  const calibration = calibrationOf({
    first: { recorded: 5000, estimated: 1000 },
    last: { recorded: 16_000, estimated: 11_000 },
  })
  expect(calibration).toEqual({ factor: 1.1, fixed: 3900 })
  expect(calibrated(11_000, calibration)).toBe(16_000)
})

it('a factor that cannot come from the encoding is limited', () => {
  const wild = calibrationOf({ first: { recorded: 0, estimated: 0 }, last: { recorded: 90_000, estimated: 10_000 } })
  expect(wild).toEqual({ factor: 2, fixed: 70_000 })
  const shrunk = calibrationOf({ first: { recorded: 9000, estimated: 0 }, last: { recorded: 100, estimated: 10_000 } })
  expect(shrunk).toEqual({ factor: 0.5, fixed: -4900 })
  expect(calibrated(10_000, shrunk)).toBe(100)
  expect(calibrated(0, shrunk)).toBe(0)
})

it('the reasoning of the last turn is subtracted, because it leaves the window, unless it is kept', () => {
  const sample = { recorded: 9000, estimated: 3000, reasoning: { recorded: 1000, estimated: 2500 } }
  expect(calibrationOf({ first: sample, last: sample })).toEqual({ factor: 1, fixed: 7500 })
  expect(calibrated(500, calibrationOf({ first: sample, last: sample }))).toBe(8000)
  expect(calibrated(3000, calibrationOf({ first: sample, last: sample }, true))).toBe(9000)
})
