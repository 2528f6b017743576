import { beforeAll, describe, expect, it } from 'vitest'
import { receipt } from '../../../src/render/receipt.ts'
import { commitUrl } from '../../../src/render/session-facts.ts'
import type { SessionPage } from '../../../src/render/session-page.ts'
import type { Templates } from '../../../src/render/templates.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import { sessionView } from '../../../src/render/view.ts'
import { context, siteInfo } from '../../helpers/render.ts'
import { facts, threadNumber } from '../../helpers/summary.ts'
import { parseTags, tagsNamed, tagsOfClass } from '../../helpers/tags.ts'
import { session, stats, threadId, turn, user } from '../../helpers/tree.ts'

let templates: Templates
beforeAll(async () => {
  templates = await loadTemplates()
})

function input(fields: Partial<SessionPage> = {}): SessionPage {
  return {
    session: session([]),
    facts: facts(),
    project: { slug: 'garden-000000', name: 'garden' },
    page: 1,
    neighbours: { forks: [], agents: [] },
    body: '<p>turns</p>',
    site: siteInfo(),
    context: context(),
    ...fields,
  }
}

const render = (fields: Partial<SessionPage> = {}) => templates.session(sessionView(input(fields)))
const links = (html: string) => tagsNamed(html, 'a').map(({ attributes }) => attributes['href'])

describe('the head of a session page', () => {
  it('tells where, by whom, when, how much and how it ended', () => {
    const html = render({
      session: session([turn([], { effort: 'high' })], {
        title: 'Mend the gate',
        git: { branch: 'fix/gate', commit: '0123456789abcdef', remote: 'git@example.org:garden/gate.git' },
        models: ['m-1', 'm-2'],
        startedAt: '2026-03-14T09:00:00.000Z',
        endedAt: '2026-03-14T09:18:00.000Z',
        client: { version: '0.98.0', originator: 'codex_cli_rs' },
        status: 'interrupted',
        archived: true,
        stats: stats({
          turns: 3,
          commands: { total: 6, failed: 2 },
          edits: { files: 3, added: 42, removed: 9 },
          usage: { 'm-1': { input: 1, cached: 0, output: 1, reasoning: 0, total: 212_000 } },
        }),
      }),
    })
    const { text } = parseTags(html)
    for (const part of [
      ...[
        'garden on fix/gate',
        'at 0123456789',
        'm-1, m-2, high',
        '2026-03-14 09:00',
        '18 min',
        '3 turns',
        '212k tokens',
      ],
      ...['+42 −9 in 3 files', '2 failed commands', 'interrupted', 'Codex 0.98.0, codex_cli_rs', 'archived'],
    ]) {
      expect(text).toContain(part)
    }
    expect(links(html)).toContain('../../projects/garden-000000/index.html')
    expect(links(html)).toContain('https://example.org/garden/gate/commit/0123456789abcdef')
    expect(html).toContain('<title>Mend the gate · garden · Sessions</title>')
  })

  it('leaves out what nobody recorded', () => {
    const { text } = parseTags(render())
    expect(text).not.toMatch(/undefined|NaN|null/)
    expect(text).not.toContain(' on ')
  })

  it.each([
    ['https://example.org/a/b.git', 'https://example.org/a/b/commit/abc'],
    ['https://example.org/a/b', 'https://example.org/a/b/commit/abc'],
    ['ssh://git@example.org/a/b.git', 'https://example.org/a/b/commit/abc'],
    ['git@example.org:a/b.git', 'https://example.org/a/b/commit/abc'],
    ['/srv/git/b.git', undefined],
    ['file:///srv/git/b.git', undefined],
    ['javascript:alert(1)//x/y', undefined],
    ['https://user:pw@example.org/a/b', undefined],
    [undefined, undefined],
  ])('links a commit of %s', (remote, expected) => {
    expect(commitUrl(remote, 'abc')).toBe(expected)
  })

  it('links the threads around it', () => {
    const html = render({
      neighbours: {
        parent: { threadId: threadNumber(2), title: 'Parent', built: true },
        forkedFrom: { threadId: threadNumber(3), built: false },
        forks: [{ threadId: threadNumber(4), title: 'Fork' }],
        agents: [{ threadId: threadNumber(5), title: 'Wren', role: 'explorer' }],
      },
    })
    const { text } = parseTags(html)
    expect(text).toContain(`${threadNumber(3)} (not in this site)`)
    expect(text).toContain('Wren (explorer)')
    for (const number of [2, 4, 5]) expect(links(html)).toContain(`../${threadNumber(number)}/index.html`)
    expect(links(html)).not.toContain(`../${threadNumber(3)}/index.html`)
  })
})

