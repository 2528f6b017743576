/** The search if something is missing: a message for the reader, an intact page, and a second attempt. */
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { describeInBrowser } from '../helpers/browser.ts'
import { askSearch } from '../helpers/search.ts'
import { demoFiles, useDemoServer } from './demo.ts'
import type {} from './demo-setup.ts'

const failure = (page: Page, text: string): Promise<string> =>
  askSearch(page, text).then(
    () => 'none',
    (error: Error) => error.message,
  )

describeInBrowser('the search with missing parts', (open) => {
  const address = useDemoServer()

  it('says that a browser has no WebAssembly', async () => {
    const { page } = await open(address('index.html'), { before: 'delete globalThis.WebAssembly' })
    expect(await failure(page, 'idempotency')).toContain('this browser has no WebAssembly')
    expect(await page.locator('main').isVisible()).toBe(true)
  })

  it.each([
    ['the list of words', /\.pf_meta$/],
    ['the engine', /\.pagefind$/],
    ['a part of the index', /\.pf_index$/],
    ['the text of a page', /\.pf_fragment$/],
  ])('reports that %s could not be loaded, and finds pages once it is back', async (_, files) => {
    const { page } = await open(address('index.html'))
    const pattern = new RegExp(`pagefind/.*${files.source}`)
    await page.route(pattern, (route) => route.fulfill({ status: 404, body: '' }))
    const missing = new RegExp(`${files.source.replace('$', '')} could not be loaded \\(404\\)`)
    expect(await failure(page, 'idempotency')).toMatch(missing)
    await page.unroute(pattern)
    const { hits } = await askSearch(page, 'idempotency')
    expect(hits[0]?.meta.title).toContain('Conversion drops')
  })

  it('refuses bytes that are not an index', async () => {
    const { page } = await open(address('index.html'))
    await page.route(/\.pf_meta$/, (route) => route.fulfill({ status: 200, body: 'a page of the host' }))
    expect(await failure(page, 'idempotency')).toContain('Pagefind: WASM Error')
    expect(await page.locator('main').isVisible()).toBe(true)
  })

  it('matches another form of a word, but no word that only has the same beginning', async () => {
    const { page } = await open(address('index.html'))
    const inflected = await askSearch(page, 'measuring')
    expect(inflected.hits.length).toBeGreaterThan(0)
    expect(inflected.instead).toBeUndefined()
    const other = await askSearch(page, 'linkable')
    expect({ total: other.total, hits: other.hits }).toEqual({ total: 0, hits: [] })
    expect((await askSearch(page, 'link')).hits.length).toBeGreaterThan(0)
  })

  it('requests only files that the site has', async () => {
    expect(inject('demo')).not.toBe('')
    const files = new Set(demoFiles())
    const { page, problems } = await open(address('index.html'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.slice(1)))
    for (const text of ['gate', 'the', '検索', 'b']) await askSearch(page, text)
    expect(asked.filter((path) => !files.has(path))).toEqual([])
    expect(asked.length).toBeGreaterThan(4)
    expect(problems).toEqual([])
  })
})
