/** A site full of hostile text: nothing runs, nothing loads, and its pages have the same form as with harmless text. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/cli/serve/server-fs.ts'
import { isAddress } from '../../src/render/labels.ts'
import { folderOf } from '../../src/site/output/paths.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import { runCli } from '../helpers/cli.ts'
import { type PageReport, reportPages, reportShown } from '../helpers/dom-report.ts'
import { sayEverywhere, threadOf, threadOfAll, writeHostileHome } from '../helpers/hostile-site.ts'
import { harmless, vectors, vectorsByClass } from '../helpers/hostile-vectors.ts'
import { aliveIn, renderers } from '../helpers/markdown-renderers.ts'
import { askSearch } from '../helpers/search.ts'
import { showFrom, writeHome } from '../helpers/show.ts'
import { shareTempDir } from '../helpers/temp.ts'

const folder = shareTempDir()
/** Called by any hostile text that runs; a console error is a problem of the visit. */
const before = "globalThis.canary = () => console.error('the canary ran')"
/** The first vectors of every class, for slow checks. */
const firstOfEach = (count: number): string[] => Object.values(vectorsByClass).flatMap((list) => list.slice(0, count))
/** Every text that an address can contain, those of a class in one, for checks with a visit each. */
const together = Object.values(vectorsByClass).map((list) =>
  list.filter((vector) => vector.length < 700 && !/\p{Surrogate}/u.test(vector)).join(' '),
)

interface Site {
  root: string
  server: RunningServer
}

async function buildSite(name: string, texts: readonly string[]): Promise<Site> {
  const place = join(folder, name)
  const home = writeHostileHome(place, texts)
  const root = join(place, 'site')
  const args = ['build', '--codex-home', home, '--out', root, '--cache', join(place, 'cache'), '--format', 'html,md']
  const run = await runCli([...args, '--site-url', 'https://sessions.example.com/'], { cwd: place })
  if (run.status !== 0) throw new Error(run.stderr)
  return { root, server: await startServer(root, { port: 0 }) }
}

const sessionPaths = vectors.map((_, index) => `sessions/${threadOf(index)}/index.html`)

/** Paths of all pages of a site. */
function pagesOf({ root }: Site): string[] {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  return all.filter((path) => path.endsWith('.html')).sort()
}

/** Pages of single projects, and memory pages of single sessions, are many and alike. */
const isOneOfMany = (path: string): boolean =>
  /^(?:projects|files|failures)\/[^/]+\//.test(path) ||
  (path.endsWith('/context.html') && !path.startsWith(`sessions/${threadOfAll}/`))
/** Pages around the sessions, which contain all the texts; each has a page of the same form in the other site. */
const lists = ['index.html', 'projects/index.html', 'files/index.html', 'stats/index.html', 'months/2026-03/14.html']

/** The first line of a form that differs from the other form at that place. */
function differences(report: PageReport, other: PageReport | undefined): string[] {
  // Whether an answer begins with a sentence that can be below or after the title depends on its words.
  const [form, lines] = [report, other].map((one) =>
    (one?.form ?? []).filter((line) => !/^ *(?:p \.sub|span \.g)$/.test(line)),
  )
  const at = (form ?? []).findIndex((line, index) => line !== lines?.[index])
  if (at === -1 && form?.length === lines?.length) return []
  return [`${report.path}: ${form?.[at]} instead of ${lines?.[at]}`]
}

