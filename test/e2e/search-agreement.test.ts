/** The search of the site and that of the terminal find the same turns by phrases, operators and filters. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { search } from '../../src/index.ts'
import { describeInBrowser } from '../helpers/browser.ts'
import * as r from '../helpers/records.ts'
import { askSearch } from '../helpers/search.ts'
import { buildSite, turnOf, writeSession } from '../helpers/site-build.ts'
import { serveFolder } from '../helpers/static-server.ts'
import { useDemoServer } from './demo.ts'

/** Plain, archived and packed rollouts. */
const home = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

/** Excludes what only the terminal searches; lines of outputs that report a failure are errors on the site. */
const both = '-kind:output -kind:context -kind:error'

/**
 * Whole words that are no parts of identifiers: the site matches beginnings or such parts, the terminal any letters.
 */
const sameTurns = [
  ...['+idempotency', '"conversion drops"', '"npm test"', '+discount -cart', '+discount OR +idempotency'],
  ...['+test -npm', '+cart OR +gate -discount', '+and project:shop', '+and -project:shop', '+and project:sh'],
  ...[
    '+test kind:prompt',
    'file:load kind:edit',
    '+and kind:prompt kind:answer',
    '+and -kind:prompt',
    '+git kind:command',
  ],
  ...[
    'file:README',
    'file:cart',
    'file:package.json',
    '+and -file:README',
    'tool:stock',
    'tool:render',
    'tool:article',
  ],
  ...['file:.md', 'file:.json', 'file:.rs kind:edit', '+and -file:.md'],
  ...['+and model:codex', '+and -model:gpt-5', '+and before:2026-02-10', '+and after:2026-02-10'],
  ...['+and after:2026-02 before:2026-06-01', '+and before:2025-12'],
]

/** What Codex asked a reviewer for, because the fixtures contain none. */
const review = '019c0000-0000-7000-8000-000000000001'
const approvalRequest = `Judge this:
>>> TRANSCRIPT START
[1] user: Mend the hinge
>>> TRANSCRIPT END
>>> APPROVAL REQUEST START
Planned action:
{"tool": "exec_command", "cwd": "/srv/gate", "command": ["/bin/sh", "-lc", "rm -rf rusty"], "justification": "Paint sticks"}
>>> APPROVAL REQUEST END
`
const ofReview = ['"approval request"', '+approval kind:question', '+rusty -kind:prompt', '+sticks kind:question']

/** Characters that separate words, on keyboards and others. */
const signs = ':;/|,+=~*@#%$(}<\\-.?!"\'&—–‐‑−…→×•·’‘“”„»°，」🎉✓€'
/** Characters that a similar one on keyboards finds too. */
const keyboard = new Map(Object.entries({ '‐': '-', '‑': '-', '–': '-', '−': '-', '’': "'", '‘': "'" }))

/** Code next to letters, which a page separates. */
const withCode =
  'So `frame.ts`를 고쳐 `latch`ed `oak`pine and कथा।दूसरा **elm**나무 end, 60krav word2ilmo 4Tolm UI08Clen.'
const besideCode = [
  ...['+frame.ts', '+를', 'frame.ts를', '"frame.ts를 고쳐"', '+latch', 'latched', '+oak', '+pine', 'oakpine'],
  ...[
    'elm나무',
    '"elm나무 end"',
    'krav',
    '60krav',
    'ilmo',
    'word2ilmo',
    'tolm',
    'clen',
    'ui08',
    'कथा',
    'दूस',
    '+कथा',
    '+दूसरा',
  ],
]

/** Pasted texts: commands whose options look like excluded words, and marks of Markdown. */
const withOptions =
  "Run sed -n '1,5p' src/latchy.ts, ls -la src/latchy then; git log -Spattern -p.\n\n1. **strong latchy words** end.\n\nIn [gate.lua](c:/shop(1\\)/yard/gate.lua) mend it."
