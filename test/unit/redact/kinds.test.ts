/** The table of token types: each row has a source, and a sample of it is found. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findSecrets } from '../../../src/redact/find.ts'
import { parseForm } from '../../../src/redact/kinds/form.ts'
import { checked, kinds, tokenRules } from '../../../src/redact/kinds/kinds.ts'

import { redactor } from '../../../src/redact/redactor.ts'
import { isInWord, secretAt } from '../../../src/redact/rule.ts'
import { noise } from '../../helpers/planted.ts'
import { sampleOf } from '../../helpers/token-samples.ts'

const redacted = (text: string): string => redactor().text(text)

/**
 * A form without its fixed prefix: if several tokens of a vendor differ only in that, all but one count as variants.
 */
function withoutPrefix(form: string): string {
  return form.replace(/^\^?(?:[^{]|\{[^:}]*\})*/, '')
}

test('the table has at least 250 types, each once, variants of a prefix not counted', () => {
  const types = new Set(kinds.map(({ vendor, form }) => `${vendor} ${withoutPrefix(form)}`))
  expect(types.size).toBeGreaterThanOrEqual(250)
  expect(types.size).toBeLessThan(kinds.length)
  expect(new Set(kinds.map(({ vendor, what }) => `${vendor}: ${what}`)).size).toBe(kinds.length)
  expect(new Set(kinds.map(({ form }) => form)).size).toBe(kinds.length)
})

test('the totals that SECURITY.md and CHANGELOG.md name are those of the table', () => {
  const vendors = new Set(kinds.map(({ vendor }) => vendor)).size
  const stated = /some (\d+) types of about (\d+) vendors/.exec(readFileSync('SECURITY.md', 'utf8'))
  expect(Math.round(kinds.length / 100) * 100).toBe(Number(stated?.[1]))
  expect(Math.round(vendors / 10) * 10).toBe(Number(stated?.[2]))
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`tokens of some ${stated?.[1]} types`)
})

test('a digest that begins like a token by chance is no token', () => {
  const beginnings = kinds.flatMap(({ form }) => /^\^?([0-9a-f]{1,7})(?![^{])/.exec(form)?.[1] ?? [])
  expect(beginnings).toContain('4b1d')
  for (const beginning of beginnings)
    for (const length of [32, 40, 56, 64, 96, 128]) {
      const digest = beginning + noise(700 + length, length - beginning.length, '0123456789abcdef')
      expect(findSecrets(`"assets/site.css": "${digest}",`)).toEqual([])
    }
})

test('a digest in a lock file that contains a token by chance is no token', () => {
  const token = ['K', '2', noise(720, 64)].join('')
  const digest = `sha512-${noise(721, 19)}/${token}==`
  expect(findSecrets(` ${token} `).map(({ rule }) => rule)).toEqual(['descope-key'])
  expect(findSecrets(`"integrity": "${digest}",`)).toEqual([])
  expect(findSecrets(`"path": "${digest.replace('sha512-', '/')}",`).map(({ rule }) => rule)).toEqual(['descope-key'])
})

test('the forms from public lists were checked on a given day', () => {
  expect(checked).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('a rule that demands a word boundary finds nothing inside a word', () => {
  const apart = kinds.flatMap(({ form }, index) => {
    const rule = tokenRules[index]
    return rule?.notAfter === undefined
      ? []
      : [
          {
            form,
            rule,
            prefixes: rule.notAfter === 'word' ? ['q', 'Z', '7', 'q_', '7__', 'Z___', '____'] : ['q', 'Z', '7'],
          },
        ]
  })
  expect(apart.length).toBeGreaterThan(100)
  for (const { form, rule, prefixes } of apart) {
    const sample = sampleOf(form, form.length)
    for (const prefix of [...prefixes, ...'azAZ09']) {
      expect(secretAt(` ${prefix}${sample}`, prefix.length + 1, rule), form).toBeUndefined()
      expect(isInWord(` ${prefix}${sample}`, prefix.length + 1, rule.notAfter ?? 'word')).toBe(true)
    }
    for (const before of [' ', '"', '%3D', '%2f', '\\n', '\\t', ' _', ' __', ''])
      expect(isInWord(`${before}${sample}`, before.length, rule.notAfter ?? 'word'), before).toBe(false)
  }
})

/** Types whose tokens also have the form of another type, and that type's rule. */
const alike: Readonly<Record<string, string>> = {
  'clerk-key': 'stripe-key',
  'context7-key': 'openai-key',
  'gocardless-token': 'mollie-key',
  'highnote-key': 'stripe-key',
  'lob-key': 'mollie-key',
  'ngrok-key': 'composio-key',
  'pagarme-key': 'composio-key',
  'paystack-key': 'stripe-key',
  'persona-key': 'ionic-token',
  'recharge-token': 'stripe-key',
  'snyk-token': 'harness-token',
  'toss-key': 'groq-key',
  'trufflehog-key': 'statsig-key',
  'twitch-token': 'gocardless-token',
  'workos-key': 'stripe-key',
}

describe.each(kinds)('$vendor, $what', ({ id, vendor, what, form, source }) => {
  const samples = [1, 2, 3].map((seed) => sampleOf(form, seed + form.length))

  test('has a vendor, a name, a form and the address of its source', () => {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(vendor && what).not.toBe('')
    expect(parseForm(form).parts.length).toBeGreaterThan(1)
    expect(source).toMatch(/^https:\/\/[\w.-]+\/\S*$/)
  })

  test('is found alone, in a sentence, in JSON, and in a removed line of a diff', () => {
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

  test('is found if what is before it is percent-encoded', () => {
    for (const before of ['%3D', '%22', '%2F']) expect(redacted(`/x?y=${before}${samples[0]}`)).toContain('[redacted:')
  })

  test('is found whole, by its own rule or by that of the type whose form it also has', () => {
    for (const sample of samples) {
      const [found, ...others] = findSecrets(sample)
      expect({ ...found, others }).toMatchObject({ start: 0, end: sample.length, others: [] })
      expect([id, alike[id]]).toContain(found?.rule)
    }
  })
})
