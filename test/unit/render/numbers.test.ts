/** Numbers for readers: costs, commits and pull requests, the use of the context. */

import { beforeAll, describe, expect, it } from 'vitest'
import type { PriceTable } from '../../../src/config/prices.ts'
import { sessionView } from '../../../src/render/pages/session/session.ts'
import { renderSite } from '../../../src/render/pages/site.ts'
import { contextText, percentText } from '../../../src/render/phrases.ts'
import type { Templates } from '../../../src/render/templates.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import { renderMarkdown } from '../../../src/render/transcript/markdown.ts'
import type { Turn } from '../../../src/transcript/trast.ts'
import { body, context, items, renderText, siteInfo } from '../../helpers/render.ts'
import { sessionPage } from '../../helpers/session-page.ts'
import { summary, threadNumber } from '../../helpers/summary.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'
import * as tree from '../../helpers/tree.ts'

let templates: Templates
beforeAll(async () => {
  templates = await loadTemplates()
})

const prices: PriceTable = {
  date: '2026-11-01',
  currency: 'USD',
  models: { 'm-1': { input: 2, cached: 0.5, output: 10 } },
}
const million = { input: 1_000_000, cached: 0, output: 0, reasoning: 0, total: 1_000_000 }
const links = (html: string) => tagsNamed(html, 'a').map(({ attributes }) => attributes['href'])

/** The page of a session with these statistics. */
function page(stats: Parameters<typeof tree.stats>[0], using: { prices?: PriceTable } = {}): string {
  const session = tree.session([], { stats: tree.stats(stats) })
  return templates.render('html/session', sessionView(sessionPage({ session, body: '', context: context({}, using) })))
}

describe('the cost of a session', () => {
  const session = tree.session([], { stats: tree.stats({ usage: { 'm-1': million, other: million } }) })
  const text = '2.00 USD at prices of 2026-11-01, no price known for 1M tokens'

  it('is on its page and in its transcripts, with the day of the prices', () => {
    expect(parseTags(page(session.stats, { prices })).text).toContain(text)
    expect(renderMarkdown(session, context({}, { prices }))).toContain(`- Cost: ${text}\n`)
    expect(renderText(session, context({}, { prices }))).toContain(`Cost: ${text}\n`)
  })

  it('is absent without a price table', () => {
    for (const shown of [page(session.stats), renderMarkdown(session, context()), renderText(session, context())])
      expect(shown).not.toMatch(/cost|USD|price/i)
  })

  it('is absent without tokens', () => {
    expect(page({}, { prices })).not.toMatch(/USD|price/)
  })

  it('adds up over the sessions of an index', () => {
    const cost = { currency: 'USD', date: '2026-11-01', unpriced: 0 }
    const sessions = [
      summary({ threadId: threadNumber(1), cost: { ...cost, amount: 1.5 }, commits: 2, pullRequests: 1 }),
      summary({ threadId: threadNumber(2), cost: { ...cost, amount: 2, unpriced: 10 }, commits: 1 }),
      summary({ threadId: threadNumber(3) }),
    ]
    const index = [...renderSite(sessions, { templates, site: siteInfo() })].find(({ path }) => path === 'index.html')
    const { text } = parseTags(String(index?.content()))
    expect(text).toContain(
      '3 commits\u00A0· 1 pull request\u00A0· 3.50 USD at prices of 2026-11-01, no price known for 10 tokens',
    )
  })
})

