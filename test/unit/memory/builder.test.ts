/** From records to what the model remembers: rollbacks, compactions, context. */
import { expect, it } from 'vitest'
import { memoryBuilder } from '../../../src/features/memory/history/builder.ts'
import { rulesOf } from '../../../src/features/memory/history/items.ts'
import type { MemoryRecord } from '../../../src/features/memory/history/records.ts'
import {
  assistant,
  call,
  developer,
  environment,
  instructions,
  output,
  remember,
  textsOf,
  user,
} from '../../helpers/remember.ts'

const rollback = (turns: number): MemoryRecord => ({ kind: 'rollback', turns })
const compaction = (summary: string, replacement?: MemoryRecord[] | object[]): MemoryRecord =>
  ({ kind: 'compaction', summary, ...(replacement === undefined ? {} : { replacement }) }) as MemoryRecord
const turn = (number: number): ReturnType<typeof user>[] => [user(`ask ${number}`), assistant(`answer ${number}`)]

it('items are in the order of the file, each with its line', () => {
  const { items } = remember([...turn(1), ...turn(2)])
  expect(items.map(({ index, category, sources }) => [index, category, sources[0]?.line])).toEqual([
    [1, 'userMessage', 1],
    [2, 'assistantMessage', 2],
    [3, 'userMessage', 3],
    [4, 'assistantMessage', 4],
  ])
})

it('what Codex does not send is left out: system messages, snapshots, unknown items', () => {
  const system = { type: 'message', role: 'system', content: [] }
  const history = remember([system, { type: 'ghost_snapshot' }, { type: 'of_tomorrow' }, user('hello')])
  expect(textsOf(history)).toEqual(['hello'])
})

it('a rollback removes the last turns, but nothing before the first turn', () => {
  const context = [developer('rules'), environment('/a')]
  expect(textsOf(remember([...context, ...turn(1), ...turn(2), rollback(1)]))).toEqual(
    textsOf(remember([...context, ...turn(1)])),
  )
  expect(textsOf(remember([...context, ...turn(1), ...turn(2), rollback(9)]))).toEqual(textsOf(remember(context)))
})

it('a rollback removes the context before a turn along with the turn', () => {
  const history = remember([environment('/a'), ...turn(1), environment('/b'), ...turn(2), rollback(1)])
  expect(textsOf(history)).toEqual(textsOf(remember([environment('/a'), ...turn(1)])))
})

it('neither injected notes nor turns without a message count as turns of a rollback', () => {
  const note = user('<turn_aborted>\nstopped\n</turn_aborted>')
  const history = remember([...turn(1), ...turn(2), note, rollback(1)])
  expect(textsOf(history)).toEqual(['ask 1', 'answer 1'])
})

it('an agent message counts as a turn if the record before it says so', () => {
  const said = { type: 'agent_message', author: '/root', content: [{ type: 'input_text', text: 'go on' }] }
  const triggered = remember([...turn(1), { kind: 'agentTurn' }, said, assistant('gone'), rollback(1)])
  expect(textsOf(triggered)).toEqual(['ask 1', 'answer 1'])
  expect(textsOf(remember([...turn(1), said, assistant('gone'), rollback(1)]))).toEqual([])
})

it('several rollbacks add up', () => {
  const history = remember([...turn(1), ...turn(2), rollback(1), ...turn(3), rollback(1), ...turn(4)])
  expect(textsOf(history)).toEqual(['ask 1', 'answer 1', 'ask 4', 'answer 4'])
})

it('a rollback of no turns does nothing', () => {
  expect(textsOf(remember([...turn(1), rollback(0)]))).toEqual(['ask 1', 'answer 1'])
})

it('a compaction replaces everything by its replacement history', () => {
  const history = remember([...turn(1), compaction('sum', [user('ask 1'), user('sum')]), ...turn(2)])
  expect(textsOf(history)).toEqual(['ask 1', 'sum', 'ask 2', 'answer 2'])
  expect(history.items.map(({ category }) => category)).toEqual([
    'userMessage',
    'compactionSummary',
    'userMessage',
    'assistantMessage',
  ])
  expect(history.items[1]?.sources).toEqual([{ segment: 0, line: 3, replacement: 1 }])
})

it('a compaction says what it dropped and what it kept', () => {
  const { compaction: facts } = remember([...turn(1), call('a'), output('a'), compaction('sum', [user('ask 1')])])
  expect(facts?.dropped).toMatchObject({
    assistantMessage: { items: 1 },
    toolCall: { items: 1 },
    toolOutput: { items: 1 },
  })
  expect(facts?.dropped).not.toHaveProperty('userMessage')
  expect(facts?.kept).toMatchObject({ userMessage: { items: 1 } })
})

