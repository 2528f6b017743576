/** The pages of a thread, from its records. */
import { describe, expect, it } from 'vitest'
import { type LineSize, pageCutter, storyRanges } from '../../../src/survey/page-cutter.ts'

const sizes = { weight: 100, items: 10, bytes: 1000, lines: 100 }

/** Adds lines of ten bytes. */
function cut(lines: Partial<LineSize>[], limits = sizes) {
  const cutter = pageCutter(limits)
  const taken = lines.map((line, index) =>
    cutter.add(
      { segment: 0, line: index + 1, start: index * 10, end: index * 10 + 10 },
      { weight: 1, opensTurn: false, isBetweenCalls: line.isCall === true, ...line },
    ),
  )
  return { cutter, taken, pages: cutter.pages() }
}
const times = (count: number, line: Partial<LineSize>): Partial<LineSize>[] => Array.from({ length: count }, () => line)
const lineNumbers = (pages: ReturnType<typeof cut>['pages']): number[] =>
  pages.map(({ ranges }) => ranges[0]?.firstLine ?? 0)

describe('a page', () => {
  it('is one for a short thread, and for an empty one', () => {
    expect(cut([]).pages).toEqual([{ number: 1, ranges: [], late: [], taken: [], storyWeight: 0 }])
    expect(cut(times(5, {})).pages).toEqual([
      { number: 1, ranges: [{ segment: 0, start: 0, end: 50, firstLine: 1 }], late: [], taken: [], storyWeight: 5 },
    ])
  })

  it('ends after many lines that show nothing', () => {
    expect(lineNumbers(cut(times(450, { weight: 0 }), { ...sizes, bytes: 1e9 }).pages)).toEqual([1, 201, 401])
  })

  it('includes the end of its last turn if nothing more is shown', () => {
    const lines = [{ opensTurn: true }, ...times(11, {}), ...times(8, {}), ...times(3, { weight: 0 })]
    expect(cut(lines).pages).toEqual([
      { number: 1, ranges: [{ segment: 0, start: 0, end: 230, firstLine: 1 }], late: [], taken: [], storyWeight: 20 },
    ])
    expect(lineNumbers(cut([...lines, {}]).pages)).toEqual([1, 21])
  })

  it('ends with a turn at half its size', () => {
    const turn = [{ opensTurn: true }, ...times(3, {})]
    expect(lineNumbers(cut([...turn, ...turn, ...turn]).pages)).toEqual([1, 9])
  })

  it('ends within a turn before a call', () => {
    expect(lineNumbers(cut([{ opensTurn: true }, ...times(11, {}), { isCall: true, callId: 'a' }]).pages)).toEqual([
      1, 13,
    ])
  })

  it('continues between calls up to twice its size', () => {
    expect(lineNumbers(cut([{ opensTurn: true }, ...times(30, {})]).pages)).toEqual([1, 21])
    const open = times(30, { isBetweenCalls: false, isCall: true })
    expect(lineNumbers(cut([{ opensTurn: true }, ...open]).pages)).toEqual([1, 21])
  })

  it('ends by weight and by bytes', () => {
    const call = { isCall: true, weight: 60 }
    expect(lineNumbers(cut([{ opensTurn: true }, call, call, call]).pages)).toEqual([1, 4])
    expect(lineNumbers(cut(times(8, { weight: 0, isCall: true }), { ...sizes, bytes: 30 }).pages)).toEqual([1, 4, 7])
  })

  it('gets late records of its calls', () => {
    const lines = [
      { opensTurn: true, callId: 'a', isCall: true },
      ...times(9, {}),
      { opensTurn: true },
      { callId: 'a' },
    ]
    const { pages, taken } = cut(lines)
    expect(taken.at(-1)).toBe(1)
    expect(pages[0]?.late).toEqual([{ segment: 0, start: 110, end: 120, firstLine: 12 }])
    expect(pages[1]?.taken).toEqual(['0:12'])
  })

  it('keeps a call that uses an id again, with its records', () => {
    const call = { callId: 'a', isCall: true }
    const { pages, taken } = cut([
      { ...call, opensTurn: true },
      ...times(9, {}),
      { ...call, opensTurn: true },
      { callId: 'a' },
    ])
    expect(taken.slice(-2)).toEqual([2, 2])
    expect(pages[0]?.late).toEqual([])
    expect(pages[1]?.taken).toEqual([])
  })

  it('says how a turn ended that its border cuts', () => {
    const { cutter } = cut([{ opensTurn: true }, ...times(11, {}), ...times(12, { isCall: true })])
    cutter.turnEnded({ status: 'failed', error: 'bad' })
    const ended = { status: 'failed', error: 'bad' }
    expect(cutter.pages().map(({ cutTurn }) => cutTurn)).toEqual([ended, ended, undefined])
  })

  it('says nothing about a turn that ended on it', () => {
    const { cutter } = cut([{ opensTurn: true }, ...times(6, {}), { opensTurn: true }])
    cutter.turnEnded({ status: 'completed' })
    expect(cutter.pages().map(({ cutTurn }) => cutTurn)).toEqual([undefined, undefined])
  })

  it('may have ranges of several segments', () => {
    const cutter = pageCutter(sizes)
    const size = { weight: 1, opensTurn: false, callsOpen: 0 }
    cutter.add({ segment: 0, line: 1, start: 0, end: 10 }, size)
    cutter.add({ segment: 1, line: 1, start: 0, end: 10 }, size)
    cutter.add({ segment: 1, line: 2, start: 10, end: 30 }, size)
    expect(cutter.pages()[0]?.ranges).toEqual([
      { segment: 0, start: 0, end: 10, firstLine: 1 },
      { segment: 1, start: 0, end: 30, firstLine: 1 },
    ])
  })
})

describe('a page of the story', () => {
  it('weighs prompts and answers fully, and only a little of the work of each turn', () => {
    const turn = [
      { opensTurn: true, isSaid: true, weight: 1 },
      { weight: 9000 },
      { weight: 9000 },
      { isSaid: true, weight: 1 },
    ]
    const [page] = cut([...turn, ...turn], { weight: 1e9, items: 1e9, bytes: 1e9, lines: 1e9 }).pages
    expect(page?.storyWeight).toBe(2 * (10 + 10_000 + 10))
  })

  it('combines pages of work up to a weight, and keeps a heavier one alone', () => {
    const ranges = storyRanges([200_000, 90_000, 20_000, 500_000, 1].map((storyWeight) => ({ storyWeight })))
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ])
    expect(storyRanges([])).toEqual([])
  })
})
