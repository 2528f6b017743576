import { describe, expect, test } from 'vitest'
import { searchOf } from '../../../src/redact/known/search.ts'
import { spellingsOf } from '../../../src/redact/known/spellings.ts'
import type { KnownValues } from '../../../src/redact/known/values.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { isKnowable } from '../../../src/redact/session-values.ts'
import { sourceSearch } from '../../../src/redact/source-search.ts'
import { noise } from '../../helpers/planted.ts'

const value = (seed: number): string => `${noise(seed, 7)}x4Q${noise(seed + 1, 7)}`
const valuesOf = (...values: string[]): KnownValues =>
  new Map(values.map((known) => [known, { rule: 'named-secret', rank: 1 }]))
const origin = { rule: 'named-secret', before: 'DB_PASSWORD=' }
const [one, two] = [value(1), value(3)]

describe('a known value is replaced', () => {
  const odd = `${one}"&<\\é %`
  test.each([
    ['as it is', one, `x${one}y`],
    ['in JSON', odd, JSON.stringify({ text: odd })],
    ['in JSON in JSON', odd, JSON.stringify(JSON.stringify({ text: odd }))],
    ['percent-encoded', odd, `?q=${encodeURIComponent(odd)}&r=1`],
    ['as a form sends it', odd, `q=${encodeURIComponent(odd).replaceAll('%20', '+')}`],
    ['in base64', one, Buffer.from(one).toString('base64')],
    ['in base64 behind a name', one, Buffer.from(`svc:${one}`).toString('base64')],
    ['in lowercase', one, one.toLowerCase()],
    ['in capitals', one, one.toUpperCase()],
    ['in hexadecimal digits', one, `abc${Buffer.from(one).toString('hex')}def`],
    ['in hexadecimal digits in capitals', one, Buffer.from(one).toString('hex').toUpperCase()],
    ['in base64 of UTF-16', one, Buffer.from(`-p ${one} now`, 'utf16le').toString('base64')],
    ['over two lines', one, `x ${one.slice(0, 9)}\n${one.slice(9)} y`],
    ['over two lines of a box', one, `│ Use ${one.slice(0, 9)} │\n│ ${one.slice(9)}     │`],
    ['over two lines with a backslash', one, `login ${one.slice(0, 9)}\\\n  ${one.slice(9)}`],
    ['in two literals', one, `"${one.slice(0, 10)}" +\n  "${one.slice(10)}"`],
    ['with a bold end', one, `${one.slice(0, 8)}**${one.slice(8)}**`],
    ['in base64url in the middle', one, Buffer.from(`user=${one}&b=1`).toString('base64url')],
  ])('%s', (_name, known, text) => {
    const own = redactor(undefined, valuesOf(known))
    const shown = own.text(text)
    expect(shown).toContain('[redacted:named-secret]')
    expect(searchOf(valuesOf(known)).find(shown)).toEqual([])
  })

  test('from its first eight characters on if a text is cut there, and not in words', () => {
    const own = redactor(undefined, valuesOf(one, 'production-x4Q9zK'))
    expect(own.text(`Use ${one.slice(0, 9)}`)).toBe('Use [redacted:named-secret]')
    expect(own.text(`Use ${one.slice(0, 9)}… now`)).toBe('Use [redacted:named-secret]… now')
    expect(own.text(`Use ${one.slice(0, 9)} now`)).toBe(`Use ${one.slice(0, 9)} now`)
    expect(own.text('Deploy to production')).toBe('Deploy to production')
  })

  test.each([
    ['after the mark of a cut', `…${one.slice(-9)} now`, '…[redacted:named-secret] now'],
    ['after three dots', `{"id":"...${one.slice(-9)}"}`, '{"id":"...[redacted:named-secret]"}'],
    ['after stars', `********${one.slice(-9)}`, '********[redacted:named-secret]'],
    [
      'after omitted lines',
      `[... omitted 2 of 9 lines ...]\n\n${one.slice(-9)}\nx`,
      /\n\n\[redacted:named-secret\]\nx$/,
    ],
    ['at the beginning of a text', `${one.slice(-9)}\nDone`, '[redacted:named-secret]\nDone'],
    [
      'on both sides of a cut',
      `${one.slice(0, 8)}…${one.slice(-8)}`,
      '[redacted:named-secret]…[redacted:named-secret]',
    ],
    ['before stars', `${one.slice(0, 8)}****`, '[redacted:named-secret]****'],
  ])('if only its end is left: %s', (_name, text, expected) => {
    expect(redactor(undefined, valuesOf(one)).text(text)).toMatch(expected)
    expect(sourceSearch(valuesOf(one)).mayHold(Buffer.from(JSON.stringify({ text })))).toBe(true)
  })

  test('if only its end is left and no four characters of it are plain', () => {
    const signs = 'pass)bf]4Q(gaE{haU'
    const text = `It ends with …${signs.slice(3)}, and`
    expect(redactor(undefined, valuesOf(signs)).text(text)).toBe('It ends with …[redacted:named-secret], and')
    expect(sourceSearch(valuesOf(signs)).mayHold(Buffer.from(text))).toBe(true)
  })

  test.each([
    ['an end that no cut precedes', `Use ${one.slice(-9)} now`],
    ['an end of seven characters', `…${one.slice(-7)}`],
    ['another text after a cut', `…${one.slice(-12, -1)}`],
    ['words after a cut', '…production'],
  ])('but not %s', (_name, text) => {
    expect(redactor(undefined, valuesOf(one, 'x4Q9zK-production')).text(text)).toBe(text)
  })

  test('as the longest value that fits', () => {
    const own = redactor(undefined, valuesOf(one, `${one}-and-${two}`, one.slice(0, 12)))
    expect(own.text(`${one}-and-${two} ${one} ${one.slice(0, 12)}!`)).toBe(
      '[redacted:named-secret] [redacted:named-secret#2] [redacted:named-secret#3]!',
    )
  })
})

