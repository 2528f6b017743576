import { beforeAll, describe, expect, it } from 'vitest'
import { receipt } from '../../../src/render/pages/receipt.ts'
import { sessionView } from '../../../src/render/pages/session/session.ts'
import type { SessionPage } from '../../../src/render/pages/session/session-page.ts'
import type { Templates } from '../../../src/render/templates.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import type { Stats } from '../../../src/transcript/trast.ts'
import { context, siteInfo } from '../../helpers/render.ts'
import { sessionPage } from '../../helpers/session-page.ts'
import { facts, threadNumber } from '../../helpers/summary.ts'
import { parseTags, tagsNamed, tagsOfClass } from '../../helpers/tags.ts'
import { session, stats, threadId, turn, user } from '../../helpers/tree.ts'

let templates: Templates
beforeAll(async () => {
  templates = await loadTemplates()
})

const render = (fields: Partial<SessionPage> = {}) => templates.render('html/session', sessionView(sessionPage(fields)))
const links = (html: string) => tagsNamed(html, 'a').map(({ attributes }) => attributes['href'])

describe('the head of a session page', () => {
  it('has the beginning of the last answer below the title, both in their own language', () => {
    const html = render({
      session: session([], { title: 'ゲートを直して' }),
      facts: { ...facts(), subtitle: '大门已经修好了。' },
    })
    expect(html).toContain('<h1 lang="ja">ゲートを直して</h1>\n<p class="sub" lang="zh">大门已经修好了。</p>')
    expect(render({ facts: { ...facts(), subtitle: 'It is <b>mended</b>.' } })).toContain(
      '<p class="sub">It is &lt;b&gt;mended',
    )
    expect(render({ facts: { ...facts({}, 3), subtitle: 'Mended.' }, page: 2 })).not.toContain('Mended.')
  })

  it('has prompts of the outline in their own language', () => {
    const entry = (text: string, turn: number) => ({ anchor: `t-${turn}`, page: 1, turn, text })
    const outline = [entry('ゲートを直して', 1), entry('Mend the gate', 2), entry('문을 고쳐', 3)]
    const view = sessionView(sessionPage({ facts: { ...facts(), outline } }))
    expect(view.outline.map(({ language }) => language)).toEqual(['ja', undefined, 'ko'])
    const html = render({ facts: { ...facts(), outline } })
    expect(html).toContain('<span lang="ja">ゲートを直して</span>')
    expect(html).toContain('<span>Mend the gate</span>')
  })

  it('names the person if the home has a label', () => {
    expect(parseTags(render({ label: 'Ada & co' })).text).toMatch(/Person\s*Ada & co/)
    expect(parseTags(render()).text).not.toContain('Person')
  })

  it('shows where, by whom, when, how much and how it ended', () => {
    const html = render({
      session: session([turn([], { effort: 'high' })], {
        title: 'Mend the gate',
        git: { branch: 'fix/gate', commit: '0123456789abcdef', remote: 'git@github.com:garden/gate.git' },
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
      ...['garden', 'fix/gate', '0123456789', 'm-1, m-2, high', '2026-03-14 09:00', '18 min', '3 turns', '212k'],
      ...['+42 −9 in 3 files', 'Failures2 failed commands', 'interrupted', '0.98.0, terminal', 'archived'],
    ]) {
      expect(text).toContain(part)
    }
    expect(links(html)).toContain('../../projects/garden-000000/index.html')
    expect(links(html)).toContain('../../projects/garden-000000/index.html#branches')
    expect(links(html)).toContain('https://github.com/garden/gate/commit/0123456789abcdef')
    expect(html).toContain('<title>Mend the gate · garden · 2026-03-14 09:00 · Sessions</title>')
  })

  it.each([
    ['codex_vscode', 'VS Code'],
    ['Codex Desktop', 'desktop app'],
    ['codex_exec', 'codex exec'],
    ['garden-app', 'garden-app'],
  ])('names the program of the session: %s', (originator, name) => {
    expect(parseTags(render({ session: session([], { client: { version: '1.0', originator } }) })).text).toContain(
      `1.0, ${name}`,
    )
  })

  it('omits what nobody recorded', () => {
    const { text } = parseTags(render())
    expect(text).not.toMatch(/undefined|NaN|null/)
    expect(text).not.toContain(' on ')
  })
})

describe('the first page of a session', () => {
  const used = { input: 90_000, cached: 60_000, output: 10_000, reasoning: 4000, total: 100_000 }
  const whole = session([], {
    stats: stats({ commands: { total: 3, failed: 2 }, usage: { m: used } }),
    models: ['m'],
  })

  it('shows the tokens as a bar, with the same in words', () => {
    const bar = sessionView(sessionPage({ session: whole })).details.find((fact) => fact.bar !== undefined)?.bar
    expect(bar?.text).toBe('90k input, of which 60k cached; 10k output, of which 4k reasoning')
    expect(bar?.parts).toEqual([
      { kind: 'fresh', x: '0%', width: '30%' },
      { kind: 'cached', x: '30%', width: '60%' },
      { kind: 'output', x: '90%', width: '6%' },
      { kind: 'reasoning', x: '96%', width: '4%' },
    ])
    const [svg] = tagsOfClass(render({ session: whole }), 'bar')
    expect(svg?.attributes).toMatchObject({ role: 'img', 'aria-label': bar?.text })
  })

  it.each([
    [999, 'Tokens999'],
    [9400, 'Tokens9.4k'],
    [999_400, 'Tokens999k'],
    [1_200_000, 'Tokens1.2M'],
    [2_150_600_000, 'Tokens2.2B'],
  ])('shows %i tokens in few characters', (total, expected) => {
    const some = session([], { stats: stats({ usage: { m: { ...used, total } } }) })
    expect(parseTags(render({ session: some })).text).toContain(expected)
  })

  it('shows the efforts of all turns and links to the first failure that was not fixed', () => {
    const overview = {
      efforts: [{ model: 'm', efforts: ['high', 'low'] }, { efforts: ['max'] }],
      permissions: { all: ['read only, asks when needed', 'full access, never asks'], changes: 1 },
      failuresLeft: 1,
      editsLeft: 1,
      written: 0,
      firstEditLeft: { page: 2, anchor: 'l50' },
      fixedEdits: 0,
      firstLeft: { page: 3, anchor: 'l70' },
      errors: 2,
      firstError: { page: 2, anchor: 'l40' },
      turns: [],
    }
    const html = render({ session: whole, overview, facts: facts({}, 3), story: { part: 1, starts: [1] } })
    expect(parseTags(html).text).toContain('m high/low, max')
    expect(parseTags(html).text).toContain('Permissionsread only, asks when needed; then full access, never asks')
    expect(html).toContain('<a href="3.html#l70"><b class="bad">1 failed command not fixed</b></a>')
    expect(html).toMatch(/<a href="[^"]*#l50"><b class="bad">1 failed edit not fixed<\/b><\/a>/)
    expect(html).toMatch(/<a href="[^"]*#l40"><b class="bad">2 errors<\/b><\/a>/)
    expect(sessionView(sessionPage({ session: whole, overview })).details).toContainEqual({
      name: 'Failures',
      parts: [{ text: '2 failed commands (1 fixed)' }],
    })
    const fixed = { ...overview, failuresLeft: 0, fixedEdits: 2 }
    const failuresOf = (failed: number, edits = 0, others = 0) => {
      const tools = { apply_patch: { calls: 9, failed: edits }, view_image: { calls: 9, failed: others } }
      const one = session([], { stats: stats({ commands: { total: 3, failed }, tools }) })
      return sessionView(sessionPage({ session: one, overview: fixed })).details.find(({ name }) => name === 'Failures')
        ?.parts
    }
    expect([failuresOf(2), failuresOf(1), failuresOf(1, 2), failuresOf(0, 3, 1)]).toEqual([
      [{ text: '2 failed commands (all fixed)' }],
      [{ text: '1 failed command (fixed)' }],
      [{ text: '1 failed command (fixed), 2 failed edits (all fixed)' }],
      [{ text: '3 failed edits (2 fixed), 1 failed tool call' }],
    ])
    const onlyEditsFixed = sessionView(
      sessionPage({
        session: session([], {
          stats: stats({
            commands: { total: 9, failed: 5 },
            tools: { apply_patch: { calls: 9, failed: 3 } },
          }),
        }),
        overview: { ...overview, failuresLeft: 5, fixedEdits: 3 },
      }),
    ).details
    expect(onlyEditsFixed).toContainEqual({
      name: 'Failures',
      parts: [{ text: '5 failed commands (none fixed), 3 failed edits (all fixed)' }],
    })
  })

  it('counts all turns, as time, changes and tokens do, and says how many were rolled back', () => {
    const overview = {
      ...{
        efforts: [],
        permissions: { all: [], changes: 0 },
        failuresLeft: 0,
        editsLeft: 0,
        fixedEdits: 0,
        written: 0,
      },
      ...{ errors: 0, turns: [] },
    }
    const factsOf = (counted: Partial<Stats>) =>
      sessionView(sessionPage({ session: session([], { stats: stats(counted) }), overview })).facts
    expect(factsOf({ turns: 3, rolledBack: 2 })).toContainEqual({ parts: [{ text: '5 turns, 2 rolled back' }] })
    expect(factsOf({ turns: 3 })).toContainEqual({ parts: [{ text: '3 turns' }] })
  })

  it('says how many files only commands wrote', () => {
    const factsOf = (files: number, written: number) => {
      const overview = {
        ...{ efforts: [], permissions: { all: [], changes: 0 }, failuresLeft: 0, editsLeft: 0, fixedEdits: 0, written },
        ...{ errors: 0, turns: [] },
      }
      const one = session([], { stats: stats({ edits: { files, added: files, removed: 0 } }) })
      return parseTags(render({ session: one, overview })).text
    }
    expect(factsOf(1, 2)).toContain('+1 in 1 file, 2 more written by commands')
    expect(factsOf(0, 1)).toContain('1 file written by a command')
    expect(factsOf(1, 0)).not.toContain('written')
  })

  it('lists the prompts as chapters, each turn with its outcome after its last prompt', () => {
    const row = { page: 1, kind: 'user' as const, status: 'completed' as const, left: 0, added: 0, removed: 0 }
    const turns = [
      { ...row, number: 1, anchor: 't-1', durationMs: 65_000, left: 2, added: 4, result: 'ゲートを直した。' },
      { ...row, number: 2, kind: 'shell' as const, page: 2, anchor: 't-2', status: 'interrupted' as const },
      { ...row, number: 3, page: 2, anchor: 't-3', unanswered: true as const },
      { ...row, number: 4, kind: 'review' as const, page: 2, anchor: 't-4', review: 'Review of the gate' },
    ]
    const outline = [
      { anchor: 'l1', page: 1, turn: 1, text: 'Mend it' },
      { anchor: 'l5', page: 1, turn: 1, text: 'And paint it' },
      { anchor: 'l9', page: 2, turn: 3, text: 'Thanks' },
    ]
    const page = sessionPage({
      overview: {
        efforts: [],
        permissions: { all: [], changes: 0 },
        failuresLeft: 2,
        editsLeft: 0,
        written: 0,
        fixedEdits: 0,
        errors: 0,
        turns,
      },
      facts: facts({ outline }, 2),
      story: { part: 1, starts: [1] },
    })
    expect(sessionView(page)).toMatchObject({
      outlineName: '3 prompts, 2 other turns',
      outline: [
        { text: 'Mend it', href: '#l1', here: true },
        {
          ...{
            text: 'And paint it',
            href: '#l5',
            duration: '1 min 5 s',
            added: '+4',
            left: '2 failed commands not fixed',
          },
          result: { text: 'ゲートを直した。', language: 'ja' },
        },
        { text: 'Command run by the user', href: '#t-2', state: 'interrupted' },
        { text: 'Thanks', href: '#l9', state: 'no answer' },
        { text: 'Review of the gate', href: '#t-4' },
      ],
    })
    expect(templates.render('html/session', sessionView(page))).toContain('<i lang="ja">ゲートを直した。</i>')
    const nameOf = (shown: typeof outline, rolledBack: number[]) =>
      sessionView({ ...page, facts: facts({ outline: shown, rolledBack }, 2) }).outlineName
    expect(nameOf(outline, [2, 3])).toBe('3 prompts, 2 other turns, 2 rolled back')
    expect(nameOf([], [2])).toBe('4 turns, 1 rolled back')
  })

  it('counts turns without a prompt in every part of a story and on every work page, with outcomes in the first part only', () => {
    const row = { status: 'completed' as const, durationMs: 65_000, left: 0, added: 0, removed: 0 }
    const turns = [
      { ...row, number: 1, kind: 'user' as const, page: 1, anchor: 't-1' },
      { ...row, number: 2, kind: 'shell' as const, page: 1, anchor: 't-2' },
      { ...row, number: 3, kind: 'user' as const, page: 2, anchor: 't-3' },
      { ...row, number: 4, kind: 'shell' as const, page: 2, anchor: 't-4' },
    ]
    const outline = [
      { anchor: 'l1', page: 1, turn: 1, text: 'Mend it' },
      { anchor: 'l9', page: 2, turn: 3, text: 'Thanks' },
    ]
    const overview = {
      ...{
        efforts: [],
        permissions: { all: [], changes: 0 },
        failuresLeft: 0,
        editsLeft: 0,
        fixedEdits: 0,
        written: 0,
      },
      ...{ errors: 0, turns },
    }
    const all = sessionPage({ overview, facts: facts({ outline }, 2), page: 2 })
    expect(sessionView({ ...all, story: { part: 2, starts: [1, 2] } })).toMatchObject({
      outlineStart: 3,
      earlierPrompts: '1 earlier prompt, 1 other turn',
      outline: [
        { text: 'Thanks', href: '#l9' },
        { text: 'Command run by the user', href: '#t-4' },
      ],
    })
    const { outline: listed, outlineStart } = sessionView(all)
    expect([outlineStart, listed.map(({ text }) => text)]).toEqual([
      1,
      ['Mend it', 'Command run by the user', 'Thanks', 'Command run by the user'],
    ])
    expect(listed.every(({ duration }) => duration === undefined)).toBe(true)
  })

  it('lists the turns without a prompt in their places, even if turns with one were left out', () => {
    const row = { status: 'completed' as const, left: 0, added: 0, removed: 0, page: 1 }
    const turns = [
      { ...row, number: 1, kind: 'user' as const, anchor: 't-1' },
      { ...row, number: 4, kind: 'shell' as const, anchor: 't-4' },
    ]
    const outline = [1, 2, 3, 5].map((turn) => ({ anchor: `l${turn}`, page: 1, turn, text: `Part ${turn}` }))
    const overview = {
      ...{
        efforts: [],
        permissions: { all: [], changes: 0 },
        failuresLeft: 0,
        editsLeft: 0,
        fixedEdits: 0,
        written: 0,
      },
      ...{ errors: 0, turns },
    }
    const { outline: listed, outlineName } = sessionView(sessionPage({ overview, facts: facts({ outline }, 1) }))
    expect(listed.map(({ text }) => text)).toEqual(['Part 1', 'Part 2', 'Part 3', 'Command run by the user', 'Part 5'])
    expect(outlineName).toBe('4 prompts, 1 other turn')
  })

  it('offers a command that resumes the session, only for ids of Codex', () => {
    expect(sessionView(sessionPage()).resume).toBe(`codex resume ${threadId}`)
    expect(sessionView(sessionPage({ session: session([], { threadId: 'x; reboot' }) })).resume).toBeUndefined()
  })

  it('has buttons that are hidden until a script activates them', () => {
    const buttons = tagsNamed(render(), 'button').filter(({ attributes }) => 'hidden' in attributes)
    expect(buttons.map(({ attributes }) => attributes['data-copy-text'] ?? 'link')).toEqual([
      'link',
      `codex resume ${threadId}`,
    ])
  })

  it('shows its place in the tree of sessions', () => {
    const html = render({
      neighbours: {
        parent: { threadId: threadNumber(2), title: 'Parent', built: true },
        forks: Array.from({ length: 12 }, (_, index) => ({
          threadId: threadNumber(index + 20),
          title: `Fork ${index}`,
        })),
        agents: [],
      },
    })
    const [nav] = tagsOfClass(html, 'lineage')
    expect(nav?.attributes['aria-labelledby']).toBe('related')
    const here = tagsNamed(html, 'span').filter(({ attributes }) => attributes['aria-current'] === 'true')
    expect(here).toHaveLength(1)
    expect(parseTags(html).text).toMatch(/Parent.*This session.*Fork 7.*4 more.*Fork 11/s)
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
      '1.html#t-1',
      '#t-2',
      '3.html#l9000',
    ])
    expect(parseTags(three(2)).text).toContain('<b>Third</b>')
    expect(parseTags(three(2)).text).toContain('Turn 2')
  })

  it('numbers the pages of other prompts', () => {
    expect(sessionView(sessionPage({ facts: facts({ outline }, 3), page: 2 })).outline.map(({ page }) => page)).toEqual(
      [1, undefined, 3],
    )
  })

  it('marks in the outline which prompts were rolled back', () => {
    const html = render({ facts: facts({ outline, rolledBack: [3] }, 3), page: 2, context: context({}, { page: 2 }) })
    expect(parseTags(html).text).toMatch(/Third<\/b>\s*p\. 3\s*rolled back/)
    expect(parseTags(three(2)).text).not.toContain('rolled back')
  })

  it('lists the prompts of its page and a hundred on either side, and counts the others', () => {
    const many = Array.from({ length: 1000 }, (_, index) => {
      return { anchor: `l${index}`, page: Math.floor(index / 10) + 1, turn: index + 1, text: `Prompt ${index}` }
    })
    const on = (page: number) => {
      const view = sessionView(sessionPage({ facts: facts({ outline: many }, 100), page }))
      const { outline, earlierPrompts, laterPrompts } = view
      return [outline.length, outline[0]?.text, outline.filter(({ here }) => here).length, earlierPrompts, laterPrompts]
    }
    expect([on(1), on(50), on(100)]).toEqual([
      [110, 'Prompt 0', 10, '', '890 later prompts'],
      [210, 'Prompt 390', 10, '390 earlier prompts', '400 later prompts'],
      [110, 'Prompt 890', 10, '890 earlier prompts', ''],
    ])
  })

  it('shows what each page begins with', () => {
    const { pages } = sessionView(sessionPage({ facts: facts({ outline }, 3), page: 2 }))
    expect(pages.all.map(({ title }) => title)).toEqual(['Turn 1: First', 'Turn 2', 'Turn 3: <b>Third</b>'])
    expect([pages.first, pages.previous?.number, pages.next?.number]).toEqual(['index.html', 1, 3])
  })

  it('has all details on the first page only', () => {
    const overview = {
      efforts: [{ model: 'm-1', efforts: ['high'] }],
      permissions: { all: [], changes: 0 },
      failuresLeft: 0,
      editsLeft: 0,
      written: 0,
      fixedEdits: 0,
      errors: 0,
      turns: [],
    }
    const models = session([], { models: ['m-1'], startedAt: '2026-03-14T09:00:00.000Z' })
    const later = sessionView(sessionPage({ session: models, overview, facts: facts({ outline }, 3), page: 2 }))
    const words = later.place.flatMap(({ parts }) => parts.map(({ text }) => text))
    expect(words).toEqual(['garden', '2026-03-14 09:00'])
    expect([later.facts, later.details]).toEqual([[], []])
    expect([later.relations, later.timeline, later.resume]).toEqual([[], undefined, undefined])
    const html = three(2)
    expect(tagsOfClass(html, 'pageno')).toHaveLength(1)
    expect(parseTags(html).text).toContain('Page 2 of 3')
  })

  it('tells a script on which line each page begins', () => {
    const range = (segment: number, firstLine: number) => ({ segment, firstLine, start: 0, end: 1 })
    const plan = (number: number, ranges: ReturnType<typeof range>[]) => ({
      number,
      ranges,
      late: [],
      taken: [],
      storyWeight: 0,
    })
    const pages = [plan(1, [range(0, 1)]), plan(2, [range(0, 90), range(0, 120), range(1, 1)]), plan(3, [range(1, 50)])]
    const lineage = { segments: [threadId, '01990000-0000-7000-8000-0000abcdef12'] }
    const html = render({
      session: session([], { lineage }),
      facts: facts({ outline, pages }),
      story: { part: 1, starts: [1] },
    })
    const [main] = tagsNamed(html, 'main')
    expect(main?.attributes['data-pages']).toBe('l1 l90,abcdef12-l1 abcdef12-l50')
    expect(tagsNamed(render(), 'main')[0]?.attributes).not.toHaveProperty('data-pages')
    expect(tagsNamed(three(2), 'main')[0]?.attributes).not.toHaveProperty('data-pages')
  })

  it('links to the previous and the next page', () => {
    const ends = (page: number) =>
      tagsNamed(three(page), 'a').flatMap(({ attributes }) =>
        attributes['rel'] === undefined ? [] : `${attributes['rel']} ${attributes['href']}`,
      )
    expect(ends(1)).toEqual(['next 2.html'])
    expect(ends(2)).toEqual(['prev 1.html', 'next 3.html'])
    expect(ends(3)).toEqual(['prev 2.html'])
    const current = tagsNamed(three(2), 'a').filter(({ attributes }) => attributes['aria-current'] === 'page')
    expect(current.map(({ attributes }) => attributes['href'])).toEqual(['2.html'])
  })

  it('has the page number in its title', () => {
    expect(three(3)).toContain('<title>Mend the garden gate (page 3) · garden · Sessions</title>')
  })

  it('has no pager if there is only one page', () => {
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
    expect(receipt(stats({ lines, redacted: { token: 2 }, omitted: { toolOutput: 1, made: 2 } }), 3).summary).toBe(
      '118 lines read: 61 shown, 47 merged into those, 8 counted only, 1 unknown, 1 damaged, 2 secrets redacted, 3 items of this page hidden. Left out: made 2, 1 output.',
    )
  })

  it('counts personal data separately from secrets, in one number', () => {
    const redacted = { token: 1, 'home-folder': 1200, 'user-name': 34 }
    const { summary, rows } = receipt(stats({ lines, redacted }))
    expect(summary).toContain(', 1 secret redacted, personal data replaced in 1,234 places.')
    expect(rows.slice(-2)).toEqual([
      { name: 'Secrets redacted', count: '1', kinds: [{ name: 'token', count: '1' }] },
      {
        name: 'Places with personal data',
        count: '1,234',
        kinds: [
          { name: 'home-folder', count: '1,200' },
          { name: 'user-name', count: '34' },
        ],
      },
    ])
  })

  it('is a table whose parts add up, with the kinds, most frequent first', () => {
    const { rows } = receipt(stats({ lines, omitted: { output: 2 } }), 1)
    expect(rows).toEqual([
      { name: 'Lines read', count: '118', kinds: [] },
      { name: 'Shown', count: '61', kinds: [] },
      { name: 'Merged into those', count: '47', kinds: [] },
      {
        name: 'Counted only',
        count: '8',
        kinds: [
          { name: 'token_count', count: '6' },
          { name: 'world_state', count: '2' },
        ],
      },
      { name: 'Unknown', count: '1', kinds: [{ name: 'quantum', count: '1' }] },
      { name: 'Damaged', count: '1', kinds: [] },
      { name: 'Parts left out', count: '2', kinds: [{ name: 'output', count: '2' }] },
      { name: 'Items of this page hidden', count: '1', kinds: [] },
    ])
    const [total = 0, ...parts] = rows.slice(0, 6).map(({ count }) => Number(count))
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
  })

  it('is on every page, with the other formats', () => {
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
  it('contains the body unchanged and everything else escaped', () => {
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

  it('has paths to the root', () => {
    const html = render()
    expect(html).toContain('data-root="../../"')
    expect(links(html)).toContain('../../index.html')
    expect(tagsOfClass(html, 'find')[0]?.attributes['href']).toMatch(/^\.\.\/\.\.\/[a-z]/)
    expect(tagsNamed(html, 'link').map(({ attributes }) => attributes['href'])).toContain(
      '../../assets/site.0000000000.css',
    )
  })

  it('links to the search only if there is an index', () => {
    expect(tagsOfClass(render({ site: siteInfo({ search: false }) }), 'find')).toEqual([])
  })

  it('is two folders below the root', () => {
    expect(sessionView(sessionPage()).root).toBe('../../')
  })
})
