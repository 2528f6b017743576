import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/render/templates-fs.ts'

const [{ beginningOf, itemsOf, placesOf, turnsWith }, { readQuery }] = await Promise.all([
  import(`${templatesFolder}assets/search-places.js`),
  import(`${templatesFolder}assets/search-query.js`),
])

interface Place {
  id: string
  kind: string
  excerpt: [string, boolean][]
}

/** A page of items `kind#id text`, and of turns `turn#number`, as the index gives it. */
function page(...items: string[]) {
  const anchors: { element: string; id: string; location: number }[] = []
  const words: string[] = []
  for (const item of items) {
    const [head = '', ...rest] = item.split(' ')
    const [kind = '', id = ''] = head.split('#')
    anchors.push({ element: `x-${kind}`, id, location: words.length })
    words.push(...rest)
  }
  return { content: words.join(' '), anchors }
}

/** An excerpt with brackets around what is marked. */
const line = (excerpt: [string, boolean][]) => excerpt.map(([text, marked]) => (marked ? `[${text}]` : text)).join('')

function places(found: ReturnType<typeof page>, text: string, options: { kinds?: string[]; sure?: boolean } = {}) {
  const [items, query] = [itemsOf(found), readQuery(text)]
  const without = turnsWith(items, query.none, options.kinds)
  const list: Place[] | undefined = placesOf(items, query, { ...options, without })
  return list?.map(({ id, kind, excerpt }) => `${kind} ${id} ${line(excerpt)}`)
}

describe('places of a page', () => {
  test('are the items that hold a term, with their kind, the words marked', () => {
    const found = page('prompt#l1 Mend the gate, please.', 'answer#l2 Nothing here.', 'command#l3 oil --gate')
    expect(places(found, 'gate')).toEqual(['prompt l1 Mend the [gate], please.', 'command l3 oil --[gate]'])
  })

  test('stand first where they answer more of the query, then by kind', () => {
    const found = page('command#l1 oil gate', 'answer#l2 The gate.', 'answer#l3 Oil the gate.', 'prompt#l4 Gate?')
    expect(places(found, 'gate oil')?.map((text) => text.slice(0, 9))).toEqual([
      'answer l3',
      'command l',
      'prompt l4',
      'answer l2',
    ])
  })

  test('show no hidden word', () => {
    const found = page('command#l1 cat src/a/b.ts now ~^~ src‿a a‿b b‿ts ~^~', 'prompt#l2 Next.')
    expect(places(found, 'b.ts')).toEqual(['command l1 cat src/a/[b.ts] now'])
  })

  test('are cut to a line around most of the hits', () => {
    const long = `${'word '.repeat(100)}gate ${'more '.repeat(100)}oil the gate again ${'end '.repeat(100)}`.trim()
    const [shown = ''] = places(page(`answer#l3 ${long}`), 'gate oil') ?? []
    expect(shown).toMatch(/^answer l3 … .*\[oil\] the \[gate\] again .* …$/)
    expect(shown.length).toBeLessThan(230)
  })

  test('are none where the index is sure and the title alone was hit; the page then shows its beginning', () => {
    const found = page('prompt#l1 Look after it. ~^~ it‿x ~^~', 'answer#l2 Done.')
    expect(places(found, 'mend', { sure: true })).toEqual([])
    expect(line(beginningOf(found))).toBe('Look after it. Done.')
  })
})

describe('a page answers a query', () => {
  const found = page('prompt#l1 Mend The Gate now', 'edit#l2 src/gate.ts hinge', 'mcp#l3 docs/find oil')

  test.each([
    ['with all of its terms, in any of its items', 'mend hinge', true],
    ['not without one of them', 'mend zebra', false],
    ['with one of some', 'zebra OR hinge', true],
    ['with a phrase, in any case', '"the gate now"', true],
    ['not with its words apart', '"gate the"', false],
    ['with a path of an edit', 'file:gate.ts', true],
    ['not with the same word elsewhere', 'file:mend', false],
    ['with a tool', 'tool:docs', true],
    ['not with what is not wanted', 'mend -hinge', false],
  ])('%s: `%s`', (_, query, answers) => {
    expect(places(found, query) !== undefined).toBe(answers)
  })

  test('in items of the wanted kinds alone', () => {
    expect(places(found, 'gate', { kinds: ['prompt'] })).toHaveLength(1)
    expect(places(found, 'hinge', { kinds: ['prompt'] })).toBeUndefined()
    expect(places(found, 'oil', { kinds: ['tool'] })).toHaveLength(1)
  })
})

describe('a word that is not wanted', () => {
  const found = page(
    ...['turn#1', 'prompt#l1 Mend the gate', 'answer#l2 New hinge.'],
    ...['turn#2', 'prompt#l3 Oil the gate', 'edit#l4 gate.ts hinge', 'turn#3', 'command#l5 ls gate'],
  )

  test('takes out the turns that hold it, and no other', () => {
    expect(places(found, 'gate -hinge')).toEqual(['command l5 ls [gate]'])
    expect(places(found, 'oil -hinge')).toBeUndefined()
    expect(places(found, 'gate -hinge', { kinds: ['prompt', 'edit'] })).toEqual(['prompt l1 Mend the [gate]'])
  })

  test('takes out the page where no turn is left, also where the index knows that it has the words', () => {
    expect(places(found, 'oil -hinge', { sure: true })).toBeUndefined()
    expect(places(found, 'ls oil -hinge', { sure: true })).toBeUndefined()
    expect(places(found, 'title -hinge', { sure: true })).toEqual([])
  })
})
