import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stackOf } from '../../../src/render/pages/stats.ts'
import { scaleOf, stepsOver, stepTitle } from '../../../src/render/plots.ts'
import type { CommandRuns } from '../../../src/transcript/summary.ts'
import type { Usage } from '../../../src/transcript/trast.ts'
import { programAnchor } from '../../../src/transcript/urls.ts'
import { acrossSite, type SessionFacts, textOf } from '../../helpers/cross-session.ts'
import { failure } from '../../helpers/summary.ts'
import { parseTags, tagsNamed } from '../../helpers/tags.ts'

const page = 'stats/index.html'
const runs = (count: number, failed = 0): CommandRuns => ({ runs: count, failed, durationMs: 0 })
/** A text without spaces, because spaces between cells are not part of the text. */
const squeezed = (text: string): string => text.replace(/\s+/g, '')
/** Tokens, nine tenths of them read from the cache. */
const used = (total: number): Usage => ({
  input: total * 0.95,
  cached: total * 0.9,
  output: total * 0.05,
  reasoning: 0,
  total,
})
const started = (startedAt: string, facts: SessionFacts = {}): SessionFacts => ({ ...facts, summary: { startedAt } })

/** Columns of a page: the class of each bar and its title. */
function columns(html = ''): string[] {
  return [...html.matchAll(/<rect class="(\w+)"[^>]*><title>([^<]*)<\/title>/g)].map(
    ([, tone, title]) => `${tone} ${title}`,
  )
}

