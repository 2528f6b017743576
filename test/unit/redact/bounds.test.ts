/**
 * Secrets beyond the stretch that readers usually look at: the last rows of long tables, items of long lists, values of
 * thousands of characters.
 */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise, planted } from '../../helpers/planted.ts'
import { piecesOf } from '../../helpers/secret-rows.ts'

const word = ['pass', 'word'].join('')
const rows = Array.from({ length: 300 }, (_, row) => `${noise(row + 7, 6)}9X${noise(row + 99, 6)}7q`)
const lined = (write: (value: string, row: number) => string): string => rows.map(write).join('\n')
const filler = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')

test.each([
  [
    'a file of comma-separated values',
    `id,user,${word},city\n${lined((value, row) => `${row},u${row},${value},Rome`)}\n`,
  ],
  ['a table of a database', ` id | ${word}\n----+-----\n${lined((value, row) => ` ${row} | ${value}`)}\n(300 rows)\n`],
  ['a table of Markdown', `| user | ${word} |\n|---|---|\n${lined((value, row) => `| u${row} | ${value} |`)}\n`],
  ['a table with one column', ` ${word}\n----------\n${lined((value) => ` ${value}`)}\n`],
  [
    'columns between spaces',
    `NAME     PASSWORD      CITY\n${lined((value, row) => `u${String(row).padEnd(6)}  ${value}    Rome`)}\n`,
  ],
  [
    'rows of `INSERT`',
    `INSERT INTO t (a, ${word}) VALUES\n${rows.map((value, row) => `('u${row}', '${value}')`).join(',\n')};`,
  ],
  [
    'rows of `INSERT` on one line',
    `INSERT INTO t (a, ${word}) VALUES ${rows.map((value, row) => `('u${row}', '${value}')`).join(', ')};`,
  ],
  ['rows of `COPY`', `COPY t (id, ${word}) FROM stdin;\n${lined((value, row) => `${row}\t${value}`)}\n\\.\n`],
  ['wide rows', `id,${word},about\n${lined((value, row) => `${row},${value},${'long words '.repeat(120)}`)}\n`],
  [
    'wide rows of `INSERT`',
    `INSERT INTO t (about, ${word}) VALUES ${rows
      .slice(0, 40)
      .map((value) => `('${'many words '.repeat(150)}', '${value}')`)
      .join(', ')};`,
  ],
  ['a list of JSON', `{"${word}s": [${rows.map((value) => `"${value}"`).join(', ')}]}`],
  ['a list of YAML', `${word}s:\n${lined((value) => `  - ${value}`)}\n`],
  ['lines for a command', `chpasswd <<EOF\n${lined((value, row) => `u${row}:${value}`)}\nEOF\n`],
  [
    'recovery codes',
    `Recovery codes:\n${lined((_, row) => `${noise(row, 4, 'abcdefgh')}2-3${noise(row + 900, 4, 'abcdefgh')}`)}\n`,
  ],
])('secrets are redacted to the end of %s', (_, text) => {
  const shown = redactor().text(text)
  const codes = text.match(/^[a-h]{4}2-3[a-h]{4}$/gm) ?? rows.filter((value) => text.includes(value))
  expect(codes.length).toBeGreaterThan(30)
  expect(codes.filter((value) => shown.includes(value))).toEqual([])
})

test.each([
  ['curl', `curl -sS ${filler(120, (index) => `-H 'X-Head-${index}: v'`)} -u admin:SECRET https://h.example.com/`],
  [
    'curl with data of several lines',
    `curl -X POST -d '{\n  "a": 1,\n  "b": 2\n}' -u admin:SECRET https://h.example.com/`,
  ],
  ['mysql with a long query', `mysql -e "${'select 1; '.repeat(300)}" -u root -pSECRET db`],
  ['mysql in a list', `["mysql", ${filler(60, (index) => `"--o${index}=v",`)} "-pSECRET", "db"]`],
  ['psql in the last of many lines', `psql <<EOF\n${'select 1;\n'.repeat(400)}ALTER USER ada PASSWORD 'SECRET';\nEOF`],
])('the password at the end of a long command is redacted: %s', (_, text) => {
  const [secret = ''] = rows
  expect(redactor().text(text.replace('SECRET', secret))).not.toContain(secret)
})

const lengths = [3000, 20_000, 200_000]
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

