import { expect, it } from 'vitest'
import { runWithin } from '../../../src/features/terminal-search/bounded-fs.ts'

it('stops a regular expression that would run for hours', () => {
  const text = 'a gate and a hinge '.repeat(40)
  expect(runWithin(50, () => void text.search(/(\w+\s?)*!$/))).toBe(false)
  let found = 0
  expect(runWithin(5000, () => (found = text.search(/hinge/)))).toBe(true)
  expect(found).toBe(13)
})

it('passes on an error', () => {
  const run = (): void => {
    throw new TypeError('no gate')
  }
  expect(() => runWithin(5000, run)).toThrow(TypeError)
})
