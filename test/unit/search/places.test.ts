import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/render/templates-fs.ts'

const [{ beginningOf, holds, holdsWord, placesOf }, { readQuery }] = await Promise.all([
  import(`${templatesFolder}assets/search-places.js`),
  import(`${templatesFolder}assets/search-query.js`),
])

interface Place {
  id: string
  kind: string
  excerpt: [string, boolean][]
}

/** A page of items `element#id text`, as the index gives it, and where some of its words stand. */
function page(...items: string[]) {
  const anchors: { element: string; id: string; text: string; location: number }[] = []
  const words: string[] = []
  for (const item of items) {
    const [head = '', ...rest] = item.split(' ')
    const [element = '', id = ''] = head.split('#')
    anchors.push({ element, id, text: rest.join(' '), location: words.length })
    words.push(...rest)
  }
  return { content: words.join(' '), anchors, meta: { title: 'Mend the gate' } }
}

type Page = ReturnType<typeof page>

const hits = ({ content }: Page, ...wanted: string[]): number[] =>
  content.split(' ').flatMap((word, index) => (wanted.includes(word) ? [index] : []))

/** An excerpt with brackets around what is marked. */
const line = (excerpt: [string, boolean][]) => excerpt.map(([text, marked]) => (marked ? `[${text}]` : text)).join('')

const places = (found: Page, query: string, ...wanted: string[]): string[] =>
  placesOf(found, readQuery(query), hits(found, ...wanted)).map(
    ({ id, kind, excerpt }: Place) => `${kind} ${id} ${line(excerpt)}`,
  )

describe('places of a page', () => {
  test('are the items with hits, with their kind, the words marked without their punctuation', () => {
    const found = page('h2#l1 Mend the gate, please.', 'h3#l2 Nothing here.', 'h4#l3 oil --gate')
    expect(places(found, 'gate', 'gate,', '--gate')).toEqual([
      'prompt l1 Mend the [gate], please.',
      'command l3 oil --[gate]',
    ])
  })

  test('end like the item, not like the sentence that the index makes of it', () => {
    const found = page('h4#l1 sed src/gate.ts', 'h3#l2 Mended gate.')
    const ended = { ...found, content: found.content.replace('gate.ts', 'gate.ts.') }
    const lines = placesOf(ended, readQuery('gate'), [1, 3]).map(({ excerpt }: Place) => line(excerpt))
    expect(lines).toEqual(['Mended [gate].', 'sed src/[gate].ts'])
  })

  test('mark of a long word the part that was asked for', () => {
    const found = page('h4#l1 print(json.dumps({}))')
    expect(places(found, 'json', 'print(json.dumps({}))')).toEqual(['command l1 print([json].dumps({}))'])
    expect(places(found, 'jsondumps', 'print(json.dumps({}))')).toEqual(['command l1 [print(json.dumps]({}))'])
  })

  test('stand first where they answer more words of the query, then by kind', () => {
    const found = page('h4#l1 oil gate', 'h3#l2 The gate.', 'h3#l3 Oil the gate.', 'h2#l4 Gate?')
    expect(places(found, 'gate oil', 'oil', 'Oil', 'gate', 'gate.', 'Gate?').map((text) => text.slice(0, 9))).toEqual([
      'answer l3',
      'command l',
      'prompt l4',
      'answer l2',
    ])
  })

  test('show no hidden word, and mark what it stands for', () => {
    const found = page('h4#l1 cat src/a/b.ts now ~^~ a/b.ts b.ts ~^~', 'h2#l2 Next.')
    expect(places(found, 'b.ts', 'b.ts')).toEqual(['command l1 cat src/a/[b.ts] now'])
  })

  test('mark a run of unspaced characters where its pairs are', () => {
    const found = page('h2#l1 日本語の文章を検索する。 ~^~ 日本 本語 語の の文 文章 章を を検 検索 索す する る ~^~')
    expect(places(found, '文章を', '文章', '章を')).toEqual(['prompt l1 日本語の[文章を]検索する。'])
  })

  test('are cut to a line around most of the hits', () => {
    const long = `${'word '.repeat(100)}gate ${'more '.repeat(100)}oil the gate again ${'end '.repeat(100)}`.trim()
    const [shown = ''] = places(page(`h3#l1 ${long}`), 'gate oil', 'gate', 'oil')
    expect(shown).toMatch(/^answer l1 … .*\[oil\] the \[gate\] again .* …$/)
    expect(shown.length).toBeLessThan(230)
  })

  test('are none where the title alone was hit; the page then shows its beginning', () => {
    const found = page('h2#l1 Look after it.', 'h3#l2 Done.')
    expect(places(found, 'mend')).toEqual([])
    expect(line(beginningOf(found))).toBe('Look after it. Done.')
  })
})

test('a phrase is looked for in what is shown, in any case', () => {
  const found = page('h2#l1 Mend The Gate ~^~ secret words ~^~')
  expect(holds(found, ['the gate'])).toBe(true)
  expect(holds(found, ['mend  the', 'GATE'])).toBe(true)
  expect(holds(found, ['the gate', 'secret words'])).toBe(false)
})

test('a page holds a word, or a longer one, where it was hit or in its title', () => {
  const found = page('h2#l1 Oil src/gate.ts today.')
  const at = hits(found, 'Oil', 'src/gate.ts')
  expect(['oil', 'gate', 'gatets', 'mend'].map((word) => holdsWord(found, word, at))).toEqual([true, true, true, true])
  expect(['oily', 'today', 'hinge'].map((word) => holdsWord(found, word, at))).toEqual([false, false, false])
})