test.each(
  lengths.flatMap((length): [string, number, (value: string) => string][] => [
    ['a variable', length, (value) => `export SERVICE_SECRET=${value}\nnext`],
    ['a variable between quotes', length, (value) => `SERVICE_SECRET='${value}'`],
    ['a field of JSON', length, (value) => `{"client_secret": "${value}", "a": 1}`],
    ['a field of YAML', length, (value) => `client-key-data: ${value}\nb: c`],
    ['a block of YAML', length, (value) => `secret: |\n${value.replaceAll(/.{64}/g, '  $&\n')}\nother: x`],
    ['a header', length, (value) => `curl -H "Authorization: Bearer ${value}" https://h.example.com`],
    ['a cookie', length, (value) => `Cookie: session=${value}; b=1`],
    ['a query', length, (value) => `https://h.example.com/cb?access_token=${value.replaceAll(/[+/]/g, 'x')}&a=b`],
    ['a file in base64', length, (value) => btoa(`${'A=b\n'.repeat(length / 4)}DB_PASSWORD=${value.slice(0, 40)}\n`)],
  ]),
)('no part of a long value is left: %s of %i characters', (_, length, write) => {
  const value = noise(length, length, base64)
  const text = write(value)
  const shown = redactor().text(text)
  // Pieces of the text that are not near its edges, where the value's surroundings are.
  const remaining: string[] = []
  for (let at = 200; at + 24 < text.length - 200; at += 997) {
    const piece = text.slice(at, at + 24)
    if (!/[\s'"]/.test(piece) && shown.includes(piece)) remaining.push(piece)
  }
  expect(remaining).toEqual([])
  expect(shown.length).toBeLessThan(400)
})

test.each([
  ['arguments of a tool', (table: string) => JSON.stringify({ path: 'users.csv', content: table })],
  ['an answer in an answer', (table: string) => JSON.stringify(JSON.stringify([{ type: 'text', text: table }]))],
  ['a text in code', (table: string) => `const users = \`${table}\``],
])('a table at the beginning of %s is redacted to its end', (_, write) => {
  const table = [`id,user,${word},city`, ...rows.map((value, row) => `${row},u${row},${value},Rome`)].join('\n')
  const shown = redactor().text(write(table))
  expect(rows.filter((value) => shown.includes(value))).toEqual([])
  expect(shown).toContain('u299')
})

test.each([
  ['the mark of a diff', (line: string) => `+${line}`],
  ['the mark of a quotation', (line: string) => `> ${line}`],
  ['a number and a tab', (line: string, index: number) => `${String(index + 1).padStart(6)}\t${line}`],
  ['a number and a colon', (line: string, index: number) => `${index + 1}:${line}`],
  ['a file and a number', (line: string, index: number) => `db/users.csv:${index + 1}:${line}`],
])('a table of which each line comes after %s is redacted to its end', (_, write) => {
  const table = [`id,user,${word},city`, ...rows.map((value, row) => `${row},u${row},${value},Rome`)]
  const shown = redactor().text(table.map(write).join('\n'))
  expect(rows.filter((value) => shown.includes(value))).toEqual([])
  expect(shown).toContain('u299')
})

describe('a file in base64, broken at 76 characters', () => {
  const around = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index} of a file with words\n`).join('')
  // Some tokens begin like any text in base64; those are found only if a telling name is next to them.
  const found = planted().filter(({ text }) =>
    redactor()
      .text(btoa(`${around(1)}${text}\n`))
      .includes('[redacted'),
  )
  test('is searched for most kinds of secrets if it is on one line', () => expect(found.length).toBeGreaterThan(55))
  test.each(found)('is redacted if it contains a secret: $kind', ({ text, secret }) => {
    for (const [before, after] of [
      [90, 3],
      [3, 90],
      [900, 900],
    ] as const) {
      const file = `${around(before)}${text}\n${around(after)}`
      const lines = btoa(file).match(/.{1,76}/g) ?? []
      const result = redactor().text(`${lines.join('\n')}\n`)
      const at = file.indexOf(secret)
      const [start, end] = [at, at + secret.length].map((byte) => Math.ceil((byte * 4) / 3)) as [number, number]
      const encoded = lines.map((line, index) =>
        line.slice(Math.max(0, start - index * 76), Math.max(0, end - index * 76)),
      )
      const parts = encoded.filter((part) => part.length >= 8).flatMap((part) => piecesOf(part, 8))
      expect(parts.length).toBeGreaterThan(0)
      expect(parts.filter((part) => result.includes(part))).toEqual([])
    }
  })
})
