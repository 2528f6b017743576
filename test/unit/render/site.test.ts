import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { cutBytes, cutName } from '../../../src/render/pages/rows.ts'
import type { Templates } from '../../../src/render/templates.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import type { SessionSummary } from '../../../src/transcript/summary.ts'
import { siteFiles, siteInfo } from '../../helpers/render.ts'
import { summary, threadNumber } from '../../helpers/summary.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'

let templates: Templates
beforeAll(async () => {
  templates = await loadTemplates()
})

/** Files of a site by path. */
const site = (summaries: SessionSummary[], fields = {}) => siteFiles(templates, summaries, fields)

function page(files: Map<string, string>, path: string): string {
  const html = files.get(path)
  if (html === undefined) throw new Error(`no \`${path}\` among ${[...files.keys()].join(', ')}`)
  parseTags(html)
  return html
}

/** Sessions an hour apart, the newest first. */
function many(count: number, fields: (index: number) => Partial<SessionSummary> = () => ({})): SessionSummary[] {
  return Array.from({ length: count }, (_, index) => {
    const startedAt = new Date(Date.UTC(2026, 2, 14, 9) - index * 3_600_000).toISOString()
    return summary({ threadId: threadNumber(index), startedAt, ...fields(index) })
  })
}

const sessionLinks = (html: string) =>
  tagsNamed(html, 'a').filter(({ attributes }) => attributes['href']?.includes('sessions/')).length

describe('an empty archive', () => {
  it('has a valid start page that says where to point the tool', () => {
    const html = page(site([]), 'index.html')
    expect(html).toContain('No sessions were found')
    expect(html).toContain('--codex-home')
    expect(html).toContain('<h1>Sessions</h1>')
  })

  it('has every small file that hosts look for', () => {
    expect([...site([]).keys()]).toEqual([
      'index.html',
      'projects/index.html',
      'files/index.html',
      'failures/index.html',
      'stats/index.html',
      'search/index.html',
      '404.html',
      'favicon.svg',
      'robots.txt',
      'llms.txt',
      '.nojekyll',
      '_headers',
    ])
  })
})

