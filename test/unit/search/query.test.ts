import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/render/templates-fs.ts'
import { hiddenWords } from '../../../src/search/entry-text.ts'

const { answers, readQuery } = await import(`${templatesFolder}assets/search-query.js`)

describe('a query', () => {
  test.each([
    ['words in small letters', 'Mend  the Gate', 'mend the gate'],
    ['each word once', 'gate gate', 'gate'],
    ['identifiers as they are', 'foo_bar fooBar', 'foo_bar foobar'],
    ['paths and files without their punctuation', 'src/a/b.ts b.ts', 'srcabts bts'],
    ['flags', '--no-sandbox=true', 'nosandboxtrue'],
    ['letters with marks', 'Begru\u0308ßung', 'begrüßung'],
    ['pairs of unspaced characters', '検索する', '検索 索す する'],
    ['a single character', '索', '索'],
    ['both kinds in one word', '検索API', '検索 api'],
    ['a phrase', '"mend the gate"', '"mend the gate"'],
    ['a phrase that is still being typed', '"mend the', '"mend the"'],
    ['the words where a phrase stands beside others', 'mend "the gate"', 'mend the gate'],
    ['nothing where there is no letter', ' -- "" … ', ''],
  ])('is %s', (_, text, term) => {
    expect(readQuery(text).term).toBe(term)
  })

  test('of unspaced characters in quotes is looked for by its pairs, and then read', () => {
    expect(readQuery('"文章を検索"')).toMatchObject({
      term: '文章 章を を検 検索',
      phrases: ['文章を検索'],
      check: true,
    })
    expect(readQuery('"mend it"').check).toBe(false)
  })

  test.each([
    ['mend "the gate"', ['the gate'], true],
    ['"the gate" mend "tomorrow morning', ['the gate', 'tomorrow morning'], true],
    ['mend "" the gate', [], false],
  ])('holds its phrases, which are read where other words stand beside them: %s', (text, phrases, check) => {
    expect(readQuery(text)).toMatchObject({ phrases, check })
  })

  test('asks for pairs that the index holds, whatever run it is a part of', () => {
    const known = new Set(hiddenWords('日本語の文章を検索する。'))
    for (const part of ['日本語', '文章', '検索する', '語の文章を検索']) {
      expect(readQuery(part).words.filter((word: string) => !known.has(word))).toEqual([])
    }
  })
})

test('a word is answered by one that begins like it, or differs in its ending alone', () => {
  expect(answers('certificates,', 'certificate')).toBe(true)
  expect(answers('certificate', 'certificates')).toBe(true)
  expect(answers('run', 'running')).toBe(true)
  expect(answers('ruins', 'running')).toBe(false)
  expect(answers('hello', 'helloween')).toBe(false)
  expect(answers('gate', 'gat')).toBe(true)
  expect(answers('ga', 'gate')).toBe(false)
})