describe('what a session made', () => {
  const url = (number: number) => `https://git.example.com/a/b/pull/${number}`

  it('is in its head, with links to pull requests by name', () => {
    const html = page({
      commits: ['abc1234', 'def5678'],
      pullRequests: [url(3), 'https://lab.example.com/a/-/merge_requests/4'],
    })
    expect(parseTags(html).text).toContain('2 commits, 2 pull requests #3 !4')
    expect(links(html)).toContain(url(3))
    expect(links(html)).toContain('https://lab.example.com/a/-/merge_requests/4')
  })

  it('is only a number if there are many', () => {
    const html = page({ pullRequests: [1, 2, 3, 4, 5, 6].map(url) })
    expect(parseTags(html).text).toContain('6 pull requests')
    expect(links(html)).not.toContain(url(1))
  })

  it('is linked only if it is a web address', () => {
    const hostile = 'javascript:alert(1)//x/pull/1'
    const html = page({ pullRequests: [hostile] })
    expect(parseTags(html).text).toContain('1 pull request #1')
    expect(links(html)).not.toContain(hostile)
    const markdown = renderMarkdown(tree.session([], { stats: tree.stats({ pullRequests: [hostile] }) }), context())
    expect(markdown).toContain(`- Pull requests: \`${hostile}\``)
  })

  it('is shown below its command, outside of the folded terminal', () => {
    const html = items([
      tree.command('git commit', [
        tree.output('printed'),
        tree.reference('abc1234', { kind: 'commit', label: 'Mend <b>it</b>' }),
        tree.reference(url(3), { kind: 'pullRequest', label: 'a/b#3' }),
      ]),
    ])
    expect(html).toContain(
      `</details><ul class="made"><li>Commit <code>abc1234</code> Mend &#x3C;b>it&#x3C;/b></li><li>Pull request <a href="${url(3)}" rel="nofollow noreferrer noopener">a/b#3</a></li></ul>`,
    )
    expect(items([tree.command('ls', [tree.output('printed')])])).not.toContain('made')
  })

  it('omits a reference that a plugin hid', () => {
    const hidden = tree.reference('abc1234', { kind: 'commit', data: { visibility: 'hidden' } })
    expect(items([tree.command('git commit', [hidden])])).not.toMatch(/abc1234|made/)
  })
})

describe('the context of a turn', () => {
  const using = (fields: Partial<Turn>) => tree.turn([], fields)

  it('is shown as a share of its window, in every format', () => {
    const turn = using({ contextTokens: 480, contextWindow: 1000 })
    expect(body([turn])).toContain('<span>context 48 % full</span>')
    expect(renderMarkdown(tree.session([turn]), context())).toContain('context 48 % full')
    expect(renderText(tree.session([turn]), context())).toContain('context 48 % full')
  })

  it.each([
    [{ contextTokens: 1200, contextWindow: 1000 }, 'context 120 % full'],
    [{ contextTokens: 1, contextWindow: 1000 }, ''],
    [{ contextTokens: 10 }, ''],
    [{ contextTokens: 10, contextWindow: 0 }, ''],
    [{ contextWindow: 1000 }, ''],
  ])('of %j reads %j', (fields, text) => {
    expect(contextText(fields)).toBe(text)
  })
})

describe('the numbers at the foot of transcripts', () => {
  it('name the tools by their calls, recorded times, commits and the window', () => {
    const session = tree.session([], {
      contextWindow: 258_400,
      stats: tree.stats({
        tools: { 'docs/read': { calls: 3, failed: 1 }, web_search: { calls: 1200, failed: 0 } },
        durations: { turns: 240_000, commands: 0, tools: 1500 },
        commits: ['abc1234', 'def5678'],
      }),
    })
    const markdown = renderMarkdown(session, context())
    expect(markdown).toContain('- Tool calls: 1,203: web\\_search 1,200, docs/read 3 (1 failed)\n')
    expect(markdown).toContain('- Time: turns 4 min, tools 1.5 s\n')
    expect(markdown).toContain('- Context window: 258,400 tokens\n')
    expect(markdown).toContain('- Commits: `abc1234`, `def5678`\n')
    expect(renderText(session, context())).toContain('\nCommits: abc1234, def5678\n')
  })
})

it.each([
  [1, 3, '33\u00A0%'],
  [1, 1000, '0.1\u00A0%'],
  [9996, 10_000, '99.9\u00A0%'],
  [995, 1000, '99.5\u00A0%'],
  [5, 5, '100\u00A0%'],
])('rounds %d of %d to a share that is 100 only if nothing is missing: %s', (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text)
})
