import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { redactor } from '../../../src/redact/redactor.ts'
import { noise, planted } from '../../helpers/planted.ts'

const redacted = (text: string): string => redactor().text(text)

describe.each(planted())('$kind', ({ rule, secret, text }) => {
  test('is found alone, in a sentence and between lines', () => {
    for (const whole of [text, `Use ${text} for now.`, `first line\n${text}\nlast line`])
      expect(redacted(whole)).not.toContain(secret)
  })

  test('is found under the rule of its kind', () => {
    expect(findSecrets(text).map((finding) => finding.rule)).toEqual([rule])
  })

  test('is found in JSON, and in JSON inside JSON', () => {
    const once = JSON.stringify({ cmd: ['run', text] })
    expect(redacted(once)).not.toContain(secret)
    expect(redacted(JSON.stringify({ arguments: once }))).not.toContain(secret)
  })

  test('is found if colours change inside it', () => {
    const at = text.indexOf(secret) + 6
    const painted = `${text.slice(0, at)}\u001B[1;32m${text.slice(at, at + 3)}\u001B[0m${text.slice(at + 3)}`
    expect(redacted(painted).replaceAll(/\u001B\[[\d;]*m/g, '')).not.toContain(secret)
  })

  test('is redacted once: a second pass finds nothing', () => {
    const once = redacted(`Use ${text} for now.`)
    expect(redacted(once)).toBe(once)
  })
})

test('a token is found anywhere in a long text, after letters of any script', () => {
  const token = ['gh', 'p_', noise(701, 36)].join('')
  for (const letter of ['x', 'é', '字'])
    for (const length of [8150, 8188, 8189, 8190, 8191, 8192, 8193, 16383])
      expect(redacted(`${letter.repeat(length)} ${token} y`)).toBe(`${letter.repeat(length)} [redacted:github-token] y`)
})

describe('a variable below other variables', () => {
  const dump = planted()
    .filter(({ secret, text }) => secret === text && /^[\w.-]+$/.test(text))
    .map(({ text }, index) => ({ name: `OPENAI_API_KEY_${index}`, text }))

  test('keeps its name, whatever is above it', () => {
    expect(dump.length).toBeGreaterThan(20)
    const text = redacted(dump.map(({ name, text }) => `${name}=${text}`).join('\n'))
    expect(text.split('\n').map((line) => line.replace(/=.*/, ''))).toEqual(dump.map(({ name }) => name))
  })
})
