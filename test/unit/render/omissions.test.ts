/** Omitted content, in words. */
import { expect, test } from 'vitest'
import { contentKinds } from '../../../src/config/publication.ts'
import { leftOutText } from '../../../src/render/pages/receipt.ts'

test('names kinds in the words of the page, largest number first', () => {
  expect(leftOutText({ reasoning: 1, toolOutput: 12, turns: 2, images: 0 })).toBe('12 outputs, 2 turns, 1 thought')
  expect(leftOutText({})).toBe('')
})

test('has words for every counted kind, and uses other names unchanged', () => {
  for (const kind of contentKinds.filter((name) => name !== 'stats' && name !== 'internals'))
    expect(leftOutText({ [kind]: 2 }), kind).toMatch(/^2 [a-z -]+s\b/)
  expect(leftOutText({ constructor: 3 })).toBe('constructor 3')
})
