/** Secrets in boxes, wide columns and tables of data frames, and in texts that code appends, as tools lay them out. */
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const token = noise(81, 32)
const long = noise(82, 60)
const frame = (name: string, type: string, value: string): string =>
  `┌─────┬──────┐\n│ id  ┆ ${name} │\n│ --- ┆ --- │\n│ i64 ┆ ${type} │\n╞═════╪══════╡\n│ 1   ┆ ${value} │\n└─────┴──────┘`
const boxed = (...lines: string[]): string => lines.map((line) => `│ ${line.padEnd(48)} │\n`).join('')

test.each([
  ['a wide column', `ID   NAME   TOKEN                              AGE\n1    ada    ${token}   3d`, token],
  ['a data frame', frame('api_token', 'str', token), token],
  ['a box below its label', boxed('API Key', token), token],
  ['a box, over two lines', boxed(`secret: ${long.slice(0, 40)}`, long.slice(40)), long.slice(40)],
  ['a sum of Lua', `local secret = "${long.slice(0, 30)}" .. "${long.slice(30)}"`, long.slice(30)],
  ['an assignment that appends', `SECRET+="${token}"`, token],
  ['an assignment of PHP that appends', `$secret .= '${token}';`, token],
])('a secret in %s is redacted', (_what, text, secret) => {
  expect(redactor().text(text)).not.toContain(secret)
})

test('only the secret of a data frame is redacted, not its borders', () => {
  expect(redactor().text(frame('api_token', 'str', token))).toBe(frame('api_token', 'str', '[redacted:named-secret]'))
})

test.each([
  'ID   NAME   TOKEN                              AGE\n1    ada    default                            3d',
  'KEY                                  VALUE\nmax_connections                       100',
  frame('password_set', 'bool', 'true'),
  frame('token', 'str', 'running'),
  boxed('API Key', 'not configured'),
  boxed('Password', 'Forgot?'),
  boxed('Key', 'Ctrl+Shift+P'),
  boxed('secret', 'src/components/Secret.tsx'),
  boxed('Token usage', '12,345 total'),
  boxed('commit key', noise(83, 40, '0123456789abcdef')),
  'password_field = "pass" .. "word"',
  'local token = "Bearer " .. token',
  ...['key += chunk', 'token += text[i]', 'secret += getSecret()', 'KEYS+=("$key")', 'total_tokens += usage.total'],
])('nothing is redacted in %j', (text) => {
  expect(findSecrets(text)).toEqual([])
})