const pasted = [
  ...["sed -n '1,5p' src/latchy.ts", 'ls -la src/latchy', 'git log -Spattern -p', '**strong latchy words**'],
  ...['`frame.ts`를 고쳐', '-Spattern', '1. **strong latchy words**', 'src/latchy -"nowhere"', 'latchy -nowhere'],
  ...['"in gate.lua mend"', 'shop(1)/yard/gate.lua', '"yard/gate.lua"', '[gate.lua](c:/shop(1\\)/yard/gate.lua) mend'],
]

/** Texts of turns, and queries that find only some of them, by their index in the list. */
const written = [
  ...['So pin\u0303ata one', 'So piñata two', 'So 한글 three', `So ${'한글'.normalize('NFD')} four`, 'So 数据库 five'],
  ...['So ga\u200Bte six', 'So 9F86D081884C seven', 'So 9f86d081884c eight', 'So GUID 3F2504E0-4F89-11D3 nine'],
  ...['So guid 3f2504e0-4f89-11d3 10', 'So 0c2be77/--oil 11', 'So x/7 12', 'So “oak/elm 13', 'So →elm/oak 14'],
  ...['So ⚠️ash 15', 'Diff -@scope/pkg -#inc -.rc 16', 'So कथा 17', 'So שְׁגִיאָה 18', 'So xmlhttprequestfoo 19'],
  ...['So tin_lid 20', 'So tin-lid tin/lid 21', `So img@sha256:${'0a1b2c3d'.repeat(8)} 22`, 'So Zoë 23', 'So Zoe 24'],
]
const asWritten: [query: string, texts: number[]][] = [
  ...['piñata', '+piñata', 'pin\u0303ata', '"pin\u0303ata"', '"SO PIÑATA"'].map((query): [string, number[]] => [
    query,
    [0, 1],
  ]),
  ...['한글', '+한글', '한글'.normalize('NFD')].map((query): [string, number[]] => [query, [2, 3]]),
  ...['数', '+数', '"数"', '+库', '据'].map((query): [string, number[]] => [query, [4]]),
  ...['ga\u200Bte', '+ga\u200Bte', '"ga\u200Bte"'].map((query): [string, number[]] => [query, [5]]),
  ...['9F86D081884C', '+9F86D081884C', '9f86d081884c'].map((query): [string, number[]] => [query, [6, 7]]),
  ...['3F2504E0-4F89-11D3', '3f2504e0-4f89-11d3', '"4F89-11d3"'].map((query): [string, number[]] => [query, [8, 9]]),
  ['+0c2be77', [10]],
  ['+7', [11]],
  ['+x', [11]],
  ...['+oak', '+elm', '"elm" -"nowhere"'].map((query): [string, number[]] => [query, [12, 13]]),
  ...['ash', '+ash'].map((query): [string, number[]] => [query, [14]]),
  ...['+@scope/pkg', '+#inc', '+.rc'].map((query): [string, number[]] => [query, [15]]),
  ['कथ', [16]],
  ['+कथा', [16]],
  ['+कथ', []],
  ['+ש', []],
  ['XMLHttpRequestFoo', [18]],
  ['+XMLHttpRequestFoo', [18]],
  ...['"tin_lid"', '+tin_lid'].map((query): [string, number[]] => [query, [19]]),
  ...['"tin-lid"', '+tin/lid'].map((query): [string, number[]] => [query, [20]]),
  ...['', 'sha256:', 'img@sha256:'].map((head): [string, number[]] => [head + '0a1b2c3d'.repeat(8), [21]]),
  ...['"zoë"', '+Zoë', '"SO ZOË"'].map((query): [string, number[]] => [query, [22]]),
  ['"so" -"XMLHttpRequestFoo" -"9F86D081884C" +xmlhttprequestfoo', []],
]

/** The site counts them for whole sessions. */
const sameSessions = ['+and is:failed', '+test is:failed', '+cart is:failed', '+and -is:failed']

