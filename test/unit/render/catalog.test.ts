import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { filtersView } from '../../../src/render/pages/home.ts'
import type { SitePage } from '../../../src/render/pages/page-type.ts'
import { byStart, catalogFiles } from '../../../src/render/pages/rows.ts'
import type { SessionSummary } from '../../../src/transcript/summary.ts'

import { summary, threadNumber } from '../../helpers/summary.ts'

const plainColumns = [
  ...['id', 'title', 'gist', 'at', 'active', 'tokens', 'added', 'removed', 'left', 'errors', 'trouble', 'edits'],
]

type Part = Record<string, (string | number)[]>

/** What the scripts of the catalog define when a browser runs them one after the other. */
function run(files: readonly SitePage[]): Part[] {
  const global: { self?: object; codexCatalog?: Part[] } = {}
  global.self = global
  for (const { content } of files) runInNewContext(String(content()), global)
  return global.codexCatalog ?? []
}

/** The rows of all parts, with their words inserted. */
function rows(files: readonly SitePage[]): Record<string, string | number>[] {
  return run(files).flatMap(({ words = [], ...columns }) =>
    (columns['id'] ?? []).map((_, at) =>
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => {
          const value = column[at] ?? ''
          return [name, plainColumns.includes(name) ? value : (words[Number(value)] ?? '')]
        }),
      ),
    ),
  )
}

/** Sessions an hour apart, the newest first. */
function many(count: number, from = 0): SessionSummary[] {
  return Array.from({ length: count }, (_, index) => {
    const startedAt = new Date(Date.UTC(2026, 2, 14, 9) - (from + index) * 3_600_000).toISOString()
    return summary({ threadId: threadNumber(from + index), startedAt, title: `Session ${from + index}` })
  }).sort(byStart)
}

describe('the catalog', () => {
  it('has what a row of a list shows and what the filters need', () => {
    const session = summary({
      threadId: threadNumber(7),
      title: 'Mend the gate',
      startedAt: '2026-03-13T23:30:00.000Z',
      endedAt: '2026-03-13T23:48:00.000Z',
      activeMs: 1_080_000,
      firstPrompt: 'The gate squeaks.\nOil it.',
      branch: 'fix/gate',
      label: 'Ada',
      usage: { input: 900, cached: 400, output: 100, reasoning: 0, total: 1000 },
      models: ['gpt-5', 'gpt-5-codex'],
      status: 'interrupted',
      edits: { files: 2, added: 42, removed: 9 },
      commands: { total: 5, failed: 3 },
      failuresLeft: 2,
    })
    expect(rows(catalogFiles([session], { timeZone: 'Europe/Berlin' }))).toEqual([
      {
        id: threadNumber(7),
        title: 'Mend the gate',
        gist: 'The gate squeaks.',
        project: 'garden-000000',
        name: 'garden',
        branch: 'fix/gate',
        lang: '',
        person: 'Ada',
        models: 'gpt-5\ngpt-5-codex',
        day: '2026-03-14',
        heading: 'Saturday, 14 March 2026',
        time: '00:30',
        duration: '18 min',
        status: 'interrupted',
        state: 'interrupted',
        badge: '',
        tags: '',
        at: Date.parse('2026-03-13T23:30:00.000Z'),
        active: 1_080_000,
        tokens: 1000,
        added: 42,
        removed: 9,
        left: 2,
        errors: 0,
        trouble: 1,
        edits: 1,
      },
    ])
  })

  it.each([
    ['a failed command', { commands: { total: 1, failed: 1 }, failuresLeft: 1 }, 1],
    ['a failed command that was fixed', { commands: { total: 2, failed: 1 } }, 1],
    ['an error of the service', { errors: 1 }, 1],
    ['a session that failed', { status: 'failed' as const }, 1],
    ['an interruption by the user', { status: 'interrupted' as const }, 0],
    ['nothing', {}, 0],
  ])('marks trouble, or not: %s', (_, fields, trouble) => {
    expect(rows(catalogFiles([summary(fields)], { timeZone: 'UTC' }))[0]?.['trouble']).toBe(trouble)
  })

  it('has a row for a session without a date', () => {
    expect(rows(catalogFiles([summary()], { timeZone: 'UTC' }))[0]).toMatchObject({ day: 'undated', time: '', at: 0 })
  })

  it('is a script that runs, whatever a transcript says', () => {
    const hostile = '</script>\u2028"\\\n`$\u007balert(1)}` <!-- \ud800 __proto__ \u0007'
    const session = summary({ title: hostile, branch: hostile, project: { slug: 'x', name: hostile } })
    const [row] = rows(catalogFiles([session], { timeZone: 'UTC' }))
    expect(row?.['title']).toContain('</script>')
    expect(row?.['title']).not.toContain('\u0007')
    expect(row?.['branch']).toContain('$\u007balert(1)}')
  })

  it('has all sessions of a large archive in parts below two megabytes, newest first', () => {
    const files = catalogFiles(many(20_000), { timeZone: 'UTC' })
    expect(files).toHaveLength(5)
    for (const { content } of files) expect(content().length).toBeLessThan(2_000_000)
    const ids = rows(files).map(({ title }) => title)
    expect(ids).toEqual(Array.from({ length: 20_000 }, (_, index) => `Session ${index}`))
  })

  it('keeps full parts unchanged if sessions are added', () => {
    const before = catalogFiles(many(9000, 100), { timeZone: 'UTC' })
    const after = catalogFiles(many(9100), { timeZone: 'UTC' })
    expect(before.map(({ path }) => path).slice(1)).toEqual(after.map(({ path }) => path).slice(1))
    expect(before[0]?.path).not.toBe(after[0]?.path)
  })

  it('has no files for an empty archive', () => {
    expect(catalogFiles([], { timeZone: 'UTC' })).toEqual([])
  })
})