describeInBrowser('hostile text', (open) => {
  let hostile: Site
  let benign: Site
  beforeAll(async () => {
    ;[hostile, benign] = await Promise.all([buildSite('hostile', vectors), buildSite('benign', vectors.map(harmless))])
  })
  afterAll(() => Promise.all([hostile?.server.close(), benign?.server.close()]))

  const at = (path: string): string => new URL(path, hostile.server.url).href

  it('comes in at least 150 forms of 14 kinds', () => {
    expect(new Set(vectors).size).toBe(vectors.length)
    expect(vectors.length).toBeGreaterThanOrEqual(150)
    expect(Object.keys(vectorsByClass)).toHaveLength(14)
  })

  it('is detected if it leaves the site: by a picture, a script, or a navigation', async () => {
    const away = 'https://elsewhere.example/'
    const file = join(folder, 'leaving.html')
    writeFileSync(file, `<!doctype html><title>Leaving</title><img src="${away}1"><script src="${away}2"></script>`)
    const { page, problems } = await open(pathToFileURL(file).href)
    await expect(page.goto(`${away}3`)).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
    const noticed = problems.filter((problem) => problem.startsWith('request left')).sort()
    expect(noticed).toEqual([1, 2, 3].map((number) => `request left the origin: ${away}${number}`))
  })

  it('runs nothing, loads nothing and leads nowhere', async () => {
    // Of the threads with one text, the first one represents all; the thread of all texts has every page.
    const single = new Set(vectors.slice(1).map((_, index) => `sessions/${threadOf(index + 1)}`))
    const paths = pagesOf(hostile).filter(
      (path, index) => !single.has(folderOf(path)) && (!isOneOfMany(path) || index % 50 === 0),
    )
    const { page, problems } = await open(at('index.html'), { before })
    const strayed: string[] = []
    for (const path of paths) {
      await page.goto(at(path), { waitUntil: 'load' })
      await page.evaluate(() => {
        for (const fold of document.querySelectorAll('details')) fold.open = true
      })
      if (page.url() !== at(path)) strayed.push(page.url())
    }
    expect(strayed).toEqual([])
    expect(problems).toEqual([])
    // The pages of the thread with all texts, and those around it.
    expect(paths.length).toBeGreaterThan(20)
  })

  it('adds no elements, so that pages have the same form as with harmless text', async () => {
    // The 404 page contains nothing of a session; its inline style is refused by other pages.
    const pages = pagesOf(hostile).filter((path) => path !== '404.html')
    const paths = pages.filter((path, index) => !isOneOfMany(path) || index % 20 === 0)
    const { page, problems } = await open(at('index.html'), { before })
    // By design, a prompt like Codex's own mark of a picture is read as one, an answer in JSON as JSON, and one word
    // with a digit, for an opened page, as the name of a page.
    const isRead = (index: number): boolean => {
      const vector = vectors[index] ?? ''
      return /^(?:<image|\{")/.test(vector) || isAddress(vector) !== isAddress(harmless(vector))
    }
    const twins = new Set([...lists, ...sessionPaths.filter((_, index) => !isRead(index))])
    const reports = await reportPages(page, paths, twins)
    expect(reports.filter(({ faults }) => faults.length > 0).map(({ path, faults }) => [path, faults])).toEqual([])
    const other = await open(new URL('index.html', benign.server.url).href, { before })
    const others = await reportPages(other.page, [...twins], twins)
    const forms = new Map(others.map((report) => [report.path, report]))
    const compared = reports.filter(({ path }) => twins.has(path))
    expect(compared.flatMap((report) => differences(report, forms.get(report.path)))).toEqual([])
    expect(compared.length).toBe(twins.size)
    expect([...problems, ...other.problems]).toEqual([])
  })

  it('is text in the answers of the search, and as a question', async () => {
    const { page, problems } = await open(at('search/index.html?q=canary'), { before })
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
    await results.first().waitFor()
    expect((await reportShown(page)).flatMap(({ faults }) => faults)).toEqual([])
    for (const vector of firstOfEach(3)) await askSearch(page, vector, {}, 2)
    for (const vector of firstOfEach(1)) {
      await page.goto(at(`search/index.html?q=${encodeURIComponent(`canary ${vector}`)}`))
      await results.first().waitFor()
      expect(await page.getByRole('combobox', { name: /^Search/ }).inputValue()).toContain('canary')
    }
    expect((await reportShown(page)).flatMap(({ faults }) => faults)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is text in the mark of a page, and in the filters', async () => {
    const { page, problems } = await open(at('index.html'), { before })
    for (const texts of together) {
      const asked = encodeURIComponent(texts)
      await page.goto(at(`${sessionPaths[0]}?mark=${asked}#${asked}`))
      await page.goto(at(`index.html?q=${asked}&project=${asked}&branch=${asked}#${asked}`))
    }
    await page.goto(at('index.html'))
    await page.locator('.filters select').first().selectOption({ index: 3 })
    await page.locator('.results a').first().waitFor()
    expect((await reportShown(page)).flatMap(({ faults }) => faults)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is text in a standalone page too', async () => {
    const texts = [
      '</title></style></script><script>canary(1)</script>',
      ...firstOfEach(2),
      ...(vectorsByClass['breakOut'] ?? []),
    ]
    const id = threadOf(0)
    const home = writeHome(join(folder, 'single'), { [id]: sayEverywhere(texts, id) })
    const { text } = await showFrom(home, id, { format: 'html' })
    const file = join(folder, 'single.html')
    writeFileSync(file, text)
    const { page, problems } = await open(pathToFileURL(file).href, { before })
    expect((await reportShown(page)).flatMap(({ faults }) => faults)).toEqual([])
    expect(await page.locator('script').count()).toBe(1)
    expect(await page.locator('style').count()).toBe(1)
    expect(problems).toEqual([])
  })

  /**
   * Texts of the Markdown twins and of `llms.txt`, without those that take renderers seconds, because extreme nesting
   * is fenced.
   */
  const twins = (): [path: string, source: string][] => {
    const deep = new Set(vectorsByClass['nesting'])
    const paths = sessionPaths.filter((_, index) => !deep.has(vectors[index] ?? ''))
    return [...paths.map((path) => path.replace('.html', '.md')), 'llms.txt'].map((path) => [
      path,
      readFileSync(join(hostile.root, path), 'utf8'),
    ])
  }

  it('is no markup, picture or unsafe link in the Markdown twin, for any renderer', () => {
    expect(twins().flatMap(([path, source]) => aliveIn(source).map((fault) => `${path}: ${fault}`))).toEqual([])
  })

  it('runs nothing in the Markdown twin as rendered by marked and markdown-it', async () => {
    const foreign = 'script, style, iframe, img, svg, object, embed, form, input:not([type=checkbox])'
    for (const { name, render } of renderers.filter((each) => /^mark/.test(each.name))) {
      const html = twins().map(([, source]) => render(source))
      const file = join(folder, `${name}.html`)
      writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>${name}</title>${html.join('<hr>')}`)
      const { page, problems } = await open(pathToFileURL(file).href, { before })
      expect(await page.locator('hr').count()).toBeGreaterThan(100)
      expect(await page.locator(foreign).count()).toBe(0)
      expect(problems).toEqual([])
    }
  })

  it('is text in feed and sitemap', async () => {
    const { page } = await open(at('index.html'), { before })
    const names = await page.evaluate(
      (sources) =>
        sources.map((source) => {
          const { documentElement } = new DOMParser().parseFromString(source, 'application/xml')
          return [...new Set([...documentElement.querySelectorAll('*')].map((element) => element.nodeName))].sort()
        }),
      ['feed.xml', 'sitemap.xml'].map((path) => readFileSync(join(hostile.root, path), 'utf8')),
    )
    expect(names).toEqual([
      [
        ...['author', 'category', 'entry', 'generator', 'id', 'link', 'name', 'published', 'subtitle', 'summary'],
        ...['title', 'updated'],
      ],
      ['lastmod', 'loc', 'url'],
    ])
  })
})