describe('the page of numbers', () => {
  it('says so if there is nothing to count', async () => {
    expect(textOf(await acrossSite([]), page)).toContain('There are no sessions to count yet.')
  })

  it('counts sessions by week, from Monday in the zone of the site', async () => {
    const files = await acrossSite(
      [
        started('2026-03-08T23:30:00.000Z'),
        started('2026-03-09T10:00:00.000Z'),
        started('2026-03-15T10:00:00.000Z'),
        started('2026-03-23T10:00:00.000Z'),
        {},
      ],
      { timeZone: 'Europe/Berlin' },
    )
    expect(columns(files.get(page))).toEqual([
      's0 Week of 9 March 2026: 3 sessions',
      's0 Week of 23 March 2026: 1 session',
    ])
    const text = textOf(files, page)
    expect(text).toContain('5 sessions, each counted when it began. Not drawn: 1 without a date.')
    expect(text).toContain(
      '4 sessions from the week of 9 March 2026 to the week of 23 March 2026; peak: 3 in the week of 9 March 2026.',
    )
    expect(text).toMatch(/Week of 23 March 2026\s*1\s*Week of 16 March 2026\s*0\s*Week of 9 March 2026\s*3/)
  })

  it('omits a session with a wrong date from the drawing, and says how many are not drawn', async () => {
    const usage = { small: used(1000) }
    for (const wrong of ['1999-12-31T23:00:00.000Z', '2099-12-31T23:00:00.000Z']) {
      const files = await acrossSite([
        started('2026-03-09T10:00:00.000Z', { detail: { usage } }),
        started('2026-03-16T10:00:00.000Z', { detail: { usage } }),
        started(wrong, { detail: { usage } }),
        {},
        {},
      ])
      expect(columns(files.get(page))).toEqual([
        's0 Week of 9 March 2026: 1 session',
        's0 Week of 16 March 2026: 1 session',
        's0 Week of 9 March 2026: 1k tokens by small',
        's0 Week of 16 March 2026: 1k tokens by small',
      ])
      expect(textOf(files, page)).toContain(
        '5 sessions, each counted when it began. Not drawn: 2 without a date, 1 far from the others in time.',
      )
    }
  })

  it('stacks tokens by model, the largest at the bottom', async () => {
    const files = await acrossSite([
      started('2026-03-09T10:00:00.000Z', { detail: { usage: { small: used(500), large: used(20_000) } } }),
      started('2026-03-16T10:00:00.000Z', { detail: { usage: { small: used(1500) } } }),
    ])
    expect(columns(files.get(page)).filter((title) => title.includes('tokens'))).toEqual([
      's0 Week of 9 March 2026: 20k tokens by large',
      's1 Week of 9 March 2026: 500 tokens by small',
      's1 Week of 16 March 2026: 1.5k tokens by small',
    ])
    expect(textOf(files, page)).toMatch(/large 20k\s*small 2k/)
  })

  it('plots the share of commands that failed', async () => {
    const files = await acrossSite([
      started('2026-03-09T10:00:00.000Z', { detail: { programs: { npm: runs(40, 10) } } }),
      started('2026-03-16T10:00:00.000Z', { detail: { programs: { npm: runs(10) } } }),
    ])
    expect(columns(files.get(page)).filter((title) => title.includes('failed'))).toEqual([
      'bad Week of 9 March 2026: 10 of 40 commands failed',
    ])
    expect(textOf(files, page)).toContain('20\u00A0% of 50 commands failed')
  })

  it('shows time by kind of work', async () => {
    const times = { model: 60_000, commands: 30_000, tools: 10_000, idle: 3_600_000 }
    const text = textOf(await acrossSite([{ detail: { times } }, { detail: { times } }]), page)
    expect(text).toMatch(/Model\s*2 min\s*60\u00A0%\s*Commands\s*1 min\s*30\u00A0%\s*Other tools\s*20 s\s*10\u00A0%/)
    expect(text).toContain('Between turns, sessions waited 2 h in all.')
  })

  it('shows the time of turns with omitted calls separately', async () => {
    const rest = { commands: 0, tools: 0, idle: 0 }
    const sessions = [
      { model: 30_000, ...rest },
      { model: 0, mixed: 90_000, ...rest },
    ]
    const text = textOf(await acrossSite(sessions.map((times) => ({ detail: { times } }))), page)
    expect(text).toMatch(/Model\s*30 s\s*25\u00A0%\s*Model and calls left out\s*1 min 30 s\s*75\u00A0%/)
  })

  it('omits kinds of work without recorded time', async () => {
    const times = { model: 0, commands: 1800, tools: 0, idle: 0 }
    const text = textOf(await acrossSite([{ detail: { times } }]), page)
    expect(text).toMatch(/Commands\s*1\.8 s\s*100\u00A0%/)
    expect(text).not.toMatch(/Model\s*0 ms|Other tools/)
  })

  it('shows the most-run commands, with links to their failures', async () => {
    const programs = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`tool${index}`, runs(index + 1)]))
    const files = await acrossSite([
      { detail: { programs: { ...programs, npm: runs(50, 5) }, failures: [failure('npm test')] } },
    ])
    const html = files.get(page) ?? ''
    const text = textOf(files, page)
    expect(text).toMatch(/npm\s*50\s*10\u00A0%\s*tool29\s*30/)
    expect(text).not.toContain('tool10')
    expect(text).toContain('The first 20 of 31 programs.')
    const links = tagsNamed(html, 'a').flatMap(({ attributes }) => attributes['href'] ?? [])
    expect(links).toContain(`../failures/index.html#${programAnchor('npm')}`)
    expect(links.filter((href) => href.includes('failures/index.html#'))).toHaveLength(1)
  })

  it('shows totals of all sessions at the top, including those without a date', async () => {
    const files = await acrossSite([
      started('2026-03-09T10:00:00.000Z', { detail: { usage: { a: used(1000) } } }),
      { summary: { turns: 4, activeMs: 90_000, commands: { total: 8, failed: 2 }, commits: 3 } },
    ])
    const text = squeezed(textOf(files, page))
    expect(text).toContain(
      squeezed(
        'Sessions 2 Turns 5 Active time 1 min 30 s Commands 8 25 % failed Commits 3 Tokens 1k 90 % from the cache',
      ),
    )
    expect(text).not.toContain('Pullrequests')
  })

  it('shows tokens and cost by project and model, and each price with its source and day', async () => {
    const session = (name: string, usage: Record<string, Usage>): SessionFacts => ({
      summary: { startedAt: '2026-03-09T10:00:00.000Z', project: { slug: `${name}-000000`, name } },
      detail: { usage },
    })
    const price = { input: 100, cached: 10, output: 1000 }
    const models = { known: { ...price, source: 'https://prices.example/list', date: '2026-02-01' }, unused: price }
    const files = await acrossSite(
      [
        session('shop', { known: used(1_000_000), odd: used(1_000_000) }),
        session('garden', { known: used(1_000_000), own: used(1_000_000) }),
        session('quiet', { odd: used(400_000) }),
      ],
      { prices: { date: '2026-03-01', currency: 'EUR', models } },
    )
    const text = squeezed(textOf(files, page))
    // Fresh input 50,000, cached 900,000, output 50,000.
    expect(text).toContain(squeezed('garden 2M 45 % 64.00 EUR for 50 %'))
    expect(text).toContain(squeezed('quiet 400k 9 % no price'))
    expect(text).toContain(squeezed('known 2M 45 % 128.00 EUR'))
    expect(text).toContain(squeezed('Cost 128.00 EUR for 45 % of the tokens'))
    expect(text).toContain(squeezed('45 % of the tokens have a price. No price is known for odd, own.'))
    expect(text).toContain(squeezed('known 100 EUR 10 EUR 1000 EUR 2026-02-01 prices.example'))
    expect(text).not.toContain('unused')
  })

  it('shows no cost without prices', async () => {
    const files = await acrossSite([started('2026-03-09T10:00:00.000Z', { detail: { usage: { a: used(1000) } } })])
    expect(textOf(files, page)).toContain('Tokens by model')
    expect(textOf(files, page)).not.toMatch(/cost|price/i)
  })

  it('draws turns by the hour of the day', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 3 : Number(hour === 23)))
    const files = await acrossSite([started('2026-03-09T10:00:00.000Z', { detail: { hours } })])
    expect(columns(files.get(page)).filter((title) => title.includes('turn'))).toEqual([
      's0 09:00: 3 turns',
      's0 23:00: 1 turn',
    ])
    expect(textOf(files, page)).toContain(
      '4 turns by the hour in which they began, in UTC; peak: 3 between 09:00 and 10:00.',
    )
  })

  it('gives every plot a name, a summary and a table', async () => {
    const files = await acrossSite([
      started('2026-03-09T10:00:00.000Z', { detail: { usage: { a: used(5) }, programs: { npm: runs(2, 1) } } }),
    ])
    const html = files.get(page) ?? ''
    const drawn = parseTags(html).tags.filter(({ name, attributes }) => name === 'svg' && attributes['role'] === 'img')
    expect(drawn).toHaveLength(3)
    expect(drawn.every(({ attributes }) => (attributes['aria-label'] ?? '').length > 20)).toBe(true)
    expect(tagsNamed(html, 'figcaption')).toHaveLength(3)
    expect(tagsNamed(html, 'table').length).toBeGreaterThanOrEqual(3)
  })
})