describe('the start page', () => {
  it('lists sessions by day in the zone of the site, newest first', () => {
    const files = site(
      [
        summary({ threadId: threadNumber(1), title: 'Early', startedAt: '2026-03-13T23:30:00.000Z' }),
        summary({ threadId: threadNumber(2), title: 'Late', startedAt: '2026-03-14T10:00:00.000Z' }),
        summary({ threadId: threadNumber(3), title: 'Before', startedAt: '2026-03-13T10:00:00.000Z' }),
        summary({ threadId: threadNumber(4), title: 'Never' }),
      ],
      { timeZone: 'Europe/Berlin' },
    )
    const html = page(files, 'index.html')
    const { text } = parseTags(
      html
        .slice(html.indexOf('class="newest"') - 5, html.indexOf('</main>'))
        .replace(/<\/div>\s*<footer[\s\S]*$/, '</div>'),
    )
    const order = [
      'Saturday, 14 March 2026',
      '11:00',
      'Late',
      '00:30',
      'Early',
      'Friday, 13 March 2026',
      'Before',
      'Without a date',
      'Never',
    ]
    const places = order.map((word) => text.indexOf(word))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
  })

  it('adds up what the sessions did, with the share of failed commands rounded as on other pages', () => {
    const did = { commands: { total: 13, failed: 3 }, edits: { files: 2, added: 3, removed: 1 } }
    const files = site([summary({ threadId: threadNumber(1), ...did }), summary({ threadId: threadNumber(2), ...did })])
    expect(parseTags(page(files, 'index.html')).text).toContain(
      '2 turns\u00A0· 26 commands, 23\u00A0% failed\u00A0· 8 lines changed',
    )
  })

  it('shows what a session did', () => {
    const html = page(
      site([
        summary({
          title: 'Mend the gate',
          startedAt: '2026-03-14T09:00:00.000Z',
          endedAt: '2026-03-14T09:18:00.000Z',
          activeMs: 1_080_000,
          firstPrompt: 'The gate squeaks.\nOil it.',
          branch: 'fix/gate',
          edits: { files: 2, added: 42, removed: 9 },
          commands: { total: 5, failed: 3 },
          failuresLeft: 2,
          errors: 1,
          status: 'interrupted',
        }),
      ]),
      'index.html',
    )
    const { text } = parseTags(html)
    for (const part of [
      'Mend the gate',
      'The gate squeaks.',
      'garden\u00A0· fix/gate',
      'interrupted',
      '+42 −9',
      '2 failed commands not fixed',
      '1 error',
      '18 min',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('marks the language of titles if their letters show it', () => {
    const titles = ['大门已经修好了', 'ゲートを直して', '문을 고쳐 주세요', 'Mend the gate', 'Fix `門` in gate.ts']
    const html = page(site(titles.map((title, at) => summary({ threadId: threadNumber(at), title }))), 'index.html')
    const languages = tagsNamed(html, 'span')
      .filter(({ attributes }) => attributes['class'] === 't')
      .map(({ attributes }) => attributes['lang'])
    expect(languages.toSorted()).toEqual(['ja', 'ko', 'zh', undefined, undefined])
  })

  it('does not repeat a prompt that is the title', () => {
    const { text } = parseTags(
      page(site([summary({ title: 'Mend the gate', firstPrompt: 'Mend the gate, please' })]), 'index.html'),
    )
    expect(text).not.toContain('“')
  })

  it('shows the newest 200 sessions, says so, and links to months for the others', () => {
    const files = site(many(1500))
    const html = page(files, 'index.html')
    expect(sessionLinks(html)).toBe(200)
    expect(html).toContain('The newest 200 of 1,500 sessions are listed above.')
    const months = tagsNamed(html, 'a').flatMap(
      ({ attributes }) => attributes['href']?.match(/^months\/.*index\.html$/)?.[0] ?? [],
    )
    expect(months).toEqual(['months/2026-03/index.html', 'months/2026-02/index.html', 'months/2026-01/index.html'])
    const days = [...files.keys()].filter((path) => /^months\/\d{4}-\d\d\/\d\d\.html$/.test(path))
    const listed = days.map((path) => sessionLinks(page(files, path))).reduce((sum, count) => sum + count, 0)
    expect(listed).toBe(1500)
  })

  it('lists a sub-agent only under the session that started it, unless that is missing', () => {
    const html = page(
      site([
        summary({ threadId: threadNumber(1), title: 'Parent' }),
        summary({ threadId: threadNumber(2), title: 'Child', agent: 'explorer', parentId: threadNumber(1) }),
        summary({ threadId: threadNumber(3), title: 'Orphan', agent: 'explorer', parentId: threadNumber(9) }),
      ]),
      'index.html',
    )
    const { text } = parseTags(html)
    expect(text).toContain('Parent')
    expect(text).toContain('Orphan')
    expect(text).not.toContain('Child')
    expect(text).toContain('1 sub-agent session can be reached from the session that started it.')
  })

  it('stays below 60 kB gzip, for titles in any script and archives of any size', () => {
    let seed = 7
    const random = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % limit
    }
    const noise = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + random(20_000))).join('')
    const summaries = many(20_000, (index) => ({
      threadId: threadNumber(index * 7919 + random(7000)),
      title: noise(100),
      firstPrompt: noise(100),
      branch: noise(40),
      project: { slug: `p-${index % 900}`, name: noise(30) },
      edits: { files: 1, added: random(9999), removed: random(9999) },
    }))
    const html = page(site(summaries), 'index.html')
    expect(sessionLinks(html)).toBe(200)
    expect(gzipSync(html).length).toBeLessThan(60_000)
  })
})

describe('project pages', () => {
  it('list the sessions of a project, 500 per page, with links to the neighbouring pages', () => {
    const files = site(
      many(1500, (index) => ({ project: index % 4 === 0 ? { slug: 'b', name: 'B' } : { slug: 'a', name: 'A' } })),
    )
    expect(sessionLinks(page(files, 'projects/b/index.html'))).toBe(375)
    expect(files.has('projects/b/2.html')).toBe(false)
    const pages = ['index', '2', '3'].map((name) => page(files, `projects/a/${name}.html`))
    expect(pages.map(sessionLinks)).toEqual([500, 500, 125])
    const sides = pages.map((html) =>
      tagsNamed(html, 'a').flatMap(({ attributes: { rel, href } }) => (rel === undefined ? [] : [`${rel} ${href}`])),
    )
    expect(sides).toEqual([['next 2.html'], ['prev index.html', 'next 3.html'], ['prev 2.html']])
    expect(pages[1]).toContain('Page 2 of 3, 1,125 sessions in all.')
  })

  it('show the year if there is more than a day, branches and models with their numbers', () => {
    const files = site(
      many(30, (index) => ({
        branch: index < 20 ? 'main' : `topic/${index}`,
        models: index < 10 ? ['a', 'b'] : ['a'],
      })),
    )
    const html = page(files, 'projects/garden-000000/index.html')
    const { text } = parseTags(html)
    expect(text.replace(/\s+/g, ' ')).toContain('Branches main 20 topic/20 1 topic/21 1')
    expect(text.replace(/\s+/g, ' ')).toContain('Models a 30 b 10')
    expect(text).toContain('30 sessions on 2 days in the year to 14 March 2026')
    // Its days are on this page, so that the calendar links to them.
    const days = tagsNamed(html, 'a').filter(({ attributes }) => attributes['href']?.startsWith('#d-'))
    expect(days.map(({ attributes }) => attributes['href'])).toEqual(['#d-2026-03-13', '#d-2026-03-14'])
    const short = page(site(many(3)), 'projects/garden-000000/index.html')
    expect(short).not.toContain('class="calendar"')
  })

  it('link from the calendar to the page of a day that is not on the first page', () => {
    const html = page(site(many(700)), 'projects/garden-000000/index.html')
    const [first] = tagsNamed(html, 'a').filter(({ attributes }) => /^l\d$/.test(attributes['class'] ?? ''))
    expect(first?.attributes['href']).toBe('../../months/2026-02/13.html')
  })

  it('are listed with tokens, last day, sortable sizes, and half a year of sessions as columns', () => {
    const sessionOf = (number: number, startedAt: string, name: string) =>
      summary({
        ...{ threadId: threadNumber(number), startedAt, activeMs: 60_000 },
        project: { slug: `${name}-0`, name },
        edits: { files: 1, added: 5, removed: 2 },
        usage: { input: 1000, cached: 0, output: 200, reasoning: 0, total: 1200 },
      })
    const days = ['2026-03-14', '2026-03-13', '2026-03-02', '2025-01-01'].map((day) => `${day}T09:00:00.000Z`)
    const files = site([
      ...days.map((day, index) => sessionOf(index, day, 'busy')),
      sessionOf(9, '2026-02-26T09:00:00.000Z', 'calm'),
      sessionOf(11, '2099-12-31T09:00:00.000Z', 'wrong clock'),
      summary({ threadId: threadNumber(10), project: { slug: 'undated-0', name: 'undated' } }),
    ])
    const html = page(files, 'projects/index.html')
    expect(html).toContain('<li data-sessions="4" data-active="240000" data-changes="28" data-tokens="4800">')
    expect(parseTags(html).text.replace(/\s+/g, ' ')).toMatch(
      /busy4 sessions\+20−84.8k tokens2026-03-14 calm1 session\+5−21.2k tokens2026-02-26 undated1 session/,
    )
    const paths = tagsNamed(html, 'path').flatMap(({ attributes }) => attributes['d'] ?? [])
    // Two sessions in the newest week, one in the week before; what is older than half a year, or far from most, has
    // no column.
    expect(paths.slice(-4)).toEqual(['', 'M96 18v-9h3v9zM100 18v-18h3v18z', 'M92 18v-18h3v18z', ''])
  })

  it('have no list if there is no session', () => {
    const html = page(site([]), 'projects/index.html')
    expect(parseTags(html).text).toContain('There are no sessions yet.')
    expect(tagsNamed(html, 'form')).toEqual([])
    expect(tagsNamed(html, 'ul')).toEqual([])
  })

  it('are all linked', () => {
    const files = site(many(60, (index) => ({ project: { slug: `p${index}`, name: `Project ${index}` } })))
    const links = tagsNamed(page(files, 'projects/index.html'), 'a').map(({ attributes }) => attributes['href'])
    expect(links.filter((href) => /^p\d+\/index\.html$/.test(href ?? ''))).toHaveLength(60)
    expect(page(files, 'index.html')).toContain('All projects')
  })
})

describe('pages of months and days', () => {
  it('list a day completely, with links to the neighbouring days and to its month', () => {
    const days = ['2026-03-14', '2026-03-11', '2025-12-31']
    const files = site(
      days.map((day, index) => summary({ threadId: threadNumber(index), startedAt: `${day}T09:00:00.000Z` })),
    )
    const html = page(files, 'months/2026-03/11.html')
    expect(html).toContain('<h1>Wednesday, 11 March 2026</h1>')
    const steps = tagsNamed(html, 'a').filter(({ attributes }) => /(?:\d|index)\.html$/.test(attributes['href'] ?? ''))
    expect(steps.map(({ attributes: { rel, href } }) => [rel, href])).toEqual(
      expect.arrayContaining([
        ['prev', '../2025-12/31.html'],
        [undefined, 'index.html'],
        ['next', '14.html'],
      ]),
    )
    expect(sessionLinks(html)).toBe(1)
    expect([...files.keys()].filter((path) => path.startsWith('months/'))).toHaveLength(6)
  })

  it('are all in a list by year that each month links to, and the start page names twelve', () => {
    const months = [...Array.from({ length: 12 }, (_, month) => [2025, month]), [2026, 0], [2026, 1]]
    const files = site(
      months.map(([year = 0, month], index) =>
        summary({ threadId: threadNumber(index), startedAt: new Date(Date.UTC(year, month, 3)).toISOString() }),
      ),
    )
    const list = page(files, 'months/index.html')
    expect(list).toContain('<h1>14 months</h1>')
    expect([...list.matchAll(/<h2[^>]*>(\d+)</g)].map(([, year]) => year)).toEqual(['2026', '2025'])
    expect(list.match(/href="\d{4}-\d\d\/index\.html"/g)).toHaveLength(14)
    // Its session is at its day, the third of 31 columns.
    expect(list).toContain('<path d="M6 18v-18h2v18z"')
    expect(page(files, 'months/2025-12/index.html')).toContain('<a href="../index.html">All months</a>')
    const home = page(files, 'index.html')
    expect(home.match(/href="months\/\d{4}-\d\d\/index\.html"/g)).toHaveLength(12)
    expect(home).toContain('<a href="months/index.html">All months</a>')
  })

  it('list 500 sessions of a month and link to the days with the others', () => {
    const files = site(
      many(31 * 24, (index) => ({ startedAt: new Date(Date.UTC(2026, 2, 31, 23) - index * 3_600_000).toISOString() })),
    )
    const html = page(files, 'months/2026-03/index.html')
    expect(sessionLinks(html)).toBe(500)
    expect(html).toContain('The newest 500 of 744 sessions are listed.')
    const more = html.slice(html.indexOf('id="more"'))
    expect(more).toContain('<a href="11.html">11 March 2026 <span class="count">24</span></a>')
    expect(more).toContain('href="01.html"')
    expect(more).not.toContain('href="12.html"')
  })

  it('keep sessions without a date together on one page', () => {
    const files = site([summary({ threadId: threadNumber(1) }), summary({ threadId: threadNumber(2) })])
    expect(sessionLinks(page(files, 'months/undated/index.html'))).toBe(2)
    expect([...files.keys()].filter((path) => path.startsWith('months/'))).toEqual([
      'months/index.html',
      'months/undated/index.html',
    ])
    expect(page(files, 'months/index.html')).toContain('href="undated/index.html"')
    expect(page(files, 'index.html')).not.toContain('class="calendar"')
  })
})

/** A page without the inline script of the 404 page. */
const withoutOwn = (html: string): string => html.replace(`<script>${siteInfo().plainScript}</script>`, '')

describe('every page of the site', () => {
  it('makes no landmarks of days, which would hide the others among them', () => {
    const files = site(many(400))
    for (const path of ['index.html', 'months/2026-03/index.html']) {
      const sections = tagsNamed(page(files, path), 'section')
      expect(sections.length, path).toBeGreaterThan(8)
      const landmarks = sections.filter(
        ({ attributes }) => 'aria-label' in attributes || 'aria-labelledby' in attributes,
      )
      expect(landmarks.length, path).toBeLessThan(4)
    }
  })

  const hostile = '"><script>alert(1)</script><b title=\'x'

  const pages = () =>
    [...site(many(3))].filter(([path]) => path.endsWith('.html')).map(([, html]) => parseTags(withoutOwn(html)).tags)
  const values = (name: string) => pages().flatMap((tags) => tags.flatMap(({ attributes }) => attributes[name] ?? []))

  it('has relative links that name a file', () => {
    const links = values('href').filter((href) => !href.startsWith('#'))
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter((href) => !/^(?:\.\.\/)*[\w./-]+\.(?:html|css|svg)$/.test(href))).toEqual([])
  })

  it('has a policy, no inline script, no style and no handler', () => {
    const tags = pages().flat()
    expect(values('style')).toEqual([])
    expect(tags.flatMap(({ attributes }) => Object.keys(attributes)).filter((name) => name.startsWith('on'))).toEqual(
      [],
    )
    expect(values('src').filter((source) => !/^(?:\.\.\/)*assets\/site\.\w+\.js$/.test(source))).toEqual([])
    expect(tags.filter(({ name, attributes }) => name === 'script' && attributes['src'] === undefined)).toEqual([])
    const policies = tags.filter(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy')
    expect(policies).toHaveLength(pages().length)
    expect(policies.every(({ attributes }) => attributes['content']?.startsWith("default-src 'none'"))).toBe(true)
  })

  it('keeps hostile titles, projects and branches as text', () => {
    const files = site(
      [
        summary({
          title: hostile,
          firstPrompt: `x ${hostile}`,
          branch: hostile,
          agent: hostile,
          startedAt: '2026-03-14T09:00:00.000Z',
          project: { slug: 'x', name: hostile },
        }),
      ],
      { title: hostile, generator: hostile },
    )
    for (const [, html] of [...files].filter(([path]) => path.endsWith('.html'))) {
      const { tags } = parseTags(withoutOwn(html))
      expect(tags.filter(({ name, attributes }) => name === 'script' && attributes['src'] === undefined)).toEqual([])
      expect(tags.filter(({ name, attributes }) => name === 'b' && attributes['title'] !== undefined)).toEqual([])
    }
    expect(parseTags(files.get('index.html') ?? '').text).toContain(hostile)
  })

  it('does not depend on the order of the sessions', () => {
    const summaries = many(50)
    expect(site([...summaries].reverse())).toEqual(site(summaries))
  })
})

describe('small files', () => {
  it('keep robots out and give hosts the policy', () => {
    expect(site([]).get('robots.txt')).toContain('Disallow: /')
    expect(site([]).get('_headers')).toMatch(/Content-Security-Policy: default-src 'none'.*frame-ancestors 'none'/)
    expect(site([]).get('_headers')).toContain('Cross-Origin-Resource-Policy: same-origin')
  })

  it.each([true, false])('let pages compile nothing but the search, and send nothing: search %s', (search) => {
    const files = site([summary()], { search })
    const isLoading = ([path]: [string, unknown]): boolean => path.endsWith('.html') && path !== '404.html'
    const pages = [...files].filter(isLoading).map(([, html]) => html.replaceAll('&#39;', "'"))
    const policies = [...pages, files.get('_headers') ?? ''].map((text) => /default-src [^"\n]*/.exec(text)?.[0] ?? '')
    expect(policies.length).toBeGreaterThan(5)
    for (const policy of policies) {
      expect(policy).toMatch(/^default-src 'none'; .*form-action 'none'; base-uri 'none'/)
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|https?:|\*/)
      expect(policy.includes("'wasm-unsafe-eval'")).toBe(search)
    }
  })

  it('let the 404 page load nothing, with inline style and script that the policy of hosts allows', () => {
    const files = site([summary()])
    const page = (files.get('404.html') ?? '').replaceAll('&#39;', "'")
    const [, style = '', script = ''] =
      /default-src 'none'; style-src ('sha256-[^']+'); script-src ('sha256-[^']+'); connect-src 'self'; base-uri/.exec(
        page,
      ) ?? []
    expect(page).toContain(`<style>${siteInfo().plainStyle}</style>`)
    expect(page).toContain(`<script>${siteInfo().plainScript}</script>`)
    expect(files.get('_headers')).toContain(`style-src 'self' ${style};`)
    expect(files.get('_headers')).toContain(`script-src 'self' ${script}`)
    expect(page).not.toMatch(/<(?:script [^>]*src|link)\b|<a\b/)
  })

  it('link from the 404 page to the start page if the address of the site is known', () => {
    const page = site([summary()], { siteUrl: 'https://example.com/logs/' }).get('404.html')
    expect(page).toContain('<a href="https://example.com/logs/index.html" rel="noreferrer">the start page</a>')
    expect(page).not.toMatch(/<script|script-src|connect-src/)
  })

  it('list sessions for programs, without Markdown in titles', () => {
    const text = site([summary({ title: '[x](javascript:y) *z*', startedAt: '2026-03-14T09:00:00.000Z' })]).get(
      'llms.txt',
    )
    expect(text).toContain(
      `- [\\[x\\](javascript:y) \\*z\\*](sessions/${threadNumber(1)}/index.md): garden, 2026-03-14`,
    )
  })

  it('link to pages if there is no Markdown', () => {
    expect(site([summary()], { markdown: false }).get('llms.txt')).toContain('/index.html)')
  })
})

describe('texts cut by bytes', () => {
  it('exceed the limit only by the ellipsis, and never split a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 80 }), (text, limit) => {
        const cut = cutBytes(text, limit)
        expect(Buffer.byteLength(cut.replace(/…$/, ''))).toBeLessThanOrEqual(
          Math.max(limit, Buffer.byteLength(text) <= limit ? limit : 0),
        )
        expect(Buffer.from(cut).toString()).toBe(cut)
        if (Buffer.byteLength(text) <= limit) expect(cut).toBe(text)
      }),
    )
  })

  it('keep both ends of a name, and never split a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 80 }), (text, limit) => {
        const cut = cutName(text, limit)
        expect(Buffer.from(cut).toString()).toBe(cut)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit + 3)
        if (Buffer.byteLength(text) <= limit) expect(cut).toBe(text)
        else expect(cut).toContain('…')
      }),
    )
    const name = (end: string): string =>
      `customers/portal-of-the-northern-harbours/frontend-with-the-new-timetable-${end}`
    expect(cutName(name('spring'))).toMatch(/^customers\/portal-of-the-northe….*-timetable-spring$/)
    expect(cutName(name('autumn'))).not.toBe(cutName(name('spring')))
  })
})
