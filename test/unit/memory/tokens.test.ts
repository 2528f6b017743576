/** Counting and calibrating tokens. */
import { expect, it } from 'vitest'
import { calibrated, calibrationOf } from '../../../src/memory/calibrate.ts'
import { encodingOf, loadTokenizer, readCounted } from '../../../src/memory/tokenizer.ts'

it('takes the encoding of the model, and the newest for one that it does not know', () => {
  expect(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo'].map(encodingOf)).toEqual(Array(3).fill('cl100k_base'))
  expect(['gpt-4o', 'gpt-4.1', 'o4-mini', 'gpt-5.3-codex', 'tomorrow', undefined].map(encodingOf)).toEqual(
    Array(6).fill('o200k_base'),
  )
})

it.each([
  ['gpt-5', 'o200k_base', 1],
  ['gpt-4', 'cl100k_base', 2],
] as const)('reads a session of %s counted by %s', async (model, encoding, times) => {
  let reads = 0
  const read = async (count: (text: string) => number): Promise<{ model: string; tokens: number }> => {
    reads++
    return { model, tokens: count('안녕하세요') }
  }
  const counted = await readCounted(read, (result) => result.model)
  const count = await loadTokenizer(encoding)
  expect(counted).toEqual({ encoding, result: { model, tokens: count('안녕하세요') } })
  expect(reads).toBe(times)
})

it('counts as the encodings were published', async () => {
  const [count, older] = [await loadTokenizer('o200k_base'), await loadTokenizer('cl100k_base')]
  expect(count('hello world')).toBe(2)
  expect(count('')).toBe(0)
  // A language that the newer encoding knows better.
  expect(count('안녕하세요')).toBeLessThan(older('안녕하세요'))
})

it('counts a control token in a text as words', async () => {
  const count = await loadTokenizer('o200k_base')
  expect(count('<|endoftext|>')).toBeGreaterThan(1)
})

it('counts long runs without a border between words in pieces, nearly to the token', async () => {
  const count = await loadTokenizer('o200k_base')
  const run = 'a'.repeat(1_000_000)
  expect(count(run)).toBeCloseTo(125_000, -3)
  const words = 'the cat sat on the mat and '.repeat(1000)
  // Words alone, as no piece could cut them.
  expect(Math.abs(count(words) - 1000 * count(' the cat sat on the mat and'))).toBeLessThan(30)
})

it('takes what is recorded beyond the memory for instructions and tools', () => {
  const sample = { recorded: 5000, estimated: 1000 }
  const calibration = calibrationOf({ first: sample, last: sample })
  expect(calibration).toEqual({ factor: 1, fixed: 4000 })
  expect(calibrated(1500, calibration)).toBe(5500)
})

it('learns from growth how many tokens an estimated one is', () => {
  const calibration = calibrationOf({
    first: { recorded: 5000, estimated: 1000 },
    last: { recorded: 16_000, estimated: 11_000 },
  })
  expect(calibration).toEqual({ factor: 1.1, fixed: 3900 })
  expect(calibrated(11_000, calibration)).toBe(16_000)
})

it('trusts no factor that has other reasons than the encoding', () => {
  const wild = calibrationOf({ first: { recorded: 0, estimated: 0 }, last: { recorded: 90_000, estimated: 10_000 } })
  expect(wild).toEqual({ factor: 2, fixed: 70_000 })
  const shrunk = calibrationOf({ first: { recorded: 9000, estimated: 0 }, last: { recorded: 100, estimated: 10_000 } })
  expect(shrunk).toEqual({ factor: 0.5, fixed: 0 })
})
