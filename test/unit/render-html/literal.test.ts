import { toHtml } from 'hast-util-to-html'
import { describe, expect, it } from 'vitest'
import { literal, withoutControls } from '../../../src/render/literal.ts'

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

  it('gives nothing for an empty text', () => {
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

  it('keeps what stands between odd characters', () => {
    expect(html('ab\u202Ecd\u202Cef')).toBe('ab<span class="ctl">U+202E</span>cd<span class="ctl">U+202C</span>ef')
  })
})

describe('text without controls', () => {
  it('shows what HTML cannot carry and keeps the rest', () => {
    expect(withoutControls('a\0b\u001Bc\td\ne\u007F')).toBe('a␀b␛c\td\ne␡')
  })
})