it('a compaction without a history keeps context and prompts, and adds its summary', () => {
  const context = [instructions('be brief'), environment('/a')]
  const history = remember([...context, ...turn(1), call('a'), output('a'), compaction('sum'), ...turn(2)])
  expect(history.items.map(({ category }) => category)).toEqual([
    'userInstructions',
    'environmentContext',
    'userMessage',
    'compactionSummary',
    'userMessage',
    'assistantMessage',
  ])
})

it('a compaction without a summary is described as Codex does it', () => {
  expect(textsOf(remember([...turn(1), compaction('')]))).toEqual(['ask 1', '(no summary available)'])
})

it('an earlier summary is carried over unless it says that it is one', () => {
  const known = 'Another language model started to solve this problem and so on:\nsum 1'
  expect(textsOf(remember([compaction('sum 1'), ...turn(1), compaction('sum 2')]))).toEqual(['sum 1', 'ask 1', 'sum 2'])
  expect(textsOf(remember([compaction(known), ...turn(1), compaction('sum 2')]))).toEqual(['ask 1', 'sum 2'])
})

it('the newest prompts are carried over, up to a limit that cuts the oldest of them', () => {
  const long = 'x'.repeat(60_000)
  const history = remember([user('first'), user(`a${long}`), user(`b${long}`), user('c'), compaction('sum')])
  const [oldest, ...rest] = textsOf(history)
  expect(oldest).toMatch(/^ax+…\d+ tokens truncated…x+$/)
  expect(rest.map((text) => text[0])).toEqual(['b', 'c', 's'])
  expect(history.items.slice(0, 3).reduce((sum, { tokens }) => sum + tokens, 0)).toBe(20_000)
})

it('prompts are carried over without their pictures', () => {
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
  const said = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }, picture] }
  const { items } = remember([said, compaction('sum')])
  expect(items[0]).toMatchObject({ tokens: 1, item: user('look') })
  const again = remember([said, compaction('sum'), ...turn(2), compaction('sum')])
  expect(again.items.map(({ item }) => item)).toEqual([user('look'), user('sum'), user('ask 2'), user('sum')])
})

it('prompts that were carried over before are carried over again, and cut if there is less room', () => {
  const long = 'x'.repeat(60_000)
  const twice = remember([user(`a${long}`), compaction('one'), user(`b${long}`), compaction('two')])
  expect(textsOf(twice).map((text) => text.slice(0, 2))).toEqual(['ax', 'on', 'bx', 'tw'])
  expect(twice.items.slice(0, 3).reduce((sum, { tokens }) => sum + tokens, 0)).toBe(20_000)
})

it('newer context from Codex replaces that of a compaction', () => {
  const old = [developer('old rules'), environment('/a')]
  const fresh = [developer('new rules'), environment('/b')]
  const history = remember([...old, ...turn(1), compaction('sum'), ...fresh, ...turn(2)])
  expect(textsOf(history).slice(0, 4)).toEqual([...textsOf(remember(fresh)), 'ask 1', 'sum'])
})

it('a compaction is undone with the turn in which it happened', () => {
  const history = remember([...turn(1), ...turn(2), compaction('sum', [user('sum')]), ...turn(3), rollback(2)])
  expect(textsOf(history)).toEqual(['ask 1', 'answer 1'])
  expect(history.compaction).toBeUndefined()
})

it('a compaction older than the turns that are rolled back is kept', () => {
  const history = remember([...turn(1), compaction('sum', [user('sum')]), ...turn(2), ...turn(3), rollback(1)])
  expect(textsOf(history)).toEqual(['sum', 'ask 2', 'answer 2'])
})

it('a rollback beyond more compactions than are kept is reported', () => {
  const windows = [1, 2, 3, 4, 5, 6].flatMap((number) => [...turn(number), compaction(`sum ${number}`, [])])
  const history = remember([...turn(0), ...windows, rollback(99)])
  expect(history.violations.map(({ ruleId, line }) => [ruleId, line])).toEqual([['incomplete-memory', 21]])
})

it('the memory has model, window, and the tokens of the first and last request since a compaction', () => {
  const tokens = (total: number): MemoryRecord => ({ kind: 'tokens', total, window: 1000 })
  const history = remember([
    { kind: 'settings', model: 'gpt-5' },
    user('a'),
    tokens(11),
    compaction('sum', [user('1234')]),
    tokens(20),
    user('12345678'),
    tokens(25),
  ])
  expect(history).toMatchObject({ model: 'gpt-5', window: 1000 })
  expect(history.recorded).toEqual({ first: { recorded: 20, estimated: 1 }, last: { recorded: 25, estimated: 3 } })
})

