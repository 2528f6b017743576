/** The bytes of a rollout never seem to lack what its text contains. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytePatterns } from '../../src/features/terminal-search/byte-patterns.ts'
import { dropFound } from '../../src/features/terminal-search/bytes.ts'
import { parseQuery } from '../../src/features/terminal-search/query.ts'
import { bufferSource } from '../../src/rollout/read/source.ts'
import { stripAnsi } from '../../src/util/printable.ts'

const piece = fc.constantFrom(
  ...[
    'a',
    'Word',
    'É',
    'e\u0301',
    'ß',
    'ö',
    '検索',
    '한국어',
    '🙂',
    '"',
    '\\',
    '/',
    '\n',
    '\t',
    ' ',
    '-',
    "'",
    '‑',
    '’',
    '.',
    '~',
    '$',
    '<',
    '&',
  ],
)
const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))

/** Writers of JSON: with and without escapes, and JSON inside JSON. */
const writers: ((value: string) => string)[] = [
  (value) => JSON.stringify({ value }),
  (value) => JSON.stringify({ value: JSON.stringify({ value }) }),
  (value) => escaped(JSON.stringify({ value })),
  (value) => JSON.stringify({ value: escaped(JSON.stringify({ value })) }),
  (value) => JSON.stringify({ value }).replaceAll('/', '\\/'),
]

function escaped(json: string): string {
  return json.replace(/[^\x20-\x7E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)
}

it('a word in a text is found in its bytes, whoever wrote them', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.constantFrom(...writers),
      fc.boolean(),
      (before, word, after, write, isTypeset) => {
        if (word.trim() === '' || word.includes('"')) return
        const query = parseQuery([`"${word}"`])
        const printed = isTypeset ? word.replaceAll('-', '‑').replaceAll("'", '’') : word
        const whole = before + (word.length % 2 === 0 ? printed.toUpperCase() : printed) + after
        if (!query.all.flat().some(({ pattern }) => whole.normalize().search(pattern) !== -1)) return
        const open = new Set(bytePatterns(query, []))
        dropFound(bufferSource(Buffer.from(write(whole))), open)
        expect([...open]).toEqual([])
      },
    ),
    { numRuns: 2000 },
  )
})

it('a rare character of a word gives the same result as the whole expression', () => {
  const part = fc.constantFrom(
    ...['f', 'F', 'i', 's', 'h', 'fi', 'ish', 'K', 'é', '\\', '*', '~', '\x80', ' ', '![', '](to f)'],
    ...['\\u000b', '\\u001b[0m', '\\u001b[1;3f', '\\u001b[1h', '\\u001b[31~', `\\u001b[${'1;'.repeat(20)}f`],
    ...['\\u001b]8;;f\\u0007', '\\u001b]8;;f\\u001b\\\\'],
  )
  const parts = fc.array(part, { minLength: 1, maxLength: 40 }).map((all) => all.join(''))
  fc.assert(
    fc.property(
      parts,
      fc.constantFrom('fish', 'fi', 'khfish', 'isfhi', 'f', 'fé', 'ishf', 'éif', 'if', 'efish OR hif'),
      (bytes, asked) => {
        const [pattern] = bytePatterns(parseQuery([asked]), [])
        const plain = pattern && { ...pattern, anchors: undefined }
        const found = [pattern, plain].map((one) => {
          const open = new Set(one === undefined ? [] : [one])
          dropFound(bufferSource(Buffer.from(bytes)), open)
          return open.size === 0
        })
        expect(found[0]).toBe(found[1])
      },
    ),
    { numRuns: 3000 },
  )
})

it('a word across the border of two pieces is found', () => {
  for (let before = (1 << 16) - 8; before < (1 << 16) + 3; before++) {
    const open = new Set(bytePatterns(parseQuery(['needle']), []))
    dropFound(bufferSource(Buffer.from(`${'x'.repeat(before)}NEEDLE`)), open)
    expect(open.size).toBe(0)
  }
})

it.each(['needle', 'er\u001b[31mror', 'er\u001b]8;;x\u0007ror', 'er\u0085ror', 'er\u0001ror'])(
  '%j is found without its control characters',
  (text) => {
    for (const write of writers) {
      const open = new Set(bytePatterns(parseQuery([stripAnsi(text)]), []))
      dropFound(bufferSource(Buffer.from(write(text))), open)
      expect(open.size).toBe(0)
    }
  },
)

it.each(['\\'.repeat(60_000), '\\u001b]z'.repeat(8000), '\\u001b[0;'.repeat(6000), 'z\\u001bP'.repeat(8000)])(
  'text that resembles escape sequences is searched in bounded time: %.12s…',
  (text) => {
    const open = new Set(bytePatterns(parseQuery(['zzzzzzzzz1']), []))
    dropFound(bufferSource(Buffer.from(`zzz${text}zzz`.repeat(2))), open)
    expect(open.size).toBe(1)
  },
)

it('a word that is missing is not found', () => {
  const open = new Set(bytePatterns(parseQuery(['needle', 'Nadel']), []))
  dropFound(bufferSource(Buffer.from('a needle')), open)
  expect(open.size).toBe(1)
})
