import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { handlers } from '../../../src/render/transcript/mdast/table.ts'

const root = new URL('../../../', import.meta.url)
const doc = readFileSync(new URL('docs/ast.md', root), 'utf8')
const source = ['src/rollout/terms.ts', 'src/transcript/trast.ts']
  .map((path) => readFileSync(new URL(path, root), 'utf8'))
  .join('\n')

interface Declared {
  /** Field name → may be absent. */
  fields: Map<string, boolean>
  extends: string[]
}

/** The interfaces in the document. */
function specified(): Map<string, Declared> {
  const found = new Map<string, Declared>()
  for (const [, block = ''] of doc.matchAll(/```idl\n([^`]*)```/g)) {
    const pattern = /interface (?:mixin )?(\w+)(?: <: (\w+))? \{([^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*)\}/g
    for (const [, name = '', base, body = ''] of block.matchAll(pattern)) {
      const fields = new Map<string, boolean>()
      for (const [, field = '', type = ''] of body.matchAll(/(?:^|[\n;{])\s*(\w+): ([^\n;]+?)\s*(?=[\n;]|$)/g)) {
        fields.set(field, type.endsWith('?'))
      }
      found.set(name, { fields, extends: base === undefined ? [] : [base] })
    }
    for (const [, name = '', mixin = ''] of block.matchAll(/^(\w+) includes (\w+)$/gm))
      found.get(name)?.extends.push(mixin)
  }
  return found
}

/** The interfaces in the code, without nested objects. */
function declared(): Map<string, Declared> {
  const found = new Map<string, Declared>()
  for (const [, name = '', bases = '', body = ''] of source.matchAll(
    /^export interface (\w+)(?: extends ([\w, ]+))? \{\n([\s\S]*?)^\}/gm,
  )) {
    const fields = new Map<string, boolean>()
    for (const [, field = '', mark] of body.matchAll(/^ {2}(\w+)(\?)?:/gm)) fields.set(field, mark === '?')
    found.set(name, { fields, extends: bases === '' ? [] : bases.split(', ') })
  }
  return found
}

const spec = specified()
const code = declared()
const shared = [...spec].filter(([name]) => code.has(name)).map(([name]) => name)

/** The fields of an interface and of those it extends. */
function allFields(name: string): Map<string, boolean> {
  const entry = spec.get(name)
  const inherited = (entry?.extends ?? []).flatMap((base) => [...allFields(base)])
  return new Map([...inherited, ...(entry?.fields ?? [])])
}

/**
 * String literals of a field or type, such as `Turn.kind` → `user`, … A union may continue after a `|` at either end
 * of a line.
 */
function wordsOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let owner = ''
  // Splits interfaces that are written on one line.
  const lines = text.replace(/^(interface \w+) \{ (.*) \}$/gm, '$1 {\n  $2\n}')
  for (const line of lines
    .replace(/\s*\n\s*\|\s*/g, ' | ')
    .replace(/\|\s*\n\s*/g, '| ')
    .split('\n')) {
    owner = /^(?:export )?interface (?:mixin )?(\w+)/.exec(line)?.[1] ?? owner
    const [, field, type, words = ''] =
      /^(?:\s+(\w+)\??: |(?:export type|enum) (\w+) (?:= |\{ )(?:\| )?)('\w+'(?: \| '\w+')+)/.exec(line) ?? []
    const name = type ?? (field === undefined ? undefined : `${owner}.${field}`)
    if (name !== undefined) found.set(name, [...words.matchAll(/\w+/g)].map(([word]) => word).toSorted())
  }
  return found
}

describe('the literals in the spec', () => {
  const blocks = [...doc.matchAll(/```idl\n([^`]*)```/g)].map(([, block = '']) => block).join('\n')
  // Puts an enum on one line, whatever its length.
  const inSpec = wordsOf(blocks.replace(/(enum \w+ \{)\s*/g, '$1 '))
  const inCode = wordsOf(source)

  it('are those of the code for every kind, state and role', () => {
    expect(inCode.size).toBeGreaterThan(18)
    expect(Object.fromEntries(inSpec)).toEqual(Object.fromEntries(inCode))
  })
})

describe('the spec of the tree', () => {
  it('has every interface of the code', () => {
    const maps = ['FlowMap', 'PhraseMap']
    expect([...code.keys()].filter((name) => !spec.has(name) && !maps.includes(name))).toEqual([])
    expect(shared.length).toBeGreaterThan(35)
  })

  it.each(shared)('names the same fields of %s as the code', (name) => {
    const sorted = (entry: Declared | undefined) => [...(entry?.fields ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    // `children` of nodes and the base of unist are in the spec only.
    const own = sorted(code.get(name))
    expect(sorted(spec.get(name)).filter(([field]) => field !== 'type')).toEqual(
      own.filter(([field]) => field !== 'type'),
    )
    expect([...(spec.get(name)?.extends ?? [])].filter((base) => base !== 'UnistNode')).toEqual(
      (code.get(name)?.extends ?? []).filter((base) => base !== 'UnistNode'),
    )
  })

  const examples = [...doc.matchAll(/^### `(\w+)`\n(?:(?!^###)[\s\S])*?```json\n([\s\S]*?)```/gm)]

  it('has an example of every node', () => {
    const types = examples.map(([, , json = '']) => (JSON.parse(json) as { type: string }).type)
    expect([...types].sort()).toEqual(['session', ...Object.keys(handlers)].sort())
  })

  it.each(examples.map(([, name = '', json = '']) => [name, json]))(
    'shows a %s with exactly the fields it may have',
    (name, json) => {
      const example = JSON.parse(json) as Record<string, unknown>
      const fields = allFields(name === 'Error' ? 'ErrorNode' : name)
      expect(Object.keys(example).filter((field) => !fields.has(field))).toEqual([])
      const missing = [...fields].filter(([field, optional]) => !optional && !(field in example))
      expect(missing).toEqual([])
    },
  )
})