it('outputs are cut as the build did that recorded a limit', () => {
  const settings: MemoryRecord = { kind: 'settings', outputLimit: { unit: 'bytes', limit: 100 } }
  const { items } = remember([settings, call('a'), output('a', 'x'.repeat(500))])
  const sent = String(items[1]?.item['output'])
  expect(sent).toBe(`${'x'.repeat(60)}…380 chars truncated…${'x'.repeat(60)}`)
})

it('the window contains the items of the records so far', () => {
  const builder = memoryBuilder({ keepItems: true, maxItems: 100, rules: rulesOf(undefined) }, () => ({}))
  for (const [line, text] of ['a', 'b'].entries()) {
    builder.take({ kind: 'item', item: user(text) }, { source: { segment: 0, line } })
    expect(builder.built().window.entries.map((entry) => entry.text)).toEqual(['a', 'b'].slice(0, line + 1))
  }
})

it('sums of items are kept even if the items are not, through compactions and rollbacks', () => {
  const describe = { keepItems: false, maxItems: 3, rules: rulesOf(undefined) }
  const builder = memoryBuilder(describe, () => ({}))
  const take = (record: MemoryRecord): void => builder.take(record, { source: { segment: 0, line: 1 } })
  for (let index = 0; index < 100; index++) take({ kind: 'item', item: user('12345678') })
  const { window } = builder.built()
  expect(window.entries.length).toBeLessThan(6)
  expect((window.older?.userMessage?.items ?? 0) + window.entries.length).toBe(100)
  expect(builder.sums()).toEqual({ userMessage: 200 })
  take(rollback(1))
  expect(builder.sums()).toEqual({ userMessage: 198 })
  take(compaction('sum', [user('12345678')]))
  expect(builder.built().window).toMatchObject({ compaction: { dropped: { userMessage: { items: 98, tokens: 196 } } } })
  expect(builder.sums()).toEqual({ userMessage: 2 })
})

it('reasoning of finished turns counts as nothing, and stays in the list', () => {
  const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'A'.repeat(8000) }
  const request = (total: number, input: number, thought: number): MemoryRecord => ({
    kind: 'tokens',
    total,
    request: { total, input, reasoning: thought },
  })
  const records = [user('a'), reasoning, request(5000, 4000, 700), reasoning, request(6000, 5500, 300), assistant('b')]
  const history = remember(records)
  expect(history.items.map(({ category, tokens, outOfWindow }) => [category, tokens, outOfWindow])).toEqual([
    ['userMessage', 1, undefined],
    ['reasoning', 0, true],
    ['reasoning', 0, true],
    ['assistantMessage', 1, undefined],
  ])
  expect(history.recorded?.last).toMatchObject({ recorded: 6000, reasoning: { recorded: 1000 } })
})

it('a rollback goes back to the count before the turn, and guesses of Codex are no counts', () => {
  const count = (total: number, guessed = false): MemoryRecord => ({ kind: 'tokens', total, guessed })
  const records = [user('a'), count(100), user('b'), count(900), count(70, true), rollback(1)]
  expect(remember(records).recorded?.last).toEqual({ recorded: 100, estimated: 1 })
  const compacted = [user('a'), count(100), compaction('sum', [user('sum')]), count(70, true)]
  expect(remember(compacted).recorded?.last).toEqual({ recorded: 70, estimated: 1 })
  expect(remember([...compacted, count(90)]).recorded?.first).toEqual({ recorded: 90, estimated: 1 })
})

it('a rollback looks only at the items that it removes', () => {
  const builder = memoryBuilder({ keepItems: false, rules: rulesOf('0.169.0') }, () => ({}))
  const count = 200
  const place = { source: { segment: 0, line: 1 } }
  for (let turn = 0; turn < count; turn++) builder.take({ kind: 'item', item: user(`ask ${turn}`) }, place)
  let looks = 0
  const { entries } = builder.window()
  const watched: ProxyHandler<(typeof entries)[number]> = {
    get: (entry, key) => [looks++, Reflect.get(entry, key)][1],
  }
  for (const [at, entry] of entries.entries()) entries[at] = new Proxy(entry, watched)
  for (let back = 0; back < count / 2; back++) builder.take(rollback(1), place)
  expect(builder.window().entries).toHaveLength(count / 2)
  expect(looks).toBeLessThan(20 * count)
})
