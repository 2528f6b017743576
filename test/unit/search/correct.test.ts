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

describe('a word that stands nowhere', () => {
  test.each([
    ['lacks a letter', 'certifcates', 'certificates'],
    ['has one too many', 'voucherr', 'voucher'],
    ['has another one', 'hinje', 'hinge'],
    ['has two swapped', 'harbuor', 'harbour'],
    ['has two swapped in front', 'vuocher', 'voucher'],
    ['begins with another letter', 'dinge', 'hinge'],
    ['is written without its marks', 'begrussung', 'begrüßung'],
    ['has two letters for one', 'soehne', 'söhne'],
    ['has two letters for the one and no mark on the other', 'grosse', 'große'],
  ])('is taken for one where it %s', (_, typed, meant) => {
    expect(othersOf(typed, known).words).toEqual([meant])
  })

  test.each([
    ['the second part of a compound', 'schloss', 'türschloss'],
    ['the end of a Korean word', '고모', '마고모고'],
  ])('is looked for inside of words: %s', (_, typed, holding) => {
    expect(othersOf(typed, [...known, '마고모고'])).toEqual({ words: [holding], isInside: true })
  })

  test('is taken for all that differ least, a few at most', () => {
    expect(othersOf('gatess', ['gases', 'gates', 'gateas']).words).toEqual(['gates', 'gateas'])
    expect(
      othersOf(
        'gate',
        Array.from({ length: 40 }, (_, index) => `gat${index}`),
      ).words.length,
    ).toBeLessThan(15)
  })

  test('is taken for the one with the same letters among those that differ as little', () => {
    expect(othersOf('openpai', ['openai', 'openapi']).words).toEqual(['openapi'])
    expect(othersOf('haess', ['hess', 'has', 'haes']).words).toEqual(['haes', 'hess'])
  })

  test.each([
    ['it is short and another word', 'gat', ['gap', 'got']],
    ['too much differs', 'readme', ['read', 'reader']],
  ])('is left alone where %s', (_, typed, words) => {
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
])('between `%s` and `%s` are %i steps, counted to two', (one, other, steps) => {
  expect(distance(one, other, 2)).toBe(steps)
  expect(distance(other, one, 2)).toBe(steps)
})
