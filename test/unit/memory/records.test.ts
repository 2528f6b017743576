/** What single records mean for the memory, in all generations of the format. */
import { expect, it } from 'vitest'
import { readRecord } from '../../../src/features/memory/history/records.ts'
import { user } from '../../helpers/remember.ts'

const line = (type: string, payload: object) => ({ timestamp: '2026-03-14T09:26:10.000Z', type, payload })
const item = user('hello')

it('the item of a record is found, whatever its envelope', () => {
  const found = { kind: 'item', item }
  expect(readRecord(line('response_item', item))).toEqual(found)
  expect(readRecord({ ordinal: 7, ...line('response_item', item) })).toEqual(found)
  expect(readRecord(item)).toEqual(found)
  expect(readRecord({ record_type: 'response', payload: item })).toEqual(found)
})

it('compactions are read with and without a new history', () => {
  expect(readRecord(line('compacted', { message: 'sum' }))).toEqual({ kind: 'compaction', summary: 'sum' })
  expect(readRecord(line('compacted', { message: '', replacement_history: [item, 'junk', null] }))).toEqual({
    kind: 'compaction',
    summary: '',
    replacement: [item],
  })
})

it('rollbacks, settings, tokens and windows are read', () => {
  expect(readRecord(line('event_msg', { type: 'thread_rolled_back', num_turns: 2 }))).toEqual({
    kind: 'rollback',
    turns: 2,
  })
  expect(
    readRecord(line('turn_context', { model: 'gpt-5', truncation_policy: { mode: 'tokens', limit: 10_000 } })),
  ).toEqual({ kind: 'settings', model: 'gpt-5', outputLimit: { unit: 'tokens', limit: 10_000 } })
  const info = { last_token_usage: { total_tokens: 5 }, model_context_window: 9 }
  expect(readRecord(line('event_msg', { type: 'token_count', info }))).toEqual({ kind: 'tokens', total: 5, window: 9 })
  // A window of 0 tokens is ignored, because no share of it can be computed.
  expect(readRecord(line('event_msg', { type: 'token_count', info: { model_context_window: 0 } }))).toEqual({
    kind: 'tokens',
  })
  expect(readRecord(line('event_msg', { type: 'token_count', info: null }))).toEqual({ kind: 'tokens' })
  expect(readRecord(line('event_msg', { type: 'task_started', model_context_window: 9 }))).toEqual({
    kind: 'tokens',
    window: 9,
  })
})

it('messages between agents are read, even from lines of builds that had no items for them', () => {
  expect(readRecord(line('inter_agent_communication_metadata', { trigger_turn: true }))).toEqual({ kind: 'agentTurn' })
  expect(readRecord(line('inter_agent_communication_metadata', { trigger_turn: false }))).toBeUndefined()
  const said = { author: '/root', recipient: '/root/a', content: 'look', encrypted_content: 'gAAA' }
  expect(readRecord(line('inter_agent_communication', said))).toEqual({
    kind: 'item',
    item: {
      type: 'agent_message',
      author: '/root',
      recipient: '/root/a',
      content: [
        { type: 'input_text', text: 'look' },
        { type: 'encrypted_content', encrypted_content: 'gAAA' },
      ],
    },
  })
})

it.each([
  [null],
  [7],
  ['text'],
  [[]],
  [{}],
  [{ record_type: 'state' }],
  [{ id: 'x', timestamp: 'y', instructions: null }],
  [line('session_meta', { id: 'x' })],
  [line('event_msg', { type: 'agent_message', message: 'hi' })],
  [line('world_state', {})],
  [line('event_msg', {})],
])('there is nothing for the memory in %j', (value) => {
  expect(readRecord(value)).toBeUndefined()
})

it('fields with values of other types are ignored', () => {
  expect(readRecord(line('turn_context', { model: 7, truncation_policy: 'none' }))).toEqual({ kind: 'settings' })
  expect(readRecord(line('event_msg', { type: 'thread_rolled_back' }))).toEqual({ kind: 'rollback', turns: 0 })
  expect(readRecord(line('compacted', { message: 7, replacement_history: 'x' }))).toEqual({
    kind: 'compaction',
    summary: '',
  })
})
