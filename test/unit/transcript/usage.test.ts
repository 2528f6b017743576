import { describe, expect, it } from 'vitest'
import { emptyCarry } from '../../../src/transcript/slice.ts'
import { complete, event, item, type Json, meta, started, turnContext, userEvent } from '../../helpers/records.ts'
import { all, only, run, runValues } from '../../helpers/slice.ts'

interface Tokens {
  input: number
  cached?: number
  output: number
  reasoning?: number
  total?: number
}

const written = ({ input, cached = 0, output, reasoning = 0, total = input + output }: Tokens): Json => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: total,
})
const count = (total: Tokens, last: Tokens, window = 1000): Json =>
  event('token_count', {
    info: { total_token_usage: written(total), last_token_usage: written(last), model_context_window: window },
    rate_limits: null,
  })
let responses = 0
const record = (usage: Tokens, turnId = 'turn-1'): Json => ({
  type: 'token_usage_record',
  payload: { turn_id: turnId, response_id: `resp-${responses++}`, usage: written(usage) },
})
const empty: Tokens = { input: 0, output: 0 }
const used = (input: number, output: number, rest = {}) => ({
  ...{ input, cached: 0, output, reasoning: 0 },
  ...rest,
  total: input + output,
})
const opening = [started('turn-1'), turnContext({ turn_id: 'turn-1', model: 'm-1' }), userEvent('Go.')]

describe('tokens of a thread', () => {
  it('are counted when the total grows, not when an event repeats it', async () => {
    const first: Tokens = { input: 100, cached: 60, output: 10, reasoning: 4 }
    const both: Tokens = { input: 150, cached: 90, output: 15, reasoning: 5 }
    const second: Tokens = { input: 50, cached: 30, output: 5, reasoning: 1 }
    const { tree } = await run([
      ...opening,
      count(first, first),
      count(first, first),
      event('token_count', { info: null }),
      count(both, second),
      count(both, second),
    ])
    expect(tree.stats.usage).toEqual({ 'm-1': used(150, 15, { cached: 90, reasoning: 5 }) })
    expect(only(tree, 'turn').usage).toEqual(tree.stats.usage['m-1'])
  })

  it('start again if a total falls, as when old builds resume', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      count(one, one),
      count({ input: 200, output: 20 }, one),
      userEvent('Go on.'),
      count({ input: 50, output: 5 }, { input: 50, output: 5 }),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(250, 25))
  })

  it('start again even if the new total happens to be higher', async () => {
    const { tree } = await run([
      ...opening,
      count({ input: 50, output: 5 }, { input: 50, output: 5 }),
      userEvent('Go on.'),
      count({ input: 90, output: 9 }, { input: 90, output: 9 }),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(140, 14))
  })

  it('are what the total gained if a migration dropped events', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const estimate: Tokens = { ...empty, total: 70 }
    const { tree } = await run([...opening, count(one, one), count({ input: 300, output: 30 }, estimate)])
    expect(tree.stats.usage['m-1']).toEqual(used(300, 30))
  })

  it('do not grow by estimates after a compaction or an overflow, which only raise totals', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      count(one, one),
      count({ ...one, total: 180 }, { ...empty, total: 70 }),
      count({ ...one, total: 1110 }, { ...empty, total: 1000 }),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(100, 10))
    expect(only(tree, 'turn').contextTokens).toBe(1000)
  })

  it('come from exact records if there are any, and events that repeat them add nothing', async () => {
    const one: Tokens = { input: 100, cached: 40, output: 10 }
    const { tree } = await run([
      ...opening,
      record(one),
      count(one, one),
      record(one),
      record(one),
      count({ input: 300, cached: 120, output: 30 }, one),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(300, 30, { cached: 120 }))
  })

  it('count the record of a response once, however often it was written', async () => {
    const one = record({ input: 100, cached: 40, output: 10 })
    const { tree } = await run([...opening, one, one, record({ input: 5, output: 1 }), one])
    expect(tree.stats.usage['m-1']).toEqual(used(105, 11, { cached: 40 }))
  })

  it('are complete if builds with and without such records took turns', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      count(one, one),
      record(one),
      count({ input: 200, output: 20 }, one),
      count({ input: 300, output: 30 }, one),
      record(one),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(400, 40))
  })

  it('of a fork by reference exclude the total with which it begins', async () => {
    const own: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      count({ input: 900, output: 90 }, own),
      count({ input: 900, output: 90 }, own),
    ])
    expect(tree.stats.usage['m-1']).toEqual(used(100, 10))
  })

  it('of copied history do not count, even if the fork repeats its last total', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const parent = meta({ id: 'parent' })
    const { tree } = await run(
      [
        meta({ id: 'thread' }),
        parent,
        ...opening,
        count(one, one),
        count(one, one),
        ...opening,
        count({ input: 150, output: 15 }, { input: 50, output: 5 }),
      ],
      { inherited: { from: 2, to: 7, guessed: false } },
    )
    expect(tree.stats.usage).toEqual({ 'm-1': used(50, 5) })
  })

  it('are counted for the model in force, whatever its name', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      turnContext({ turn_id: 'turn-1', model: '__proto__' }),
      count(one, one),
      turnContext({ turn_id: 'turn-1', model: 'constructor' }),
      count({ input: 130, output: 13 }, { input: 30, output: 3 }),
    ])
    expect(Object.entries(tree.stats.usage)).toEqual([
      ['__proto__', used(100, 10)],
      ['constructor', used(30, 3)],
    ])
  })

  it('are counted for the turn that a record names, or for no turn before the first', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      meta({ id: 'thread' }),
      item({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] }),
      count(one, one),
      ...opening,
      complete('turn-1'),
      started('turn-2'),
      record({ input: 7, output: 1 }, 'turn-1'),
      record({ input: 5, output: 2 }, 'turn-2'),
    ])
    expect(all(tree, 'turn').map(({ usage }) => usage?.total)).toEqual([8, 7])
    expect(Object.values(tree.stats.usage).map(({ total }) => total)).toEqual([110, 15])
  })

  it('continue after a page border, and the rest of a turn has the rest of its tokens', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const carry = emptyCarry()
    const before = await run([...opening, count(one, one)], { carry, last: false })
    const after = await runValues([count(one, one), count({ input: 150, output: 15 }, { input: 50, output: 5 })], {
      ...before.slice,
      last: true,
      counted: false,
    })
    expect(only(before.tree, 'turn').usage).toEqual(used(100, 10))
    expect(only(after.tree, 'turn')).toMatchObject({ usage: used(50, 5), data: { continued: true } })
    expect(after.tree.stats.usage['m-1']).toEqual(used(150, 15))
  })

  it('written to the cache are counted if a build records them', async () => {
    const usage = { ...written({ input: 100, cached: 20, output: 10 }), cache_write_input_tokens: 30 }
    const { tree } = await run([...opening, { type: 'token_usage_record', payload: { turn_id: 'turn-1', usage } }])
    expect(tree.stats.usage['m-1']).toEqual(used(100, 10, { cached: 20, cacheWrite: 30 }))
  })
})

