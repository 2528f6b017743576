import { expect, test } from 'vitest'
import type { PruneResult } from '../../../src/features/memory/prune.ts'
import { appendTo, jsonLines, pruneHome } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'

const states = ({ plan }: PruneResult) =>
  plan.items.map(({ state, along }) => (along ? `${state} along` : state)).join(', ')

const linesOf = (text: string): string[] => text.split('\n')

test('a replaced output keeps every other byte, and including it again brings it back', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  const { plan } = await session.prune({ replace: ['tool:shell_command+over:5'], inPlace: true })
  expect(plan.items.flatMap(({ item, state, text }) => (state === 'replace' ? [[item.index, text]] : []))).toEqual([
    [4, '[output removed]'],
    [6, '[output removed]'],
  ])
  expect(plan.after.items).toBe(plan.before.items)
  const changed = linesOf(session.read()).filter((line, at) => line !== linesOf(before)[at])
  expect(changed.map((line) => JSON.parse(line).payload)).toEqual([
    { type: 'function_call_output', call_id: 'call-1', output: '[output removed]' },
    { type: 'function_call_output', call_id: 'call-2', output: '[output removed]' },
  ])
  expect(states(await session.prune())).toBe(
    'included, included, included, replaced, included, replaced, included, included, included',
  )
  const { memory, totals } = await session.context()
  expect(memory.items[3]).toMatchObject({ included: true, replaced: { text: '[output removed]' } })
  expect(memory.items[3]?.preview).toBe('[output removed] (was: ok)')
  const { whole } = await session.context({ keepItems: true })
  expect(whole?.get(4)).toMatchObject({ type: 'function_call_output', call_id: 'call-1', output: '[output removed]' })
  expect(Object.values(totals).reduce((sum, { tokens }) => sum + tokens, 0)).toBe(plan.after.tokens)
  await session.prune({ include: ['3'], inPlace: true })
  expect(linesOf(session.read())[7]).toBe(linesOf(before)[7])
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

test('a replaced output can be excluded with its call, and an excluded pair be included as replaced', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ replace: ['4'], exclude: ['5'], inPlace: true })
  const swapped = await session.prune({ replace: ['5'], exclude: ['4'], replacement: 'gone', inPlace: true })
  expect(states(swapped)).toBe(
    'included, included, exclude along, exclude, include, replace along, included, included, included',
  )
  expect(session.read()).toContain('"output":"gone"')
  expect(session.read()).not.toContain('ls oil')
})

test('what was said since is kept, and a restore gives the previous bytes', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ replace: ['4'], inPlace: true })
  const more = [{ timestamp: '2026-03-14T09:40:00.000Z', ...records.answerItem('Later.') }]
  appendTo(session.path, more)
  await session.prune({ include: ['4'], inPlace: true })
  expect(session.read()).toBe(before + jsonLines(more))
  const other = pruneHome(useTempDir())
  await other.prune({ replace: ['4'], inPlace: true })
  await other.restore()
  expect(other.read()).toBe(before)
})

test('an item that is no output is not replaced, and the plan says so', async () => {
  const session = pruneHome(useTempDir())
  const { plan } = await session.prune({ replace: ['1-3'] })
  expect(plan.items.map(({ state }) => state).filter((state) => state === 'replace')).toHaveLength(1)
  expect(plan.notes).toEqual(['Items 1-2 stay: not outputs of calls.'])
})

test('outputs in the history of a compaction and outputs of several parts are replaced, too', async () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
  const output = { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'x, "]' }, image] }
  const values = [
    records.meta({ id: threadId(1), timestamp: '2026-03-14T09:00:00.000Z', cwd: '/home/ada' }),
    records.userItem('Look.'),
    {
      type: 'compacted',
      payload: {
        message: 'A summary.',
        replacement_history: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
          { type: 'function_call', name: 'view_image', arguments: '{}', call_id: 'c1' },
          output,
        ],
      },
    },
    ...records.command('c2', 'echo two'),
  ]
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(values)))
  const before = session.read()
  const { plan } = await session.prune({ exclude: ['1'], replace: ['category:toolOutput'], inPlace: true })
  expect(plan.before.tokens - plan.after.tokens).toBeGreaterThan(1800)
  const compaction = linesOf(session.read()).find((line) => line.includes('"compacted"')) ?? ''
  expect(JSON.parse(compaction).payload.replacement_history).toEqual([
    { type: 'function_call', name: 'view_image', arguments: '{}', call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: '[output removed]' },
  ])
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

test('pictures of a replaced output are also removed from the metadata where Codex keeps the originals', async () => {
  const picture = 'data:image/png;base64,AAAA'
  const originals = [{ original_data_url: picture, detail: 'original', prepared_url_digest: [1, 2] }]
  const outputOf = (id: string) => ({
    type: 'function_call_output',
    call_id: id,
    output: [{ type: 'input_image', image_url: picture }],
  })
  const notes = (history_sequence: number) => ({ history_sequence, image_replay_sources: originals })
  const values = [
    records.meta({ id: threadId(1), timestamp: '2026-03-14T09:00:00.000Z', cwd: '/home/ada' }),
    records.userItem('Look.'),
    {
      type: 'compacted',
      payload: {
        message: 'A summary.',
        replacement_history: [
          { type: 'function_call', name: 'view_image', arguments: '{}', call_id: 'c1' },
          outputOf('c1'),
        ],
        replacement_history_metadata: [{ history_sequence: 1 }, notes(2)],
      },
    },
    records.call('c2', 'view_image', {}),
    records.item(outputOf('c2'), notes(4)),
  ]
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(values, true)))
  const before = session.read()
  await session.prune({ replace: ['category:toolOutput'], inPlace: true })
  expect(session.read()).not.toContain('AAAA')
  const [compacted, , output] = linesOf(session.read())
    .slice(2, 5)
    .map((line) => JSON.parse(line))
  expect(compacted.payload.replacement_history_metadata[1]).toEqual({ history_sequence: 2, image_replay_sources: [] })
  expect(output.metadata).toEqual({ history_sequence: 4, image_replay_sources: [] })
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})
