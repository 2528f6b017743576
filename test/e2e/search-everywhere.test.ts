/** The same questions from every place that a site is read from: the same answers, and the right ones first. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { askSearch } from '../helpers/search.ts'
import { serveFolder } from '../helpers/static-server.ts'
import { sessionPath, useDemoServer } from './demo.ts'
import type {} from './demo-setup.ts'
import { type Query, queries } from './search-queries.ts'

const all = Object.values(queries).flat()

/** Answer to one query: the first titles, and the line of the best place of the first. */
interface Row {
  query: Query
  titles: string[]
  line: string
}

async function answersOf(page: Page): Promise<Row[]> {
  const rows: Row[] = []
  for (const query of all) {
    const { text, filters = {}, sort } = query
    const { hits } = await askSearch(page, text, { filters, ...(sort !== undefined && { sort }) })
    const titles = hits.map(({ meta }) => meta.title)
    const line = hits[0]?.places[0]?.excerpt.map(([part]) => part).join('') ?? ''
    rows.push({ query, titles, line })
  }
  return rows
}

/** The names that `file:` and `tool:` complete. */
const namesOf = (page: Page) => page.evaluate('codexSearch.open().then((engine) => engine.names())')

const rankOf = ({ query, titles }: Row): number => titles.findIndex((title) => title.startsWith(query.title))
const shareOf = (rows: Row[], most: number): number =>
  rows.filter((row) => rankOf(row) >= 0 && rankOf(row) < most).length / rows.length

describeInBrowser('the queries of the sample archive', (open) => {
  const address = useDemoServer()
  let based: Awaited<ReturnType<typeof serveFolder>>
  let first: Row[]
  let names: unknown

  beforeAll(async () => {
    based = await serveFolder(inject('demo'), '/some/base/')
  })
  afterAll(() => based?.close())

  it('are at least sixty, five or more of every kind', () => {
    expect(all.length).toBeGreaterThanOrEqual(60)
    expect(new Set(all.map(({ text, filters }) => JSON.stringify([text, filters]))).size).toBe(all.length)
    expect(Object.values(queries).every((list) => list.length >= 5)).toBe(true)
  })

  it('find what was meant among the first five, nearly always first', async () => {
    const { page, problems } = await open(address('index.html'))
    first = await answersOf(page)
    names = await namesOf(page)
    expect(names).toMatchObject({ file: { 'README.md': 2 } })
    const far = first.filter((row) => rankOf(row) < 0 || rankOf(row) > 4)
    expect(far.map(({ query, titles }) => [query.text, titles])).toEqual([])
    expect(shareOf(first, 1)).toBeGreaterThanOrEqual(0.9)
    expect(problems).toEqual([])
  })

  it('show the words in the line of the best place', () => {
    const checked = first.filter((row) => row.query.says !== undefined && rankOf(row) === 0)
    expect(checked.filter(({ query, line }) => !line.includes(query.says ?? '')).map(({ line }) => line)).toEqual([])
    expect(checked.length).toBeGreaterThan(4)
  })

  describe('have the same answers', () => {
    it('below a base path, from a page deep in the site', async () => {
      const { page, problems } = await open(new URL(sessionPath('On-call guide, short version'), based.url).href)
      expect(await answersOf(page)).toEqual(first)
      expect(await namesOf(page)).toEqual(names)
      expect(problems).toEqual([])
    })

    it('from a folder on disk', async () => {
      const folder = pathToFileURL(inject('demo')).href
      const file = pathToFileURL(join(inject('demo'), 'index.html')).href
      const { page, problems } = await open(file, { within: `${folder}/` })
      expect(await answersOf(page)).toEqual(first)
      expect(await namesOf(page)).toEqual(names)
      expect(problems).toEqual([])
    })
  })
})
