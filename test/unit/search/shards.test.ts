import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IndexedPage } from '../../../src/render/output.ts'
import { closedShards, planShards } from '../../../src/search/shards.ts'

const mega = 1 << 20

/** The `count` pages of a day, with `size` bytes together. */
function day(name: string, size: number, count = 4): IndexedPage[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `sessions/${name}-${index}/index.html`,
    hash: `${name}${index}`,
    day: name,
    size: size / count,
  }))
}

/** A year whose months have `megas` days of 1 MiB each. */
const year = (megas: number): IndexedPage[] =>
  Array.from({ length: 12 }, (_, month) =>
    Array.from({ length: megas }, (__, index) =>
      day(`2026-${String(month + 1).padStart(2, '0')}-${String(index + 1).padStart(2, '0')}`, mega),
    ),
  ).flat(2)

const months = (shards: IndexedPage[][]) =>
  shards.map((shard) => [...new Set(shard.map((page) => page.day.slice(0, 7)))].join(' '))

describe('the plan of shards', () => {
  test('has one shard for a small site, and none for an empty one', () => {
    expect(planShards([])).toEqual([])
    expect(planShards([...day('2026-02-01', mega), ...day('2026-01-01', mega / 2)])).toHaveLength(1)
  })

  test('has whole months for a large site, the newest last and by itself', () => {
    expect(months(planShards(year(1).reverse()))).toEqual([
      '2026-01 2026-02 2026-03 2026-04',
      '2026-05 2026-06 2026-07 2026-08',
      '2026-09 2026-10 2026-11',
      '2026-12',
    ])
  })

  test('has shards small enough to build in little memory for an archive of any size', () => {
    for (const size of [3, 17, 40]) {
      const shards = planShards(year(size))
      const sizes = shards.map((shard) => shard.reduce((sum, page) => sum + page.size, 0))
      expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * mega)
      expect(shards.length).toBeLessThanOrEqual(4 * size + 1)
      expect(shards.flat()).toEqual(year(size))
    }
  })

  test('splits a month that is too large by days, and a day between pages', () => {
    const shards = planShards([
      ...day('2026-01-01', 6 * mega, 60),
      ...day('2026-01-02', 3 * mega),
      ...day('2026-02-01', 1),
    ])
    expect(Math.max(...shards.map((shard) => shard.reduce((sum, { size }) => sum + size, 0)))).toBeLessThanOrEqual(
      4 * mega,
    )
    const days = shards.map((shard) => [...new Set(shard.map((page) => page.day))])
    expect(days).toEqual([['2026-01-01'], ['2026-01-01'], ['2026-01-02'], ['2026-02-01']])
  })

  test('changes only the newest shard when a session is added', () => {
    const before = planShards(year(1))
    const after = planShards([...year(1), ...day('2026-12-30', mega / 8)])
    expect(after.slice(0, -1)).toEqual(before.slice(0, -1))
    expect(after.at(-1)).toEqual([...(before.at(-1) ?? []), ...day('2026-12-30', mega / 8)])
  })

  test('keeps its borders if the size of an old session changes a little', () => {
    const pages = year(1)
    const grown = pages.map((page, index) => (index === 2 ? { ...page, size: page.size - 1000 } : page))
    expect(months(planShards(grown))).toEqual(months(planShards(pages)))
  })

  test('puts pages without a date first', () => {
    const shards = planShards([...year(1), { path: 'sessions/x/index.html', hash: 'x', day: 'undated', size: 1 }])
    expect(shards[0]?.[0]?.day).toBe('undated')
  })

  test('has all pages ordered by day, whatever order they come in', () => {
    const page = fc.record({
      path: fc.uuid(),
      hash: fc.constant('h'),
      day: fc.constantFrom('2025-01-03', '2025-01-04', '2025-02-01', '2026-03-01', 'undated'),
      size: fc.integer({ min: 1, max: 3 * mega }),
    })
    fc.assert(
      fc.property(fc.uniqueArray(page, { selector: ({ path }) => path, maxLength: 40 }), (pages) => {
        const shards = planShards(pages)
        expect(shards).toEqual(planShards([...pages].reverse()))
        expect(shards.flat()).toHaveLength(pages.length)
        expect(shards.every((shard) => shard.length > 0)).toBe(true)
        const days = shards.flat().map((item) => (item.day === 'undated' ? '' : item.day))
        expect(days).toEqual(days.toSorted())
      }),
    )
  })
})

describe('the shards that are final before the last page', () => {
  test('are none in a small archive, and in a large one all before the current month except the last', () => {
    expect(closedShards([...day('2026-01-01', mega), ...day('2026-02-01', mega)], '2026-02')).toEqual([])
    expect(months(closedShards(year(1).reverse(), '2026-12'))).toEqual([
      '2026-01 2026-02 2026-03 2026-04',
      '2026-05 2026-06 2026-07 2026-08',
    ])
  })

  test('are in the final plan, whatever follows', () => {
    const days = fc.array(
      fc.record({
        month: fc.integer({ min: 1, max: 4 }),
        number: fc.integer({ min: 1, max: 9 }),
        size: fc.integer({ min: 1000, max: mega }),
      }),
      { minLength: 10, maxLength: 16 },
    )
    let seen = 0
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 16 }), (parts, cut) => {
        const pages = parts
          .flatMap(({ month, number, size }, index) =>
            day(`2026-0${month}-0${number}`, size, 1).map((page) => ({ ...page, path: `sessions/${index}.html` })),
          )
          .sort((a, b) => a.day.localeCompare(b.day))
        const known = closedShards(pages.slice(0, cut), pages.slice(0, cut).at(-1)?.day.slice(0, 7) ?? '')
        seen += known.length
        // A cut within a day: a later page may still be sorted before it, but not into a month that is over.
        expect(planShards(pages).slice(0, known.length)).toEqual(known)
      }),
      { numRuns: 300 },
    )
    expect(seen).toBeGreaterThan(0)
  })

  test('are in the final plan if sessions continue in later months', () => {
    const session = fc.record({
      start: fc.integer({ min: 1, max: 4 }),
      later: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
    })
    let seen = 0
    fc.assert(
      fc.property(fc.array(session, { minLength: 8, maxLength: 16 }), fc.integer({ min: 1, max: 15 }), (drawn, cut) => {
        const sessions = drawn
          .sort((a, b) => a.start - b.start)
          .map(({ start, later }, index) =>
            [0, ...later].map((more, page) => ({
              ...{ path: `sessions/${index}/${page}.html`, hash: `${index} ${page}`, size: mega / 2 },
              day: `2026-0${start + more}-07`,
            })),
          )
        const [last = []] = sessions.slice(0, cut).slice(-1)
        const known = closedShards(sessions.slice(0, cut).flat(), last[0]?.day.slice(0, 7) ?? '')
        seen += known.length
        expect(planShards(sessions.flat()).slice(0, known.length)).toEqual(known)
      }),
      { numRuns: 300 },
    )
    expect(seen).toBeGreaterThan(0)
  })
})
