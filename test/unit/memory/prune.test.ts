import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openMaskStore } from '../../../src/features/memory/files/mask-store-fs.ts'
import type { PruneResult } from '../../../src/features/memory/prune.ts'
import { backupKey } from '../../../src/rollout/discover/names.ts'
import { maskDir } from '../../../src/site/cache/cache-folder-fs.ts'
import { claimOwner, releaseOwner } from '../../../src/util/process-owner-fs.ts'
import { noise } from '../../helpers/planted.ts'
import { age, appendTo, jsonLines, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { startWriter } from '../../helpers/writer.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

/** Lines that the first text has and the second lacks. */
function lost(before: string, after: string): string[] {
  const kept = new Set(after.split('\n'))
  return before.split('\n').filter((line) => !kept.has(line))
}

const states = ({ plan }: PruneResult) => plan.items.map(({ item, state }) => `${item.index} ${state}`)

test('a plan says what would be removed and changes nothing', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  const { plan, written } = await session.prune({ exclude: ['2', '4'] })
  expect(plan.items.filter(({ state }) => state === 'exclude').map(({ item, along }) => [item.index, along])).toEqual([
    [2, false],
    [3, true],
    [4, false],
  ])
  expect(plan.before.items - plan.after.items).toBe(3)
  expect(plan.after.tokens).toBeLessThan(plan.before.tokens)
  expect(written).toBeUndefined()
  expect(session.names()).toEqual([basename(session.path)])
  expect(session.read()).toBe(before)
})

test('the rollout loses only the lines of the items, and the backup is the rollout before', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  const stat = statSync(session.path)
  const { written } = await session.prune({ exclude: ['3'], delete: ['9'], inPlace: true })
  expect(written).toEqual({ backup: session.backup(), carried: 0 })
  const removed = lost(before, session.read()).map((line) => JSON.parse(line))
  expect(removed.map(({ ordinal }) => ordinal)).toEqual([6, 7, 14])
  // Spaces replace them.
  expect(lost(session.read(), before).map((line) => line.trim())).toEqual(['', '', ''])
  expect(readFileSync(session.backup(), 'utf8')).toBe(before)
  expect(session.names()).toEqual([basename(session.path)])
  const after = statSync(session.path)
  expect(after.mode).toBe(stat.mode)
  expect(Math.round(after.mtimeMs - stat.mtimeMs)).toBe(1)
  expect(statSync(session.backup()).mtimeMs).toBe(stat.mtimeMs)
})

test('excluded items are listed and come back byte by byte, and deleted ones are not listed', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3', '7'], inPlace: true })
  expect(states(await session.prune())).toEqual([
    '1 included',
    '2 included',
    '3 excluded',
    '4 excluded',
    '5 included',
    '6 included',
    '7 excluded',
    '8 included',
    '9 included',
  ])
  await session.prune({ delete: ['1'], inPlace: true })
  expect(states(await session.prune()).slice(0, 3)).toEqual(['1 included', '2 excluded', '3 excluded'])
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(lost(before, session.read()).map((line) => JSON.parse(line).ordinal)).toEqual([3])
  expect(session.names()).toEqual([basename(session.path)])
  expect(session.backups()).toHaveLength(1)
})

test('lines that Codex has appended are kept when items are excluded, included and deleted', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const more = [records.userItem('And on Sundays?'), records.answerItem('Not on Sundays.')]
  appendTo(session.path, records.envelopes(more, true))
  const tail = jsonLines(records.envelopes(more, true))
  expect(states(await session.prune()).slice(-2)).toEqual(['10 included', '11 included'])
  await session.prune({ exclude: ['11'], inPlace: true })
  expect(readFileSync(session.backup(2), 'utf8')).toBe(before + tail)
  expect(lost(before + tail, session.read())).toHaveLength(3)
  await session.prune({ include: ['1-11'], inPlace: true })
  expect(session.read()).toBe(before + tail)
})

