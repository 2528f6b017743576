import { describe, expect, test } from 'vitest'
import { hiddenWords } from '../../../src/search/entry-text.ts'

describe('hidden words', () => {
  test.each([
    ['two and three parts of a path', 'src/a/b.ts', ['a', 'src‿a', 'b', 'a‿b', 'src‿a‿b', 'b‿ts', 'a‿b‿ts']],
    ['two and three parts of a name', 'a_b_c', ['a', 'b', 'a‿b', 'c', 'b‿c', 'a‿b‿c']],
    ['pairs alone where signs of code stand between', 'a(b, c)', ['a', 'b', 'a‿b']],
    ['pairs of parts behind capitals', 'fooBar XMLHttpRequest', ['foobar', 'xmlhttp', 'httprequest', 'xmlhttprequest']],
    ['a code behind punctuation', 'error[E0308]:', ['e0308', 'error‿e0308']],
    ['a flag and what it is set to', '--no-sandbox=true', ['⁀⁀no', 'no‿sandbox', 'sandbox‿true']],
    ['a version behind a name', 'pkg@1.34.0', ['1', 'pkg‿1', '1‿34', 'pkg‿1‿34', '0', '34‿0', '1‿34‿0']],
    ['names with their signs', '.env C++ C# @scope $HOME', ['⁔env', 'c﹍', 'c﹏', '︳scope', '︴home']],
    ['pictures', 'done 🎉', ['‿1f389']],
  ])('are %s', (_, text, words) => {
    expect(hiddenWords(text)).toEqual(words)
  })

  test('are pairs of characters where a script has no blanks, and the last one', () => {
    expect(hiddenWords('検索する。')).toEqual(['検索', '索す', 'する', 'る'])
    expect(hiddenWords('ราคา')).toEqual(['รา', 'าค', 'คา', 'า'])
    expect(hiddenWords('ガ')).toEqual(['ガ'])
  })

  test.each(['plain words of prose', 'Word.', '(so)', '"said"', '1587'])('are none for `%s`', (text) => {
    expect(hiddenWords(text)).toEqual([])
  })

  test('come again in other paths, and are none for encoded data', () => {
    const many = Array.from({ length: 900 }, (_, index) => `src/render/pages/file${index}.ts`).join(' ')
    // Of each file five with its number; `src‿render`, `render‿pages` and both in a row stand for all.
    expect(hiddenWords(many)).toHaveLength(5 * 900 + 3)
    expect(hiddenWords('x'.repeat(3000)).join('').length).toBeLessThan(100)
  })
})
