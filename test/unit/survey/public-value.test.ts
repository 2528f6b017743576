/** What may be kept on disk: a text that was harmless once is judged again under another name. */
import { expect, test } from 'vitest'
import { isPublicValue, privacyOf } from '../../../src/survey/privacy.ts'

const value = 'wGq7Zt2Kp9Lx4QbV6Nf3'

test('a value is public by its texts and their names, however often it was asked about', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  for (let count = 0; count < 2; count++) {
    expect(isPublicValue({ version: value, cwd: '/home/ada/shop' }, privacy)).toBe(true)
    expect(isPublicValue({ password: value }, privacy)).toBe(false)
    expect(isPublicValue({ version: value, text: `DB_PASSWORD=${value}` }, privacy)).toBe(false)
  }
})

test('what was forgotten to make place is judged again', () => {
  const privacy = privacyOf({}, { homeDir: '/home/ada' })
  if (privacy === undefined) throw new Error('nothing is redacted')
  const many = Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`k${index}`, `text ${index}`]))
  expect(isPublicValue(many, privacy)).toBe(true)
  expect(isPublicValue({ ...many, password: value }, privacy)).toBe(false)
  expect(isPublicValue(many, privacy)).toBe(true)
})
