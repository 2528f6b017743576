import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/render/templates-fs.ts'

const { corrected, distance } = await import(`${templatesFolder}assets/search-correct.js`)

/** An index of pages with one word each, found by their beginnings; tells what it was asked. */
function indexOf(...words: string[]) {
  const asked: string[] = []
  const ask = async (term: string) => {
    asked.push(term)
    return words
      .filter((word) =>
        word
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]/gu, '')
          .startsWith(term),
      )
      .map((word) => ({ words: [0], page: async () => ({ content: word, meta: { title: '' } }) }))
  }
  return { ask, asked }
}

const correct = (word: string, ...words: string[]): Promise<string | undefined> =>
  corrected(word, indexOf(...words).ask)

describe('a word that stands nowhere', () => {
  test.each([
    ['lacks a letter', 'certifcates', 'certificates'],
    ['has one too many', 'voucherr', 'voucher'],
    ['has another one', 'hinje', 'hinge'],
    ['has two swapped', 'harbuor', 'harbour'],
    ['has two swapped at its beginning', 'vuocher', 'voucher'],
    ['is written without its marks', 'begrussung', 'begrüßung'],
  ])('is taken for one that %s', async (_, typed, meant) => {
    expect(await correct(typed, meant, 'certify', 'vouch', 'harp', 'hint')).toBe(meant)
  })

  test('is taken for the one that differs least', async () => {
    expect(await correct('gatess', 'gases', 'gates', 'gate')).toBe('gates')
  })

  test.each([
    ['it is short and another word', 'gat', ['gap', 'got']],
    ['too much differs', 'readme', ['read', 'reader']],
    ['nothing begins like it', 'zebra', ['gate']],
  ])('is left alone where %s', async (_, typed, words) => {
    expect(await correct(typed, ...words)).toBeUndefined()
  })

  test('is the longest known end of a path, while that is a path still', async () => {
    const path = '/home/sam/code/shop/src/voucher.ts'
    expect(await correct(path, 'src/voucher.ts', 'voucher.ts')).toBe('srcvoucherts')
    expect(await correct(path, 'voucher.ts', 'ts')).toBe('voucherts')
    expect(await correct('package.json', 'json')).toBeUndefined()
  })

  test('asks the index a few times only', async () => {
    const { ask, asked } = indexOf('gate')
    await corrected('internationalisation', ask)
    await corrected(Array.from({ length: 40 }, (_, index) => `part${index}`).join('/'), ask)
    expect(asked.length).toBeLessThan(30)
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