describe('a session of three pages', () => {
  const outline = [
    { anchor: 't-1', page: 1, turn: 1, text: 'First' },
    { anchor: 't-2', page: 2, turn: 2, text: '' },
    { anchor: 'l9000', page: 3, turn: 3, text: '<b>Third</b>' },
  ]
  const three = (page: number) => render({ facts: facts({ outline }, 3), page, context: context({}, { page }) })

  it('has an outline whose links name the page', () => {
    expect(links(three(2)).filter((href) => href?.includes('#') && href !== '#main')).toEqual([
      'index.html#t-1',
      '#t-2',
      '3.html#l9000',
    ])
    expect(parseTags(three(2)).text).toContain('<b>Third</b>')
    expect(parseTags(three(2)).text).toContain('Turn 2')
  })

  it('leads to the pages before and behind', () => {
    const ends = (page: number) =>
      tagsNamed(three(page), 'a').flatMap(({ attributes }) =>
        attributes['rel'] === undefined ? [] : `${attributes['rel']} ${attributes['href']}`,
      )
    expect(ends(1)).toEqual(['next 2.html'])
    expect(ends(2)).toEqual(['prev index.html', 'next 3.html'])
    expect(ends(3)).toEqual(['prev 2.html'])
    const current = tagsNamed(three(2), 'a').filter(({ attributes }) => attributes['aria-current'] === 'page')
    expect(current.map(({ attributes }) => attributes['href'])).toEqual(['2.html'])
  })

  it('names the page in its title', () => {
    expect(three(3)).toContain('<title>Mend the garden gate (page 3) · garden · Sessions</title>')
  })

  it('has no pager where there is one page', () => {
    expect(tagsOfClass(render(), 'pager')).toEqual([])
  })
})

describe('the receipt', () => {
  const lines = {
    total: 118,
    shown: 61,
    folded: 47,
    skipped: { token_count: 6, world_state: 2 },
    unknown: { quantum: 1 },
    damaged: 1,
  }

  it('accounts for every line in one sentence', () => {
    expect(receipt(stats({ lines, redacted: { token: 2 }, omitted: { output: 1 } }), 3).summary).toBe(
      '118 lines read: 61 shown, 47 merged into those, 8 counted only, 1 unknown, 1 damaged, 2 secrets redacted, 1 part left out, 3 items of this page hidden.',
    )
  })

  it('tells the kinds, most frequent first', () => {
    expect(receipt(stats({ lines })).details).toEqual([
      {
        name: 'Counted only',
        counts: [
          { name: 'token_count', count: '6' },
          { name: 'world_state', count: '2' },
        ],
      },
      { name: 'Unknown', counts: [{ name: 'quantum', count: '1' }] },
    ])
  })

  it('stands on every page, with the other formats', () => {
    const html = render({ session: session([], { stats: stats({ lines }) }), site: siteInfo({ json: true }) })
    expect(parseTags(html).text).toContain('118 lines read')
    expect(links(html)).toContain('index.md')
    expect(links(html)).toContain('index.json')
    expect(links(render({ site: siteInfo({ markdown: false }) }))).not.toContain('index.md')
  })

  it('counts what plugins have hidden', () => {
    const hidden = { ...user('x'), data: { visibility: 'hidden' as const } }
    expect(parseTags(render({ session: session([turn([hidden, user('y')])]) })).text).toContain(
      '1 item of this page hidden',
    )
    expect(parseTags(render({ hidden: 4 })).text).toContain('4 items of this page hidden')
  })
})

describe('the page around a session', () => {
  it('prints the body as it is and everything else escaped', () => {
    const hostile = '<script>alert(1)</script>'
    const html = render({
      session: session([], { title: hostile, models: [hostile] }),
      project: { slug: 'x', name: hostile },
    })
    const scripts = tagsNamed(html, 'script')
    expect(scripts).toHaveLength(1)
    expect(html).toContain('<p>turns</p>')
    expect(parseTags(html).text).toContain(hostile)
  })

  it('knows the way to the root', () => {
    const html = render()
    expect(html).toContain('data-root="../../"')
    expect(links(html)).toContain('../../index.html')
    expect(tagsNamed(html, 'form')[0]?.attributes['action']).toBe('../../index.html')
    expect(tagsNamed(html, 'link').map(({ attributes }) => attributes['href'])).toContain(
      '../../assets/site.0000000000.css',
    )
  })

  it('has a search box only where there is an index', () => {
    expect(tagsNamed(render({ site: siteInfo({ search: false }) }), 'form')).toEqual([])
  })

  it('belongs to its thread', () => {
    expect(sessionView(input()).root).toBe('../../')
    expect(threadId).toBe(input().session.threadId)
  })
})
