/** Texts made to be slow: in quadratic time none of these would end before the time limit. */
import { expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { isInTable, tablesIn } from '../../../src/redact/personal/columns.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const length = 60_000
/** A token behind a text: the search has not ended before it. */
const token = ['gh', 'p_', noise(9, 36)].join('')

test.each([
  'Cookie: a=',
  `${'='.repeat(500)} is the token `,
  `keys ${'a1B'.repeat(60)}, `,
  'for t in ',
  'PC\\\\ada',
  'ada@box ',
  'password=',
  'password: "',
  'password="a\\',
  'key,',
  'token|',
  'https://a?t=',
  'map $a_key $b {',
  'map $a_key $b { "aB3dE5gHaB3dE5gHx" 1;',
  'https://a/api/push/',
  'ntfy pub -a b ',
  'password=a\\\n',
  '"password", ',
  'name="password" value=',
  'password:\n  ',
  'api_key: |\n  a\n',
  'password|b\n',
  '+password: |\n',
  '+password:\n+    ',
  '7:password: a\n',
  'a/b-7-password:\n',
  'password=a"\n',
  'password  b\n',
  'INSERT (password) VALUES (',
  ' kty: "d":"aB3dE5gH1aB3dE5gH2x" ',
  '{ kty:d:"aB3dE5gHaB3dE5gHx",',
  'curl ',
  'curl -u ',
  'access-tokens=',
  '_session=',
  'c2tfbGl2ZV9hMlY1',
  "echo 'a",
  '密码：',
  'API密钥是',
  'パスワードは',
  '://a:',
  'Z2hwX',
  '6768705f',
  ['gh', 'p_aB3dE5gH\n| '].join(''),
  '%5F',
  '00000000  67 68 70 5f\n',
  'x\b',
  "'a', ",
  "'ab' + ",
  '"a',
  `''`,
  '"   ',
  "'a'.concat(",
  '103, ',
  '103, 7, ',
  '0x67, ',
  ' 6a ',
  ':6a:zz',
  'chr(103).',
  '\\147',
  'WjJod1',
  'ZXlK',
  'Recovery codes: abc7defg ',
  'The key you a b c is ',
  'Authorization: Bearer style="PRIVATE KEY-----',
  'PRIVATE KEY abcd: x ',
  'npx --ab --cd ',
  'echo abcdef | docker exec --ab --cd ',
  'cat --ab --cd ',
  'The key is “,(',
  '█   █',
  '█ ███ █       ',
  '█ ███ █       █ ███ █\n',
  '██  ██████  ██  ',
  '\x1B[40m  \x1B[47m  \x1B[40m      \x1B[47m  \x1B[40m  \x1B[47m  ',
  'apiKeys=["a',
  'tokens: {a: `',
  'passwords:\n  a: b\n',
  '[secrets]\n',
  "curl -d '",
  'INSERT (password) VALUES (a, ',
  'Das Passwort für a ',
  '"value": "abcdefgh", "type": "secret", ',
  'echo abcdef | npx -y docker exec -i ',
  'login: a / ',
  'token = <<EOT\n',
  'Credentials("a", ',
  `${['AK', 'IA', noise(1, 16, 'ABCDEFGH234567')].join('')} `,
])('%j repeated many times is searched in bounded time, and so is what follows', (piece) => {
  const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
  const found = findSecrets(`${text}\n\n${token}\n`)
  const [start, end] = [length + 2, length + 2 + token.length]
  expect(found.filter((secret) => secret.start <= start && end <= secret.end)).toHaveLength(1)
})

test('a long line of spaces where an item of a list may be is searched in bounded time', () => {
  expect(findSecrets(`tokens:\n${' '.repeat(length)}\n  ${' '.repeat(length)}x y`)).toEqual([])
})

test('tens of thousands of tokens, each of which frees the next one, are all redacted', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => ['AI', 'za', noise(index, 35)].join(''))
  const text = redactor().text(keys.join('/'))
  for (const key of keys) expect(text.includes(key)).toBe(false)
})

test('a long line below a heading is searched in bounded time for each name in it', () => {
  const text = `USER PID LOGIN\nada 1 ada\n${'ada  '.repeat(400_000)}`
  const tables = tablesIn(text)
  let found = 0
  for (let at = text.indexOf('ada'); at !== -1; at = text.indexOf('ada', at + 3))
    if (isInTable(text, at, at + 3, tables)) found++
  expect(found).toBe(4)
})

test('a line of nothing but headings is examined once', () => {
  expect(tablesIn('USER '.repeat(1_000_000))).toEqual([])
  expect(tablesIn('USER PID LOGIN\nada 1 ada\n\n')).toMatchObject([
    {
      columns: [
        [0, 4],
        [9, 14],
      ],
    },
  ])
})
