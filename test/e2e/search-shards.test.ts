/** One index or several: the same answers. A shard without a word must not answer without it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wordOf } from '../bench/made-up.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { askSearch } from '../helpers/search.ts'
import { buildIndex } from '../helpers/search-index.ts'
import { serveFolder } from '../helpers/static-server.ts'

const pages = 480
const months = 8

/** Words of one page: some that all pages have, some of its month only, some of a few pages. */
function wordsOf(number: number): string {
  const month = Math.floor((number * months) / pages)
  const own = [number % 7, 20 + (number % 11), 40 + (number % 23), 100 + (number % 61), 300 + number]
  return [...own.map(wordOf), `month${month}`, number % 60 === 0 ? 'seldom' : '', number === 333 ? 'unique' : ''].join(
    ' ',
  )
}

const two = (a: number, b: number): string => `${wordOf(a)} ${wordOf(b)}`
const queries = [
  ...['seldom', 'unique', 'seldom unique', 'month3 seldom', 'month7 unique', 'month0 month1', 'seldom unknownword'],
  ...['mont', 'seld', wordOf(305).slice(0, -1)],
  ...[two(3, 25), two(5, 41), two(0, 120), two(21, 50), two(44, 130), two(1, 300 + 8), two(2, 333 + 300)],
  ...[
    `${wordOf(4)} month5`,
    `${wordOf(23)} seldom`,
    `${wordOf(60)} ${wordOf(3)} month2`,
    `"${wordOf(333 % 7)} ${wordOf(20 + (333 % 11))}"`,
  ],
]

