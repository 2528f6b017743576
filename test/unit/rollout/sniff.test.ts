import { describe, expect, it } from 'vitest'
import { type Sniffed, sniff, sniffCallId, sniffTool } from '../../../src/rollout/parse/entry.ts'

const at = '2026-03-14T09:26:53.589Z'
const line = (record: object): Buffer => Buffer.from(JSON.stringify({ timestamp: at, ...record }))
const event = (payload: object, ordinal?: number): Buffer =>
  line({ ...(ordinal === undefined ? {} : { ordinal }), type: 'event_msg', payload })
const item = (payload: object): Buffer => line({ type: 'response_item', payload })

describe('the head of a line', () => {
  it.each<[string, Buffer, Omit<Sniffed, 'at'> | undefined]>([
    ['a settings line', line({ type: 'turn_context', payload: { cwd: '/' } }), { kind: 'turn_context' }],
    ['an event', event({ type: 'token_count' }), { kind: 'event_msg/token_count' }],
    ['an event with an ordinal', event({ type: 'token_count' }, 12), { kind: 'event_msg/token_count' }],
    ['a call', item({ type: 'function_call', name: 'x' }), { kind: 'response_item/function_call' }],
    [
      'a message',
      item({ type: 'message', id: 'm', role: 'user', content: [] }),
      { kind: 'response_item/message', role: 'user' },
    ],
    [
      'a completed item',
      event({ type: 'item_completed', thread_id: 't', turn_id: 'u', item: { type: 'Plan', id: 'x' } }),
      { kind: 'event_msg/item_completed/Plan' },
    ],
    [
      'a record with another after it',
      Buffer.concat([event({ type: 'token_count' }), event({ type: 'x' })]),
      undefined,
    ],
    ['a message whose role comes too late', item({ type: 'message', id: 'm'.repeat(700), role: 'user' }), undefined],
    ['a payload whose type does not come first', item({ id: 'x', type: 'reasoning' }), undefined],
    [
      'an item whose type does not come first',
      event({ type: 'item_completed', item: { id: 'x', type: 'Plan' } }),
      undefined,
    ],
    ['spaces between tokens', Buffer.from(`{ "timestamp": "${at}", "type": "event_msg", "payload": {} }`), undefined],
    ['a bare item', Buffer.from('{"type":"message","role":"user"}'), undefined],
    ['an escape in the time', Buffer.from('{"timestamp":"2026\\u002d03-14","type":"x","payload":{}}'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
    ['garbage', Buffer.from('\0\0\0'), undefined],
  ])('%s', (_name, bytes, expected) => {
    expect(sniff(bytes)).toEqual(expected === undefined ? undefined : { at, ...expected })
  })
})

describe('the call id of a line', () => {
  it.each<[string, Buffer, string, string | undefined]>([
    [
      'a call',
      item({ type: 'function_call', arguments: '{}', call_id: 'call_1' }),
      'response_item/function_call',
      'call_1',
    ],
    [
      'a call whose arguments quote another',
      item({ type: 'function_call', arguments: '{"call_id":"other"}', call_id: 'call_1' }),
      'response_item/function_call',
      'call_1',
    ],
    [
      'a call with long arguments',
      item({ type: 'function_call', arguments: 'x'.repeat(2000), call_id: 'call_1' }),
      'response_item/function_call',
      'call_1',
    ],
    [
      'a completed item',
      event({ type: 'item_completed', turn_id: 'u', item: { type: 'CommandExecution', id: 'call_1' } }),
      'event_msg/item_completed/CommandExecution',
      'call_1',
    ],
    ['a call without one', item({ type: 'web_search_call', id: 'ws_1' }), 'response_item/web_search_call', undefined],
    [
      'a call with an endless one',
      item({ type: 'function_call', call_id: 'c'.repeat(300) }),
      'response_item/function_call',
      undefined,
    ],
  ])('%s', (_name, bytes, kind, expected) => {
    expect(sniffCallId(bytes, kind)).toBe(expected)
  })
})

describe('viewing a picture and starting an agent', () => {
  it('are recognised by the name of the call', () => {
    expect(sniffTool(item({ type: 'function_call', name: 'view_image' }))).toBe('view_image')
    expect(sniffTool(item({ type: 'function_call', name: 'spawn_agent' }))).toBe('spawn_agent')
    expect(sniffTool(item({ type: 'function_call', name: 'shell', arguments: '"name":"view_image"' }))).toBe(undefined)
  })
})
