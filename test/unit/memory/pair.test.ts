/** The invariants of the memory. */
import { expect, it } from 'vitest'
import { call, output, remember, textsOf, user } from '../../helpers/remember.ts'

const custom = (id: string) => ({ type: 'custom_tool_call', name: 'exec', input: 'x', call_id: id })
const search = (id: string) => ({ type: 'tool_search_call', arguments: {}, execution: 'client', call_id: id })

it('a call without output is followed by `aborted`, which is marked as synthetic', () => {
  const history = remember([call('a'), call('b'), user('stop')])
  expect(textsOf(history)).toEqual(['shell', 'aborted', 'shell', 'aborted', 'stop'])
  expect(history.items.map(({ synthetic }) => synthetic ?? false)).toEqual([false, true, false, true, false])
  expect(history.items[1]).toMatchObject({ sources: [], item: { type: 'function_call_output', call_id: 'a' } })
  expect(history.violations.map(({ ruleId, file, line }) => [ruleId, file, line])).toEqual([
    ['missing-output', 'rollout.jsonl', 1],
    ['missing-output', 'rollout.jsonl', 2],
  ])
})

it('calls of each family get a synthetic output of their own form', () => {
  const local = { type: 'local_shell_call', id: 'l', action: { type: 'exec', command: ['ls'] } }
  const { items } = remember([custom('c'), search('s'), local])
  expect(items.filter(({ synthetic }) => synthetic).map(({ item }) => item)).toEqual([
    { type: 'custom_tool_call_output', call_id: 'c', output: 'aborted' },
    { type: 'tool_search_output', call_id: 's', status: 'completed', execution: 'client', tools: [] },
    { type: 'function_call_output', call_id: 'l', output: 'aborted' },
  ])
})

it('an output without its call is dropped and reported with its line', () => {
  const history = remember([user('a'), output('gone'), user('b')])
  expect(textsOf(history)).toEqual(['a', 'b'])
  expect(history.violations).toMatchObject([{ ruleId: 'orphan-output', line: 2 }])
})

it('halves of different families are not paired', () => {
  const history = remember([custom('x'), output('x')])
  expect(history.items.map(({ synthetic }) => synthetic ?? false)).toEqual([false, true])
  expect(history.violations.map(({ ruleId }) => ruleId).sort()).toEqual(['missing-output', 'orphan-output'])
})

it('each half of a pair names the other, whatever is between them', () => {
  const { items } = remember([call('a'), call('b'), output('b'), output('a'), user('c')])
  expect(items.map(({ pair }) => pair)).toEqual([4, 3, 2, 1, undefined])
})

it('calls that contain their own output are left alone', () => {
  const found = { type: 'web_search_call', action: { type: 'search', query: 'cart' } }
  expect(remember([found]).items).toHaveLength(1)
})
