import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { list } from '../../../src/cli/list-sessions.ts'
import type { PruneOptions, WrittenThread } from '../../../src/features/memory/prune.ts'
import { uuidTime } from '../../../src/util/time.ts'
import { age, appendTo, jsonLines, type PruneHome, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { everySession } from '../../helpers/surroundings.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

/** Writes a new thread, and returns its data and lines. */
async function forked(session: PruneHome, change: Partial<PruneOptions> = {}) {
  const { written } = await session.prune({ newThread: true, ...change })
  if (written === undefined || !('threadId' in written)) throw new Error('a thread was written')
  return { ...written, lines: linesOf(written) }
}

function linesOf({ output }: WrittenThread): records.Json[] {
  const text = readFileSync(output, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The same session as Codex before 0.150 wrote it. */
function legacyTurns(head: records.Json = {}): records.Json[] {
  const [, ...rest] = twoTurns()
  return records.envelopes([records.meta({ id: threadId(1), timestamp: '2026-03-14T09:00:00.000Z', ...head }), ...rest])
}

test('a new thread is where Codex looks for it, under its own id, and the session is unchanged', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  const { threadId: id, output, home, lines } = await forked(session, { exclude: ['3'] })
  expect(session.read()).toBe(before)
  expect(session.names()).toContain(basename(session.path))
  expect(uuidTime(id)).toBe(session.host.now())
  expect(home).toBe(session.home)
  const date = new Date(session.host.now())
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  )
  expect(relative(home, output)).toMatch(
    new RegExp(`^sessions.${year}.${month}.${day}.rollout-${year}-${month}-${day}T\\d\\d-\\d\\d-\\d\\d-${id}\\.jsonl$`),
  )
  expect(lines[0]).toMatchObject({
    ordinal: 0,
    type: 'session_meta',
    payload: { id, forked_from_id: session.id, cwd: '/home/ada/engine', history_mode: 'paginated' },
  })
  const rest = before.split('\n').slice(1, -1)
  expect(lines.slice(1)).toEqual(
    rest.map((line) => JSON.parse(line)).filter(({ ordinal }) => ordinal !== 6 && ordinal !== 7),
  )
})

test.each([
  ['is removed', { exclude: ['9'] }],
  ['stays', {}],
])('a copy has no empty line and ends with a line end, if an unfinished last line %s', async (_what, change) => {
  const lines = legacyTurns().slice(0, -1)
  const session = pruneHome(useTempDir(), jsonLines(lines).trimEnd())
  const copy = await forked(session, change)
  expect(copy.lines).toHaveLength(lines.length + 1 - Object.keys(change).length)
})

test('a legacy copy begins as Codex begins a fork: with its own head and that of its parent', async () => {
  const session = pruneHome(useTempDir(), jsonLines(legacyTurns({ session_id: threadId(1) })))
  const { threadId: id, lines } = await forked(session, { delete: ['1'] })
  expect(lines.slice(0, 2)).toMatchObject([
    { type: 'session_meta', payload: { id, session_id: id, forked_from_id: session.id } },
    { type: 'session_meta', payload: { id: session.id } },
  ])
  expect(lines).toHaveLength(twoTurns().length)
})

test.each([
  ['a paginated copy', undefined],
  ['a legacy copy', jsonLines(legacyTurns())],
])('%s is listed as a fork, and its inherited turns do not count, even after it continued', async (_what, content) => {
  const session = pruneHome(useTempDir(), content)
  const { threadId: id, output } = await forked(session, { exclude: ['8'] })
  const later = new Date(session.host.now() + 60_000).toISOString()
  const own = [records.started('turn-9'), records.userItem('A third prompt'), records.complete('turn-9')]
  appendTo(
    output,
    own.map((record) => ({ timestamp: later, ...record })),
  )
  const { rows } = await list({ homes: [{ path: session.home }], ...everySession }, session.host)
  expect(rows.map(({ id: other, turns, forkOf }) => ({ other, turns, forkOf }))).toEqual([
    { other: session.id, turns: 2, forkOf: undefined },
    { other: id, turns: 1, forkOf: session.id },
  ])
  const { memory } = await session.context({ target: id })
  expect(memory.items.map(({ preview }) => preview)).toEqual([
    'How do I oil the engine?',
    'Look for the oil first.',
    expect.stringContaining('ls oil'),
    expect.stringContaining('ok'),
    expect.stringContaining('cat manual.txt'),
    expect.stringContaining('Use the red can.'),
    'Use the red can.',
    'Every morning.',
    'A third prompt',
  ])
})

test('items excluded in place before can be included in the copy, and stay excluded in the session', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['1', '3'], inPlace: true })
  const pruned = session.read()
  const { lines } = await forked(session, { include: ['3'] })
  expect(JSON.stringify(lines)).toContain('ls oil')
  expect(lines.filter(({ type }) => type === 'response_item')).toHaveLength(8)
  expect(session.read()).toBe(pruned)
})

