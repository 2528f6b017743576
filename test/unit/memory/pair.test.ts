/** The invariants of the memory. */
import { expect, it } from 'vitest'
import { call, output, remember, textsOf, user } from '../../helpers/remember.ts'

const custom = (id: string) => ({ type: 'custom_tool_call', name: 'exec', input: 'x', call_id: id })
const search = (id: string) => ({ type: 'tool_search_call', arguments: {}, execution: 'client', call_id: id })

it('puts `aborted` right behind a call without output, and marks it', () => {
  const history = remember([call('a'), call('b'), user('stop')])
  expect(textsOf(history)).toEqual(['shell', 'aborted', 'shell', 'aborted', 'stop'])
  expect(history.items.map(({ synthetic }) => synthetic ?? false)).toEqual([false, true, false, true, false])
  expect(history.items[1]).toMatchObject({ sources: [], item: { type: 'function_call_output', call_id: 'a' } })
  expect(history.violations.map(({ ruleId, file, line }) => [ruleId, file, line])).toEqual([
    ['missing-output', 'rollout.jsonl', 1],
    ['missing-output', 'rollout.jsonl', 2],
  ])
})

it('answers each family of calls in its own form', () => {
  const local = { type: 'local_shell_call', id: 'l', action: { type: 'exec', command: ['ls'] } }
  const { items } = remember([custom('c'), search('s'), local])
  expect(items.filter(({ synthetic }) => synthetic).map(({ item }) => item)).toEqual([
    { type: 'custom_tool_call_output', call_id: 'c', output: 'aborted' },
    { type: 'tool_search_output', call_id: 's', status: 'completed', execution: 'client', tools: [] },
    { type: 'function_call_output', call_id: 'l', output: 'aborted' },
  ])
})

it('drops an output without its call, and says where it stands', () => {
  const history = remember([user('a'), output('gone'), user('b')])
  expect(textsOf(history)).toEqual(['a', 'b'])
  expect(history.violations).toMatchObject([{ ruleId: 'orphan-output', line: 2 }])
})

it('does not pair halves of different families', () => {
  const history = remember([custom('x'), output('x')])
  expect(history.items.map(({ synthetic }) => synthetic ?? false)).toEqual([false, true])
  expect(history.violations.map(({ ruleId }) => ruleId).sort()).toEqual(['missing-output', 'orphan-output'])
})

it('names the other half of each pair, whatever stands between', () => {
  const { items } = remember([call('a'), call('b'), output('b'), output('a'), user('c')])
  expect(items.map(({ pair }) => pair)).toEqual([4, 3, 2, 1, undefined])
})

it('leaves calls alone that answer themselves', () => {
  const found = { type: 'web_search_call', action: { type: 'search', query: 'cart' } }
  expect(remember([found]).items).toHaveLength(1)
})
