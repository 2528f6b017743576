/** Key blocks as tools print them: with something before each line, or without the beginning. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { namesOfPrinted } from '../../../src/redact/rules/printed.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const lines = [0, 1, 2, 3, 4].map((line) => noise(700 + line, 64)).concat(noise(705, 11))
const frame = (word: string): string => ['-----', word, ' RSA PRI', 'VATE KEY-----'].join('')
const [begin, end] = [frame('BEGIN'), frame('END')]
const block = [begin, ...lines, end]
const below = (head: (line: number) => string, tail = ''): string =>
  block.map((line, index) => `${head(index + 5)}${line}${tail}`).join('\n')

describe.each([
  ['numbers as Codex reads files', below((line) => `L${line}: `)],
  ['authors', below((line) => `a1b2c3d4 (Ada Example 2026-03-14 09:26:53 +0000 ${line}) `)],
  ['instants', below((line) => `2026-03-14T09:26:53.${line}89Z `)],
  ['a container', below(() => '[pod/web-1/app] ')],
  ['a job and a step', below((line) => `build\tRun make\t2026-03-14T09:26:${10 + line}.0000000Z `)],
  ['the ends of lines', below(() => '', '$')],
  ['the ends of lines on Windows', below(() => '', '^M$')],
  [
    'numbers, with a head',
    [begin, 'Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-256-CBC,${noise(9, 32, '0123456789ABCDEF')}`, '', ...lines, end]
      .map((line, index) => `L${index + 1}: ${line}`)
      .join('\n'),
  ],
  [
    'numbers, and no end',
    block
      .slice(0, 5)
      .map((line, index) => `L${index + 1}: ${line}`)
      .join('\n'),
  ],
  ['no beginning', block.slice(2).join('\n')],
  [
    'no beginning, in a diff',
    block
      .slice(2)
      .map((line) => `-${line}`)
      .join('\n'),
  ],
  ['an omission', [begin, lines[0], '…12 lines truncated…', ...lines.slice(3), end].join('\n')],
  [
    'an omission within a line',
    [
      begin,
      lines[0],
      `${lines[1]?.slice(0, 20)}…90 tokens truncated…${lines[3]?.slice(20)}`,
      ...lines.slice(4),
      end,
    ].join('\n'),
  ],
])('a private key printed with %s', (_, text) => {
  test('is replaced', () => {
    const found = redacted(`before\n${text}\nafter`)
    for (const line of lines) expect(found).not.toContain(line.slice(-20))
    expect(found.startsWith('before\n') && found.endsWith('\nafter')).toBe(true)
  })
})

test.each([
  ['prose', `L1: It begins with ${begin}\nL2: and holds internationalization\nL3: ${end}`],
  ['a check', `if (!text.includes('${begin}')) throw new Error('certificateAuthorityLocation')\nreturn text`],
  ['names above', `const first = certificateAuthorityLocation\nconst last = '${end}'`],
  ['a public key below', `> ${begin}\n> …\n> ${end}\n> ssh-rsa ${noise(4, 80)}`],
])('nothing is redacted in %s', (_, text) => {
  expect(redacted(text)).toBe(text)
})

test('a key frame in each of many lines is searched in bounded time', () => {
  for (const piece of [begin, end, `${noise(3, 64)}\n${end}`, `x ${begin}\nx ${noise(3, 64)}`]) {
    const text = `${piece}\n`.repeat(Math.ceil(60_000 / piece.length))
    expect(redacted(text)).not.toContain(noise(3, 64))
  }
})

test.each(['sed -n 2,5p id_rsa', 'grep -v -- ----- ~/.ssh/id_ed25519', 'tail -n 4 ~/.ssh/id_rsa'])(
  '`%s` prints a private key',
  (script) => {
    expect(namesOfPrinted(script)?.name).toBe('private_key')
  },
)

test.each(['cat ~/.ssh/id_rsa.pub', 'grep -v x id_ed25519.pub', 'ls -l ~/.ssh/id_rsa'])(
  '`%s` prints no private key',
  (script) => {
    expect(namesOfPrinted(script)).toBeUndefined()
  },
)