test('the copy of an agent is an independent session', async () => {
  const agent = {
    source: { subagent: { thread_spawn: { parent_thread_id: threadId(2), depth: 1 } } },
    thread_source: 'subagent',
    parent_thread_id: threadId(2),
    session_id: threadId(2),
    agent_nickname: 'Ada',
  }
  const { threadId: id, lines } = await forked(pruneHome(useTempDir(), jsonLines(legacyTurns(agent))))
  expect(lines[0]?.['payload']).toEqual({
    id,
    session_id: id,
    forked_from_id: threadId(1),
    timestamp: '2026-03-14T11:00:00.000Z',
    source: 'cli',
    thread_source: 'user',
  })
})

test('a compressed rollout becomes an uncompressed thread', async () => {
  const text = jsonLines(records.envelopes(twoTurns(), true))
  const name = `rollout-2026-03-14T09-00-00-${threadId(1)}.jsonl.zst`
  const { output, lines } = await forked(pruneHome(useTempDir(), zstdFrame(text), name), { exclude: ['3'] })
  expect(output).toMatch(/\.jsonl$/)
  expect(lines).toHaveLength(twoTurns().length - 2)
})

test.each([
  ['half a line', '{"timestamp":"2026-03-14T09', 0],
  [
    'a line without its end',
    JSON.stringify({ timestamp: '2026-03-14T09:30:00.000Z', ...records.answerItem('Late.') }),
    1,
  ],
])('while a session is being written, %s at the end makes no damaged line in the copy', async (_what, tail, more) => {
  const session = pruneHome(useTempDir())
  writeFileSync(session.path, `${session.read()}${tail}`)
  age(session.path)
  expect((await forked(session)).lines).toHaveLength(twoTurns().length + more)
})

test('a rollout outside of a home is refused, because there is no place for a new thread', async () => {
  const session = pruneHome(useTempDir())
  const path = join(useTempDir(), 'loose.jsonl')
  writeFileSync(path, session.read())
  await expect(session.prune({ target: path, targetPath: path, newThread: true })).rejects.toThrow(
    'is not in a Codex home',
  )
})

test('a folder that cannot be created is named with the reason', async () => {
  const session = pruneHome(useTempDir())
  const year = join(session.home, 'sessions', String(new Date(session.host.now()).getFullYear()))
  const path = session.path.replace(year, `${year}-away`)
  renameSync(year, `${year}-away`)
  writeFileSync(year, 'in the way')
  const asked = session.prune({ target: path, targetPath: path, newThread: true })
  await expect(asked).rejects.toThrow(/^Cannot write in `.+`: .+\. The rollout is unchanged\.$/)
})

test.runIf(process.getuid?.() === 0)('a thread that root writes belongs to the owner of the session', async () => {
  const session = pruneHome(useTempDir())
  chownSync(session.path, 65_534, 65_534)
  // The folder of the day does not exist yet.
  const day = dirname(session.path)
  const path = join(dirname(day), '01', basename(session.path))
  renameSync(day, dirname(path))
  const { output } = await forked(session, { target: path, targetPath: path })
  for (const made of [output, dirname(output)]) expect(statSync(made).uid, made).toBe(65_534)
})