test('what a rule finds keeps the name of that rule', () => {
  const token = ['gh', 'p_', noise(9, 36)].join('')
  const own = redactor(undefined, valuesOf(token))
  expect(own.text(`${token} ${one}`)).toBe(`[redacted:github-token] ${one}`)
})

test('many values that begin alike are searched for in bounded time', () => {
  const values = Array.from({ length: 5000 }, (_, index) => `AAAA${String(index).padStart(6, '0')}x${noise(index, 6)}`)
  const search = searchOf(valuesOf(...values))
  const text = `${'AAAA00'.repeat(20_000)}${values[4321]}`
  expect(search.find(text).map(({ value: found }) => found)).toEqual([values[4321]])
})

test.each([
  ['dots', '.'.repeat(200_000)],
  ['stars', '*'.repeat(200_000)],
  ['cuts', '…x4Q9zK'.repeat(30_000)],
  ['short lines', 'AAAA0000\n'.repeat(20_000)],
  ['literals', `"AAAA0000" + `.repeat(20_000)],
])('ends and parts of many values are searched for in bounded time in %s', (_name, text) => {
  const values = Array.from({ length: 5000 }, (_, index) => `AAAA0000${noise(index, 6)}x4Q9zKab`)
  expect(searchOf(valuesOf(...values)).find(text)).toEqual([])
})

test.each([
  'postgres',
  'admin',
  'production-database',
  'correct horse battery staple',
  'src/redact/Token2Provider.tsx',
  'getUserTokenFromRequestHeader',
  'Base64Encoder',
  'tool-3.15.0a5-linux-x64',
  'https://example.org/a1B2c3',
  '/srv/a1B2c3D4e5',
  '2026-03-14T09:00:00',
  'aB3dE5gH7',
  '$ARGUMENT_1x9',
  '<your-token-1>',
  'sha256:0a1b2c3d4e5f60718293',
])('%s is never used as a known value', (text) => {
  expect(isKnowable(text, { rule: 'named-secret', before: 'key: ' })).toBe(false)
})

