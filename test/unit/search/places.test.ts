import { describe, expect, test } from 'vitest'
import { templatesFolder } from '../../../src/config/package-fs.ts'

const [{ aboutOf, beginningOf, itemsOf, placesOf, turnsWith }, { readQuery }] = await Promise.all([
  import(`${templatesFolder}assets/search/places.js`),
  import(`${templatesFolder}assets/search/query.js`),
])

interface Place {
  id: string
  kind: string
  excerpt: [string, boolean][]
}

/** A page of items `kind#id text` and turns `turn#number`, as the index returns it. */
function page(...items: string[]) {
  const anchors: { element: string; id: string; location: number }[] = []
  const words: string[] = []
  for (const item of items) {
    const [head = '', ...rest] = item.split(' ')
    const [kind = '', id = ''] = head.split('#')
    anchors.push({ element: `x-${kind}`, id, location: words.length })
    words.push(...rest)
  }
  return { content: words.join(' '), anchors, meta: { title: 'Gates of the garden' } }
}

/** An excerpt, with marked words in brackets. */
const line = (excerpt: [string, boolean][]) => excerpt.map(([text, marked]) => (marked ? `[${text}]` : text)).join('')

function places(found: ReturnType<typeof page>, text: string, options: { kinds?: string[]; some?: boolean } = {}) {
  const [items, query] = [itemsOf(found), readQuery(text)]
  const without = turnsWith(items, query.none, options.kinds)
  const list: Place[] | undefined = placesOf(items, query, { ...options, about: aboutOf(found), without })
  return list?.map(({ id, kind, excerpt }) => `${kind} ${id} ${line(excerpt)}`)
}

