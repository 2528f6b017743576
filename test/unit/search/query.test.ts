import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'
import { withoutHidden } from '../../../src/render/visible-text.ts'
import { hiddenWords } from '../../../src/search/entry-text.ts'

const { kinds: kindsOfPlaces } = await import(`${templatesFolder}assets/search/grammar.js`)
const { isOfKind } = await import(`${templatesFolder}assets/search/places.js`)
const { folded, readQuery, spansOf, termOf, termsOf } = await import(`${templatesFolder}assets/search/query.js`)

interface Term {
  text: string
  field: string
  isWholeWord: boolean
  isSure: boolean
  terms: { text: string; isWholeWord: boolean }[]
}

/** Lists of terms; those that must match exactly begin with `+`, and those of a field with its name. */
const shape = (lists: Term[][]) =>
  lists.map((terms) =>
    terms
      .map(({ text, field, isWholeWord }) => `${isWholeWord ? '+' : ''}${field === 'text' ? '' : `${field}:`}${text}`)
      .join('|'),
  )

describe('a query', () => {
  test.each([
    ['words', 'Mend  the gate', ['Mend', 'the', 'gate']],
    ['a phrase', '"mend the gate"', ['+mend the gate']],
    ['a phrase that is still being typed', '"mend the', ['mend the']],
    ['a word as it is', '+gate "hinge"', ['+gate', '+hinge']],
    ['alternatives', 'gate OR hinge oil', ['gate|hinge', 'oil']],
    ['the word `OR` if it joins nothing', 'OR gate', ['OR', 'gate']],
    ['paths of edits and names of tools', 'file:gate.ts tool:"find it"', ['file:gate.ts', '+tool:find it']],
    ['flags', '--no-verify -x', ['--no-verify', '-x']],
    ['what only looks like an operator', 'https://a.b/c note:x', ['https://a.b/c', 'note:x']],
    ['a word without its invisible characters', 'ga\u202Ete', ['gate']],
    ['nothing if there is no letter', ' -- "" … ', []],
  ])('holds %s', (_, text, lists) => {
    expect(shape(readQuery(text).all)).toEqual(lists)
  })

  test.each([
    ['file:.md', 'md'],
    ['file:.env', 'env'],
    ['file:/src/gate.ts', 'src‿gate‿ts'],
    ['tool:@find', 'find'],
  ])('%s asks the index for a word without the character before it', (text, word) => {
    const all: Term[][] = readQuery(text).all
    expect(all.flat().flatMap(({ terms }) => terms.map((term) => term.text))).toEqual([word])
  })

  test('omits the same characters as the index', () => {
    const isIn = (character: string, read: (text: string) => string) => read(`ga${character}te`).includes(character)
    const asked = (text: string): string => shape(readQuery(text).all).join(' ')
    const codes = Array.from({ length: 0x10000 }, (_, code) => code)
    for (const code of codes.filter((one) => one < 0x100 || one >> 8 === 0x20 || one >> 8 >= 0xfe)) {
      const character = String.fromCharCode(code)
      // Quotes and whitespace belong to the query's syntax.
      if (/[\s"“”„]/.test(character) || isIn(character, withoutHidden) === isIn(character, asked)) continue
      expect.fail(`U+${code.toString(16)} is in one of both alone`)
    }
  })

  test('excludes words, unless there is nothing else', () => {
    expect(shape([readQuery('gate -hinge -"oil can"').none])).toEqual(['hinge|+oil can'])
    expect(shape(readQuery('-rf').all)).toEqual(['-rf'])
    expect(readQuery('-rf').none).toEqual([])
  })

  test('has filters and kinds under the same names as in the terminal', () => {
    const { filters, kinds } = readQuery(
      'gate project:shop -project:"two words" model:gpt-5 after:2026-03-01 before:7d is:failed kind:prompts kind:Search',
    )
    const wanted = (value: string) => ({ value, isExcluded: false })
    expect(filters).toEqual({
      project: [wanted('shop'), { value: 'two words', isExcluded: true }],
      ...{ model: [wanted('gpt-5')], after: [wanted('2026-03-01')], before: [wanted('7d')], is: [wanted('failed')] },
    })
    expect(kinds).toEqual(['prompt', 'search'])
    expect(readQuery('gate -kind:prompts').kinds).toContain('answer')
    expect(readQuery('gate -kind:prompts').kinds).not.toContain('prompt')
    expect(readQuery('gate kind:prompt kind:answer -kind:answer').kinds).toEqual(['prompt'])
    const none = readQuery('gate kind:answer -kind:answer').kinds
    expect(kindsOfPlaces.filter((kind: string) => isOfKind({ kind }, none))).toEqual([])
  })

  test('counts kinds that were chosen elsewhere as if they were typed', () => {
    expect(readQuery('gate kind:prompt', ['command']).kinds).toEqual(['command', 'prompt'])
    expect(readQuery('gate -kind:command', ['command', 'edit']).kinds).toEqual(['edit'])
    const none = readQuery('gate -kind:command', ['command']).kinds
    expect(kindsOfPlaces.filter((kind: string) => isOfKind({ kind }, none))).toEqual([])
  })
})

describe('words of the index', () => {
  test.each([
    ['a word', 'Gate,', ['gate']],
    ['two parts', 'src/a', ['src‿a']],
    ['three parts of a path in a row', 'src/a/b.ts', ['src‿a‿b', 'a‿b‿ts']],
    ['pairs of parts that no sign of a path joins', 'a.b(c)d/e', ['a‿b', 'b‿c', 'c‿d', 'd‿e']],
    ['parts of an identifier', 'doThing', ['dothing']],
    ['three parts of an identifier in a row', 'doTheThing', ['dothething']],
    ['the same in a path', 'src/tryDoTheThing.ts', ['src‿trydo', 'trydothe', 'dothething', 'thething‿ts']],
    [
      'pairs of parts that are too long for three in a row',
      `do${'The'.padEnd(58, 'x')}Thing`,
      [`do${'the'.padEnd(58, 'x')}`, `${'the'.padEnd(58, 'x')}thing`],
    ],
    ['parts that are too long for a pair', `img@sha256:${'0a1b2c3d'.repeat(8)}`, ['img‿sha256', '0a1b2c3d'.repeat(8)]],
    ['numbers', '0.11', ['0‿11']],
    ['a version, with its sign or without', 'pkg@v0.11.0', ['pkg‿0‿11', '0‿11‿0']],
    ['an address', '10.0.12.7:80/x', ['10‿0‿12', '0‿12‿7', '12‿7‿80', '7‿80‿x']],
    ['a flag, unlike an option of one letter', '--since', ['⁀⁀since']],
    ['a file that begins with a dot', '.env', ['⁔env']],
    ['a language', 'C++', ['c﹍']],
    ['another language', 'C#', ['c﹏']],
    ['an emoji', '🎉', ['‿1f389']],
    ['an emoji with a variation selector', '❤\u{fe0f}', ['‿2764']],
    ['the flag of a country', '🇩🇪', ['‿1f1e91f1ea']],
    ['pairs of characters, and the word next to them', '検索するAPI', ['検索', '索す', 'する', 'api']],
  ])('for %s', (_, typed, terms) => {
    expect(termsOf(typed)).toEqual(terms)
  })

  test.each([
    ['日本語の文章を検索する。', ['日本語', '検索する', '語の文章を検索']],
    ['see src/a/gateKeeper.ts:12, please', ['src/a/gateKeeper.ts', 'a/gateKeeper', 'gateKeeper.ts:12', 'Keeper.ts']],
    ['npm i pkg@1.34.0 --no-verify', ['1.34.0', 'pkg@1.34.0', '--no-verify', 'no-verify']],
    ['cp .env ~/x/.env.local; C++/C# $HOME', ['.env', '.env.local', 'C++', 'C#', '$HOME']],
    [
      'mail sam@example.com at https://example.org/a/b?c=1',
      ['sam@example.com', 'example.com', 'https://example.org/a/b', 'org/a'],
    ],
    [
      `pull img@sha256:${'0a1b2c3d'.repeat(8)}.tar now`,
      [`sha256:${'0a1b2c3d'.repeat(8)}`, `img@sha256:${'0a1b2c3d'.repeat(8)}`],
    ],
    ['in 019f6de1-d676-7c07-b3be-c19c8d719283', ['019f6de1-d676-7c07-b3be-c19c8d719283', 'c19c8d719283']],
    ['a.doTheThing(x) my_own_name', ['dothething', 'doTheThing', 'TheThing', 'own_name']],
  ])('of a part are hidden words of the whole: %s', (text, parts) => {
    const known = new Set(hiddenWords(text))
    const plain = /^\p{L}+$/u
    for (const part of parts)
      expect(
        termsOf(part).filter((word: string) => !known.has(word) && !(plain.test(word) && text.includes(part))),
      ).toEqual([])
  })

  test('next to a run without spaces, or to a character that does not split words, are hidden words', () => {
    expect(hiddenWords('検索するAPI')).toContain('api')
    for (const sign of '—–‑−…→×•’“”»`')
      expect(hiddenWords(`left${sign}right`)).toEqual(expect.arrayContaining(['left', 'right']))
    for (const text of ['“left/right”', '→left.right', '£left/right', '`left/right`'])
      expect(hiddenWords(text)).toEqual(expect.arrayContaining(['left', 'right']))
    for (const text of ['left/right', '“left', 'left”…', '—']) expect(hiddenWords(text)).not.toContain('left')
    expect(hiddenWords('第12章')).toContain('12')
    expect(hiddenWords('API')).not.toContain('api')
  })

  test('of one byte, or of letters and digits, are hidden words anywhere in a compound word', () => {
    expect(hiddenWords('a/left2 c3d/b')).toEqual(expect.arrayContaining(['a', 'left2', 'c3d', 'b']))
    expect(hiddenWords('a c3d')).toEqual([])
  })

  test('are not split in hexadecimal numbers, in upper or lower case', () => {
    for (const text of ['9F86D081', '3F2504E0-4F89-11D3', 'DEADBEEF/a1', '0XF2'])
      expect(termsOf(text)).toEqual(termsOf(text.toLowerCase()))
    expect(termsOf('BA1View')).toEqual(['ba1view'])
  })

  test('after digits are hidden words, unless they are part of a hexadecimal number', () => {
    expect(hiddenWords('at 60fps word2vec, and 16bitMode')).toEqual(expect.arrayContaining(['fps', 'vec', 'bit']))
    for (const text of ['019fade', '0xfeedbeef', '3d', '12ab'])
      expect(hiddenWords(text).filter((word: string) => /^\p{L}+$/u.test(word))).toEqual([])
  })
})

describe('a term asks the index', () => {
  test.each([
    ['for its word', 'gate', true, ['gate']],
    ['for all triples if there are few', 'src/gate/keeper.ts', true, ['src‿gate‿keeper', 'gate‿keeper‿ts']],
    ['and then the texts, if it has digits', 'gate2', false, ['gate2']],
    [
      'for the longest of many triples, the beginning last, and then the texts',
      'https://gate.example.com/mending/gates/in/a/meadow',
      false,
      [
        'example‿com‿mending',
        'https‿gate‿example',
        'com‿mending‿gates',
        'mending‿gates‿in',
        'gate‿example‿com',
        'gates‿in‿a',
        'in‿a‿meadow',
      ],
    ],
    [
      'for pairs of a long run, first some that do not overlap',
      '検索する文章の全体が',
      false,
      ['検索', 'する', '文章', 'の全', '索す', 'る文', '章の', '全体', '体が'],
    ],
  ])('%s', (_, text, isSure, terms) => {
    const term = termOf(text)
    expect(term.isSure).toBe(isSure)
    expect(term.terms.map(({ text: asked }: { text: string }) => asked)).toEqual(terms)
  })

  test('for the neighbouring words with the most letters of a long phrase', () => {
    expect(termOf('to see of what the gardeners were proud at all', { isWholeWord: true }).row).toBe(
      'the gardeners were proud',
    )
    expect(termOf('mend the gate', { isWholeWord: true }).row).toBe('mend the gate')
  })
})

describe('a text matches a term', () => {
  const marked = (text: string, term: Term): string[] =>
    spansOf(text, term).map(([from, to]: number[]) => text.slice(from, to))

  test.each([
    ['at the beginning of a word', 'Gate, gates, delegate', 'gate', ['Gate', 'gate']],
    ['at a part of a compound word', 'gardenGate garden_gate XMLGate', 'gate', ['Gate', 'gate', 'Gate']],
    ['with or without diacritics', 'Müller muller', 'muller', ['Müller', 'muller']],
    ['with combining diacritics', 'Mu\u0308ller Müller x\u0302', 'Müller', ['Mu\u0308ller', 'Müller']],
    ['with decomposed syllables', `문 ${'한글'.normalize('NFD')}`, '한글', ['한글'.normalize('NFD')]],
    ['after a variation selector', '⚠\u{fe0f}gate delegate', 'gate', ['gate']],
    ['with either separator of a path', 'src\\gate.ts', 'src/gate.ts', ['src\\gate.ts']],
    ['with exactly its digits', '1.34.0 1340 11.34.0', '1.34.0', ['1.34.0']],
    ['after the letter of a version', 'v1.34.0 rev1.34.0', '1.34.0', ['1.34.0']],
    ['with or without a variation selector', '❤ ❤\u{fe0f}', '❤\u{fe0f}', ['❤', '❤\u{fe0f}']],
    ['across whitespace', 'mend\nthe  gate', 'mend the gate', ['mend\nthe  gate']],
    ['with or without marks of code', 'run npm test, `npm test`', 'run `npm test`', ['run npm test']],
    ['within marks of code if these were typed', 'an error, an `error`', '`error`', ['error', '`error`']],
    ['within text without spaces', '文章を検索', '章を', ['章を']],
    ['after digits', '60gate v2gates gate2vec 16gateKeeper', 'gate', ['gate', 'gate', 'gate', 'gate']],
    [
      'with or without marks of bold text',
      'the hot gate, the **hot** gate',
      '**hot** gate',
      ['hot gate', '**hot** gate'],
    ],
    ['not before more digits, and not within a number', '7gate2gate 0xfadedface 12faded', 'faded', []],
  ])('%s', (_, text, typed, found) => {
    expect(marked(text, termOf(typed))).toEqual(found)
  })

  test('as a whole word if that is asked for', () => {
    expect(marked('gate gates gateKeeper', termOf('gate', { isWholeWord: true }))).toEqual(['gate', 'gate'])
  })

  test.each([
    ['GIT_DIR', 'git-dir git_dir git/dir', ['git_dir']],
    ['find-it', 'find_it find‑it', ['find‑it']],
    ['Müller', 'Muller müller Mu\u0308ller', ['müller', 'Mu\u0308ller']],
    ['muller', 'Müller', ['Müller']],
    ['a_b c', 'a-b c a_b  c', ['a_b  c']],
  ])('with exactly its punctuation and diacritics if asked for as a whole word: %s', (typed, text, found) => {
    expect(marked(text, termOf(typed, { isWholeWord: true }))).toEqual(found)
    expect(termOf(typed, { isWholeWord: true }).isSure).toBe(typed === 'muller')
  })
})

test('folded text has the same length', () => {
  expect(folded('Añb ß ö\u0308 한글 🎉')).toHaveLength('Añb ß ö\u0308 한글 🎉'.length)
})
