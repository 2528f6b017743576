import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import { survey } from '../../../src/survey/survey.ts'
import { writeFolder } from '../../helpers/folder.ts'
import type { Json } from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'

const id = (number: number) => `0000000${number}-0000-4000-8000-000000000000`
const asked = (text: string): Json => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
const said = (text: string): Json => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const state: Json = { record_type: 'state' }

/** A session of the Rust CLI without envelopes; `number` is its id and its minute. */
const bare = (number: number, ...items: Json[]): [string, string] => [
  `sessions/2025/08/01/rollout-2025-08-01T10-0${number}-00-${id(number)}.jsonl`,
  [{ id: id(number), timestamp: `2025-08-01T10:0${number}:00.000Z`, instructions: null }, ...items]
    .map((item) => `${JSON.stringify(item)}\n`)
    .join(''),
]

/** A document saved by the TypeScript CLI. */
const save = (number: number, ...items: Json[]): [string, string] => [
  `sessions/rollout-2025-05-01-${id(number)}.json`,
  JSON.stringify({ session: { id: id(number), timestamp: `2025-05-01T10:0${number}:00.000Z` }, items }),
]

async function surveyOf(...files: [string, string][]) {
  const path = useTempDir()
  writeFolder(path, Object.fromEntries(files))
  const found = await survey(findRoots([path], { env: {}, homeDir: path }), { spoolDir: () => join(path) })
  const copies = found.catalog.threads.map(({ id: threadId, copied }) => [threadId[7], copied])
  return { ...found, copies }
}

describe('a session that contains a whole older one', () => {
  test('is a resume of it, even if state records differ', async () => {
    const { copies } = await surveyOf(
      bare(1, state, asked('gears'), state, said('round')),
      bare(2, asked('gears'), said('round'), state, asked('wheels'), said('rounder')),
    )
    expect(copies).toEqual([
      ['1', undefined],
      ['2', { from: 2, to: 4, threadId: id(1) }],
    ])
  })

  test('continues the longest of several', async () => {
    const { copies } = await surveyOf(
      bare(1, asked('a'), said('1')),
      bare(2, asked('a'), said('1'), asked('b'), said('2')),
      bare(3, asked('a'), said('1'), asked('b'), said('2'), asked('c')),
    )
    expect(copies[2]).toEqual(['3', { from: 2, to: 6, threadId: id(2) }])
  })

  test('is independent if it adds nothing, shares only the prompt, or the older one ends differently', async () => {
    const { copies } = await surveyOf(
      bare(1, asked('a')),
      bare(2, asked('a'), said('1'), asked('b')),
      bare(3, asked('a'), said('1'), asked('b')),
      bare(4, asked('a'), said('1'), asked('c'), said('3')),
    )
    expect(copies.map(([, copied]) => copied)).toEqual([undefined, undefined, undefined, undefined])
  })
})

test('saves of one session are reported, and only the last one is used', async () => {
  const items = [asked('a'), said('1'), asked('b'), said('2')]
  const { catalog, diagnostics } = await surveyOf(
    save(1, ...items.slice(0, 2)),
    save(2, ...items.slice(0, 3)),
    save(3, ...items),
    save(4, asked('a'), said('other')),
  )
  expect(catalog.threads.map((thread) => thread.id[7])).toEqual(['3', '4'])
  const last = `sessions/rollout-2025-05-01-${id(3)}.json`
  expect(catalog.threads[0]?.duplicates.map(({ file, chosen, reason }) => [file.name, chosen, reason])).toEqual([
    [`sessions/rollout-2025-05-01-${id(1)}.json`, last, 'later-save'],
    [`sessions/rollout-2025-05-01-${id(2)}.json`, last, 'later-save'],
  ])
  expect(diagnostics.map(({ ruleId, message }) => [ruleId, message.includes(last)])).toEqual([
    ['duplicate-thread', true],
    ['duplicate-thread', true],
  ])
})

test('cached results are asked for first', async () => {
  const path = useTempDir()
  writeFolder(path, Object.fromEntries([bare(1, asked('a'), said('1')), bare(2, asked('a'), said('1'), asked('b'))]))
  const asks: string[][] = []
  const { catalog } = await survey(findRoots([path], { env: {}, homeDir: path }), {
    spoolDir: () => path,
    oldCopies: async (threads) => {
      asks.push(threads.map((thread) => thread.id))
      return { resumed: [[id(1), { from: 2, to: 3, threadId: 'known' }]], saves: [], diagnostics: [] }
    },
  })
  expect(asks).toEqual([[id(1), id(2)]])
  expect(catalog.threads.map(({ copied }) => copied?.threadId)).toEqual(['known', undefined])
})
