/** The memory of complete rollouts, through the library's function. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reconstructHistory } from '../../../src/index.ts'
import { assistant, textsOf, user } from '../../helpers/remember.ts'
import { useTempDir } from '../../helpers/temp.ts'

const parent = '019cebe6-48a0-7000-8000-00000000c0de'
const child = '019cebe6-48a0-7000-8000-00000000beef'
const at = '2026-03-14T09:26:10.000Z'

function paginated(records: [type: string, payload: object][], from = 0): string {
  const lines = records.map(([type, payload], index) =>
    JSON.stringify({ timestamp: at, ordinal: from + index, type, payload }),
  )
  return lines.map((line) => `${line}\n`).join('')
}

const turn = (id: string, text: string): [string, object][] => [
  ['event_msg', { type: 'task_started', turn_id: id }],
  ['response_item', user(text)],
  [
    'event_msg',
    {
      type: 'item_completed',
      turn_id: id,
      item: { type: 'UserMessage', id: `u-${id}`, content: [{ type: 'text', text }] },
    },
  ],
  ['response_item', assistant(`so: ${text}`)],
  ['event_msg', { type: 'task_complete', turn_id: id }],
]

function rollout(home: string, id: string, text: string): string {
  const day = join(home, 'sessions/2026/03/14')
  mkdirSync(day, { recursive: true })
  const path = join(day, `rollout-2026-03-14T09-26-10-${id}.jsonl`)
  writeFileSync(path, text)
  return path
}

const meta = (id: string, more: object = {}): [string, object] => [
  'session_meta',
  { id, timestamp: at, cwd: '/home/sam/shop', history_mode: 'paginated', ...more },
]

it('gives the memory at the end and after each turn', async () => {
  const records: [string, object][] = [meta(parent), ...turn('1', 'one'), ...turn('2', 'two')]
  const path = rollout(useTempDir(), parent, paginated(records))
  const whole = await reconstructHistory(path)
  expect(textsOf(whole)).toEqual(['one', 'so: one', 'two', 'so: two'])
  expect(whole.items.map(({ turn: number }) => number)).toEqual([1, 1, 2, 2])
  expect(whole).toMatchObject({ threadId: parent, turn: 2, violations: [] })
  const first = await reconstructHistory(path, { at: 1 })
  expect(textsOf(first)).toEqual(['one', 'so: one'])
  expect(first.turn).toBe(1)
  await expect(reconstructHistory(path, { at: 3 })).rejects.toThrow('2 turns')
})

it('begins a fork with its inherited history, and says in which segment each item is', async () => {
  const home = useTempDir()
  const shared = paginated([meta(parent), ...turn('1', 'one')])
  rollout(home, parent, shared + paginated(turn('2', 'two'), 6))
  const base = { thread_id: parent, end_ordinal_exclusive: 6, end_byte_offset: Buffer.byteLength(shared) }
  const head = meta(child, { forked_from_id: parent, history_base: base })
  const path = rollout(home, child, paginated([head, ...turn('3', 'three')], 6))

  const history = await reconstructHistory(path, { homes: [home] })
  expect(textsOf(history)).toEqual(['one', 'so: one', 'three', 'so: three'])
  expect(history.segments.map(({ threadId, own }) => [threadId, own])).toEqual([
    [parent, false],
    [child, true],
  ])
  expect(history.items.map(({ sources, turn: number }) => [sources[0]?.segment, number])).toEqual([
    [0, undefined],
    [0, undefined],
    [1, 1],
    [1, 1],
  ])
})

it('reports inherited history that no file contains', async () => {
  const base = { thread_id: parent, end_ordinal_exclusive: 6, end_byte_offset: 900 }
  const head = meta(child, { forked_from_id: parent, history_base: base })
  const path = rollout(useTempDir(), child, paginated([head, ...turn('3', 'three')], 6))
  const history = await reconstructHistory(path)
  expect(textsOf(history)).toEqual(['three', 'so: three'])
  expect(history.violations).toMatchObject([{ ruleId: 'incomplete-memory' }])
})

it('reads the earliest files, and reports that they contain less', async () => {
  const document = {
    session: { id: parent, timestamp: at, instructions: '' },
    items: [user('one'), assistant('so: one'), user('two')],
  }
  const path = join(useTempDir(), `rollout-2025-05-01-${parent}.json`)
  writeFileSync(path, JSON.stringify(document, undefined, 2))
  const history = await reconstructHistory(path)
  expect(textsOf(history)).toEqual(['one', 'so: one', 'two'])
  expect(history.violations).toMatchObject([{ ruleId: 'incomplete-memory' }])
})

it('continues after a damaged line, and reports it', async () => {
  const text = paginated([meta(parent), ...turn('1', 'one')]).replace('"so: one"', '"so: one')
  const history = await reconstructHistory(rollout(useTempDir(), parent, text))
  expect(textsOf(history)).toEqual(['one'])
  expect(history.violations).toMatchObject([{ ruleId: 'damaged-line', line: 5 }])
})

it('refuses a path without a rollout', async () => {
  const folder = useTempDir()
  await expect(reconstructHistory(join(folder, 'nothing.jsonl'))).rejects.toThrow('does not exist')
  await expect(reconstructHistory(folder)).rejects.toThrow('holds no session')
})

it('excludes context that belongs to the next prompt in rollouts without starts of turns', async () => {
  const context = (text: string): [string, object] => [
    'response_item',
    user(`<environment_context>\n${text}\n</environment_context>`),
  ]
  const prompt = (text: string): [string, object][] => [
    ['response_item', user(text)],
    ['event_msg', { type: 'user_message', message: text }],
    ['turn_context', { model: 'gpt-5.2' }],
    ['response_item', assistant(`so: ${text}`)],
    ['event_msg', { type: 'token_count', info: null }],
  ]
  const records: [string, object][] = [
    ['session_meta', { id: parent, timestamp: at, cwd: '/a', cli_version: '0.93.0' }],
    ...[context('one'), ...prompt('first')],
    ...[context('two'), ...prompt('second')],
    ['turn_context', { model: 'gpt-5.2' }],
    ['compacted', { message: 'sum', replacement_history: [user('first'), user('sum')] }],
    ...[context('three'), ...prompt('third')],
  ]
  const path = rollout(useTempDir(), parent, paginated(records))
  const after = async (turns: number) =>
    textsOf(await reconstructHistory(path, { at: turns })).map((text) => text.split('\n')[1] ?? text)
  expect(await after(1)).toEqual(['one', 'first', 'so: first'])
  expect(await after(2)).toEqual(['one', 'first', 'so: first', 'two', 'second', 'so: second'])
  expect(await after(3)).toEqual(['first', 'sum', 'three', 'third', 'so: third'])
})