describeInBrowser('an archive in shards', (open) => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-shards-'))
  const servers: Awaited<ReturnType<typeof serveFolder>>[] = []

  beforeAll(async () => {
    // The plan depends on the given size of pages, so that a small text is split like a large one.
    for (const [name, size] of [
      ['one', 1],
      ['many', 1 << 20],
    ] as const) {
      const site = join(folder, name)
      const made = Array.from({ length: pages }, (_, number) => {
        const month = Math.floor((number * months) / pages) + 1
        const day = `2026-0${month}-${String((number % 28) + 1).padStart(2, '0')}`
        const path = `sessions/${number}/index.html`
        return { path, day, size: size / 20, title: `Page ${number}`, text: wordsOf(number) }
      })
      await buildIndex(site, made)
      servers.push(await serveFolder(site, '/'))
    }
    await buildIndex(join(folder, 'none'), [])
    servers.push(await serveFolder(join(folder, 'none'), '/'))
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const indexesOf = (page: Page): Promise<number> =>
    page.evaluate(
      'fetch(\'pagefind/search.js\').then((response) => response.text()).then((text) => text.match(/"page_count":/g).length)',
    )
  const tablesLoaded = (page: Page): Promise<number> =>
    page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.pf_meta')).length")
  const visit = async (number: number): Promise<Page> => (await open(`${servers[number]?.url}index.html`)).page

  it('finds the same pages as one index, for any words', async () => {
    const [one, many] = [await visit(0), await visit(1)]
    for (const text of queries) {
      const [single, several] = [await askSearch(one, text, {}, pages), await askSearch(many, text, {}, pages)]
      const paths = (answer: typeof single) => answer.hits.map(({ path }) => path).sort()
      expect([text, paths(several)]).toEqual([text, paths(single)])
      expect(several.filters).toEqual(single.filters)
    }
    const folders = readdirSync(join(folder, 'many', 'pagefind', 'fragment'), { withFileTypes: true })
    expect(folders.filter((entry) => entry.isDirectory()).length).toBeGreaterThan(4)
    // All shards but the newest are one index to the page.
    expect([await indexesOf(one), await indexesOf(many)]).toEqual([1, 2])
    expect([await tablesLoaded(one), await tablesLoaded(many)]).toEqual([1, 2])
  })

  it('gives the same from a folder on disk', async () => {
    const site = pathToFileURL(join(folder, 'many', '/')).href
    const [served, opened] = [await visit(1), (await open(`${site}index.html`, { within: site })).page]
    for (const text of queries.slice(0, 6)) {
      const [one, other] = [await askSearch(served, text, {}, pages), await askSearch(opened, text, {}, pages)]
      const paths = ({ hits }: typeof one) => hits.map(({ path }) => path)
      expect([text, paths(other)]).toEqual([text, paths(one)])
    }
  })

  it('opens on a site without pages, and finds nothing there', async () => {
    const site = pathToFileURL(join(folder, 'none', '/')).href
    for (const page of [await visit(2), (await open(`${site}index.html`, { within: site })).page])
      for (const text of ['', 'seldom', '"month3 unique"', 'sedlom', 'project:shop', '-unique'])
        expect(await askSearch(page, text, { minSessions: 5 })).toMatchObject({ total: 0, hits: [] })
  })

  it('begins with answers of the newest shard, loads no more for them, and adds the others later', async () => {
    const page = await visit(1)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const word = wordOf(3)
    const first = await askSearch(page, word, { minSessions: 5 })
    expect(first).toMatchObject({ isPart: true, isSure: false })
    expect(first.hits.every(({ meta }) => (meta.date ?? '') > '2026-08')).toBe(true)
    expect(asked.filter((url) => url.endsWith('.pf_index')).length).toBe(1)
    for (const text of [...queries, `${word} -month8`, `${word} before:2026-06`]) {
      const [whole, grown] = [
        await askSearch(page, text, {}, pages),
        await askSearch(page, text, { minSessions: 5 }, pages),
      ]
      const paths = ({ hits }: typeof whole) => hits.map(({ path }) => path)
      expect([text, paths(grown).sort()]).toEqual([text, paths(whole).sort()])
      expect(grown).toMatchObject({ total: whole.total, filters: whole.filters, isPart: false })
      const { hits } = await askSearch(page, text, { minSessions: 5 })
      expect(paths({ ...grown, hits })).toEqual(
        paths(await askSearch(page, text, { minSessions: 5 }, pages)).slice(0, 5),
      )
    }
    const dated = { sort: 'date', minSessions: 5 } as const
    const [newest, ...others] = [await askSearch(page, word, dated), await askSearch(page, word, { sort: 'date' })]
    expect(newest.isPart).toBe(true)
    expect(newest.hits).toEqual(others[0]?.hits)
  })

  it('finds every page with a phrase and a word, or a word in a kind of item, for any number of pages', async () => {
    const page = await visit(1)
    const [phrase, word] = [two(3, 25), 'month']
    const held = Array.from({ length: pages }, (_, number) => number).filter((number) =>
      wordsOf(number).includes(`${phrase} `),
    )
    const pathsOf = async (text: string, kinds: string[] = []) =>
      (await askSearch(page, text, { kinds }, pages)).hits
        .map(({ path }) => Number(path.split('/')[1]))
        .sort((a, b) => a - b)
    expect(await pathsOf(`"${phrase}" ${word}`)).toEqual(held)
    expect(await pathsOf(word, ['prompt'])).toHaveLength(pages)
    expect(await pathsOf(word, ['answer'])).toEqual([])
    expect(await pathsOf(`${word} -month3 -month4`)).toHaveLength((pages / months) * (months - 2))
    expect(await pathsOf('month3 OR seldom')).toHaveLength(pages / months + months - 1)
  })

  it('gives the newest first over all shards', async () => {
    const [one, many] = [await visit(0), await visit(1)]
    const dates = async (page: Page) =>
      (await askSearch(page, wordOf(3), { sort: 'date' }, pages)).hits.map(({ meta }) => meta.date ?? '')
    const sorted = await dates(many)
    expect(sorted).toEqual([...sorted].sort().reverse())
    expect(sorted).toEqual(await dates(one))
    expect(sorted.length).toBeGreaterThan(60)
  })

  it('counts and narrows by filters over all shards', async () => {
    const page = await visit(1)
    await askSearch(page, 'seldom')
    expect(await page.evaluate('codexSearch.open().then((search) => search.filters())')).toMatchObject({
      branch: { '2026-01': 60, '2026-08': 60 },
    })
    const { filters, total } = await askSearch(page, 'seldom', {}, 0)
    expect(total).toBe(8)
    expect(filters['branch']).toEqual(
      Object.fromEntries(Array.from({ length: 8 }, (_, month) => [`2026-0${month + 1}`, 1])),
    )
    const expected = ['sessions/240/index.html', 'sessions/60/index.html']
    const narrow = await askSearch(page, 'seldom', { filters: { branch: ['2026-02', '2026-05'] } })
    expect(narrow.hits.map(({ path }) => path).sort()).toEqual(expected)
    const days = await askSearch(page, 'seldom after:2026-02', {
      filters: { branch: ['2026-02', '2026-05'], to: ['2026-05-31'] },
    })
    expect(days.hits.map(({ path }) => path).sort()).toEqual(expected)
  })
})
