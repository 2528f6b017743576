/** Every diagnostic has its heading in the docs, and there are no other headings. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rules as diagnosticRules } from '../../../src/diagnostics/codes.ts'
import { findingRules } from '../../../src/diagnostics/finding.ts'

const docs = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8')
const sections = new Map(
  docs
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
)
const tables = [diagnosticRules, findingRules]
const rules: Readonly<Record<string, { level: string; summary: string }>> = { ...diagnosticRules, ...findingRules }
const ids = tables.flatMap((table) => Object.keys(table))

describe('docs/diagnostics.md', () => {
  it('has one heading per rule, in the order of the tables', () => {
    expect([...sections.keys()]).toEqual(ids)
  })

  it.each(ids)('gives the level of %s', (id) => {
    const level = rules[id]?.level ?? ''
    const word = level.charAt(0).toUpperCase() + level.slice(1)
    expect(sections.get(id)).toContain(`\n\n*${word}.* `)
  })
})

describe('the tables of diagnostics and findings', () => {
  it('are in alphabetical order', () => {
    for (const table of tables) expect(Object.keys(table)).toEqual(Object.keys(table).sort())
  })

  it.each(ids)('have a complete sentence for %s', (id) => {
    expect(rules[id]?.summary).toMatch(/^[A-Z].*\.$/)
  })
})
