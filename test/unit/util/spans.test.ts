import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeSpans, type Span, spanList } from '../../../src/util/spans.ts'

const span = (from: number, to: number, count = 1): Span => ({ from, to, count })

describe('merging spans', () => {
  it('keeps a few spans as they are, in order', () => {
    expect(mergeSpans([span(5, 6), span(1, 2)], 2)).toEqual([span(1, 2), span(5, 6)])
  })

  it('closes the narrowest gaps first', () => {
    expect(mergeSpans([span(0, 10), span(11, 20), span(900, 1000)], 2)).toEqual([span(0, 20, 2), span(900, 1000)])
  })

  it('keeps the other fields of the first part', () => {
    const named = [
      { ...span(0, 1), name: 'first' },
      { ...span(0, 3), name: 'second' },
    ]
    expect(mergeSpans(named, 1)).toEqual([{ ...span(0, 3, 2), name: 'first' }])
  })

  it('closes no more gaps than necessary, even if all are equal', () => {
    const even = Array.from({ length: 9 }, (_, index) => span(index * 10, index * 10 + 1))
    expect(mergeSpans(even, 7).map(({ count }) => count)).toEqual([3, 1, 1, 1, 1, 1, 1])
  })

  it('ends even if all spans are the same moment', () => {
    expect(mergeSpans([span(7, 7), span(7, 7), span(7, 7)], 1)).toEqual([span(7, 7, 3)])
  })

  it('stays within the limit and loses no span, whatever is added in whatever order', () => {
    const spans = fc.array(
      fc.tuple(fc.nat(), fc.nat(1000)).map(([from, length]) => span(from, from + length)),
      { minLength: 1, maxLength: 300 },
    )
    fc.assert(
      fc.property(spans, fc.integer({ min: 1, max: 40 }), (all, limit) => {
        const list = spanList(limit)
        for (const one of all) list.add(one)
        const merged = list.spans()
        expect(merged.length).toBeLessThanOrEqual(limit)
        expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
        expect(merged[0]?.from).toBe(Math.min(...all.map(({ from }) => from)))
        expect(Math.max(...merged.map(({ to }) => to))).toBe(Math.max(...all.map(({ to }) => to)))
        expect(merged.every(({ from }, index) => from >= (merged[index - 1]?.from ?? from))).toBe(true)
      }),
    )
  })
})
