import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeAxis, timelineView } from '../../../src/render/pages/session/timeline.ts'
import type { TimelineView } from '../../../src/render/pages/session/views.ts'
import type { MarkKind, Timeline, TimelineMark, TimelineSpan } from '../../../src/transcript/overview.ts'

const start = Date.parse('2026-03-14T09:00:00.000Z')
const minute = 60_000

/** A span in minutes from the start. */
function span(from: number, to: number, label = 'npm test', count = 1): TimelineSpan {
  return { from: start + from * minute, to: start + to * minute, count, page: 1, anchor: `l${from}`, label }
}

const turn = (from: number, to: number, number = 1, undone = false) => ({ ...span(from, to, `Turn ${number}`), undone })
const mark = (at: number, kind: MarkKind, label = '', count = 1): TimelineMark => ({
  ...span(at, at, label, count),
  kind,
})

function view(fields: Partial<Timeline>, lacks = { calls: false, turns: false }): TimelineView | undefined {
  const { turns = [] } = fields
  const timeline = { turnMs: 0, workMs: 0, work: [], marks: [], turns, ...fields }
  const from = Math.min(...turns.map((one) => one.from))
  const to = Math.max(...turns.map((one) => one.to))
  return timelineView(
    {
      efforts: [],
      permissions: { all: [], changes: 0 },
      failuresLeft: 0,
      editsLeft: 0,
      written: 0,
      fixedEdits: 0,
      errors: 0,
      turns: [],
      timeline: { from, to, ...timeline },
    },
    {
      href: ({ page, anchor }) => `${page}#${anchor}`,
      turnHref: ({ page, anchor }) => `${page}#${anchor}`,
      timeZone: 'UTC',
      lacks,
    },
  )
}

describe('the axis of a timeline', () => {
  const axis = (...work: [from: number, to: number][]) => {
    const spans = work.map(([from, to]) => ({ from, to, count: 1 }))
    return timeAxis({ from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 }, spans)
  }

  it('is even if the pauses are short', () => {
    const { positionOf, breaks } = axis([0, 40], [50, 100])
    expect([0, 25, 45, 100].map(positionOf)).toEqual([0, 25, 45, 100])
    expect(breaks).toEqual([])
  })

  it('shortens the longest pauses, so that work keeps two thirds of the width', () => {
    const { positionOf, breaks, starts } = axis([0, 50], [60, 110], [1_000_110, 1_000_210])
    expect(positionOf(110) - positionOf(60) + positionOf(50)).toBeCloseTo(100 / 3)
    expect(positionOf(1_000_210) - positionOf(1_000_110)).toBeCloseTo(100 / 3)
    expect(breaks.map(({ ms }) => ms)).toEqual([1_000_000])
    expect(starts).toEqual([0, 1_000_110])
  })

  it('never runs backwards and stays within its width', () => {
    const spans = fc.array(fc.tuple(fc.nat(100_000), fc.nat(5000)), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(spans, fc.array(fc.nat(110_000)), (pairs, times) => {
        const work = pairs
          .map(([from, length]) => ({ from, to: from + length, count: 1 }))
          .sort((left, right) => left.from - right.from)
        const range = { from: work[0]?.from ?? 0, to: Math.max(...work.map(({ to }) => to)) }
        const { positionOf, breaks } = timeAxis(range, work)
        const places = times.sort((left, right) => left - right).map(positionOf)
        expect(places.every((at, index) => at >= (places[index - 1] ?? 0) - 1e-9 && at <= 100)).toBe(true)
        for (const { from, to } of breaks) expect(to).toBeGreaterThanOrEqual(from)
      }),
    )
  })
})

