/** Comments cite docs/rollout-format.md by section, test, rule and hazard: each must exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const format = readFileSync(join(root, 'docs/rollout-format.md'), 'utf8')

/** Texts of the sections, by their number or letter; a chapter includes its sections. */
const sections = new Map<string, string>()
for (const [, level = '', number = '', body = ''] of format.matchAll(
  /^(##|###) (?:Appendix )?([A-Z]|\d+(?:\.\d+)?)\.? .*\n((?:(?!^#{2,3} )[\s\S])*)/gm,
)) {
  sections.set(number, body)
  const [chapter = ''] = number.split('.')
  if (level === '###') sections.set(chapter, `${sections.get(chapter) ?? ''}${body}`)
}

const isNumber = (word: string): boolean => /^(?:[A-Z]|\d+(?:\.\d+)?)$/.test(word)
const isPart = (word: string): boolean => /^(?:test|rule|hazard)s?$/.test(word)
const isLink = (word: string): boolean => /^(?:and|to|section|appendix)$/.test(word)

/** What a citation names: a section, or a numbered part of it, such as `1.4, test 2`. */
function namedBy(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !isNumber(word) && !isPart(word) && !isLink(word))
  const named: string[] = []
  let [section, part] = ['', '']
  for (const word of end < 0 ? words : words.slice(0, end)) {
    if (isPart(word)) part = word.replace(/s$/, '')
    if (!isNumber(word)) continue
    if (part === '') section = word
    named.push(part === '' ? word : `${part === 'hazard' ? '9' : section}, ${part} ${word}`)
  }
  return named
}

/** All citations in a file. */
function citedIn(text: string): string[] {
  const joined = text.replace(/\n\s*(?:\*|\/\/) ?/g, ' ')
  const citations = [...joined.matchAll(/(?<!docs\/)rollout-format[ ,]+(\S[^\n]{0,80})/g)].map(([, rest = '']) => rest)
  return citations.flatMap((rest) => {
    const [whole = ''] = rest.split(/[):;]|\.(?!\d)/)
    return namedBy(whole.split(/[\s,]+/).filter((word) => word !== ''))
  })
}

const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|json|md)$/.test(name) && !name.endsWith('rollout-format.test.ts'))
    .map((name) => join(folder, name)),
)
const cited = new Map(
  files.flatMap((file) => citedIn(readFileSync(join(root, file), 'utf8')).map((name) => [name, file])),
)

function exists(citation: string): boolean {
  const [section = '', part = ''] = citation.split(', ')
  const text = sections.get(section)
  const [kind, number] = part.split(' ')
  if (text === undefined || kind === undefined || number === undefined) return text !== undefined
  return new RegExp(kind === 'rule' ? `^${number}\\. ` : `^\\| ${number} \\|`, 'm').test(text)
}

describe('the description of the format', () => {
  it('is cited in more than twenty sections', () => {
    expect([...cited.keys()].filter((name) => !name.includes(',')).length).toBeGreaterThan(20)
  })

  it.each([...cited])('contains %s, which %s cites', (citation) => {
    expect(exists(citation)).toBe(true)
  })

  it('numbers its chapters without a gap', () => {
    const chapters = [...sections.keys()].filter((name) => /^\d+$/.test(name)).map(Number)
    expect(chapters.sort((a, b) => a - b)).toEqual(chapters.map((_, index) => index + 1))
  })
})
