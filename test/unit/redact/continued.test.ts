/** Secrets that only their surroundings reveal, broken by the right edge of a terminal. */
import { describe, expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { lookAlikes } from '../../helpers/look-alikes.ts'
import { noise } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)

/** A text as a terminal with this many columns shows it. */
function wrapped(text: string, columns: number, end = '\n'): string {
  const lines = Array.from({ length: Math.ceil(text.length / columns) }, (_, line) =>
    text.slice(line * columns, (line + 1) * columns),
  )
  return lines.join(end)
}

const secret = noise(11, 120)

describe.each([40, 64, 80, 100])('at %d columns', (columns) => {
  test.each([
    ['a variable', 'AWS_SECRET_ACCESS_KEY='],
    ['a header', 'Authorization: Bearer '],
    ['a cookie', 'Cookie: session='],
    ['an option', 'deploy --token '],
    ['an address', '/x?X-Amz-Signature='],
    ['JSON', '"client_secret": "'],
  ])('the rest of the value of %s is redacted, too', (_, before) => {
    for (const end of ['\n', '\r\n']) {
      const text = redacted(`$ show\n${wrapped(before + secret, columns, end)}${end}next line`)
      expect(text.replaceAll(/\s/g, '')).not.toContain(secret.slice(-12))
      expect(text).not.toContain(secret.slice(60, 80))
      expect(text.endsWith('next line')).toBe(true)
    }
  })
})

test('a key in hexadecimal digits is followed to its usual length', () => {
  const key = noise(18, 64, '0123456789abcdef')
  expect(redacted(`export SESSION_SECRET=${key.slice(0, 40)}\n${key.slice(40)}\n`)).toBe(
    'export SESSION_SECRET=[redacted:named-secret]\n',
  )
})

describe('the line below a secret is not redacted', () => {
  const line = `AWS_SECRET_ACCESS_KEY=${noise(12, 40)}`

  test.each([
    ['another variable', 'REGION=eu-central-1'],
    ['a commit', noise(13, 40, '0123456789abcdef')],
    ['a digest', noise(14, 64, '0123456789abcdef')],
    ['an id', '3f2b8c1e-7a54-4d0e-9c8b-2f6a1d5e4b70'],
    ['words', 'build-and-deploy-the-shop'],
    ['a path', '/srv/shop/Current2/public'],
    ['a sentence', 'Deployed the Shop2 at 10:00'],
    ['a longer line', noise(15, 90)],
  ])('if it is %s', (_, below) => {
    expect(redacted(`${line}\n${below}\n`)).toBe(`AWS_SECRET_ACCESS_KEY=[redacted:named-secret]\n${below}\n`)
  })

  test('whatever it is, if the line above is too short to reach the edge of a terminal', () => {
    const below = noise(16, 20)
    expect(redacted(`TOKEN=${noise(17, 20)}\n${below}`)).toBe(`TOKEN=[redacted:named-secret]\n${below}`)
  })

  test('if it is one of the look-alikes', () => {
    const below = lookAlikes().map((text) => text.split('\n')[0] ?? '')
    const taken = below
      .filter(({ length }) => length >= 4 && length <= 62)
      .filter((text) => redacted(`${line}\n${text}`) !== `AWS_SECRET_ACCESS_KEY=[redacted:named-secret]\n${text}`)
    expect(taken).toEqual([])
  })
})