describeInBrowser('both searches', (open) => {
  const address = useDemoServer()
  const cwd = mkdtempSync(join(tmpdir(), 'codex-export-agreement-'))
  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  /** Builds a site of a home in a folder and opens its start page. */
  const onSite = async (folder: string, run: (page: Page) => Promise<void>): Promise<void> => {
    await buildSite(folder, { search: true })
    const { url, close } = await serveFolder(join(folder, 'site'), '/')
    try {
      const { page } = await open(`${url}index.html`)
      await run(page)
    } finally {
      await close()
    }
  }
  /** Places as `id turn`; none if other words were searched for. */
  const bySite = async (page: Page, query: string): Promise<string[]> => {
    await askSearch(page, '', {}, 0)
    const found: [string, number][] = await page.evaluate(`(async () => {
      const { results, instead, some } = await (await codexSearch.open()).search(${JSON.stringify(query)})
      if (instead !== undefined || some) return []
      const pages = []
      for (const result of results) {
        const first = await result.data()
        if (first !== undefined) pages.push(first, ...(await result.rest()))
      }
      return pages.flatMap(({ path, places }) => places.map(({ turn }) => [path.split('/')[1], turn]))
    })()`)
    return found.map((place) => place.join(' '))
  }
  const byTerminal = async (query: string, path = home): Promise<string[]> => {
    const found: string[] = []
    const options = { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') }, homeDir: join(cwd, 'home') }
    for await (const { id, turns } of search(query, { homes: [{ path }] }, options))
      found.push(...turns.map(({ number = 0 }) => `${id} ${number}`))
    return found
  }
  const unique = (places: string[]): string[] => [...new Set(places)].sort()

  it('find the same turns', async () => {
    const { page } = await open(address('index.html'))
    let turns = 0
    for (const query of sameTurns.map((asked) => `${asked} ${both}`)) {
      const [site, terminal] = [unique(await bySite(page, query)), unique(await byTerminal(query))]
      expect({ query, turns: site }).toEqual({ query, turns: terminal })
      turns += site.length
    }
    expect(turns).toBeGreaterThan(100)
  })

  it('find what Codex asked a reviewer for', async () => {
    const answer = '{"outcome":"allow","rationale":"Only rusty files go."}'
    const turn = [
      r.userItem(approvalRequest),
      r.userEvent(approvalRequest),
      r.answerItem(answer),
      r.answerEvent(answer),
    ]
    writeSession(cwd, review, turn, { source: { subagent: { other: 'guardian' } } })
    writeSession(cwd, '019c0000-0000-7000-8000-000000000002', turnOf('hinge'))
    await buildSite(cwd, { search: true })
    const { url, close } = await serveFolder(join(cwd, 'site'), '/')
    try {
      const { page } = await open(`${url}index.html`)
      for (const query of ofReview) {
        const [site, terminal] = [
          unique(await bySite(page, `${query} ${both}`)),
          unique(await byTerminal(`${query} ${both}`, join(cwd, 'home'))),
        ]
        expect({ query, site, terminal }).toEqual({ query, site: [`${review} 1`], terminal: [`${review} 1`] })
      }
    } finally {
      await close()
    }
  })

  it('find words on both sides of each separator, whole and as beginnings, and look-alike characters', async () => {
    const id = '019c0000-0000-7000-8000-000000000003'
    const letters = (index: number): string => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26))
    const turns = [...signs].map((sign, index) => {
      const [left, right] = [`gate${letters(index)}x`, `hinge${letters(index)}x`]
      const korean = String.fromCodePoint(0xac00 + 28 * index, 0xb098, 0xb2e4)
      return { sign, left, right, korean, text: `So ${left}${sign}${right} and 문${sign}${korean} end.` }
    })
    const asked = turns.flatMap(({ sign, left, right, korean }) => [
      ...[left, right, `+${left}`, `+${right}`, right.slice(0, -1), korean, `+${korean}`],
      ...(/[“”„"\s]/.test(sign) ? [] : [`"${left}${sign}${right} and"`]),
      ...(keyboard.get(sign) ?? '').split('').map((plain) => `${left}${plain}${right}`),
    ])
    asked.push(...besideCode, ...pasted)
    const other = join(cwd, 'signs')
    const records = [...turns.map(({ text }) => text), withCode, withOptions].flatMap((text) => [
      ...[r.userItem(text), r.userEvent(text)],
      ...[r.answerItem(text), r.answerEvent(text)],
    ])
    writeSession(other, id, records)
    await onSite(other, async (page) => {
      const site = new Map<string, string[]>()
      for (const query of asked) site.set(query, unique(await bySite(page, query)))
      for (const query of asked)
        expect({ query, turns: site.get(query) }).toEqual({
          query,
          turns: unique(await byTerminal(query, join(other, 'home'))),
        })
      expect([...site].filter(([, places]) => places.length !== 1)).toEqual([])
    })
  })

  it('find words in any spelling of marks, capitals and surrounding characters', async () => {
    const id = '019c0000-0000-7000-8000-000000000004'
    const other = join(cwd, 'written')
    const records = written.flatMap((text) => [
      ...[r.userItem('Next'), r.userEvent('Next')],
      ...[r.answerItem(text), r.answerEvent(text)],
    ])
    writeSession(other, id, records)
    await onSite(other, async (page) => {
      for (const [query, texts] of asWritten) {
        const turns = texts.map((at) => `${id} ${at + 1}`).sort()
        const found = {
          site: unique(await bySite(page, query)),
          terminal: unique(await byTerminal(query, join(other, 'home'))),
        }
        expect({ query, ...found }).toEqual({ query, site: turns, terminal: turns })
      }
    })
  })

  it('find edits by the names of the folder in which they were made, and count them', async () => {
    const other = join(cwd, 'folders')
    const patch = '*** Begin Patch\n*** Add File: src/plank.ts\n+export {}\n*** End Patch\n'
    const edit = [r.customCall('edit', 'apply_patch', patch), r.customOutput('edit', 'Success')]
    for (let number = 0; number < 12; number++) {
      const said = number % 6 === 0 ? 'In the harbour' : 'At sea'
      const records = [r.userItem(said), r.userEvent(said), ...(number < 9 ? edit : []), r.answerItem('Done')]
      writeSession(other, `019c0000-0000-7000-8000-${String(number + 100).padStart(12, '0')}`, records, {
        cwd: '/srv/harbour-9/shopFront',
      })
    }
    await onSite(other, async (page) => {
      for (const [query, count] of [
        ...([
          ['harbour', 9],
          ['+harbour', 9],
          ['harbour-9', 9],
          ['"harbour-9"', 9],
          ['shopFront', 9],
        ] as const),
        ...([
          ['front', 9],
          ['harbour/plank', 0],
          ['shopFront/src', 9],
          ['harbour file:plank', 9],
          ['file:harbour', 9],
        ] as const),
        ...([
          ['sea -harbour', 3],
          ['harbour -sea', 2],
          ['"the harbour"', 2],
          ['"harbour front"', 0],
        ] as const),
      ]) {
        const found = {
          site: unique(await bySite(page, query)),
          terminal: unique(await byTerminal(query, join(other, 'home'))),
        }
        expect({ query, ...found }).toEqual({ query, site: found.terminal, terminal: found.terminal })
        expect({ query, count: found.terminal.length }).toEqual({ query, count })
      }
      await page.getByRole('link', { name: 'Search all sessions' }).click()
      await page.getByRole('combobox', { name: /^Search/ }).fill('harbour')
      await page
        .getByRole('status')
        .filter({ hasText: /^9 sessions/ })
        .waitFor()
    })
  })

  it('find turns with failures in the same sessions', async () => {
    const { page } = await open(address('index.html'))
    const sessions = (places: string[]): string[] => unique(places.map((place) => place.split(' ')[0] ?? ''))
    for (const query of sameSessions.map((asked) => `${asked} ${both}`)) {
      const [site, terminal] = [sessions(await bySite(page, query)), sessions(await byTerminal(query))]
      // A failed turn makes its session a failed one, and a session without failures has no such turn.
      const [few, many] = query.includes('-is:') ? [site, terminal] : [terminal, site]
      expect({ query, missing: few.filter((id) => !many.includes(id)) }).toEqual({ query, missing: [] })
      expect(few.length).toBeGreaterThan(0)
    }
  })
})
