import { toHtml } from 'hast-util-to-html'
import { describe, expect, it } from 'vitest'
import {
  literal,
  literalText,
  proseText,
  withoutControls,
  withoutControlsInMarkdown,
  withoutHidden,
} from '../../../src/render/visible-text.ts'

const html = (text: string) => toHtml({ type: 'root', children: literal(text) })

describe('literal text', () => {
  it.each([
    ['plain ASCII', 'let x = 1 < 2 && "a"'],
    ['tabs and newlines', 'a\tb\nc'],
    ['umlauts and Greek', 'Übergröße Ωμέγα'],
    ['Japanese and Korean', '検索語が全角のとき 안녕하세요'],
    ['Arabic and Hebrew letters', 'مرحبا שלום'],
    ['box drawing', '┌─┐ │█▒░'],
    ['emoji with joiners', '👩‍💻 🏳️‍🌈 👨🏽‍🚀'],
  ])('keeps %s as one text', (_name, text) => {
    expect(literal(text)).toEqual([{ type: 'text', value: text }])
  })

  it('returns nothing for an empty text', () => {
    expect(literal('')).toEqual([])
  })

  it.each([
    ['a right-to-left override', 'a\u202Eb', 'U+202E'],
    ['an isolate', 'a\u2066b', 'U+2066'],
    ['a zero-width space', 'a\u200Bb', 'U+200B'],
    ['a joiner between letters', 'a\u200Db', 'U+200D'],
    ['a soft hyphen', 'a\u00ADb', 'U+00AD'],
    ['a byte order mark', '\uFEFFb', 'U+FEFF'],
    ['a tag character', 'a\u{E0041}b', 'U+E0041'],
    ['a line separator', 'a\u2028b', 'U+2028'],
    ['an escape', 'a\u001Bb', '␛'],
    ['a NUL', 'a\0b', '␀'],
    ['a delete', 'a\u007Fb', '␡'],
    ['a C1 control', 'a\u0085b', 'U+0085'],
  ])('shows %s by its name', (_name, text, shown) => {
    expect(html(text)).toContain(`<span class="ctl">${shown}</span>`)
  })

  it('keeps the text between special characters', () => {
    expect(html('ab\u202Ecd\u202Cef')).toBe('ab<span class="ctl">U+202E</span>cd<span class="ctl">U+202C</span>ef')
  })
})

describe('one character many times in a row', () => {
  it.each([
    ['a NUL', '\0', '␀'],
    ['a zero-width space', '\u200B', 'U+200B'],
    ['a tag', '\u{E0041}', 'U+E0041'],
  ])('is shown once with its number: %s', (_name, character, name) => {
    expect(html(`a${character.repeat(4096)}b`)).toBe(`a<span class="ctl">${name} × 4,096</span>b`)
    expect(withoutControls(`a${character.repeat(4096)}b`)).toBe(`a[${name} × 4,096]b`)
    expect(withoutControlsInMarkdown(`a${character.repeat(9)}b`)).toBe(`a‹${name} × 9›b`)
    expect(html(character.repeat(8)).match(/class="ctl"/g)).toHaveLength(8)
    expect(withoutHidden(`a${character.repeat(9)}b`)).toBe('ab')
  })

  it('is distinguished from a different character next to it', () => {
    expect(html(`\0${'\u0001'.repeat(10)}\0`).replace(/<.*?>/g, '|')).toBe('|␀||␁ × 10||␀|')
  })
})

describe('text without controls', () => {
  it('shows what HTML cannot contain and keeps everything else', () => {
    expect(withoutControls('a\0b\u001Bc\td\ne\u007F')).toBe('a␀b␛c\td\ne␡')
  })
})

describe('a flag of a region', () => {
  const flag = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'

  it('stays a flag', () => {
    expect(html(flag)).toBe(flag)
    expect(withoutControls(flag)).toBe(flag)
    expect(literalText(flag)).toBe(flag)
    expect(withoutHidden(flag)).toBe(flag)
  })

  it.each([
    ['without a black flag', flag.slice(2), 6],
    ['that is too long', `\u{1F3F4}${'\u{E0061}'.repeat(7)}\u{E007F}`, 8],
    ['without an end', '\u{1F3F4}\u{E0067}\u{E0062}', 2],
  ])('is not recognised %s', (_name, text, count) => {
    expect(html(text).match(/class="ctl"/g)).toHaveLength(count)
  })
})

describe('variation selectors', () => {
  it.each(['葛\u{E0100}城', '\u{20BB7}\u{E0101}', '❤\uFE0F', '1\uFE0F\u20E3'])(
    'stay if they vary a character: %s',
    (text) => {
      expect(literal(text)).toEqual([{ type: 'text', value: text }])
    },
  )

  it.each([
    ['after a letter', 'a\u{E0100}', 1],
    ['in a row', `😀\uFE0F${'\uFE01'.repeat(5)}`, 5],
    ['in a row after a character with a selector', `葛${'\u{E0100}'.repeat(4)}`, 3],
  ])('are shown %s, because they can hide a message', (_name, text, count) => {
    expect(html(text).match(/class="ctl"/g)).toHaveLength(count)
  })
})

describe('prose', () => {
  it('shows what reorders and hides, and keeps what scripts need', () => {
    const needed = 'می\u200Cخواهم \u200Eabc\u200F soft\u00ADhyphen क\u094D\u200Dष'
    expect(proseText(needed)).toEqual([{ type: 'text', value: needed }])
    const shown = toHtml({ type: 'root', children: proseText('a\u202Eb\u2066c\u200Bd\u{E0061}') })
    expect(shown.replace(/<span class="ctl">(.*?)<\/span>/g, '{$1}')).toBe('a{U+202E}b{U+2066}c{U+200B}d{U+E0061}')
  })
})

describe('titles and attributes', () => {
  it('name what reorders or hides in brackets', () => {
    expect(withoutControls('a\u202Egnp.exe \u2067\u{E0001}\u{E0061}')).toBe(
      'a[U+202E]gnp.exe [U+2067][U+E0001][U+E0061]',
    )
  })

  it('of a path or a command name every special character', () => {
    expect(literalText('a\u200Cb\u00ADc\u3164d\u202Ee')).toBe('a[U+200C]b[U+00AD]c[U+3164]d[U+202E]e')
    expect(withoutControls('a\u200Cb\u00ADc')).toBe('a\u200Cb\u00ADc')
  })

  it('are searched without hidden characters', () => {
    expect(withoutHidden('zero\u200Bwidth \u202Eabc\u{E0061}')).toBe('zerowidth abc')
  })
})