test('nothing is guessed if the mask is missing, or if rollout or backup were changed', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const pruned = session.read()
  writeFileSync(session.path, pruned.replace('red can', 'blue can'))
  age(session.path)
  await expect(session.prune({ include: ['3'] })).rejects.toThrow('in another way than by continuing')
  writeFileSync(session.path, pruned)
  age(session.path)
  writeFileSync(session.backup(), before.replace('red can', 'blue can'))
  await expect(session.prune({ include: ['3'] })).rejects.toThrow('is missing or was changed')
  writeFileSync(session.backup(), before)
  expect(states(await session.prune({ include: ['3'] }))).toContain('3 include')
  rmSync(join(folder, 'cache'), { recursive: true })
  await expect(session.prune({ include: ['3'] })).rejects.toThrow(
    `What \`${basename(session.backup())}\` has and the rollout lacks is not recorded`,
  )
  const { plan } = await session.prune({ exclude: ['3'] })
  expect(plan.notes).toEqual([
    `What \`${basename(session.backup())}\` has and the rollout lacks is not recorded here. Everything in the rollout now counts as included.`,
  ])
  await session.prune({ exclude: ['3'], inPlace: true })
  expect(readFileSync(session.backup(2), 'utf8')).toBe(pruned)
  expect(readFileSync(session.backup(), 'utf8')).toBe(before)
})

test('restoring a backup by hand leaves nothing excluded', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  writeFileSync(session.path, before)
  age(session.path)
  expect(states(await session.prune())).not.toContain('3 excluded')
})

test('a session that may be open is not changed unless forced', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  const attempt = () => session.prune({ exclude: ['3'], inPlace: true })
  writeFileSync(session.path, before)
  const soon = { ...session.host, now: () => statSync(session.path).mtimeMs + 1000 }
  Object.assign(session.host, soon)
  await expect(attempt()).rejects.toThrow('it was written in the last 5 minutes')
  age(session.path)
  Object.assign(session.host, { now: () => statSync(session.path).mtimeMs + 3_600_000 })

  appendTo(session.path, records.envelopes([records.started('turn-3')], true))
  await expect(attempt()).rejects.toThrow('its last turn has not ended')
  writeFileSync(session.path, `${before}{"timestamp":"2026-03-14T09:30`)
  age(session.path)
  await expect(attempt()).rejects.toThrow('its last line is cut off')
  expect(session.names()).toEqual([basename(session.path)])
  await session.prune({ exclude: ['3'], inPlace: true, force: true })
  expect(readFileSync(session.backup(), 'utf8')).toBe(`${before}{"timestamp":"2026-03-14T09:30`)
})

test('a writer lock that nobody holds does not block a prune on Linux, where that can be checked', async () => {
  const session = pruneHome(useTempDir())
  const lock = join(session.home, 'thread-writer-locks', `${session.id}.lock`)
  mkdirSync(dirname(lock))
  writeFileSync(lock, '')
  const attempt = session.prune({ exclude: ['3'], inPlace: true })
  // Only Linux lists its locks. Elsewhere the file alone counts.
  if (existsSync('/proc/locks')) expect((await attempt).written).toEqual({ backup: session.backup(), carried: 0 })
  else await expect(attempt).rejects.toThrow('Codex holds its writer lock')
})

test('a fork that begins after the first change blocks the prune', async () => {
  const session = pruneHome(useTempDir())
  const lines = session.read().split('\n')
  const until = (count: number) => Buffer.byteLength(lines.slice(0, count).join('\n')) + 1
  const fork = (endByte: number) => {
    const base = { thread_id: session.id, end_ordinal_exclusive: 8, end_byte_offset: endByte }
    const head = { id: threadId(2), timestamp: '2026-03-14T11:00:00.000Z', cwd: '/home/ada', history_mode: 'paginated' }
    const path = join(dirname(session.path), `rollout-2026-03-14T11-00-00-${threadId(2)}.jsonl`)
    const meta = records.meta({ ...head, forked_from_id: session.id, history_base: base })
    writeFileSync(path, jsonLines(records.envelopes([meta], true)))
  }
  fork(until(8))
  await expect(session.prune({ exclude: ['3'], inPlace: true, force: true })).rejects.toThrow(
    'begins in the middle of this rollout',
  )
  expect((await session.prune({ exclude: ['7'], inPlace: true })).written).toEqual({
    backup: session.backup(),
    carried: 0,
  })
  await expect(session.prune({ exclude: ['3'], inPlace: true })).rejects.toThrow('begins in the middle')
  const copy = join(useTempDir(), 'copy.jsonl')
  expect((await session.prune({ exclude: ['3'], output: copy })).written).toEqual({ output: copy })
})

