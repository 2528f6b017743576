import { describe, expect, test } from 'vitest'
import { hiddenWords } from '../../../src/search/entry-text.ts'

describe('hidden words', () => {
  test.each([
    ['two and three parts of a path', 'src/a/b.ts', ['a', 'src‿a', 'b', 'a‿b', 'src‿a‿b', 'b‿ts', 'a‿b‿ts']],
    ['two and three parts of a name', 'a_b_c', ['a', 'b', 'a‿b', 'c', 'b‿c', 'a‿b‿c']],
    ['only pairs if code characters separate the parts', 'a(b, c)', ['a', 'b', 'a‿b']],
    ['pairs of parts before capitals', 'fooBar XMLHttpRequest', ['foobar', 'xmlhttp', 'httprequest', 'xmlhttprequest']],
    ['a code after punctuation', 'error[E0308]:', ['e0308', 'error‿e0308']],
    ['a flag and its value', '--no-sandbox=true', ['⁀⁀no', 'no‿sandbox', 'sandbox‿true']],
    ['a version after a name', 'pkg@1.34.0', ['1', 'pkg‿1', '1‿34', 'pkg‿1‿34', '0', '34‿0', '1‿34‿0']],
    ['names with their special characters', '.env C++ C# @scope $HOME', ['⁔env', 'c﹍', 'c﹏', '︳scope', '︴home']],
    ['emoji', 'done 🎉', ['‿1f389']],
  ])('are %s', (_, text, words) => {
    expect(hiddenWords(text)).toEqual(words)
  })

  test('are pairs of characters in a script without spaces, and the last character', () => {
    expect(hiddenWords('検索する。')).toEqual(['検索', '索す', 'する', 'る'])
    expect(hiddenWords('ราคา')).toEqual(['รา', 'าค', 'คา', 'า'])
    expect(hiddenWords('ガ')).toEqual(['ガ'])
  })

  test.each(['plain words of prose', 'Word.', '(so)', '"said"', '1587'])('are none for `%s`', (text) => {
    expect(hiddenWords(text)).toEqual([])
  })

  test('are repeated for other paths, but there are none for encoded data', () => {
    const many = Array.from({ length: 900 }, (_, index) => `src/render/pages/file${index}.ts`).join(' ')
    // Five for each file with its number; `src‿render`, `render‿pages` and both in a row are shared.
    expect(hiddenWords(many)).toHaveLength(5 * 900 + 3)
    expect(hiddenWords('x'.repeat(3000)).join('').length).toBeLessThan(100)
  })
})