test.each(['0a1b2c3d4e5f60718293a4b5c6d7e8f901234567', '0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9'])(
  '%s is a known value only after a name that says so',
  (text) => {
    expect(isKnowable(text, { rule: 'named-secret', before: 'cache key: ' })).toBe(false)
    expect(isKnowable(text, { rule: 'named-secret', before: 'HEROKU_API_KEY=' })).toBe(true)
  },
)

test.each([one, '0a1b2c3d4e5f60718293a4b5c6d7e8f9', 'hunter2-s3cret', 'aB3;dE5gH7jK9m', 'Kx9!blue,Tiger42'])(
  '%s is a known value after the name of a password',
  (text) => {
    expect(isKnowable(text, origin)).toBe(true)
  },
)

test('the bytes of a line show if it contains a value in any encoding, or its beginning', () => {
  const odd = `${one}"&<\\é %`
  const search = sourceSearch(valuesOf(odd))
  for (const text of [...spellingsOf(odd), `cut ${odd.slice(0, 9)}`]) {
    expect(search.mayHold(Buffer.from(JSON.stringify({ text })))).toBe(true)
    expect(search.mayHold(Buffer.from(JSON.stringify({ text: JSON.stringify({ text }) })))).toBe(true)
  }
  expect(search.mayHold(Buffer.from(JSON.stringify({ text: `${two} and words` })))).toBe(false)
})

test.each([
  ['a colour', '\u001B[01;31m\u001B[K'],
  ['a colour without its escape character', '[0m'],
  ['a tag', '<b class="hit">'],
  ['the end of a line', '\n'],
  ['the end of a line on Windows', '\r\n'],
  ['an invisible character', '\u200B'],
  ['a mark of a changed word', '{+'],
])('the bytes of a line show a value with %s in it, wherever that is', (_name, sign) => {
  const value = 'we-use-Dragon48213!'
  const search = sourceSearch(valuesOf(value))
  for (let place = 1; place < value.length; place++) {
    const text = `with ${value.slice(0, place)}${sign}${value.slice(place)} in it`
    expect(search.mayHold(Buffer.from(JSON.stringify({ text }))), text).toBe(true)
  }
})