test('only the newest file of a reverted session is written, and older items stay', async () => {
  const session = pruneHome(useTempDir())
  const rollout = '0198c0de-0000-7000-8000-00000000002a'
  const lines = session.read().split('\n')
  const base = {
    thread_id: session.id,
    end_ordinal_exclusive: 12,
    end_byte_offset: Buffer.byteLength(lines.slice(0, 12).join('\n')) + 1,
  }
  const path = join(dirname(session.path), `rollout-2026-03-14T12-00-00-${session.id}_${rollout}.jsonl`)
  const meta = records.meta({
    id: session.id,
    timestamp: '2026-03-14T09:00:00.000Z',
    cwd: '/home/ada',
    history_mode: 'paginated',
    history_base: base,
  })
  const values = [
    meta,
    records.started('turn-9'),
    records.userItem('What of the brakes?'),
    records.answerItem('They squeak.'),
  ]
  writeFileSync(path, jsonLines(records.envelopes([...values, records.complete('turn-9')], true)))
  age(path)
  const { plan, written } = await session.prune({ exclude: ['7-9'], inPlace: true })
  expect(plan.notes).toEqual([
    `Item 7 stays: in an older file of the session, \`sessions/2026/03/14/${basename(session.path)}\`, which the newest one refers to.`,
  ])
  expect(readFileSync(path, 'utf8')).not.toMatch(/brakes|squeak/)
  expect(written).toMatchObject({ backup: expect.stringMatching(/\.bak$/) })
  expect(readFileSync(Object(written).backup, 'utf8')).toContain('brakes')
  await expect(session.prune({ targetPath: session.path, exclude: ['1'] })).rejects.toThrow('The session continues in')
})

test('items of a compaction are cut out of its line together with their metadata', async () => {
  const replacement = ['One', 'Two', 'Three'].map((text) => records.userItem(text)['payload'])
  const facts = [{ history_sequence: 1 }, { history_sequence: 2 }, { history_sequence: 3 }]
  const compacted = {
    type: 'compacted',
    payload: {
      message: 'Sum',
      replacement_history: replacement,
      replacement_history_metadata: facts,
      window_number: 2.0,
    },
  }
  const values = [...twoTurns(), compacted, records.userItem('Go on'), records.answerItem('Done')]
  const session = pruneHome(
    useTempDir(),
    jsonLines(records.envelopes(values, true)).replace('"window_number":2', '"window_number":2.0'),
  )
  await session.prune({ exclude: ['2'], inPlace: true })
  const [line = ''] = lost(session.read(), readFileSync(session.backup(), 'utf8'))
  const { payload } = JSON.parse(line)
  expect(payload.replacement_history).toEqual([replacement[0], replacement[2]])
  expect(payload.replacement_history_metadata).toEqual([facts[0], facts[2]])
  expect(line).toContain('"window_number":2.0')
  await session.prune({ include: ['2'], exclude: ['1', '3', '4'], inPlace: true })
  expect(states(await session.prune())).toEqual(['1 excluded', '2 included', '3 excluded', '4 excluded', '5 included'])
  await session.prune({ include: ['1-5'], inPlace: true })
  expect(session.read()).toBe(readFileSync(session.backup(), 'utf8'))
})

test('the rollout counts as it is if a rollback has counted fewer prompts in it than in the backup', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['8-9'], inPlace: true })
  const more = [
    records.userItem('Next'),
    records.answerItem('Yes'),
    records.event('thread_rolled_back', { num_turns: 2 }),
  ]
  appendTo(session.path, records.envelopes(more, true))
  const { plan } = await session.prune()
  expect(plan.items).toEqual([])
  expect(plan.notes[0]).toContain('Codex reads the rollout differently from the backup')
  await expect(session.prune({ include: ['8'] })).rejects.toThrow(
    '`--include` needs the record of what the last prune excluded',
  )
})

test('an item from before a compaction without a history is removed only if the rest stays the same', async () => {
  const compacted = { type: 'compacted', payload: { message: 'We oiled the engine.' } }
  const values = [...twoTurns(), compacted, records.userItem('Go on'), records.answerItem('Done')]
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(values)))
  const before = session.read()
  const { plan } = await session.prune()
  const summary = plan.items.find(({ item }) => item.category === 'compactionSummary')?.item.index
  const first = plan.items.find(({ item }) => item.preview.startsWith('How do I oil'))?.item.index
  expect((await session.prune({ exclude: [`${summary}`], inPlace: true })).plan.notes).toEqual([
    `Item ${summary} stays: the only trace of a compaction.`,
  ])
  await session.prune({ exclude: [`${first}`], inPlace: true })
  expect(lost(before, session.read())).toHaveLength(1)
})