describe('results within a page', () => {
  test('are the items that contain a term, with their kind, the words marked', () => {
    const found = page('prompt#l1 Mend the gate, please.', 'answer#l2 Nothing here.', 'command#l3 oil --gate')
    expect(places(found, 'gate')).toEqual(['prompt l1 Mend the [gate], please.', 'command l3 oil --[gate]'])
  })

  test('come first if they match more of the query, then by kind', () => {
    const found = page('command#l1 oil gate', 'answer#l2 The gate.', 'answer#l3 Oil the gate.', 'prompt#l4 Gate?')
    expect(places(found, 'gate oil')?.map((text) => text.slice(0, 9))).toEqual([
      'answer l3',
      'command l',
      'prompt l4',
      'answer l2',
    ])
  })

  test('come first if they have the words in the typed order, and show that line', () => {
    const long = `sed ${'oil '.repeat(60)}gate.ts -n sed -n gate.ts${' oil'.repeat(60)}`
    const found = page('prompt#l1 gate.ts with sed -n or sed', `command#l2 ${long}`, 'command#l3 sed -n gate.ts')
    const all = places(found, 'sed -n gate.ts')
    expect(all?.map((text) => text.slice(0, 10))).toEqual(['command l2', 'command l3', 'prompt l1 '])
    expect(all?.[0]).toContain(' [sed] [-n] [gate.ts] oil ')
    for (const pasted of ['- sed -n gate.ts', 'kind:command sed -n gate.ts'])
      expect(places(found, pasted)?.[0]).toMatch(/^command/)
  })

  test('come first if they have punctuation and accents as typed', () => {
    const found = page('prompt#l1 a tin/lid', 'answer#l2 a tin_lid', 'command#l3 tin-lid; tin_lid')
    expect(places(found, 'tin_lid')?.map((text) => text.slice(0, 9))).toEqual(['answer l2', 'command l', 'prompt l1'])
    expect(places(found, '+tin_lid')).toEqual(['answer l2 a [tin_lid]', 'command l3 tin-lid; [tin_lid]'])
    const named = page('prompt#l1 Zoe', 'answer#l2 Zoë')
    expect(places(named, 'zoë')).toEqual(['answer l2 [Zoë]', 'prompt l1 [Zoe]'])
    expect(places(named, '"zoë"')).toEqual(['answer l2 [Zoë]'])
    expect(places(named, 'zoe')).toEqual(['prompt l1 [Zoe]', 'answer l2 [Zoë]'])
  })

  test('match `file:` and `tool:` in their heads only, and words everywhere', () => {
    const found = page(
      'edit#l1 src/oil.ts',
      'rest#l1.rest open gate.ts',
      'tool#l2 mend',
      'rest#l2.rest {"tool":"gate"}',
    )
    expect(places(found, 'file:gate.ts')).toBeUndefined()
    expect(places(found, 'file:oil.ts')).toEqual(['edit l1 src/[oil.ts] open gate.ts'])
    expect(places(found, 'tool:gate')).toBeUndefined()
    expect(places(found, 'tool:mend')).toEqual(['tool l2 [mend] {"tool":"gate"}'])
    expect(places(found, 'gate')?.map((text) => text.slice(0, 7))).toEqual(['edit l1', 'tool l2'])
  })

  test('show no hidden word', () => {
    const found = page('command#l1 cat src/a/b.ts now ~^~ src‿a a‿b b‿ts ~^~', 'prompt#l2 Next.')
    expect(places(found, 'b.ts')).toEqual(['command l1 cat src/a/[b.ts] now'])
  })

  test.each([
    ['lab/gate.ts', ['edit l1 [gate.ts] src/oil.ts + mend']],
    ['/home/sam/my-lab/src/oil.ts', ['edit l1 gate.ts [src/oil.ts] + mend']],
    ['sam\\\\My-Lab\\\\src', ['edit l1 gate.ts [src]/oil.ts + mend']],
    ['file:my-lab/gate.ts', ['edit l1 [gate.ts] src/oil.ts + mend']],
    ['sam/my-lab', ['edit l1 [gate.ts] src/oil.ts + mend']],
    ['ab/gate.ts', undefined],
    ['sam/gate.ts', undefined],
    ['lab/oil.ts', undefined],
    ['lab/list', undefined],
  ])("include edits in the session's folder for paths that begin above it: `%s`", (asked, found) => {
    const items = ['edit#l1 gate.ts src/oil.ts + mend', 'command#l2 ls list', 'folder#/home/sam/my-lab ~^~ ~ ~ ~^~']
    expect(places(page(...items), asked)).toEqual(found)
  })

  test('are cut to a line around most of the hits', () => {
    const long = `${'word '.repeat(100)}gate ${'more '.repeat(100)}oil the gate again ${'end '.repeat(100)}`.trim()
    const [shown = ''] = places(page(`answer#l3 ${long}`), 'gate oil') ?? []
    expect(shown).toMatch(/^answer l3 … .*\[oil\] the \[gate\] again .* …$/)
    expect(shown.length).toBeLessThan(230)
  })

  test('are none if only title, tag or id of the session match; the page shows its beginning', () => {
    const found = page(
      'prompt#l1 Look after it. ~^~ it‿x ~^~',
      'answer#l2 Done. ~^~ 019f6de1-d676 019f6de1‿d676 later ~^~',
    )
    expect(places(found, 'garden')).toEqual([])
    expect(places(found, '"of the garden"')).toEqual([])
    expect(places(found, '019f6de1-d676')).toEqual([])
    expect(places(found, 'later')).toEqual([])
    expect(line(beginningOf(found))).toBe('Look after it. Done.')
  })

  test('exclude other forms that only the index knows, unless any of the words will do', () => {
    const found = page('answer#l1 It costs 1.340 ~^~ 1‿340 ~^~', 'answer#l2 Done.')
    expect(places(found, '1340')).toBeUndefined()
    expect(places(found, 'costs 1340')).toBeUndefined()
    expect(places(found, 'costs 1340', { some: true })).toEqual(['answer l1 It [costs] 1.340'])
  })
})

describe('an excerpt', () => {
  test.each([0, 1, 2, 3])('never begins or ends within a surrogate pair: %s letters before', (ahead) => {
    const found = page(`prompt#l1 ${'a'.repeat(ahead)}${'𠮷'.repeat(300)} gate ${'𠮷'.repeat(300)}`)
    const [{ excerpt } = { excerpt: [] }] = placesOf(itemsOf(found), readQuery('gate')) as Place[]
    for (const [text] of excerpt) expect(Buffer.from(text).toString()).toBe(text)
    const beginning: Place['excerpt'] = beginningOf(found)
    for (const [text] of beginning) expect(Buffer.from(text).toString()).toBe(text)
  })
})

describe('an excluded word', () => {
  const found = page(
    ...['turn#1', 'prompt#l1 Mend the gate', 'answer#l2 New hinge.'],
    ...['turn#2', 'prompt#l3 Oil the gate', 'edit#l4 gate.ts hinge', 'turn#3', 'command#l5 ls gate'],
  )

  test('excludes the turns that contain it, and no others', () => {
    expect(places(found, 'gate -hinge')).toEqual(['command l5 ls [gate]'])
    expect(places(found, 'oil -hinge')).toBeUndefined()
    expect(places(found, 'gate -hinge', { kinds: ['prompt', 'edit'] })).toEqual(['prompt l1 Mend the [gate]'])
  })

  test('excludes the page if no turn remains, unless the title matches', () => {
    expect(places(found, 'ls oil -hinge')).toBeUndefined()
    expect(places(found, 'garden -hinge')).toEqual([])
  })
})