describe('a value whose longest part is a word is found', () => {
  const known = 'pass)["\'`\\]]{0,2}[:=>]{1,6}$/i'
  const search = sourceSearch(valuesOf(known))
  const line = (text: string): Buffer => Buffer.from(JSON.stringify({ text }))
  const coded = (write: (code: number) => string): string =>
    known.replace(/[^\w]/g, (sign) => write(sign.charCodeAt(0)))
  test.each([
    ['as it is', known],
    ['in JSON', JSON.stringify(known)],
    ['in JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify(known)))],
    ['in JSON of a writer that escapes more', coded((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
    ['in a script', coded((code) => `\\x${code.toString(16)}`)],
    ['with the code points of a script', coded((code) => `\\u{${code.toString(16)}}`)],
    ['in a shell', coded((code) => `\\${String.fromCharCode(code)}`)],
    ['in octal digits', coded((code) => `\\${code.toString(8).padStart(3, '0')}`)],
    ['in an address', coded((code) => `%${code.toString(16)}`)],
    ['in XML', coded((code) => `&#${code};`)],
    ['as a sum of texts', `'${known.slice(0, 4)}' +\n  '${known.slice(4, 6)}' + '${known.slice(6)}'`],
    ['up to its ninth character', known.slice(0, 9)],
  ])('%s', (_name, text) => {
    expect(search.mayHold(line(text))).toBe(true)
    expect(search.mayHold(Buffer.from(`${' '.repeat((1 << 20) - 12)}${JSON.stringify(text)}`))).toBe(true)
  })

  test('wherever the borders of pieces are', () => {
    const own = sourceSearch(valuesOf('4/tulipsandroses/9Kq'))
    const tag = (length: number): string => `<b class=${'x'.repeat(length - 10)}>`
    // As far as a search looks around the part that is not escaped.
    const [before, after] = [`4/${tag(128)}${tag(127)}`, `${tag(128)}${tag(128)}/9Kq`]
    const text = `${before}tulipsandroses${after}`
    expect(own.mayHold(text)).toBe(true)
    for (let offset = 0; offset <= 640; offset += 8) {
      const line = `${' '.repeat((1 << 20) - before.length + offset)}${text}${' '.repeat(1024)}`
      expect(own.mayHold(line), `${offset}`).toBe(true)
    }
  })

  test.each(['The tests pass.', 'pass', 'pass(["x"])', 'passwords, [pass]', 'pass;)['])('but not in %j', (text) => {
    expect(search.mayHold(line(text))).toBe(false)
    expect(search.mayHold(JSON.stringify({ text }))).toBe(false)
  })

  test('in any language', () => {
    const other = 'Läufer)x4Q9zK[2'
    for (const text of [other, JSON.stringify(other).replace('ä', '\\u00e4')])
      expect(sourceSearch(valuesOf(other)).mayHold(line(text))).toBe(true)
  })

  test.each([
    ['words of a language without spaces', '很较干API世感受却关', '很 较 API 世 感 受'],
    ['repeated digits', 'abcdefghi/111111(', `abcdefghi/${'1'.repeat(80)}`],
    ['quotes', 'abcdefghi""""(', `abcdefghi${'"'.repeat(300)}`],
    ['quotes before it', '("""""abcdefghi', `${'"'.repeat(300)}abcdefghi`],
    ['letters of other scripts before it', '(abcdefghi', `(${'ä'.repeat(120)}zabcdefghi`],
    ['escapes before it', '("abcdefghi', `(${'\\\\u0022'.repeat(40)}zabcdefghi`],
    ['invisible characters before it', '(abcdefghi', `(${'\\\\u200b\\u200b'.repeat(20)}zabcdefghi`],
    ['tags before it', '(abcdefghi', `(${'<b>'.repeat(60)}zabcdefghi`],
    ['colours before it', '(abcdefghi', `(${'\\u001B[0m'.repeat(20)}zabcdefghi`],
  ])('in bounded time if there are %s', (_name, value, text) => {
    expect(typeof sourceSearch(valuesOf(value)).mayHold(line(text.repeat(3000)))).toBe('boolean')
  })
})

describe('a value whose longest part is a server name', () => {
  const known = '[flush](https://server.example/renderer/b1ebd0)'
  const search = sourceSearch(valuesOf(known))
  const holds = (text: string): boolean => search.mayHold(Buffer.from(JSON.stringify({ text })))

  test.each([
    known,
    `cut ${known.slice(0, -2)}`,
    known.replaceAll('/', '%2F'),
    known.replaceAll('/', '%252f'),
    known.replaceAll('/', '&#x2f;'),
    known.replaceAll('/', '\\/'),
    known.replaceAll('/', '\\u002f'),
    known.replace('renderer', 'ren\u001B[31mderer'),
    known.replace('renderer', 'ren<b>derer'),
    known.replace('renderer', 'renderer\n'),
    known.replace('renderer', '{+renderer+}'),
    known.replace('b1eb', `b1' + 'eb`),
  ])('is found in %j', (text) => {
    expect(holds(text)).toBe(true)
    expect(holds(JSON.stringify({ text }))).toBe(true)
  })

  test.each([
    '[flush](https://server.example/renderer/ec2022)',
    'https://server.example/rendering',
    'server.example/r',
  ])('is not found in another address of that server: %j', (text) => {
    expect(holds(text)).toBe(false)
  })

  test.each(['%', '&', '<', '[', '^'])('is found if it contains %j and that is encoded again and again', (sign) => {
    const value = `server.example/ab${sign}ba/b1ebd0`
    const own = sourceSearch(valuesOf(value))
    const encoders = [encodeURIComponent, (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]
    for (const encode of encoders) {
      const texts = [encode(value), encode(encode(value)), encode(encode(encode(value)))]
      for (const text of texts) expect(own.mayHold(JSON.stringify({ text })), text).toBe(true)
    }
  })
})