describe('the context of a turn', () => {
  it('is that of the last request, with the window at that time', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([
      ...opening,
      count(one, one, 500),
      complete('turn-1'),
      started('turn-2', { model_context_window: 2000 }),
      count({ input: 300, output: 30 }, { input: 200, output: 20 }, 2000),
    ])
    expect(all(tree, 'turn').map(({ contextTokens, contextWindow }) => [contextTokens, contextWindow])).toEqual([
      [110, 500],
      [220, 2000],
    ])
    expect(tree.contextWindow).toBe(2000)
  })

  it('is unknown for a turn that requested nothing, whatever an event repeats', async () => {
    const one: Tokens = { input: 100, output: 10 }
    const { tree } = await run([...opening, count(one, one), complete('turn-1'), started('turn-2'), count(one, one)])
    expect(all(tree, 'turn').map(({ contextTokens }) => contextTokens)).toEqual([110, undefined])
  })

  it('is what remains after a compaction', async () => {
    const one: Tokens = { input: 900, output: 10 }
    const { tree } = await run([...opening, count(one, one), count(one, { ...empty, total: 120 })])
    expect(only(tree, 'turn').contextTokens).toBe(120)
  })
  it('is not what remains after a rollback that follows its end', async () => {
    const one: Tokens = { input: 900, output: 10 }
    const reduced = count(one, { ...empty, total: 120 })
    const { tree } = await run([
      ...opening,
      count(one, one),
      complete('turn-1'),
      reduced,
      event('thread_rolled_back', { num_turns: 1 }),
    ])
    expect(only(tree, 'turn').contextTokens).toBe(910)
  })
})
