import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Segment, SessionHead, Thread } from '../../../src/rollout/discover/rollout.ts'
import { findCopy, isUserFork } from '../../../src/survey/copied-prefix.ts'
import { lostBuffers } from '../../helpers/buffers.ts'
import {
  answerEvent,
  answerItem,
  envelopes,
  instant,
  type Json,
  meta,
  started,
  turnContext,
  userEvent,
  userItem,
} from '../../helpers/records.ts'
import { writeRollout } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

// Ids of version 7: the parent's turns are older than the fork, and its own turns are younger.
const parentId = '019c0000-0000-7000-8000-000000000001'
const forkId = '019c8000-0000-7000-8000-000000000002'
const oldTurn = (number: number) => `019c0000-0001-7000-8000-00000000001${number}`
const newTurn = '019c8000-0001-7000-8000-000000000021'

const turn = (id: string, prompt: string): Json[] => [
  started(id),
  turnContext({ cwd: '/home/ada/engine', model: 'gpt-5.5' }),
  userItem(prompt),
  answerItem(`About ${prompt}`),
]
const history = [meta({ id: parentId }), ...turn(oldTurn(1), 'gears'), ...turn(oldTurn(2), 'wheels')]

const text = (records: readonly Json[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Copies as a fork writes them: all with the time of the fork. */
const restamped = (records: readonly Json[]): Json[] =>
  records.map((record) => ({ ...record, timestamp: instant(999) }))

function threadOf(path: string, content: string | Uint8Array, head: Partial<SessionHead> = {}): Thread {
  const file = writeRollout(path, content)
  const threadId = head.threadId ?? forkId
  const segment: Segment = { file, head: { generation: 'G2', threadId, idFrom: 'meta', ...head }, rolloutId: threadId }
  return { id: threadId, archived: false, segments: [segment], duplicates: [] }
}

/** The copy that is found in a fork of a parent, each given as a list of records. */
async function copyIn(
  fork: readonly Json[],
  parent: readonly Json[],
  head: Partial<SessionHead> = {},
  pruned?: 'fork' | 'parent',
) {
  const folder = useTempDir()
  const older = threadOf(join(folder, 'parent.jsonl'), text(envelopes(parent)), { threadId: parentId })
  const thread = threadOf(join(folder, 'fork.jsonl'), text(fork), head)
  const file = { fork: thread, parent: older }[pruned ?? 'fork'].segments[0]?.file
  if (pruned !== undefined && file !== undefined) file.backups = [{ path: `${file.path}.bak`, bytes: 1, mtimeMs: 1 }]
  return findCopy(thread, (id) => (id === parentId ? older.segments[0] : undefined), { spoolDir: () => folder })
}

const own = [...turn(newTurn, 'levers')]
const head = meta({ id: forkId, forked_from_id: parentId })

describe('the copy in a fork', () => {
  test('ends at the first line that differs, whatever its time', async () => {
    const fork = [...envelopes([head]), ...restamped(history.slice(0, 5)), ...envelopes(own)]
    expect(await copyIn(fork, history)).toEqual({ from: 2, to: 7, threadId: parentId })
  })

  test('ends with the parent if that was forked at its end, and may be the whole fork', async () => {
    const fork = [...envelopes([head]), ...restamped(history)]
    expect(await copyIn([...fork, ...envelopes(own)], history)).toEqual({ from: 2, to: 11, threadId: parentId })
    expect(await copyIn(fork, history)).toEqual({ from: 2, to: 11, threadId: parentId })
  })

  test('is found without a buffer that stays lent, wherever the search ends', async () => {
    const fork = [...envelopes([head]), ...restamped(history.slice(0, 5)), ...envelopes(own)]
    const migrated = [...envelopes([head]), ...restamped(history.slice(1)), ...envelopes(own)]
    const lost = await lostBuffers(async () => {
      await copyIn(fork, history)
      await copyIn(migrated, history, { forkedFromId: parentId })
      await copyIn(envelopes([head, ...own]), history)
    })
    expect(lost).toBe(0)
  })

  test('is found even if the head does not name the parent', async () => {
    const fork = [...envelopes([meta({ id: forkId })]), ...restamped(history), ...envelopes(own)]
    expect(await copyIn(fork, history)).toMatchObject({ to: 11 })
  })

  test('is the same if another version wrote ordinals, empty fields or another order of fields', async () => {
    const copies = restamped(history).map((record, index) => ({ ...record, ordinal: index + 1 }))
    const changed = copies.map((record: Json) =>
      record['type'] === 'turn_context'
        ? { ...record, payload: { effort: null, model: 'gpt-5.5', cwd: '/home/ada/engine' } }
        : record,
    )
    expect(await copyIn([...envelopes([head]), ...changed, ...envelopes(own)], history)).toMatchObject({ to: 11 })
  })

  test('is not found by comparison if the parent was changed in the meantime', async () => {
    const fork = [...envelopes([head]), ...restamped(history), ...envelopes(own)]
    const pruned = history.filter((_record, index) => index !== 3)
    expect(await copyIn(fork, pruned)).toBeUndefined()
  })

  test('ends at the same line, whichever side items were pruned from', async () => {
    const events = (prompt: string): Json[] => [
      userItem(prompt),
      userEvent(prompt),
      answerItem('Yes'),
      answerEvent(`On ${prompt}`),
    ]
    const old = [meta({ id: parentId }), ...events('gears'), ...events('wheels')]
    const fork = envelopes([head, ...restamped([...old, ...events('levers')])])
    const known = { from: 2, to: 11, threadId: parentId }
    expect(await copyIn(fork, old)).toEqual(known)
    expect(await copyIn(fork, old.toSpliced(5, 1).toSpliced(3, 1), {}, 'parent')).toEqual(known)
    expect(await copyIn(fork.toSpliced(4, 1), old, {}, 'fork')).toEqual({ ...known, to: 10 })
    expect(await copyIn(fork, old.slice(0, -1), {}, 'parent')).toEqual({ ...known, to: 10 })
  })

  test('is unknown without the parent, and if nothing was copied', async () => {
    const other = meta({ id: '019c0000-0000-7000-8000-000000000009' })
    const fork = [...envelopes([head]), ...restamped([other, ...history.slice(1)]), ...envelopes(own)]
    expect(await copyIn(fork, history)).toBeUndefined()
    expect(await copyIn([...envelopes([meta({ id: forkId })]), ...envelopes(own)], history)).toBeUndefined()
  })

  test("is found by the model's items in migrated files, whose events have other ids", async () => {
    const event = (id: string): Json => ({
      type: 'event_msg',
      payload: { type: 'item_completed', item: { type: 'Plan', id } },
    })
    const parent = [history[0] ?? {}, event('item-1'), userItem('gears'), event('item-2'), answerItem('About gears')]
    const fork = [
      head,
      userItem('gears'),
      event('item-9'),
      answerItem('About gears'),
      event('item-8'),
      userItem('levers'),
    ]
    const known = { forkedFromId: parentId }
    expect(await copyIn(envelopes(fork), parent, known)).toEqual({ from: 2, to: 6, threadId: parentId })
  })

  test('is found in a compressed parent', async () => {
    const folder = useTempDir()
    const packed = zstdFrame(text(envelopes(history)))
    const older = threadOf(join(folder, 'parent.jsonl.zst'), packed, { threadId: parentId })
    const fork = text([...envelopes([head]), ...restamped(history.slice(0, 5)), ...envelopes(own)])
    const thread = threadOf(join(folder, 'fork.jsonl'), fork)
    const copy = await findCopy(thread, () => older.segments[0], { spoolDir: () => folder })
    expect(copy).toMatchObject({ to: 7 })
  })
})

test("only a user's fork with copied lines is compared with its parent", () => {
  const fork = threadOf(join(useTempDir(), 'a.jsonl'), text(envelopes([head])))
  const [segment] = fork.segments
  if (segment === undefined) throw new Error('no segment')
  const having = (fields: Partial<SessionHead>): Thread => ({
    ...fork,
    segments: [{ ...segment, head: { ...segment.head, ...fields } }],
  })
  expect(isUserFork(fork)).toBe(true)
  expect(isUserFork(having({ agent: { kind: 'spawn' } }))).toBe(false)
  expect(isUserFork(having({ historyBase: { rolloutId: parentId } }))).toBe(false)
  expect(isUserFork({ ...fork, copied: { from: 2, to: 3, threadId: parentId } })).toBe(false)
})
