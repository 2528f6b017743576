import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadHighlight } from '../../../src/render/transcript/engines-fs.ts'
import {
  type Highlight,
  languageOfPath,
  languageOfTag,
  languages,
  tokenLines,
} from '../../../src/render/transcript/highlight.ts'

let highlight: Highlight

beforeAll(async () => {
  highlight = await loadHighlight()
})

/** Tokens as texts: `hk:const` if they have a kind. */
const tokensOf = (code: string, language: string) =>
  highlight(code, language)?.map(({ text, kind }) => (kind === undefined ? text : `${kind}:${text}`))

describe('the highlighter', () => {
  it.each([
    ['typescript', 'const a: Gate = 1', ['hk:const', ' ', 'ha:a', ': ', 'ht:Gate', ' = ', 'hn:1']],
    ['python', '# why\ndef f(): pass', ['hc:# why', '\n', 'hk:def', ' ', 'hf:f', '(): ', 'hk:pass']],
    ['json', '{"a": "b"}', ['{', 'ha:"a"', ': ', 'hs:"b"', '}']],
    ['diff', '+a\n-b', ['hi:+a', '\n', 'hx:-b']],
    ['dockerfile', 'FROM scratch', ['hk:FROM', ' scratch']],
  ])('recognises the parts of %s', (language, code, parts) => {
    expect(tokensOf(code, language)).toEqual(parts)
  })

  it('highlights code in a template string as code', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code is about one
    expect(tokensOf('`a ${b} c`', 'typescript')).toEqual(['hs:`a ', '${b}', 'hs: c`'])
  })

  it('colours styles and scripts within markup', () => {
    expect(tokensOf('<style>a{color:red}</style>', 'xml')).toContain('ha:color')
  })

  it('has a grammar for each language of the table', () => {
    for (const language of languages) expect([language, highlight('x', language)]).not.toEqual([language, undefined])
  })

  it.each(['', 'klingon', 'constructor', '__proto__'])('knows no language `%s`', (language) => {
    expect(highlight('x', language)).toBeUndefined()
  })

  it('keeps every character of any text in every language', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '<',
      '>',
      '/*',
      '*/',
      '//',
      '#',
      '{',
      '}',
      '\n',
      '\r',
      '\t',
      'a1',
      ' ',
      'é',
      '😀',
    )
    const code = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(code, fc.constantFrom(...languages), (text, language) => {
        expect(
          highlight(text, language)
            ?.map((token) => token.text)
            .join(''),
        ).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the language', () => {
  it.each([
    ['src/a.ts', 'typescript'],
    ['A.TSX', 'typescript'],
    ['C:\\work\\gate.py', 'python'],
    ['pkg/Cargo.toml', 'ini'],
    ['Makefile', 'makefile'],
    ['deploy/Dockerfile.test', 'dockerfile'],
    ['.bashrc', 'bash'],
    ['a.b/notes', undefined],
    ['photo.png', undefined],
    ['', undefined],
    ['x.constructor', undefined],
  ])('of the file `%s` is %s', (path, language) => {
    expect(languageOfPath(path)).toBe(language)
  })

  it.each([
    ['TS', 'typescript'],
    ['c++', 'cpp'],
    ['console', 'shell'],
    ['text', undefined],
  ])('of a fence tagged `%s` is %s', (tag, language) => {
    expect(languageOfTag(tag)).toBe(language)
  })
})

describe('tokens by line', () => {
  it('give each line its part of a token that spans several', () => {
    expect(tokenLines([{ text: 'a /* b\nc */ d\n', kind: 'hc' }, { text: '\ne' }])).toEqual([
      [{ text: 'a /* b', kind: 'hc' }],
      [{ text: 'c */ d', kind: 'hc' }],
      [],
      [{ text: 'e' }],
    ])
  })
})
