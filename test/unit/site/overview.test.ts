import { describe, expect, it } from 'vitest'
import { overviewCollector } from '../../../src/site/collect/overview.ts'
import type { TopContent } from '../../../src/transcript/trast.ts'
import { overviewOf } from '../../helpers/session-page.ts'
import {
  assistant,
  command,
  errorNode,
  fileChange,
  group,
  hunk,
  notice,
  patch,
  session,
  toolCall,
  turn,
  user,
} from '../../helpers/tree.ts'

const start = Date.parse('2026-03-14T09:00:00.000Z')

/** The instant some seconds after the start. */
const at = (seconds: number) => ({ at: new Date(start + seconds * 1000).toISOString() })

/** The overview of a thread with these pages. */
const overview = (...pages: TopContent[][]) => overviewOf(...pages.map((children) => session(children)))

/** Spans in seconds from the start. */
function seconds(spans: readonly { from: number; to: number }[] = []): [from: number, to: number][] {
  return spans.map(({ from, to }) => [(from - start) / 1000, (to - start) / 1000])
}

describe('the overview of a session', () => {
  it('has the numbers of each turn, with the place where it begins', () => {
    const change = fileChange('a.ts', [hunk('+one\n+two\n-three')])
    const failed = ['npm test', 'make'].map((script, index) =>
      command(script, [], { id: `l${7 + index}`, status: 'failed' }),
    )
    const { turns, efforts, permissions, failuresLeft, firstLeft } = overview([
      turn(
        [
          user('Go'),
          ...failed,
          command('npm test'),
          assistant('The gate is **mended** now, and it holds. All is well.'),
        ],
        {
          ...at(0),
          id: 't-1',
          ...{ model: 'm-1', effort: 'high' },
          approval: 'never',
          durationMs: 4000,
        },
      ),
      turn([patch([change]), patch([change], { status: 'failed' })], {
        id: 't-2',
        number: 2,
        kind: 'shell',
        effort: 'low',
        ...{ approval: 'on-request', sandbox: 'read-only' },
      }),
    ])
    expect(turns).toEqual([
      {
        ...{ number: 1, kind: 'user', page: 1, anchor: 't-1', ...at(0), durationMs: 4000, status: 'completed' },
        ...{ left: 1, added: 0, removed: 0, result: 'The gate is mended now, and it holds.' },
      },
      {
        ...{ number: 2, kind: 'shell', page: 1, anchor: 't-2', status: 'completed' },
        ...{ left: 0, added: 2, removed: 1 },
      },
    ])
    expect(efforts).toEqual([{ model: 'm-1', efforts: ['high'] }, { efforts: ['low'] }])
    expect(permissions).toEqual({ all: ['never asks', 'read only, asks when needed'], changes: 1 })
    expect([failuresLeft, firstLeft]).toEqual([1, { page: 1, anchor: 'l8' }])
  })

  it('sums up a turn over its pages, at its first place', () => {
    const failed = () => command('make', [], { status: 'failed' })
    const { turns, failuresLeft } = overview(
      [turn([failed(), assistant('I look at the gate first.', { phase: 'commentary' })], { id: 't-1' })],
      [turn([failed(), assistant('The gate is mended.')], { id: 'l9', data: { continued: true } })],
    )
    expect(turns).toHaveLength(1)
    expect(turns[0]).toMatchObject({ page: 1, anchor: 't-1', left: 2, result: 'The gate is mended.' })
    expect(failuresLeft).toBe(2)
  })

  it('names a review by what was reviewed, with its verdict if nobody answered', () => {
    const { turns } = overview([
      turn(
        [
          notice('review', [], {
            facts: { before: 'the gate, does it hold?', after: 'patch is incorrect', confidence: 0.96 },
          }),
          notice('review', [], { facts: { before: `${'long '.repeat(40)}\nmore` }, data: { visibility: 'hidden' } }),
        ],
        { id: 't-1', kind: 'review' },
      ),
      turn([notice('review'), assistant('The gate holds again.')], { id: 't-2', kind: 'review' }),
    ])
    expect(turns[0]).toMatchObject({
      review: 'Review of the gate, does it hold?',
      result: 'patch is incorrect, confidence 96 %',
    })
    expect(turns[1]).toMatchObject({ review: 'Review', result: 'The gate holds again.' })
  })

  it('finds the fix of a failure on a later page of its turn, but not in another turn', () => {
    const failed = (id: string, script = 'make') => command(script, [], { id, status: 'failed' })
    const goesOn = { data: { continued: true } }
    const { turns, failuresLeft, firstLeft } = overview(
      [turn([failed('l1'), failed('l2', 'npm test')], { id: 't-1' })],
      [turn([failed('l5')], goesOn)],
      [turn([command('make')], goesOn), turn([failed('l8')], { id: 't-2', number: 2 })],
      [turn([command('npm test')], { number: 3 })],
    )
    expect(turns.map(({ left }) => left)).toEqual([1, 1, 0])
    expect([failuresLeft, firstLeft]).toEqual([2, { page: 1, anchor: 'l2' }])
  })

  it('counts failed edits by whether a later edit of the turn changed their file', () => {
    const edit = (path: string, status: 'completed' | 'failed', id = 'l9') =>
      patch([fileChange(path, [hunk('+one')])], { status, id })
    const { fixedEdits, failuresLeft, editsLeft, firstEditLeft } = overview(
      [turn([edit('a.ts', 'failed', 'l1'), edit('b.ts', 'failed', 'l2'), edit('a.ts', 'completed', 'l3')])],
      [turn([edit('c.ts', 'failed')], { number: 2 }), turn([edit('c.ts', 'completed')], { number: 3 })],
    )
    expect({ fixedEdits, failuresLeft, editsLeft }).toEqual({ fixedEdits: 1, failuresLeft: 0, editsLeft: 2 })
    expect(firstEditLeft).toEqual({ page: 1, anchor: 'l2' })
  })

  it('counts files that commands wrote, but not those that edits changed', () => {
    const wrote = (script: string, fields = {}) => command(script, [], { cwd: '/shop', ...fields })
    const { written } = overview(
      [turn([wrote('echo x > a.ts; echo y > b.tmp; mv b.tmp b.ts')], { cwd: '/shop' })],
      [
        turn([patch([fileChange('a.ts', [hunk('+one')])]), wrote('echo z > c.ts', { status: 'failed' })], {
          ...{ number: 2, cwd: '/shop' },
        }),
      ],
      [turn([wrote('echo x >> b.ts; echo y > d.ts')], { number: 3, cwd: '/shop' })],
    )
    expect(written).toBe(2)
  })

  it('does not take the last words of an interrupted turn for a result', () => {
    const { turns } = overview([turn([assistant('I look at the gate first.')], { status: 'interrupted' })])
    expect(turns[0]?.result).toBeUndefined()
  })

  it('omits copied history and hidden calls, and marks turns that were rolled back', () => {
    const copied = turn([command('old', [], { status: 'failed' })], { ...at(0), data: { inherited: true } })
    const hidden = command('secret', [], { status: 'failed', data: { visibility: 'hidden' } })
    const undone = group('rolledBack', '1 turn rolled back', [turn([], { ...at(5), number: 1 })])
    const { turns, failuresLeft, timeline } = overview([copied, undone, turn([hidden], { ...at(10), number: 2 })])
    expect(turns.map(({ number, undone }) => [number, undone])).toEqual([
      [1, true],
      [2, undefined],
    ])
    expect(failuresLeft).toBe(0)
    expect(timeline?.turns.map(({ undone }) => undone)).toEqual([true, false])
    expect(timeline?.marks).toEqual([])
  })

  it('lists the first 500 turns individually, and later ones that have no prompt, as many again', () => {
    const isNamed = (number: number): boolean => number % 3 === 0
    const all = Array.from({ length: 2000 }, (_, index) =>
      turn(isNamed(index + 1) ? [user('Go')] : [], { number: index + 1 }),
    )
    const numbers = overview(all).turns.map(({ number }) => number)
    expect(numbers.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))
    expect(numbers.slice(500, 504)).toEqual([502, 503, 505, 506])
    expect(numbers).toHaveLength(1000)
    expect(numbers.slice(500).some(isNamed)).toBe(false)
  })
})