describe('the timeline of a session page', () => {
  it('places turns and work in per cent, each with its link and its numbers', () => {
    const { bars = [] } = view({ turns: [turn(0, 8), turn(9, 10, 2, true)], work: [span(2, 4)] }) ?? {}
    expect(bars).toEqual([
      { kind: 'turn', x: '0%', width: '80%', href: '1#l0', title: 'Turn 1 · 2026-03-14 09:00 UTC · 8 min' },
      { kind: 'undone', x: '90%', width: '10%', href: '1#l9', title: 'Turn 2 · 2026-03-14 09:09 UTC · 1 min' },
      { kind: 'work', x: '20%', width: '20%', href: '1#l2', title: 'npm test · 2026-03-14 09:02 UTC · 2 min' },
    ])
  })

  it('shows spans without duration too, within the band', () => {
    const { bars = [] } = view({ turns: [turn(0, 100), turn(100, 100, 2)] }) ?? {}
    expect(bars[1]).toMatchObject({ x: '99.7%', width: '0.3%' })
  })

  it('marks moments by different shapes, and merged ones with their number', () => {
    const kinds: MarkKind[] = ['failed', 'error', 'compaction', 'interrupted']
    const { marks = [], summary = '' } =
      view({ turns: [turn(0, 10)], marks: [...kinds.map((kind) => mark(5, kind)), mark(6, 'failed', 'make', 14)] }) ??
      {}
    expect(new Set(marks.map(({ shape }) => shape)).size).toBe(4)
    expect(marks.map(({ title }) => title)).toEqual([
      'Failed · 2026-03-14 09:05 UTC',
      'Error · 2026-03-14 09:05 UTC',
      'Context compacted · 2026-03-14 09:05 UTC',
      'Interrupted · 2026-03-14 09:05 UTC',
      '14 failed commands · first make · 2026-03-14 09:06 UTC',
    ])
    expect(summary).toContain('15 failed commands. 1 error. 1 compaction. 1 interruption')
  })

  it('says in words what it draws', () => {
    const drawn = view({ turns: [turn(0, 10), turn(70, 80)], turnMs: 20 * minute, workMs: 5 * minute })
    expect(drawn?.summary).toBe('Model 15 min. Commands and tools 5 min. Pauses 1 h. Long pauses are drawn shorter.')
    expect(drawn?.breaks).toMatchObject([{ sign: '50%', title: 'Pause of 1 h' }])
  })

  it('does not count as model time what omitted calls may have taken', () => {
    const turns = [turn(0, 10), turn(20, 30, 3)]
    const drawn = view({ turns, turnMs: 20 * minute }, { calls: true, turns: false })
    expect(drawn?.summary).toBe('Model and calls left out 20 min. Pauses 10 min')
  })

  it('does not count as pauses what omitted turns may have taken', () => {
    const turns = [turn(0, 10), turn(20, 30, 3)]
    const drawn = view({ turns, turnMs: 20 * minute }, { calls: false, turns: true })
    expect(drawn?.summary).toBe('Model 20 min. Pauses and turns left out 10 min')
  })

  it('has the sign of a pause only if it does not cover its neighbours', () => {
    const many = view({ turns: Array.from({ length: 60 }, (_, index) => turn(index * 100, index * 100 + 1)) })
    expect(many?.breaks).toHaveLength(59)
    expect(many?.breaks.filter(({ sign }) => sign !== undefined)).toEqual([])
  })

  it('is omitted if it would show only one short turn', () => {
    expect(view({ turns: [turn(0, 0.5)] })).toBeUndefined()
    expect(view({ turns: [turn(0, 1)] })).toBeDefined()
  })

  it('labels start, end and where work continued, with the day if that changed', () => {
    const { ticks = [] } = view({ turns: [turn(0, 60), turn(4320, 4380, 2)] }) ?? {}
    expect(ticks.map(({ text, anchor, minor }) => [text, anchor, minor])).toEqual([
      ['09:00', 'start', false],
      ['03-17 09:00', 'middle', false],
      ['10:00', 'end', false],
    ])
  })

  it('shows the day of each label on a wide page and on a narrow one', () => {
    const pauses = fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 600, max: 4000 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(pauses, (gaps) => {
        let at = 0
        const turns = gaps.map((gap, index) => {
          const from = at
          at += 20 + gap
          return turn(from, from + 20, index + 1)
        })
        const { ticks = [] } = view({ turns }) ?? {}
        for (const row of [ticks, ticks.filter(({ minor }) => !minor)]) {
          let day = '03-14'
          const labelled = row.map(({ text }) => {
            if (text.includes(' ')) day = text.slice(0, 5)
            return `2026-${day}T${text.slice(-5)}`
          })
          expect(labelled).toEqual(row.map(({ iso }) => iso.slice(0, 16)))
        }
      }),
    )
  })

  it('shows seconds if everything is within minutes, and no label twice', () => {
    const { ticks = [] } = view({ turns: [turn(0, 0.5), turn(0.6, 1, 2)] }) ?? {}
    expect(ticks.map(({ text }) => text)).toEqual(['09:00:00', '09:00:36', '09:01:00'])
  })

  it('keeps its labels apart, and has fewer of them on a narrow page', () => {
    const turns = Array.from({ length: 100 }, (_, index) => turn(index * 10, index * 10 + 9, index + 1))
    const { ticks = [] } = view({ turns }) ?? {}
    const places = ticks.filter(({ anchor }) => anchor === 'middle').map(({ x }) => Number.parseFloat(x))
    const gaps = places.slice(1).map((at, index) => at - (places[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(5)
    const major = ticks.filter(({ minor }) => !minor)
    expect(major.length).toBeGreaterThan(2)
    expect(major.length).toBeLessThan(ticks.length)
  })

  it('is absent if no turn was timed', () => {
    expect(view({})).toBeUndefined()
  })
})
