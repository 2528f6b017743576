import { beforeAll, describe, expect, it } from 'vitest'
import { llmsFile, sitemapFiles } from '../../../src/render/pages/feed.ts'
import { pageView } from '../../../src/render/pages/page-view.ts'
import type { SiteInfo } from '../../../src/render/site-info.ts'
import type { Templates } from '../../../src/render/templates.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import type { SessionSummary } from '../../../src/transcript/summary.ts'
import { vectors } from '../../helpers/hostile-vectors.ts'
import { aliveIn } from '../../helpers/markdown-renderers.ts'
import { siteFiles, siteInfo } from '../../helpers/render.ts'
import { summary, threadNumber } from '../../helpers/summary.ts'
import { tagsNamed } from '../../helpers/tags.ts'

const url = 'https://example.org/logs/'

let templates: Templates
beforeAll(async () => {
  templates = await loadTemplates()
})

const site = (summaries: SessionSummary[], fields: Partial<SiteInfo> = {}) => siteFiles(templates, summaries, fields)

const addresses = (xml: string | undefined) => [...(xml ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)

describe('a site without an address', () => {
  it('has neither feed nor sitemap, names no address and keeps search engines out', () => {
    const files = site([summary()])
    expect([...files.keys()].filter((path) => path.endsWith('.xml'))).toEqual([])
    expect(files.get('robots.txt')).toBe('User-agent: *\nDisallow: /\n')
    const html = files.get('index.html') ?? ''
    expect(html).not.toMatch(/rel="(?:canonical|alternate)"|property="og:|twitter:/)
    expect(tagsNamed(html, 'meta').some(({ attributes }) => attributes['name'] === 'description')).toBe(true)
  })
})

/** Pages without content of their own. */
const bare = ['404.html', 'search/index.html']

describe('a site with an address', () => {
  it('lists every page with content in its sitemap, and no other file', () => {
    const files = site([summary({ pages: 2, endedAt: '2026-03-14T09:00:00.000Z' })], { siteUrl: url })
    const listed = addresses(files.get('sitemap.xml')).map((address) => address?.slice(url.length))
    const made = [...files.keys()].filter((path) => path.endsWith('.html') && !bare.includes(path))
    const { threadId } = summary()
    const own = ['index', '1', '2'].map((name) => `sessions/${threadId}/${name}.html`)
    expect(listed).toEqual([...made, ...own])
    expect(files.get('sitemap.xml')).toContain('<lastmod>2026-03-14T09:00:00.000Z</lastmod>')
  })

  it('gives search engines the address of the sitemap', () => {
    expect(site([], { siteUrl: url }).get('robots.txt')).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${url}sitemap.xml\n`)
  })

  it('gives each page its address, the feed and its preview', () => {
    const html = site([summary()], { siteUrl: url, description: 'Logs of the garden.' }).get('index.html') ?? ''
    const links = tagsNamed(html, 'link').map(({ attributes }) => attributes)
    expect(links).toContainEqual({ rel: 'canonical', href: `${url}index.html` })
    expect(links).toContainEqual(
      expect.objectContaining({ rel: 'alternate', type: 'application/atom+xml', href: `${url}feed.xml` }),
    )
    const metas = tagsNamed(html, 'meta').map(({ attributes: { property, name, content } }) => [
      property ?? name,
      content,
    ])
    expect(metas).toEqual(
      expect.arrayContaining([
        ['description', 'Logs of the garden.'],
        ['og:type', 'website'],
        ['og:title', 'Sessions'],
        ['og:description', 'Logs of the garden.'],
        ['og:url', `${url}index.html`],
        ['twitter:card', 'summary'],
      ]),
    )
  })

  it('keeps sub-agents out of its feed but not out of its sitemap', () => {
    const endedAt = '2026-03-14T09:00:00.000Z'
    const [parent, child] = [threadNumber(1), threadNumber(2)]
    const files = site(
      [
        summary({ threadId: parent, endedAt }),
        summary({ threadId: child, endedAt, agent: 'review', parentId: parent }),
      ],
      { siteUrl: url },
    )
    expect(files.get('feed.xml')).toContain(parent)
    expect(files.get('feed.xml')).not.toContain(child)
    expect(files.get('sitemap.xml')).toContain(child)
  })
})

describe('a sitemap of too many addresses', () => {
  it('is split, with an index in its place', () => {
    const pages = Array.from({ length: 5 }, (_, index) => ({ path: `${index}.html` }))
    const files = sitemapFiles(pages, url, 2)
    expect(files.map(({ path }) => path)).toEqual(['sitemap.xml', 'sitemap-1.xml', 'sitemap-2.xml', 'sitemap-3.xml'])
    const [index = '', ...parts] = files.map(({ content }) => String(content))
    expect(index).toContain('<sitemapindex ')
    expect(addresses(index)).toEqual([1, 2, 3].map((part) => `${url}sitemap-${part}.xml`))
    expect(parts.flatMap(addresses)).toEqual(pages.map(({ path }) => url + path))
  })

  it('is a single file as long as the addresses fit', () => {
    const pages = [{ path: 'a.html' }, { path: 'b.html' }]
    expect(sitemapFiles(pages, url, 2).map(({ path }) => path)).toEqual(['sitemap.xml'])
    expect(sitemapFiles([], url)).toHaveLength(1)
  })
})

describe('every page', () => {
  it('has its own description', () => {
    const files = [...site([summary()], { siteUrl: url })].filter(
      ([path]) => path.endsWith('.html') && path !== '404.html',
    )
    const descriptions = files.map(([, html]) => {
      const meta = tagsNamed(html, 'meta').find(({ attributes }) => attributes['name'] === 'description')
      return meta?.attributes['content'] ?? ''
    })
    expect(descriptions.length).toBeGreaterThan(5)
    expect(descriptions.filter((text) => text === '' || text === 'Transcripts of Codex sessions.')).toEqual([])
    expect(new Set(descriptions).size).toBe(descriptions.length)
  })
})

describe('what links to a session show', () => {
  const about = (description: string) =>
    pageView('x/index.html', 'Gate · garden', siteInfo({ siteUrl: url }), { description })

  it('is one line of at most 160 characters, as text', () => {
    expect(about('a  <b>\n\tc').description).toBe('a <b> c')
    expect(about('long '.repeat(60)).description).toHaveLength(160)
    expect(about('\u{1f6aa}'.repeat(100)).description).not.toMatch(/\p{Surrogate}/u)
    expect(about(' ').description).toBe('Transcripts of Codex sessions.')
  })

  it('has the name of the site separate from the title', () => {
    const properties = about('').social?.properties ?? []
    expect(properties).toContainEqual({ property: 'og:title', content: 'Gate · garden' })
    expect(properties).toContainEqual({ property: 'og:site_name', content: 'Sessions' })
  })

  it('has times if the page is a session', () => {
    const startedAt = '2026-03-14T09:00:00.000Z'
    const { social } = pageView('x/index.html', 'Gate', siteInfo({ siteUrl: url }), {
      publishedAt: startedAt,
    })
    expect(social?.properties).toEqual(
      expect.arrayContaining([
        { property: 'og:type', content: 'article' },
        { property: 'article:published_time', content: startedAt },
      ]),
    )
  })
})

describe('llms.txt', () => {
  const startedAt = '2026-03-14T09:00:00.000Z'

  it('says what the site is, then lists sessions and projects as links', () => {
    const text = llmsFile([summary({ startedAt, firstPrompt: 'It squeaks.\nPlease.' })], siteInfo())
    expect(text).toBe(
      [
        '# Sessions',
        '',
        '> Transcripts of Codex sessions.',
        '',
        '1 session of Codex, a coding agent, newest first: prompts, answers, commands, edits. Each link leads to a whole session as Markdown; `index.html` beside it is the same as a page.',
        '',
        '## Sessions',
        '',
        `- [Mend the garden gate](sessions/${summary().threadId}/index.md): garden, 2026-03-14. It squeaks.`,
        '',
        '## Projects',
        '',
        '- [garden](projects/garden-000000/index.html): 1 session',
        '',
      ].join('\n'),
    )
  })

  it('links by absolute addresses if the site has one, and to pages if there is no Markdown', () => {
    const text = llmsFile([summary({ startedAt })], siteInfo({ siteUrl: url, markdown: false }))
    expect(text).toContain(`](${url}sessions/${summary().threadId}/index.html)`)
    expect(text).not.toContain('Markdown')
  })

  it('says how many sessions and projects it omits', () => {
    const many = Array.from({ length: 205 }, (_, index) =>
      summary({ threadId: threadNumber(index), project: { slug: `p-${index}`, name: `p ${index}` } }),
    )
    const text = llmsFile(many, siteInfo())
    expect(text).toContain('And 5 older sessions: see [the start page](index.html).')
    expect(text).toContain('And 105 more projects')
  })

  it('has no HTML, picture or link of a title, for any renderer', () => {
    for (const text of vectors) {
      const file = llmsFile([summary({ startedAt, title: text, firstPrompt: `It is so. ${text}` })], siteInfo())
      expect(aliveIn(file), text).toEqual([])
    }
    expect(aliveIn(llmsFile([summary({ startedAt, title: '![x](https://evil.example/a.png)' })], siteInfo()))).toEqual(
      [],
    )
  })

  it('has only its own links, whatever a title says', () => {
    const title = '[click](https://evil.example/) <b> `x`'
    const text = llmsFile([summary({ title, firstPrompt: title })], siteInfo())
    expect(text).not.toMatch(/(?<!\\)\[click/)
    expect([...text.matchAll(/(?<!\\)\]\(([^)]*)\)/g)].map(([, href]) => href)).toEqual([
      `sessions/${summary().threadId}/index.md`,
      'projects/garden-000000/index.html',
    ])
  })
})
