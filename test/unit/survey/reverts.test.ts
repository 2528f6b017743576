/** What a revert or rollback took back counts nowhere: not in tree, title, numbers and memory. */
import { expect, test } from 'vitest'
import { readHistory } from '../../../src/features/memory/history/read.ts'
import { scanWithLineage, threadIndex } from '../../../src/survey/lineage.ts'
import { writeFolder } from '../../helpers/folder.ts'
import {
  answerEvent,
  answerItem,
  complete,
  event,
  type Json,
  meta,
  started,
  userEvent,
  userItem,
} from '../../helpers/records.ts'
import { textsOf } from '../../helpers/remember.ts'
import { all, dialogue } from '../../helpers/slice.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { pagesOf, threadsAt } from '../../helpers/thread.ts'

const [parent, fork] = ['019c0001-0000-7000-8000-000000000001', '019c0002-0000-7000-8000-000000000002']
const later = (number: number) => `019c0002-0000-7000-8000-0000000000a${number}`
const file = (id: string, second: number) => `sessions/rollout-2026-03-14T09-00-0${second}-${id}.jsonl`

/** Lines of a file, numbered from an ordinal on. Each prompt is a turn of four lines. */
function lines(head: Json, prompts: readonly string[], { from = 0, day = 14 } = {}): string {
  const turns = prompts.flatMap((word, index) => {
    const id = `019c000${day - 13}-000${index + 1}-7000-8000-${word.length.toString().padStart(12, '0')}`
    return [started(id), userItem(word), userEvent(word), complete(id)]
  })
  return [meta(head), ...turns]
    .map((record, index) => ({ timestamp: `2026-03-${day}T09:00:00.000Z`, ordinal: from + index, ...record }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

/** A base that leaves a file after this many of its turns. */
function base(rollout: string, text: string, turns: number, from = 0): Json {
  const kept = text
    .split('\n')
    .slice(0, 1 + 4 * turns)
    .map((line) => `${line}\n`)
  const end = { end_ordinal_exclusive: from + kept.length, end_byte_offset: Buffer.byteLength(kept.join('')) }
  return { history_base: { thread_id: rollout, ...end } }
}

/** What a home says about a thread. */
async function resultOf(files: Readonly<Record<string, string>>, id: string) {
  const home = useTempDir()
  writeFolder(home, files)
  const threads = await threadsAt(home)
  const index = threadIndex(threads)
  const thread = threads.find((one) => one.id === id)
  if (thread === undefined) throw new Error('the thread was not found')
  const { facts } = await scanWithLineage(thread, index, { spoolDir: () => home })
  const { slices, session } = await pagesOf(thread, home)
  const { signal } = new AbortController()
  const memory = await readHistory(thread, index, { spoolDir: () => home, signal })
  return {
    title: facts?.title,
    prompts: facts?.prompts,
    turns: facts && facts.turns - facts.rolledBack.length,
    counted: session.stats.turns,
    inherited: facts?.base?.turns,
    current: slices.flatMap(({ children }) => children.filter(({ type }) => type === 'turn')).flatMap(dialogue),
    takenBack: slices
      .flatMap((slice) => all(slice, 'group').filter(({ kind }) => kind === 'rolledBack'))
      .flatMap(dialogue),
    memory: textsOf(memory),
    gaps: memory.violations,
  }
}

const paginated = (id: string, more: Json = {}): Json => ({ id, history_mode: 'paginated', ...more })

test('a revert to before the first turn takes everything back, even an earlier revert', async () => {
  const first = lines(paginated(parent), ['wrong', 'worse'])
  const second = lines(paginated(parent, base(parent, first, 1)), ['bad'], { from: 5 })
  const third = lines(paginated(parent), ['right', 'good'])
  const files = { [file(parent, 1)]: first, [file(`${parent}_${later(1)}`, 2)]: second }
  expect(await resultOf({ ...files, [file(`${parent}_${later(2)}`, 3)]: third }, parent)).toEqual({
    title: 'right',
    prompts: 2,
    turns: 2,
    counted: 2,
    current: ['U right', 'U good'],
    takenBack: ['U wrong', 'U worse', 'U bad'],
    memory: ['right', 'good'],
    gaps: [],
  })
})

test('a revert in a fork to before its own first turn also takes back turns of its parent', async () => {
  const origin = lines(paginated(parent), ['one', 'two', 'three'])
  const fromParent = { forked_from_id: parent }
  const first = lines(paginated(fork, { ...fromParent, ...base(parent, origin, 3) }), ['own'], { from: 13, day: 15 })
  const again = lines(paginated(fork, { ...fromParent, ...base(fork, first, 1, 13) }), ['own two'], {
    from: 18,
    day: 15,
  })
  const back = lines(paginated(fork, { ...fromParent, ...base(parent, origin, 1) }), ['else'], { from: 5, day: 15 })
  const files = { [file(parent, 1)]: origin, [file(fork, 2)]: first, [file(`${fork}_${later(1)}`, 3)]: again }
  expect(await resultOf({ ...files, [file(`${fork}_${later(2)}`, 4)]: back }, fork)).toEqual({
    title: 'else',
    prompts: 1,
    turns: 1,
    counted: 1,
    inherited: 1,
    current: ['U else'],
    takenBack: ['U own', 'U own two'],
    memory: ['one', 'else'],
    gaps: [],
  })
})

test('a rollback in a fork takes back copied turns if its own are not enough', async () => {
  const copied = (records: readonly Json[], at: string) => records.map((record) => ({ timestamp: at, ...record }))
  const say = (word: string) => [userItem(word), userEvent(word), answerEvent(`${word}!`), answerItem(`${word}!`)]
  const records = [
    ...copied([meta({ id: fork, forked_from_id: parent }), meta({ id: parent })], '2026-03-14T09:00:00.000Z'),
    ...copied([...say('one'), ...say('two')], '2026-03-14T09:00:00.000Z'),
    ...copied(
      [...say('own'), event('thread_rolled_back', { num_turns: 2 }), ...say('instead')],
      '2026-03-14T09:05:00.000Z',
    ),
  ]
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  expect(await resultOf({ [file(fork, 1)]: text }, fork)).toMatchObject({
    title: 'instead',
    prompts: 1,
    turns: 1,
    counted: 1,
    current: ['U instead', 'A instead!'],
    takenBack: ['U two', 'A two!', 'U own', 'A own!'],
    memory: ['one', 'one!', 'instead', 'instead!'],
  })
})
