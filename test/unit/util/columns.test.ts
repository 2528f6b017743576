import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { cutToWidth, fitToWidth, partAround, textWidth } from '../../../src/util/columns.ts'
import { printable, printableJson, printableLines } from '../../../src/util/printable.ts'

test('a wide character takes two columns, a combining one none', () => {
  expect(textWidth('abc')).toBe(3)
  expect(textWidth('日本')).toBe(4)
  expect(textWidth('e\u0301')).toBe(1)
  expect(textWidth('👩‍💻')).toBe(2)
})

test('a cut text is marked and never splits a character', () => {
  expect(cutToWidth('abcdef', 6)).toBe('abcdef')
  expect(cutToWidth('abcdef', 5)).toBe('abcd…')
  expect(cutToWidth('日本語', 5)).toBe('日本…')
  expect(cutToWidth('日本語', 4)).toBe('日…')
  expect(cutToWidth('a👩‍💻b', 3)).toBe('a…')
  expect(cutToWidth('ab cdef', 4)).toBe('ab…')
  expect(cutToWidth('abc', 0)).toBe('')
})

test('every character has the width that string-width gives it', () => {
  // The middle of the blocks of Han and Hangul is like their ends.
  const isMiddle = (code: number): boolean => (code > 0x4f00 && code < 0x9f00) || (code > 0xad00 && code < 0xd700)
  const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => !isMiddle(code))
  const characters = codes.map((code) => String.fromCharCode(code))
  expect(characters.filter((character) => textWidth(character) !== stringWidth(character))).toEqual([])
})

test('any text has the width that string-width gives it, and is cut between its characters', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      'ß',
      '“',
      '…',
      '\u00ad',
      '\u0301',
      '日',
      '가',
      'カ',
      '\u3099',
      '！',
      'ﾞ',
      '👩‍💻',
      '©',
      '\ufe0f',
      '‧',
    ),
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 8 }), (value, width) => {
      expect(textWidth(value)).toBe(stringWidth(value))
      expect(stringWidth(cutToWidth(value, width))).toBeLessThanOrEqual(width)
    }),
  )
})

test('a fitted text has exactly the width', () => {
  expect(fitToWidth('ab', 4)).toBe('ab  ')
  expect(fitToWidth('ab', 4, 'right')).toBe('  ab')
  expect(fitToWidth('日本語', 4)).toBe('日… ')
})

test('control and invisible characters become visible, and line breaks become spaces', () => {
  expect(printable('a\u001b[31mb\u0000')).toBe('a\\x1b[31mb\\x00')
  expect(printable('a\r\n\tb\u2028c')).toBe('a b c')
  expect(printable('\u202egnp.exe\u200b')).toBe('\\u{202e}gnp.exe\\u{200b}')
  expect(printable('\u009b2J')).toBe('\\x9b2J')
  expect(printable('a\u00ad\u3164b\ufff9')).toBe('a\\xad\\u{3164}b\\u{fff9}')
  expect(printable('no\u{e0068}\u{e0069}')).toBe('no\\u{e0068}\\u{e0069}')
  expect(printable('x\u{e0101} 葛\u{e0101}')).toBe('x\\u{e0101} 葛\u{e0101}')
  const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
  expect(printable(england)).toBe(england)
  expect(printable(`${england}\u{e0069}`)).toBe(`${england}\\u{e0069}`)
  expect(printable('naïve 日本 👩‍💻')).toBe('naïve 日本 👩‍💻')
  expect(printableLines('a\n  b\u0000\n\n    \u2028c\r  d\n')).toBe('a\n  b\\x00\n\n     c d\n')
})

test('printable JSON is the same value without characters that control or reorder a terminal', () => {
  const value = { 'k\u009b': ['\u007f\u009b2J', '\u202etxt.exe', '\u2066x\u2069', '\u2028', 'ä 日 😀'] }
  const json = printableJson(JSON.stringify(value))
  expect(JSON.parse(json)).toEqual(value)
  const hidden = { k: ['a\u3164b', '\u115f', 'x\u034f', 'no\u{e0068}', 'x\u{e0101}'] }
  expect(JSON.parse(printableJson(JSON.stringify(hidden)))).toEqual(hidden)
  expect(printableJson(JSON.stringify(hidden))).toMatch(/^[ -~]*$/)
  expect(json).toContain('"\\u007f\\u009b2J","\\u202etxt.exe","\\u2066x\\u2069","\\u2028","ä 日 😀"')
})

test('any text fits any width once it is printable', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const shown = fitToWidth(printable(text), width)
      expect(textWidth(shown)).toBe(width)
      expect(shown).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test.each([
  ['abcdefghij', 0, 12, 'abcdefghij'],
  ['abcdefghijklmnopqrst', 3, 9, 'abcdefghi'],
  ['abcdefghijklmnopqrst', 12, 9, 'jklmnopqr'],
  ['日本語の長い文章です', 0, 9, '日本語の'],
  ['日本語の長い文章です', 6, 9, 'い文章で'],
  ['👨‍👩‍👧'.repeat(20), 8 * 10, 6, '👨‍👩‍👧'.repeat(3)],
  [`${'あ'.repeat(1e6)}gate`, 1e6, 12, 'ああgate'],
])('a part around a position takes at most the width: %#', (text, place, width, part) => {
  const { start, end } = partAround(text, place, width)
  expect(text.slice(start, end)).toBe(part)
  expect(textWidth(text.slice(start, end))).toBeLessThanOrEqual(width)
})

test('a part around any position contains it, splits no character, and fills the width', () => {
  const units = ['a', 'bcdefgh', 'ß', '“', '\u0301', '日', '가', 'カ', '\u3099', '！', 'ﾞ', '👩‍💻', '©', '\ufe0f']
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...units) }),
      fc.nat(),
      fc.integer({ min: 8, max: 20 }),
      (text, nth, width) => {
        const borders = [...new Intl.Segmenter().segment(text)].map(({ index }) => index)
        const place = borders[nth % borders.length] ?? 0
        const { start, end } = partAround(text, place, width)
        expect([...borders, text.length]).toEqual(expect.arrayContaining([start, end]))
        expect(start).toBeLessThanOrEqual(place)
        expect(end).toBeGreaterThanOrEqual(place)
        expect(textWidth(text.slice(start, end))).toBeLessThanOrEqual(width)
        const next = borders.find((border) => border > end) ?? text.length
        if (end < text.length) expect(textWidth(text.slice(start, next))).toBeGreaterThan(width)
      },
    ),
    { numRuns: 500 },
  )
})
