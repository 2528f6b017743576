/** Tokens as they come through terminals, pages, addresses and dumps. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)
const token = ['gh', 'p_', noise(201, 36)].join('')
const [head, tail] = [token.slice(0, 20), token.slice(20)]

function dump(bytes: Buffer): string {
  const lines = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, line) => {
    const part = bytes.subarray(line * 16, line * 16 + 16)
    const words = (part.toString('hex').match(/.{1,4}/g) ?? []).join(' ')
    return `${(line * 16).toString(16).padStart(8, '0')}: ${words.padEnd(39)}  ${part.toString('latin1')}`
  })
  return lines.join('\n')
}

describe.each([
  ['a box', `+------+\n| ${head} |\n| ${tail} |\n+------+`],
  ['a box of lines', `│ ${head} │\n│ ${tail} │`],
  ['an indent', `Key:\n  ${head}\n  ${tail}\ndone`],
  ['a comment', `# ${head}\n# ${tail}`],
  ['a quotation', `> ${head}\n> ${tail}`],
  ['numbered lines', `  1\t${head}\n  2\t${tail}`],
  ['a backslash at the end of a line', `x ${head}\\\n${tail} -o y`],
  ['a zero-width character', `${head}\u200B${tail}`],
  ['a soft hyphen', `${head}\u00AD${tail}`],
  ['a word joiner', `${head}\u2060${tail}`],
  ['zero bytes', token.split('').join('\0')],
  ['a backspace', `${head}x\b${tail}`],
  ['an escape of Markdown', token.replace('_', '\\_')],
  ['an escape of an address', token.replace('_', '%5F')],
  ['an escape of an escape of an address', token.replace('_', '%255F')],
  ['an entity', token.replace('_', '&#95;')],
  ['a named entity', token.replace('_', '&lowbar;')],
  ['base64', Buffer.from(token).toString('base64')],
  ['JSON in base64', Buffer.from(JSON.stringify({ a: 1, t: token })).toString('base64')],
  ['hexadecimal digits', Buffer.from(token).toString('hex')],
  ['a dump', dump(Buffer.from(`${token}\n`))],
  ['the token itself', `${token}${token}`],
])('through %s', (_, text) => {
  test('a token is found', () => {
    const found = redacted(`before\n${text}\nand after that`)
    for (const part of [head, tail, text.slice(8, 20)]) expect(found).not.toContain(part.slice(-12))
    expect(found.startsWith('before\n') && found.endsWith('\nand after that')).toBe(true)
  })
})

describe.each(['k', 'prefix_', 'my-', '0.1-', '+', '%22', 'x=%3D'])('behind %j', (before) => {
  test.each([
    ['OpenAI', ['s', 'k-proj-', noise(202, 48)].join('')],
    ['Hugging Face', ['h', 'f_', noise(203, 34)].join('')],
    ['AWS', ['AK', 'IA', noise(204, 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')].join('')],
  ])('a token of %s is found', (_, own) => {
    expect(redacted(`${before}${own} x`)).not.toContain(own.slice(-10))
  })
})

test.each(['task-runner-with-many-words-in-it', 'half_finished_feature_of_the_year', 'disk-3f2b8c1e7a544d0e9c8b2f6a'])(
  '%s is a word',
  (text) => {
    expect(redacted(text)).toBe(text)
  },
)

describe('below a whole token', () => {
  test.each([
    ['a commit', noise(205, 40, '0123456789abcdef')],
    ['a public key', ['pk', '_live_', noise(206, 24)].join('')],
  ])('%s stays', (_, below) => {
    expect(redacted(`${token}\n${below}\n`)).toBe(`[redacted:github-token]\n${below}\n`)
  })
})
