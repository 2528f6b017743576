/** Every diagnostic has its heading in the docs, and no heading is left over. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type RuleId, rules } from '../../../src/diagnostics/codes.ts'

const docs = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8')
const sections = new Map(
  docs
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)
// The keys of the table are exactly the rule ids.
const ids = Object.keys(rules) as RuleId[]

describe('docs/diagnostics.md', () => {
  it('has one heading a rule, in the order of the table', () => {
    expect([...sections.keys()]).toEqual(ids)
  })

  it.each(ids)('gives the level of %s', (id) => {
    const { level } = rules[id]
    const word = level.charAt(0).toUpperCase() + level.slice(1)
    expect(sections.get(id)).toContain(`\n\n*${word}.* `)
  })
})

describe('the table of diagnostics', () => {
  it('is in alphabetical order', () => {
    expect(ids).toEqual([...ids].sort())
  })

  it.each(ids)('has a whole sentence for %s', (id) => {
    expect(rules[id].summary).toMatch(/^[A-Z].*\.$/)
  })
})
