import { describe, expect, test } from 'vitest'
import { hiddenWords } from '../../../src/search/entry-text.ts'

describe('hidden words', () => {
  test.each([
    ['ends of a path, but its last plain part, which the index knows', 'src/a/b.ts', ['a/b.ts', 'b.ts']],
    ['ends of an identifier with more than two parts', 'a_b_c', ['b_c']],
    ['parts behind capitals', 'fooBar XMLHttpRequest', ['Bar', 'HttpRequest', 'Request']],
    ['a code behind punctuation', 'error[E0308]:', ['E0308']],
    ['what a flag is set to', '--no-sandbox=true', ['no-sandbox=true', 'sandbox=true']],
    ['the path of a Windows file', 'C:\\x\\main.rs', ['x\\main.rs', 'main.rs']],
    ['parts of an address', 'https://example.org/a', ['example.org/a', 'org/a']],
  ])('are %s', (_, text, words) => {
    expect(hiddenWords(text)).toEqual(words)
  })

  test('are pairs of characters where a script has no blanks, and the last one', () => {
    expect(hiddenWords('検索する。')).toEqual(['検索', '索す', 'する', 'る'])
    expect(hiddenWords('ราคา')).toEqual(['รา', 'าค', 'คา', 'า'])
    expect(hiddenWords('ガ')).toEqual(['ガ'])
  })

  test.each(['plain words of prose', 'well-known and/or', "it's", '--flag', 'foo_bar', '12:30', 'Word.'])(
    'are none for `%s`',
    (text) => {
      expect(hiddenWords(text)).toEqual([])
    },
  )

  test('are few for a long path, none for encoded data', () => {
    const path = Array.from({ length: 30 }, (_, index) => `folder${index}`).join('/')
    expect(hiddenWords(path.slice(0, 150)).length).toBeLessThanOrEqual(8)
    expect(hiddenWords('aB3'.repeat(100))).toEqual([])
    expect(hiddenWords(Array.from({ length: 900 }, (_, index) => `x${index}/y${index}`).join(' ')).length).toBeLessThan(
      210,
    )
  })
})
