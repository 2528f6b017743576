import { expect, test } from 'vitest'
import { redactor } from '../../../src/redact/redactor.ts'
import { firstLine } from '../../../src/transcript/texts.ts'
import { noise } from '../../helpers/planted.ts'

const words = (length: number): string => 'word '.repeat(30).slice(0, length).trimEnd()

test('a line of more than 120 characters is cut', () => {
  expect(firstLine(`\n${'a'.repeat(121)}\nb`)).toBe(`${'a'.repeat(119)}…`)
  expect(firstLine('a'.repeat(120))).toBe('a'.repeat(120))
})

test('an address is not cut within its password, wherever the cut falls', () => {
  const password = noise(3, 24)
  for (let length = 60; length < 130; length++) {
    const shown = redactor().text(
      firstLine(`${words(length)} postgres://app:${password}@db.internal:5432/shop and on it goes`),
    )
    expect(shown).not.toContain(password.slice(0, 4))
  }
})

test('an address that is cut behind its host stays as far as it goes', () => {
  expect(firstLine(`See https://example.org/${'a'.repeat(120)}`)).toBe(`See https://example.org/${'a'.repeat(95)}…`)
})
