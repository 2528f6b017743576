/** The table of token types: each row has a source, and a sample of it is found. */
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { checked, kinds, parseForm } from '../../../src/redact/kinds/form.ts'

import { redactor } from '../../../src/redact/redactor.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

const redacted = (text: string): string => redactor().text(text)

test('the table names at least 250 types, each once', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(250)
  expect(new Set(kinds.map(({ vendor, what }) => `${vendor}: ${what}`)).size).toBe(kinds.length)
  expect(new Set(kinds.map(({ form }) => form)).size).toBe(kinds.length)
})

test('forms from public lists were checked on a day', () => {
  expect(checked).toMatch(/^\d{4}-\d\d-\d\d$/)
})

describe.each(kinds)('$vendor, $what', ({ id, vendor, what, form, source }) => {
  const samples = [1, 2, 3].map((seed) => sampleOf(form, seed + form.length))

  test('has a vendor, a name, a form and the address of its source', () => {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(vendor && what).not.toBe('')
    expect(parseForm(form).parts.length).toBeGreaterThan(1)
    expect(source).toMatch(/^https:\/\/[\w.-]+\/\S*$/)
  })

  test('is found alone, in a sentence, in JSON, and in a line that a diff takes out', () => {
    for (const sample of samples) {
      for (const text of [
        sample,
        `Use ${sample} for now.`,
        JSON.stringify({ v: sample }),
        `@@ -1 +1 @@\n-${sample}\n+x`,
      ])
        expect(redacted(text)).not.toContain(sample.slice(-12))
    }
  })

  test('is found where an address encodes what stands before it', () => {
    for (const before of ['%3D', '%22', '%2F']) expect(redacted(`/x?y=${before}${samples[0]}`)).toContain('[redacted:')
  })

  test('is found under a rule of its vendor or of one with the same form', () => {
    const rules = new Set(kinds.map((kind) => kind.id))
    const [first] = findSecrets(samples[0] ?? '')
    expect(first?.rule === id || rules.has(first?.rule ?? '')).toBe(true)
  })
})
