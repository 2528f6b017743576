/** Tokens that code puts together: from literals none of which is a token, from bytes, from what was encoded twice. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const token = ['gh', 'p_', noise(31, 36)].join('')
const mark = '[redacted:github-token]'
const redacted = (text: string): string => redactor().text(text)
const piecesOf = (text: string, length: number): string[] => text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []

/** How languages join literals: what is before the first, between them and after the last. */
const joined: readonly [name: string, before: string, between: string, after: string][] = [
  ['list of JavaScript', "['", "', '", "'].join('')"],
  ['list over lines', '[\n  "', '",\n  "', '",\n].join("")'],
  ['calls that append', "'", "'.concat('", "')"],
  ['arguments of one call', '"".concat("', '", "', '")'],
  ['join of Python', '"".join(["', '", "', '"])'],
  ['neighbours of Python and C', 'x = (\n    "', '"\n    "', '"\n)'],
  ['neighbours of a shell', "x='", "''", "'"],
  ['sum with its signs at the ends of lines', "'", "' +\n  '", "'"],
  ['sum with its signs at the beginnings of lines', "'", "'\n  + '", "'"],
  ['dots of PHP', "'", "' . '", "';"],
  ['bars of SQL', "select '", "' || '", "'"],
  ['dots of Lua', '"', '" .. "', '"'],
  ['signs of Haskell', '"', '" ++ "', '"'],
  ['macro of Rust', 'concat!("', '", "', '")'],
  ['slice of Go', 'strings.Join([]string{"', '", "', '"}, "")'],
  ['builder of Java', 'new StringBuilder().append("', '").append("', '")'],
  ['operator of PowerShell', "('", "','", "') -join ''"],
  ['statements', "x = '", "'\nx += '", "'"],
  ['template', "`${'", "'}${'", "'}`"],
  ['bytes of Python', "x = b'", "' b'", "'"],
  ['parts that are joined elsewhere', '{"parts": ["', '", "', '"]}'],
]

describe.each([1, 2, 4, 7, 20])('literals of %d characters each', (length) => {
  test.each(joined)('are read as one text: %s', (_, before, between, after) => {
    const text = `${before}${piecesOf(token, length).join(between)}${after} done`
    expect(redacted(text)).toBe(`${before}${mark}${after} done`)
    expect(redacted(JSON.stringify({ text }))).toBe(JSON.stringify({ text: `${before}${mark}${after} done` }))
  })
})

test('literals are joined in lines of a diff or a listing, and if a title cuts them off', () => {
  const pieces = piecesOf(token, 7)
  const list = `const x = [\n  '${pieces.join("',\n  '")}',\n].join('')`
  const sum = `const x = '${pieces.join("' +\n  '")}'`
  for (const text of [list, sum])
    for (const head of ['+', '-', '> ', '12: ']) expect(redacted(text.replaceAll(/^/gm, head))).not.toContain(pieces[2])
  expect(redacted(`see ['${pieces.slice(0, 4).join("', '")}'…`)).toBe(`see ['${mark}'…`)
  expect(redacted(`+  "${token}",\n+  "4f2a9c7e",`)).toBe(`+  "${mark}",\n+  "4f2a9c7e",`)
})

test('a password from a list of literals is redacted as one value', () => {
  const [first, second] = [noise(33, 9), `${noise(34, 8)}4#`]
  expect(redacted(`const password = ['${first}', '${second}'].join('')`)).toBe(
    "const password = ['[redacted:named-secret]'].join('')",
  )
  expect(redacted(`const password = '${first}'.concat('${second}')`)).toBe(
    "const password = '[redacted:named-secret]')",
  )
  expect(redacted(`password = "".join(["${first}", "${second}"])`)).toBe(
    'password = "".join(["[redacted:named-secret]"])',
  )
})

test('what follows a complete token in a list is another value', () => {
  expect(redacted(`["--key", "${token}", "verbose", "4f2a9c7e"]`)).toBe(`["--key", "${mark}", "verbose", "4f2a9c7e"]`)
  expect(redacted(`send('${token.slice(0, 9)}' + '${token.slice(9)}', 'POST', '4f2a9c7e')`)).toBe(
    `send('${mark}', 'POST', '4f2a9c7e')`,
  )
  expect(redacted(`run "${token}" "4f2a9c7e"`)).toBe(`run "${mark}" "4f2a9c7e"`)
  expect(redacted(`{"a": "${token}", "next": "b"}`)).toBe(`{"a": "${mark}", "next": "b"}`)
})

test.each([
  "['npm_', 'config_registry', 'lifecycle_event', 'package_name', 'execution_path'].join('')",
  "const heads = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'xoxb-', 'sk-', 'AKIA']",
  '["sk-XXXXXXXXXXXXXXXXXXXXXXXX", "sk-YYYYYYYYYYYYYYYYYYYYYYYY", "xoxb-xxxxxxxx", "xoxb-12345-abcd234"]',
  '"--prefix" "task-" "--to" "the-quick-brown-fox-jumps-over-the-lazy-dog"',
])('other literals are not redacted: %s', (text) => {
  expect(findSecrets(text)).toEqual([])
})

const bytes = [...Buffer.from(token)]
const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
const written: readonly [name: string, text: string][] = [
  ['numbers', bytes.join(', ')],
  ['numbers without spaces', bytes.join(',')],
  ['numbers, a line each', bytes.join(',\n  ')],
  ['numbers of Rust', bytes.map((byte) => `${byte}u8`).join(', ')],
  ['hexadecimal numbers', hex.map((pair) => `0x${pair}`).join(', ')],
  ['capital hexadecimal numbers', hex.map((pair) => `0x${pair.toUpperCase()}`).join(',')],
  ['digits of a buffer', hex.join(' ')],
  ['digits with colons', hex.join(':')],
  ['digits with dashes', hex.join('-').toUpperCase()],
  ['calls', bytes.map((byte) => `chr(${byte})`).join('.')],
]

test.each(written)('bytes are read as the text that they encode: %s', (_, text) => {
  expect(redacted(`x = <${text}> done`)).toMatch(/^x = <\[redacted:github-token\]\)?> done$/)
})

const escapes: readonly [name: string, of: (byte: number) => string][] = [
  ['octal', (byte) => `\\${byte.toString(8)}`],
  ['octal of echo', (byte) => `\\0${byte.toString(8)}`],
  ['braces of Perl', (byte) => `\\x{${byte.toString(16)}}`],
  ['eight digits', (byte) => `\\U000000${byte.toString(16)}`],
  ['style sheet', (byte) => `\\0000${byte.toString(16)}`],
]

test.each(escapes)('escaped characters are read: %s', (_, of) => {
  expect(redacted(`printf "${bytes.map(of).join('')}"`)).toBe(`printf "${mark}"`)
})

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test.each([
  ['a token', token],
  ['an object', JSON.stringify({ password: `${noise(35, 12)}4#` })],
  ['an assignment', `export API_TOKEN=${noise(36, 24)}7`],
])('what was encoded twice is decoded twice: %s', (_, text) => {
  const twice = base64(base64(text))
  expect(redacted(`echo ${twice} | base64 -d | base64 -d`)).toMatch(/^echo \[redacted:[a-z-]+\] \| base64/)
})

test('bytes that encode no secret are not redacted', () => {
  const harmless = [...Buffer.from('The quick brown fox jumps over the lazy dog')].join(', ')
  expect(findSecrets(`[${harmless}]`)).toEqual([])
  expect(findSecrets(`fingerprint ${hex.map((_, index) => noise(index, 2, '0123456789abcdef')).join(':')}`)).toEqual([])
})