describe('the filters in the page', () => {
  const choices = (summaries: SessionSummary[]) =>
    Object.fromEntries(
      filtersView(summaries, ['assets/catalog.x.js'], { timeZone: 'UTC' }).choices.map(({ name, options }) => [
        name,
        options,
      ]),
    )

  it('offer the values of the newest sessions, each once', () => {
    const found = choices([
      summary({ startedAt: '2026-03-14T09:00:00.000Z', branch: 'main', models: ['a', 'b'], status: 'failed' }),
      summary({ startedAt: '2026-03-01T09:00:00.000Z', branch: 'main', models: ['a'] }),
      summary({ models: [] }),
    ])
    expect(found).toEqual({
      project: [{ value: 'garden-000000', text: 'garden' }],
      model: [
        { value: 'a', text: 'a' },
        { value: 'b', text: 'b' },
      ],
      branch: [{ value: 'main', text: 'main' }],
      month: [
        { value: '2026-03', text: 'March 2026' },
        { value: 'undated', text: 'Without a date' },
      ],
      status: [
        { value: 'failed', text: 'Failed' },
        { value: 'completed', text: 'Completed' },
      ],
    })
  })

  it('offer people only if homes have labels', () => {
    expect(choices([summary()])).not.toHaveProperty('person')
    expect(choices([summary({ label: 'Ada' }), summary(), summary({ label: 'Sam' })])['person']).toEqual([
      { value: 'Ada', text: 'Ada' },
      { value: 'Sam', text: 'Sam' },
    ])
  })

  it('offer at most fifty values each, because the script adds the others', () => {
    const found = choices(many(200).map((session, index) => ({ ...session, branch: `b${index}` })))
    expect(found['branch']).toHaveLength(50)
  })

  it('cut a branch as the catalog does, so that both match', () => {
    const session = summary({ branch: 'long/'.repeat(40) })
    expect(choices([session])['branch']?.[0]?.value).toBe(
      rows(catalogFiles([session], { timeZone: 'UTC' }))[0]?.['branch'],
    )
  })
})
