import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const { distance, formsOf, othersOf } = await import(`${templatesFolder}assets/search/words.js`)

const known = [
  'certificates',
  'certify',
  'voucher',
  'vouch',
  'harbour',
  'hint',
  'hinge',
  'begrüßung',
  'söhne',
  'türschloss',
  'große',
]

describe('a word that is not in the index', () => {
  test.each([
    ['has a letter too few', 'certifcates', 'certificates'],
    ['has a letter too many', 'voucherr', 'voucher'],
    ['has a wrong letter', 'hinje', 'hinge'],
    ['has two letters swapped', 'harbuor', 'harbour'],
    ['has its first letters swapped', 'vuocher', 'voucher'],
    ['begins with another letter', 'dinge', 'hinge'],
    ['lacks its diacritics', 'begrussung', 'begrüßung'],
    ['has two letters for one', 'soehne', 'söhne'],
    ['has two letters for one, or lacks a diacritic', 'grosse', 'große'],
  ])('is corrected if it %s', (_, typed, meant) => {
    expect(othersOf(typed, known).words).toEqual([meant])
  })

  test.each([
    ['the second part of a compound', 'schloss', 'türschloss'],
    ['the end of a Korean word', '고모', '마고모고'],
  ])('is searched for within words: %s', (_, typed, holding) => {
    expect(othersOf(typed, [...known, '마고모고'])).toEqual({ words: [holding], isInside: true })
  })

  test('is corrected to all words with the fewest differences, up to a limit', () => {
    expect(othersOf('gatess', ['gases', 'gates', 'gateas']).words).toEqual(['gates', 'gateas'])
    expect(
      othersOf(
        'gate',
        Array.from({ length: 40 }, (_, index) => `gat${index}`),
      ).words.length,
    ).toBeLessThan(15)
  })

  test('is corrected first to the word with the same letters, if several differ equally', () => {
    expect(othersOf('openpai', ['openai', 'openapi']).words).toEqual(['openapi'])
    expect(othersOf('haess', ['hess', 'has', 'haes']).words).toEqual(['haes', 'hess'])
  })

  test.each([
    ['it is too short', 'gat', ['gap', 'got']],
    ['too much differs', 'readme', ['read', 'reader']],
  ])('is not corrected if %s', (_, typed, words) => {
    expect(othersOf(typed, words).words).toEqual([])
  })

  test('has other forms among the words of the index', () => {
    const words = ['measure', 'measures', 'measured', 'meas', 'stop', 'stops', 'leap']
    expect(formsOf('measuring', words)).toEqual(['measure', 'measures', 'measured'])
    expect(formsOf('stopping', words)).toEqual(['stop', 'stops'])
    expect(formsOf('the', ['th', 'there'])).toEqual([])
  })
})

test.each([
  ['gate', 'gate', 0],
  ['gate', 'gates', 1],
  ['gate', 'gaet', 1],
  ['gate', 'hate', 1],
  ['gate', 'late night', 3],
  ['', 'ab', 2],
])('distance of `%s` and `%s` is %i, with a limit of two', (one, other, steps) => {
  expect(distance(one, other, 2)).toBe(steps)
  expect(distance(other, one, 2)).toBe(steps)
})
