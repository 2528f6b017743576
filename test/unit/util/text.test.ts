import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningOf, codePointOffset } from '../../../src/util/text.ts'

test('a text is cut before a surrogate pair that would be split', () => {
  expect(beginningOf('a😀b', 2)).toBe('a')
  expect(beginningOf('a😀b', 3)).toBe('a😀')
  expect(beginningOf('a😀b', 9)).toBe('a😀b')
  expect(['a😀b', '', '😀'].map((text) => codePointOffset(text, 0))).toEqual([0, 0, 0])
})

test('the parts of a text without lone surrogates have none, and add up to the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, offset) => {
      const at = codePointOffset(text, offset)
      const parts = [text.slice(0, at), text.slice(at)]
      expect(parts.join('')).toBe(text)
      for (const part of parts) expect(Buffer.from(part).toString()).toBe(part)
    }),
  )
})

test('a lone surrogate that was there before is kept', () => {
  expect(beginningOf('a\ud83d', 2)).toBe('a\ud83d')
  expect(beginningOf('\ud83db', 1)).toBe('\ud83d')
})
