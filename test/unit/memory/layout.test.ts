import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/util/hash.ts'
import { age, appendTo, jsonLines, type PruneHome, pruneHome, twoTurns } from '../../helpers/prune.ts'
import * as records from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'

/** The offset of each line by its text without trailing spaces; blank lines are left out. */
function placesOf(text: string): Map<string, number> {
  let at = 0
  const places = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line.trim() !== '') places.set(line.trimEnd(), at)
    at += Buffer.byteLength(line) + 1
  }
  return places
}

/** How many lines of a rollout are still there, and which of them have moved. */
function kept(before: string, after: string): { lines: number; moved: string[] } {
  const [old, now] = [placesOf(before), placesOf(after)]
  const common = [...now].filter(([line]) => old.has(line))
  return { lines: common.length, moved: common.filter(([line, at]) => old.get(line) !== at).map(([line]) => line) }
}

/** A head as in rollouts that are not paginated. */
function withoutMode(record: records.Json): records.Json {
  if (record['type'] !== 'session_meta') return record
  const { history_mode: _, ...payload } = record['payload'] as records.Json
  return { ...record, payload }
}

type Mask = ReturnType<typeof JSON.parse>

/** Turns rollout and mask into what an earlier version left after a prune. */
function asEarlier({ path, host }: PruneHome, content: string, maskOf: (known: Mask) => Mask): void {
  const masks = join(host.env['XDG_CACHE_HOME'] ?? '', 'codex-export/memory')
  const mask = join(masks, readdirSync(masks)[0] ?? '')
  writeFileSync(mask, JSON.stringify(maskOf(JSON.parse(readFileSync(mask, 'utf8')))))
  writeFileSync(path, content)
  age(path)
}

/** The mask of a version that cut all rollouts. */
function withoutLayout(content: string): (known: Mask) => Mask {
  const written = { bytes: content.length, sha256: sha256(content) }
  return ({ records: [{ layout: _, ...mask }], changes: [change], ...known }) => ({
    ...known,
    version: 1,
    records: [{ ...mask, written }],
    changes: [{ ...change, after: written }],
  })
}

const compaction = {
  type: 'compacted',
  payload: {
    message: 'Sum',
    replacement_history: ['One', 'Two', 'Three'].map((text) => records.userItem(text)['payload']),
  },
}

function compacted(): PruneHome {
  return pruneHome(useTempDir(), jsonLines(records.envelopes([...twoTurns(), compaction, ...more()], true)))
}

function more(): records.Json[] {
  return [records.userItem('Go on.'), ...records.command('call-3', 'ls', 0, 'a long list of files\n'.repeat(3))]
}

test('what remains of a rollout with ordinals keeps its byte offsets, by which Codex finds its turns', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  await session.prune({ exclude: ['2', '3'], delete: ['9'], replace: ['6'], replacement: '[gone]', inPlace: true })
  const after = session.read()
  expect(after.length).toBe(before.length)
  expect(kept(before, after)).toEqual({ lines: before.trim().split('\n').length - 5, moved: [] })
  expect(after).toContain('"output":"[gone]"     ')
  appendTo(session.path, records.envelopes([records.userItem('More')], true))
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(kept(before, session.read()).moved).toEqual([])
})