test('the record that announces an agent message is removed with the message', async () => {
  const agent = records.item({
    type: 'agent_message',
    author: '/root/oiler',
    recipient: '/root',
    content: [{ type: 'input_text', text: 'Message Type: FINAL_ANSWER\nPayload:\nOiled.' }],
  })
  const said = { type: 'inter_agent_communication_metadata', payload: { trigger_turn: false } }
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes([...twoTurns(), said, agent], true)))
  const before = session.read()
  await session.prune({ exclude: ['category:agentMessage'], inPlace: true })
  expect(lost(before, session.read()).map((line) => JSON.parse(line).type)).toEqual([
    'inter_agent_communication_metadata',
    'response_item',
  ])
})

test('a compressed rollout becomes a plain one, and its backup stays compressed', async () => {
  const name = `rollout-2026-03-14T09-00-00-${threadId(1)}.jsonl.zst`
  const text = jsonLines(records.envelopes(twoTurns(), true))
  const session = pruneHome(useTempDir(), zstdFrame(text), name)
  await session.prune({ exclude: ['3'], inPlace: true })
  const plain = name.replace('.zst', '')
  expect(session.names()).toEqual([plain])
  expect(readFileSync(session.backup())).toEqual(zstdFrame(text))
  expect(lost(text, session.read(plain))).toHaveLength(2)
  expect(states(await session.prune())).toContain('3 excluded')
  const { kept } = await session.restore()
  expect(kept).toBe(session.backup(2))
  expect(session.names()).toEqual([name])
  expect(readFileSync(session.path)).toEqual(zstdFrame(text))
})

test('rollouts of the first Rust builds are pruned, sessions of the TypeScript CLI are not', async () => {
  const bare = [
    { id: threadId(1), timestamp: '2025-06-14T09:00:00.000Z', instructions: null },
    ...twoTurns().flatMap(({ type, payload }) => (type === 'response_item' ? [payload] : [])),
  ]
  const session = pruneHome(useTempDir(), jsonLines(bare))
  const before = session.read()
  await session.prune({ exclude: ['5'], inPlace: true })
  expect(lost(before, session.read()).map((line) => JSON.parse(line).type)).toEqual([
    'function_call',
    'function_call_output',
  ])
  const document = JSON.stringify({ session: { id: threadId(1), timestamp: '2025-04-20T09:00:00.000Z' }, items: [] })
  const old = pruneHome(useTempDir(), document, `rollout-2025-04-20-${threadId(1)}.json`)
  await expect(old.prune({ exclude: ['1'] })).rejects.toThrow('a session of the TypeScript CLI')
})

test('a kill between writing the mask and the rollout leaves the previous mask in force', async () => {
  const session = pruneHome(useTempDir())
  await session.prune({ exclude: ['3'], inPlace: true })
  const store = openMaskStore(maskDir(session.host), session.id, session.id)
  const [kept] = store.records()
  if (kept === undefined) throw new Error('the mask is kept')
  const never = { ...kept, written: { bytes: 10, sha256: 'of a rollout that was not written' }, removed: [] }
  store.save({ records: [never, kept], changes: [] })
  expect(states(await session.prune())).toContain('3 excluded')
})

test('a mask that cannot be written leaves nothing next to the previous one', () => {
  const folder = join(useTempDir(), 'masks')
  const store = openMaskStore(folder, threadId(1), threadId(1))
  store.save({ records: [], changes: [] })
  const [name = ''] = readdirSync(folder)
  rmSync(join(folder, name))
  mkdirSync(join(folder, name))
  expect(() => store.save({ records: [], changes: [] })).toThrow('Cannot record')
  expect(readdirSync(folder)).toEqual([name])
})

test('nothing is overwritten if the mask cannot be written', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  writeFileSync(join(folder, 'cache'), 'a file where a folder is needed')
  await expect(session.prune({ exclude: ['3'], inPlace: true })).rejects.toThrow('Cannot record in')
  expect(session.read()).toBe(before)
  expect(session.names()).toEqual([basename(session.path)])
  expect(session.backups()).toEqual([])
})

