/** What a person typed reads in every output as it was typed. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { loadEngine } from '../../src/render/transcript/engines-fs.ts'
import { type Engine, referenceEngine } from '../../src/render/transcript/prose/engine.ts'
import { portableBody } from '../../src/render/transcript/prose/portable.ts'
import { readTyped, typedWords } from '../../src/render/transcript/prose/typed.ts'
import { typedSearchText } from '../../src/search/entry-text.ts'
import { aliveIn, renderers } from '../helpers/markdown-renderers.ts'
import { context, items } from '../helpers/render.ts'
import { linesOf, shownText } from '../helpers/shown-text.ts'
import { user } from '../helpers/tree.ts'

const engines: Engine[] = []
beforeAll(async () => {
  engines.push(await loadEngine(), referenceEngine)
})

/** What Markdown, GitHub and renderers of formulas may act on, and what people type. No backtick, no address. */
const piece = fc.constantFrom(
  ...[
    '#',
    '## ',
    '1. ',
    '2) ',
    '- ',
    '+ ',
    '* ',
    '> ',
    '>',
    '_',
    '__',
    '*',
    '**',
    '~',
    '~~',
    '~~~',
    '---',
    '===',
    '***',
  ],
  ...[
    '<b>',
    '</b>',
    '<!-- ',
    '-->',
    '<tag attr="x">',
    '<',
    '&amp;',
    '&lt;',
    '&#42;',
    '&',
    '[',
    ']',
    '(',
    ')',
    '](',
    ']: ',
  ],
  ...[
    '![',
    '[^1]',
    '[^1]: ',
    '[x] ',
    '[ ] ',
    '|',
    '| - |',
    '|---|---|',
    ':--',
    '\\',
    '\\\\',
    '\\*',
    '\\_',
    '\\[',
    '{',
    '}',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\n\n\n',
    ' ',
    '  ',
    '    ',
    '\t',
    'word',
    'two words',
    'a',
    'b',
    '1',
    '10',
    ',',
    '.',
    ':',
  ],
  ...[
    'snake_case_name',
    '__init__',
    'src/**/*.ts',
    '~/x',
    '$HOME',
    '$',
    '%',
    '@',
    '"',
    "'",
    '!',
    '?',
    ';',
    '=',
    '-',
    '/',
  ],
  ...['é', '検索', '한국어', '“', '”', '。', '\u3000', '\u00A0', '🙂', 'C:\\Users\\x', '^', 'www', 'ftp', 'mailto:'],
)
const typed = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
const anything = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replaceAll('`', "'"))

/** No address, no formula, and not only whitespace; those have tests of their own. */
const isPlain = (text: string): boolean =>
  !/:\/\/|\$\$|\\[([]/.test(text) && text.trim() !== '' && text === text.replace(/[\0-\x08\x0B-\x1F\x7F]/g, '')

const promptOf = (html: string): string => /<div class="prose"[^>]*>(.*?)<\/div>/s.exec(html)?.[1] ?? ''
const page = (text: string): string => promptOf(items([user(text)], context()))
const trimmed = (text: string): string => text.replace(/[^\S\n]+$/gm, '').replace(/^\n+|\n+$/g, '')

it('a typed text is on the page letter by letter and line by line, with at most bold from Markdown', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(typed, anything).filter(isPlain), async (text) => {
      const { text: shown, tags } = await shownText(page(text))
      expect(trimmed(shown)).toBe(trimmed(text))
      expect([...tags].filter((tag) => tag !== 'p' && tag !== 'strong')).toEqual([])
    }),
    { numRuns: 300 },
  )
})

it('a typed text has the same lines in its Markdown for marked, markdown-it, CommonMark and GitHub', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(typed, anything).filter(isPlain), async (text) => {
      for (const engine of engines) {
        const twin = portableBody(text, { id: 'l7', engine, typed: true })
        expect(twin).toBeDefined()
        for (const { name, render } of renderers) {
          const { lines, tags } = await shownText(render(twin ?? ''))
          expect(lines, `${name}: ${twin}`).toEqual(linesOf(text))
          for (const tag of tags) expect(['p', 'br', 'pre', 'code', 'a'], name).toContain(tag)
        }
        expect(aliveIn(twin ?? '')).toEqual([])
      }
    }),
    { numRuns: 300 },
  )
})

const withCode = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: piece },
      fc.constantFrom(
        '`',
        '`x`',
        '``',
        '\n```\n',
        '\n```ts\n',
        'https://x.org',
        'https://x.org/a_b',
        'http://a.b/[c]*?d=(e)&lt;',
        '\uD800',
      ),
    ),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''))

it('a typed text with code and addresses has the same words in its Markdown, rarely fenced whole', async () => {
  let [all, fenced] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      withCode.filter((text) => text.trim() !== '' && !/\$\$|\\[([]/.test(text)),
      async (text) => {
        const [engine = referenceEngine] = engines
        const twin = portableBody(text, { id: 'l7', engine, typed: true })
        all++
        // A lone surrogate would read back as another character, so such a text is fenced as a whole.
        if (/\p{Surrogate}/u.test(text)) expect(twin).toBeUndefined()
        else if (twin === undefined) fenced++
        for (const { name, render } of renderers) {
          if (twin === undefined) break
          const { lines } = await shownText(render(twin))
          const words = linesOf(typedWords(readTyped(text.trim()))).join(' ')
          // An indented block keeps its backticks, because it is a fence there.
          expect(lines.join(' ').replaceAll('`', ''), `${name}: ${twin}`).toBe(words.replaceAll('`', ''))
        }
        expect(aliveIn(twin ?? '')).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
  // One in two thousand: code that contains the beginning of a comment cannot be escaped.
  expect(fenced).toBeLessThan(all / 50)
})

it('the search finds a typed text as it was typed', () => {
  fc.assert(
    fc.property(
      typed.filter((text) => isPlain(text) && !text.includes('~^~')),
      (text) => {
        expect(linesOf(typedSearchText(text)).join(' ')).toBe(linesOf(text).join(' '))
      },
    ),
  )
})

it('the code in a typed line is what the Markdown tokenizer finds, even if it is read without that', () => {
  const line = fc.array(
    fc.constantFrom('`', '``', '```', 'a', ' ', '\t', '\\', '*', '&amp;', '<b>', '[', '](x)', 'é'),
    {
      maxLength: 12,
    },
  )
  fc.assert(
    fc.property(line, (pieces) => {
      const text = `x ${pieces.join('')} y`
      const codes = (typed: string): string[] =>
        readTyped(typed).flatMap((block) =>
          block.kind === 'paragraph'
            ? block.parts.filter(({ kind }) => kind === 'code').map(({ source }) => source)
            : [],
        )
      // An address sends the line to the tokenizer.
      expect(codes(text)).toEqual(codes(`${text} https://example.com/`))
    }),
    { numRuns: 500 },
  )
})