describe('the steps of a plot', () => {
  it('are weeks up to two years, then months, without gaps', () => {
    const weeks = stepsOver(['2025-01-01T00:00:00.000Z', '2026-12-20T00:00:00.000Z', undefined], 'UTC')
    expect([weeks.unit, weeks.starts.length, weeks.starts[0], weeks.starts.at(-1)]).toEqual([
      'week',
      103,
      '2024-12-30',
      '2026-12-14',
    ])
    const months = stepsOver(['2025-01-15T00:00:00.000Z', '2027-02-01T00:00:00.000Z'], 'UTC')
    expect([months.unit, months.starts.length, months.starts[0], months.starts.at(-1)]).toEqual([
      'month',
      26,
      '2025-01-01',
      '2027-02-01',
    ])
    expect(months.indexOf('2026-01-31')).toBe(12)
    expect(stepTitle('2026-01-01', 'month')).toBe('January 2026')
  })

  it('are at most 120 months, those with the most sessions, and the newest of equals', () => {
    const months = (...days: string[]) => {
      const { unit, starts, indexOf } = stepsOver(
        days.map((day) => `${day}T00:00:00.000Z`),
        'UTC',
      )
      return [unit, starts.length, starts[0], starts.at(-1), days.map(indexOf)]
    }
    expect(months('2006-04-30', '2016-03-01')).toEqual(['month', 120, '2006-04-01', '2016-03-01', [0, 119]])
    expect(months('2006-03-31', '2016-03-01')).toEqual(['week', 1, '2016-02-29', '2016-02-29', [undefined, 0]])
    expect(months('2099-01-01', '2016-03-09', '2016-03-01')).toEqual([
      'week',
      2,
      '2016-02-29',
      '2016-03-07',
      [undefined, 1, 0],
    ])
    expect(months('2000-01-01', '2007-01-01', '2013-01-01', '2013-01-02')).toEqual([
      'month',
      73,
      '2007-01-01',
      '2013-01-01',
      [undefined, 0, 72, 72],
    ])
  })

  it('contain every instant of their span', () => {
    const instant = fc.date({ min: new Date('2023-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 5 }), (dates) => {
        const instants = dates.map((date) => date.toISOString())
        const steps = stepsOver(instants, 'UTC')
        for (const at of instants) {
          const index = steps.indexOf(at.slice(0, 10))
          if (index === undefined) throw new Error(`${at} has no step`)
          expect((steps.starts[index] ?? '') <= at.slice(0, 10)).toBe(true)
          const next = steps.starts[index + 1]
          if (next !== undefined) expect(at.slice(0, 10) < next).toBe(true)
        }
      }),
    )
  })
})

describe('a stack', () => {
  it('has at most eight series, the last one for all others', () => {
    const values = new Map(Array.from({ length: 12 }, (_, index) => [`m${index}`, [index + 1, 0]]))
    const series = stackOf(values)
    expect(series).toHaveLength(8)
    expect(series[0]).toEqual({ name: 'm11', tone: 's0', values: [12, 0] })
    expect(series.at(-1)).toEqual({ name: '5 other', tone: 's7', values: [1 + 2 + 3 + 4 + 5, 0] })
  })
})

describe('the scale of a plot', () => {
  it('has two to six round lines from 0 to the highest value or above', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (highest) => {
        const scale = scaleOf(highest)
        expect(scale[0]).toBe(0)
        expect(scale.length).toBeGreaterThanOrEqual(2)
        expect(scale.length).toBeLessThanOrEqual(6)
        expect(scale.at(-1)).toBeGreaterThanOrEqual(highest)
      }),
    )
  })
})