test.each([
  ['a dead process', (owner: string) => owner.replace(/_\d+_/, `_${spawnSync('true').pid}_`), false],
  ['a process whose number another one has now', startedAt, false],
  ['a process before the last boot', (owner: string) => owner.replace(/_[0-9a-f]{8}/, '_00000000'), false],
  ['another machine', (owner: string) => owner.replace(/^[0-9a-f]{8}/, '00000000'), true],
  ['a running process', (owner: string) => owner, true],
] as const)('a draft blocks a prune only if its process may still run: %s', async (_, changed, isObstacle) => {
  const session = pruneHome(useTempDir())
  const owner = claimOwner()
  const draft = join(dirname(session.path), `.${backupKey(basename(session.path))}.${changed(owner)}.new.codex-export`)
  writeFileSync(draft, 'half')
  const attempt = session.prune({ exclude: ['3'], inPlace: true })
  if (isObstacle) await expect(attempt).rejects.toThrow('another run is working')
  else await attempt
  releaseOwner(owner)
  expect(session.names()).toEqual([...(isObstacle ? [basename(draft)] : []), basename(session.path)])
})

/** The owner of a running process, but with another start time. */
function startedAt(owner: string): string {
  return owner.replace(/_\d+_\w{12}_/, `_${process.ppid}_${'0'.repeat(12)}_`)
}

test('a copy never replaces a file with other content', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  const output = join(folder, 'copy.jsonl')
  await session.prune({ exclude: ['3'], output })
  await session.prune({ exclude: ['4'], output })
  expect(lost(before, readFileSync(output, 'utf8'))).toHaveLength(2)
  await expect(session.prune({ exclude: ['5'], output })).rejects.toThrow('already exists and holds something else')
  expect(lost(before, readFileSync(output, 'utf8'))).toHaveLength(2)
  expect(session.read()).toBe(before)
  expect(session.names()).toEqual([basename(session.path)])
})

test('a linked rollout is pruned at its real place, and the link stays', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const link = join(folder, 'link.jsonl')
  symlinkSync(session.path, link)
  await session.prune({ targetPath: link, exclude: ['3'], inPlace: true })
  expect(session.names()).toEqual([basename(session.path)])
  expect(session.backups()).toHaveLength(1)
  expect(readFileSync(link, 'utf8')).toBe(session.read())
})

test('secrets are redacted in what is shown, and kept in the file', async () => {
  const key = `ghp_${noise(7, 36)}`
  const session = pruneHome(
    useTempDir(),
    jsonLines(records.envelopes([...twoTurns(), records.userItem(`My key: ${key}`)], true)),
  )
  const { plan } = await session.prune({ exclude: ['3'], inPlace: true })
  expect(plan.items.at(-1)?.item.preview).not.toContain(key)
  expect(session.read()).toContain(key)
  const shown = await session.prune({ redact: false })
  expect(shown.plan.items.at(-1)?.item.preview).toContain(key)
})

test('an invalid selection is reported', async () => {
  const session = pruneHome(useTempDir())
  await expect(session.prune({ delete: ['1,two'] })).rejects.toThrow('`--delete`: `two` does not name items')
})

test('the next run removes what a killed one left in the folder of backups', async () => {
  const session = pruneHome(useTempDir())
  const folder = dirname(session.backup())
  mkdirSync(folder)
  const owner = claimOwner()
  const name = `.${backupKey(basename(session.path))}.${owner.replace(/_\d+_/, `_${spawnSync('true').pid}_`)}.bak.codex-export`
  writeFileSync(join(folder, name), 'half')
  releaseOwner(owner)
  await session.prune({ exclude: ['3'], inPlace: true })
  expect(session.backups()).toEqual([basename(session.backup())])
})

test.skipIf(process.platform !== 'linux')('a program that holds the writer lock has the session open', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const lock = join(session.home, 'thread-writer-locks', `${session.id}.lock`)
  mkdirSync(dirname(lock))
  const writer = startWriter(folder)
  writer.open(lock)
  const attempt = () => session.prune({ exclude: ['3'], inPlace: true, force: true })
  await expect(attempt()).rejects.toThrow(`(process ${writer.pid}) has \`${basename(session.path)}\` open`)
  writer.close()
  await attempt()
})
