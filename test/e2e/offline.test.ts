/** A site for offline reading: what a visit stores in the browser, and how an update changes that. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { decodeManifest } from '../../src/site/output/paths.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { runCli } from '../helpers/cli.ts'
import { askSearch } from '../helpers/search.ts'
import { serveFolder } from '../helpers/static-server.ts'
import { queries } from './search-queries.ts'

const home = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const base = '/archive/'

describeInBrowser('a site with a service worker', (open) => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-offline-'))
  const built = join(folder, 'built')
  const site = join(folder, 'site')
  let server: Awaited<ReturnType<typeof serveFolder>> | undefined

  const buildSite = async (settings: { offline: boolean }): Promise<void> => {
    const config = join(folder, `offline-${settings.offline}.config.mjs`)
    const all = { homes: [{ path: home }], formats: ['html'], out: built, ...settings }
    writeFileSync(config, `export default ${JSON.stringify(all)}\n`)
    const run = await runCli(['build', '--config', config, '--cache', join(folder, 'cache')])
    if (run.status !== 0) throw new Error(`the site was not built:\n${run.stderr}`)
  }

  const publish = (): void => {
    rmSync(site, { recursive: true, force: true })
    cpSync(built, site, { recursive: true })
  }

  beforeAll(() => buildSite({ offline: true }))
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    await server?.close()
    publish()
    server = await serveFolder(site, base)
  })

  const url = (path: string): string => new URL(path, server?.url).href
  const cached = (page: Page): Promise<string[]> =>
    page.evaluate(`(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('codex-export ${base} '))
      const keys = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)))
      return keys.flat().map((key) => key.slice('${server?.url}'.length)).sort()
    })()`)
  /** Whether any cache has a path. Unlike `cached`, it never makes a cache again that is deleted meanwhile. */
  const isCached = (page: Page, path: string): Promise<boolean> =>
    page.evaluate(`caches.match('${url(path)}').then((kept) => kept !== undefined)`)
  /** Visits a page and waits until the worker controls it. */
  const visit = async (path: string) => {
    const visited = await open(url(path))
    await visited.page.evaluate('navigator.serviceWorker.ready')
    await visited.page.waitForFunction('navigator.serviceWorker.controller !== null')
    return visited
  }

  it('shows visited pages and searches without a network, with the same answers', async () => {
    const { page } = await visit('index.html')
    const texts = Object.values(queries).flatMap((list) => list.slice(0, 6).map(({ text }) => text))
    const ask = async () => {
      const titles: string[][] = []
      for (const text of texts) titles.push((await askSearch(page, text)).hits.map(({ meta }) => meta.title))
      return titles
    }
    const before = await ask()
    const visited = (await askSearch(page, 'idempotency')).hits[0]?.path ?? ''
    await page.goto(url(visited))
    const files = indexFiles(site)
    await expect.poll(async () => (await cached(page)).filter((path) => path.startsWith('pagefind/'))).toEqual(files)
    await server?.close()
    server = undefined
    await page.goto(page.url())
    expect(await page.locator('h1').textContent()).toContain('Conversion drops')
    await page.goto(new URL('../../index.html', page.url()).href)
    expect(await page.locator('main').isVisible()).toBe(true)
    expect(await ask()).toEqual(before)
    const unread = await page.goto(new URL('stats/index.html', page.url()).href)
    expect(unread?.status()).toBe(503)
    expect(await page.textContent('body')).toContain('There is no network, and this page was not visited')
    await page.getByRole('link', { name: 'Search' }).click()
    await page.waitForURL(/search\/index\.html$/)
    await page.goBack()
    await page.getByRole('link', { name: 'All sessions' }).click()
    await page.waitForURL(/\/index\.html$/)
    expect(await page.locator('main').isVisible()).toBe(true)
  })

  it('keeps unchanged files of an older build, and removes files that the manifest no longer lists', async () => {
    const { page } = await visit('index.html')
    const listed = (): string[] => Object.keys(manifestOf(site))
    const removed = listed().find((path) => path.startsWith('sessions/')) ?? ''
    const kept = listed().filter((path) => path.startsWith('sessions/'))[1] ?? ''
    for (const path of [removed, kept]) await page.evaluate(`fetch('${url(path)}')`)
    await expect.poll(() => cached(page)).toEqual(expect.arrayContaining([removed, kept]))
    // The next build has one page less, and a worker of another name.
    rmSync(join(site, removed))
    const files = Object.fromEntries(Object.entries(manifestOf(site)).filter(([path]) => path !== removed))
    writeFileSync(join(site, 'manifest.json'), JSON.stringify({ ...readManifest(site), files }))
    const worker = readFileSync(join(site, 'sw.js'), 'utf8')
    writeFileSync(join(site, 'sw.js'), worker.replace(/^const build = '.*?'/, "const build = 'next'"))
    await page.goto(url('404.html'))
    await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
    await expect.poll(() => isCached(page, removed), { timeout: 20_000 }).toBe(false)
    expect(await isCached(page, kept)).toBe(true)
    // The cache of the older build is removed after shared files were taken over.
    const builds = "caches.keys().then((names) => names.map((name) => name.split(' ').at(-1)))"
    await expect.poll(() => page.evaluate(builds)).toEqual(['next'])
  })

  it("fetches pages of a new build from the host, not from the browser's cache", async () => {
    await server?.close()
    server = await serveFolder(site, base, { headers: { 'Cache-Control': 'max-age=600' } })
    const { page } = await visit('index.html')
    const start = join(site, 'index.html')
    writeFileSync(start, readFileSync(start, 'utf8').replace('</title>', ' anew</title>'))
    const files = { ...manifestOf(site), 'index.html': 'another' }
    writeFileSync(join(site, 'manifest.json'), JSON.stringify({ ...readManifest(site), files }))
    const worker = readFileSync(join(site, 'sw.js'), 'utf8')
    writeFileSync(join(site, 'sw.js'), worker.replace(/^const build = '.*?'/, "const build = 'next'"))
    await page.evaluate('navigator.serviceWorker.getRegistration().then((found) => found.update())')
    const builds = "caches.keys().then((names) => names.map((name) => name.split(' ').at(-1)))"
    await expect.poll(() => page.evaluate(builds), { timeout: 20_000 }).toEqual(['next'])
    const text = `caches.match('${url('index.html')}').then((kept) => kept.text())`
    expect(await page.evaluate(text)).toContain(' anew</title>')
  })

  it('opens a redirected address without a network', async () => {
    await server?.close()
    server = await serveFolder(site, base, { hidesIndex: true })
    const { page } = await visit('')
    const address = url('search/index.html')
    await server.close()
    server = undefined
    const answer = await page.goto(address)
    expect(answer?.status()).toBe(200)
  })

  it.each(['2.html', '2'])(
    'opens %s without a network on a host that leads to pages without their ending, after a visit',
    async (later) => {
      await server?.close()
      server = await serveFolder(site, base, { hidesIndex: true, hidesEnding: true })
      const { page } = await visit('')
      const folder =
        Object.keys(manifestOf(site))
          .find((path) => path.endsWith('/2.html'))
          ?.replace(/[^/]*$/, '') ?? ''
      await page.goto(url(`${folder}2.html`))
      expect(page.url()).toBe(url(`${folder}2`))
      await expect.poll(() => cached(page)).toContain(`${folder}2.html`)
      const address = url(folder + later)
      await server.close()
      server = undefined
      const answer = await page.goto(address)
      expect(answer?.status()).toBe(200)
      expect(await page.locator('.pageno').textContent()).toContain('Page 2')
    },
  )

  it('is a plain site again after a build without it, without worker and cache', async () => {
    const { page } = await visit('index.html')
    await buildSite({ offline: false })
    publish()
    expect(Object.keys(manifestOf(site))).not.toContain('sw.js')
    await page.goto(url('index.html'))
    await expect.poll(() => page.evaluate('caches.keys().then((names) => names.length)')).toBe(0)
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0)
  })
})

function readManifest(site: string): object {
  return JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8'))
}

function manifestOf(site: string): Record<string, string> {
  const decoded = decodeManifest(readFileSync(join(site, 'manifest.json'), 'utf8'))
  if ('problem' in decoded) throw new Error(decoded.problem)
  return decoded.manifest.files
}

/** Files that a search over the network can request. */
function indexFiles(site: string): string[] {
  return Object.keys(manifestOf(site))
    .filter((path) => /^pagefind\/(?:search\.js|.*\.(?:pf_\w+|pagefind))$/.test(path))
    .sort()
}