describe('the timeline of a session', () => {
  it('has turns and, within them, commands and tools with their durations', () => {
    const { timeline } = overview([
      turn(
        [
          command('npm test', [], { ...at(10), durationMs: 20_000 }),
          toolCall('look', '{}', [], { ...at(40), server: 'docs', durationMs: 5000 }),
        ],
        { ...at(0), endedAt: at(60).at },
      ),
      turn([assistant('Done', at(110))], { ...at(100), number: 2 }),
    ])
    expect(seconds(timeline?.turns)).toEqual([
      [0, 60],
      [100, 110],
    ])
    expect(seconds(timeline?.work)).toEqual([
      [10, 30],
      [40, 45],
    ])
    expect(timeline?.work.map(({ label }) => label)).toEqual(['npm test', 'docs/look'])
    expect(timeline).toMatchObject({ turnMs: 70_000, workMs: 25_000 })
    expect(seconds([timeline ?? { from: 0, to: 0 }])).toEqual([[0, 110]])
  })

  it("counts no model time in a turn that is the user's own command", () => {
    const { timeline } = overview([
      turn([command('make', [], { ...at(48), status: 'interrupted' })], {
        ...{ ...at(0), endedAt: at(48).at, kind: 'shell', durationMs: 48_000 },
      }),
      turn([command('ls', [], { ...at(60), durationMs: 2000 })], { ...at(60), endedAt: at(70).at, number: 2 }),
    ])
    expect(timeline).toMatchObject({ turnMs: 58_000, workMs: 50_000 })
  })

  it('counts parallel calls once', () => {
    const calls = [0, 1, 2].map((offset) => command('sleep 10', [], { ...at(offset), durationMs: 10_000 }))
    expect(overview([turn(calls, at(0))]).timeline?.workMs).toBe(12_000)
  })

  it("draws a process as long as it ran, but counts only the model's waiting time as work", () => {
    const server = command('npm start', [], { ...at(2), durationMs: 3000, ranMs: 40_000 })
    const { timeline } = overview([turn([server, assistant('Done', at(60))], { ...at(0), durationMs: 60_000 })])
    expect(seconds(timeline?.work)).toEqual([[2, 42]])
    expect(timeline).toMatchObject({ turnMs: 60_000, workMs: 3000 })
  })

  it('splits a turn that was silent for half an hour, unless a command ran', () => {
    const silent = turn([assistant('One', at(10)), assistant('Two', at(4000))], at(0))
    expect(seconds(overview([silent]).timeline?.turns)).toEqual([
      [0, 10],
      [4000, 4000],
    ])
    const busy = turn([command('make', [], { ...at(10), durationMs: 3_900_000 }), assistant('Two', at(4000))], at(0))
    expect(seconds(overview([busy]).timeline?.turns)).toEqual([[0, 4000]])
  })

  it('counts no time twice if a command continues after the end of its turn', () => {
    const { timeline } = overview([
      turn([command('npm run dev', [], { ...at(2), durationMs: 100_000 })], { ...at(0), endedAt: at(10).at }),
      turn([user('On', at(20))], { ...at(20), endedAt: at(30).at }),
    ])
    expect(timeline).toMatchObject({ turnMs: 20_000 })
    expect(seconds(timeline?.turns)).toEqual([
      [0, 10],
      [20, 30],
    ])
  })

  it('counts recorded durations of turns, except of one that a long silence splits', () => {
    const took = (from: number, ms: number, until = from + 10) =>
      turn([assistant('Done', at(until - 1))], { ...at(from), endedAt: at(until).at, durationMs: ms })
    expect(overview([took(0, 12_900), took(100, 9000)]).timeline).toMatchObject({
      turnMs: 21_900,
      turns: [{ durationMs: 12_900 }, { durationMs: 9000 }],
    })
    // A page border cuts a turn: each later part has its own inferred duration.
    const part = { data: { continued: true, inferred: ['durationMs'] }, endedAt: at(12).at, durationMs: 2000 }
    const whole = took(0, 12_900, 12)
    const cut = overview([whole], [turn([assistant('Done', at(12))], { ...at(10), ...part })]).timeline
    expect([cut?.turnMs, cut?.turns[0]?.durationMs]).toEqual([12_900, 12_900])
    // If its duration was never recorded, a turn lasts from its first record to its last, whatever its first part
    // says.
    const unrecorded = turn([assistant('One', at(3))], {
      ...at(0),
      durationMs: 3000,
      data: { inferred: ['durationMs'] },
    })
    const spread = overview([unrecorded], [turn([assistant('Done', at(12))], { ...at(10), ...part })]).timeline
    expect([spread?.turnMs, seconds(spread?.turns)]).toEqual([12_000, [[0, 12]]])
    const parted = overview([took(0, 4_000_000, 4000)]).timeline
    expect([parted?.turnMs, parted?.turns.map((span) => 'durationMs' in span)]).toEqual([1000, [false, false]])
  })

  it('ends a turn where Codex did, even if it contains a later rollback', () => {
    const rolledBack = notice('rollback', [], at(600))
    const late = command('sleep 20', [], { ...at(705), durationMs: 20_000 })
    const { timeline } = overview([
      turn([assistant('Done', at(9)), rolledBack], { ...at(0), endedAt: at(10).at }),
      turn([late], { ...at(700), number: 2, endedAt: at(710).at }),
    ])
    expect(seconds(timeline?.turns)).toEqual([
      [0, 10],
      [700, 710],
    ])
    expect(timeline).toMatchObject({ turnMs: 20_000 })
  })

  it('marks failures, errors, compactions and interruptions at their places', () => {
    const { timeline } = overview([
      turn(
        [
          command('false', [], { ...at(1), id: 'l3', status: 'failed', exitCode: 1 }),
          errorNode('No route', { ...at(2), id: 'l4' }),
          notice('compaction', [], { ...at(3), id: 'l5' }),
          notice('abort', [], { ...at(4), id: 'l6' }),
        ],
        { ...at(0), status: 'interrupted' },
      ),
    ])
    expect(timeline?.marks.map(({ kind, anchor, label }) => [kind, anchor, label])).toEqual([
      ['failed', 'l3', 'false'],
      ['error', 'l4', 'No route'],
      ['compaction', 'l5', ''],
      ['interrupted', 'l6', ''],
    ])
  })

  it('marks the end of a turn that failed without a record of the error', () => {
    const failed = turn([user('Go', at(1))], {
      ...at(0),
      id: 't-1',
      status: 'failed',
      error: 'Quota',
      endedAt: at(9).at,
    })
    const { marks } = overview([failed]).timeline ?? { marks: [] }
    expect(marks).toMatchObject([{ kind: 'error', anchor: 't-1', label: 'Quota', from: start + 9000 }])
  })

  it('continues a turn over its pages, even if the first part already has the end', () => {
    const end = { endedAt: at(9000).at }
    const { timeline } = overview(
      [turn([assistant('One', at(5))], { ...at(0), ...end })],
      [turn([assistant('Two', at(8990))], { ...at(8980), ...end, data: { continued: true } })],
    )
    expect(seconds(timeline?.turns)).toEqual([
      [0, 5],
      [8990, 9000],
    ])
  })

  it('stays small for 100,000 commands and loses none of them', () => {
    const collector = overviewCollector()
    for (let page = 1; page <= 100; page++) {
      const calls = Array.from({ length: 1000 }, (_, index) => {
        const seconds = (page * 1000 + index) * 7
        return command('x', [], { ...at(seconds), durationMs: 3000, status: index % 10 === 0 ? 'failed' : 'completed' })
      })
      collector.take(session([turn(calls, { ...at(page * 7000), number: page })]), page)
    }
    const { timeline } = collector.overview()
    const count = (spans: readonly { count: number }[] = []) => spans.reduce((sum, span) => sum + span.count, 0)
    expect(timeline?.work.length).toBeLessThanOrEqual(120)
    expect(timeline?.marks.length).toBeLessThanOrEqual(120)
    expect(count(timeline?.work)).toBe(100_000)
    expect(count(timeline?.marks)).toBe(10_000)
    expect(timeline?.workMs).toBe(300_000_000)
  })

  it('is absent if nothing was timed', () => {
    expect(overview([turn([user('Go')])]).timeline).toBeUndefined()
  })
})