test('items of a compaction are replaced by spaces, and can be included again', async () => {
  const session = compacted()
  const before = session.read()
  await session.prune({ exclude: ['1', '3'], replace: ['category:toolOutput'], inPlace: true })
  const after = session.read()
  expect(after.length).toBe(before.length)
  expect(kept(before, after).moved).toEqual([])
  const line = after.split('\n').find((text) => text.includes('"compacted"')) ?? ''
  expect(JSON.parse(line).payload.replacement_history).toHaveLength(1)
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

const long = 'much longer than it was '.repeat(5)

test('an output shorter than its replacement stays, and every line keeps its offset', async () => {
  const session = compacted()
  const before = session.read()
  const { plan } = await session.prune({ exclude: ['4'], replace: ['2', '5-99'], replacement: long, inPlace: true })
  expect(plan.notes).toContain(
    'Item 6 stays: shorter than the text that would replace it, and this rollout must keep its length.',
  )
  expect(session.read().length).toBe(before.length)
  expect(kept(before, session.read()).moved).toEqual([])
})

test('a copy and a new thread accept a replacement that is longer than the output', async () => {
  const session = pruneHome(useTempDir())
  const asked = { replace: ['4'], replacement: long }
  expect((await session.prune({ ...asked, inPlace: true })).written).toBeUndefined()
  const output = join(session.home, '../copy.jsonl')
  await session.prune({ ...asked, output })
  expect(readFileSync(output, 'utf8')).toContain(long)
})

test('a longer replacement by an earlier version is recognised, and can be removed and undone', async () => {
  const session = pruneHome(useTempDir())
  const before = session.read()
  const output = before.split('\n').find((line) => line.includes('function_call_output')) ?? ''
  await session.prune({ replace: ['4'], replacement: '.', inPlace: true })
  const text = JSON.stringify(JSON.parse(output).payload.output)
  const grown = before.replace(output, output.replace(text, JSON.stringify(long)))
  asEarlier(session, grown, ({ records: [mask], changes: [change], ...known }) => {
    const written = { bytes: grown.length, sha256: sha256(grown) }
    const removed = [{ ...mask.removed[0], text: long }]
    return { ...known, records: [{ ...mask, written, removed }], changes: [{ ...change, after: written }] }
  })
  expect((await session.prune()).plan.items[3]).toMatchObject({ state: 'replaced', text: long })
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
  await session.restore({ undo: true })
  expect(session.read()).toBe(grown)
  await session.restore({ undo: true })
  expect(session.read()).toBe(before)
})

test('excluding a last line without a line end leaves a line end, so that Codex can continue', async () => {
  const session = pruneHome(useTempDir(), jsonLines(records.envelopes(twoTurns().slice(0, -1), true)).trimEnd())
  const before = session.read()
  await session.prune({ exclude: ['9'], inPlace: true, force: true })
  expect(session.read()).toMatch(/\}\n +\n$/)
  expect(session.read().length).toBe(before.length)
  const since = jsonLines([records.userItem('More')])
  writeFileSync(session.path, `${session.read()}${since}`)
  await session.prune({ include: ['1-99'], inPlace: true, force: true })
  expect(session.read()).toBe(`${before}\n${since}`)
})

test('a rollout without ordinals is cut, as earlier versions did with all rollouts', async () => {
  const lines = records.envelopes(twoTurns().map((record) => withoutMode(record)))
  const session = pruneHome(useTempDir(), jsonLines(lines))
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const cut = session.read()
  expect(before.split('\n').filter((line) => !cut.split('\n').includes(line))).toHaveLength(2)
  expect(cut).not.toContain('  ')
  await session.prune({ delete: ['9'], inPlace: true })
  await session.restore({ undo: true })
  expect(session.read()).toBe(cut)
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
})

test('a rollout that an earlier version cut gets its items back, and undo cuts it again', async () => {
  const folder = useTempDir()
  const session = pruneHome(folder)
  const before = session.read()
  await session.prune({ exclude: ['3'], inPlace: true })
  const lines = session.read().split('\n')
  const cut = lines.filter((line, at) => line.trim() !== '' || at === lines.length - 1).join('\n')
  asEarlier(session, cut, withoutLayout(cut))
  expect((await session.prune()).plan.items.map(({ state }) => state)).toContain('excluded')
  await session.prune({ include: ['1-99'], inPlace: true })
  expect(session.read()).toBe(before)
  await session.restore({ undo: true })
  expect(session.read()).toBe(cut)
  expect((await session.prune()).plan.items.map(({ state }) => state)).toContain('excluded')
})

test('restore finds what a compaction lacks even if the record of the prune is lost', async () => {
  const session = compacted()
  const before = session.read()
  await session.prune({ exclude: ['1'], inPlace: true })
  rmSync(session.host.env['XDG_CACHE_HOME'] ?? '', { recursive: true })
  expect((await session.restore()).backups).toHaveLength(1)
  expect(session.read()).toBe(before)
})
