import { describe, expect, test } from 'vitest'
import { parseName } from '../../../src/rollout/discover/names.ts'
import type { RolloutFile, SessionHead } from '../../../src/rollout/discover/rollout.ts'
import { buildCatalog, type CatalogEntry } from '../../../src/survey/catalog.ts'
import { threadId } from '../../helpers/rollout.ts'

const thread = threadId(1)
const stem = (id: string, second = '53') => `rollout-2026-03-14T09-26-${second}-${id}`

/** An entry as the survey makes it from a file of this name. */
function entry(name: string, head: Partial<SessionHead> = {}, file: Partial<RolloutFile> = {}): CatalogEntry {
  const facts = parseName(name.slice(name.lastIndexOf('/') + 1), 'home')
  if (facts === undefined) throw new Error(`${name} is no rollout`)
  const archived = name.startsWith('archived_sessions/')
  return {
    file: { path: `/home/ada/${name}`, name, home: '', archived, bytes: 100, mtimeMs: 0, ...facts, ...file },
    head: { generation: 'G2', threadId: facts.nameId ?? name, idFrom: 'meta', ...head },
  }
}

const build = (entries: CatalogEntry[], names: [string, string][] = []) => buildCatalog(entries, new Map(names))

/** Which file was chosen, and which others were skipped for which reason. */
function choice(entries: CatalogEntry[]) {
  const results = [entries, entries.toReversed()].map((order) => {
    const { catalog, diagnostics } = build(order)
    expect(catalog.threads).toHaveLength(1)
    const [only] = catalog.threads
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(only?.duplicates.map(() => 'duplicate-thread'))
    return {
      chosen: only?.segments.map(({ file }) => file.name),
      skipped: only?.duplicates.map(({ file, reason }) => [file.name, reason]),
      archived: only?.archived,
    }
  })
  expect(results[1]).toEqual(results[0])
  return results[0]
}

test('threads are sorted by start, then id, and carry their names', () => {
  const entries = [3, 1, 2].map((number) =>
    entry(`sessions/${stem(threadId(number))}.jsonl`, {
      startedAt: number === 3 ? '2026-01-01T00:00:00.000Z' : '2026-02-01T00:00:00.000Z',
    }),
  )
  const { catalog, diagnostics } = build(entries, [[threadId(2), 'Second']])
  expect(catalog.threads.map(({ id, name }) => [id, name])).toEqual([
    [threadId(3), undefined],
    [threadId(1), undefined],
    [threadId(2), 'Second'],
  ])
  expect(catalog.files).toBe(3)
  expect(diagnostics).toEqual([])
})

test('files without any id are one thread only if they are in the same folder', () => {
  const nameless = (root: string, name: string) =>
    entry(name, { threadId: 'notes', idFrom: 'path' }, { path: `${root}/${name}` })
  const { catalog } = build([
    nameless('/a', 'notes.jsonl'),
    nameless('/a', 'notes.jsonl.zst'),
    nameless('/b', 'notes.jsonl'),
  ])
  expect(catalog.threads.map(({ id, segments, duplicates }) => [id, segments.length, duplicates.length])).toEqual([
    ['notes', 1, 1],
    ['notes (2)', 1, 0],
  ])
})

describe('when a thread has several files', () => {
  const live = `sessions/2026/03/14/${stem(thread)}.jsonl`
  const archived = `archived_sessions/${stem(thread)}.jsonl`

  test('the plain file is used rather than the compressed one', () => {
    expect(choice([entry(live), entry(`${live}.zst`, {}, { bytes: 900 })])).toEqual({
      chosen: [live],
      skipped: [[`${live}.zst`, 'plain-beside-zstd']],
      archived: false,
    })
  })

  test('the live file is used rather than an archived one of the same length', () => {
    expect(choice([entry(live), entry(archived)])).toEqual({
      chosen: [live],
      skipped: [[archived, 'live-over-archived']],
      archived: false,
    })
  })

  test('a longer archived copy is used, and the thread counts as archived', () => {
    expect(choice([entry(live), entry(archived, {}, { bytes: 101 })])).toEqual({
      chosen: [archived],
      skipped: [[live, 'longer-copy']],
      archived: true,
    })
  })

  test('the first name is used if copies are equal', () => {
    const copy = `sessions/backup/${stem(thread)}.jsonl`
    expect(choice([entry(live), entry(copy), entry(`${live}.zst`)])).toMatchObject({
      chosen: [live],
      skipped: [
        [copy, 'same-thread-again'],
        [`${live}.zst`, 'plain-beside-zstd'],
      ],
    })
  })

  test('the id in the head decides whether files are copies, not the name', () => {
    const renamed = 'sessions/best-session.jsonl'
    expect(choice([entry(live), entry(renamed, { threadId: thread }, { bytes: 50 })])).toMatchObject({
      skipped: [[renamed, 'longer-copy']],
    })
  })

  test('the diagnostic names both files', () => {
    const { diagnostics } = build([entry(live), entry(archived)])
    expect(diagnostics).toEqual([
      {
        ruleId: 'duplicate-thread',
        level: 'info',
        file: archived,
        message: `A thread was found twice; one copy was read. \`${live}\` was read because it is not archived.`,
      },
    ])
  })
})

describe('the segments of a reverted thread', () => {
  const [second, third] = [threadId(22), threadId(33)]
  const first = entry(`sessions/${stem(thread)}.jsonl`)

  /** A later segment, which keeps its base up to a byte. */
  const segment = (rolloutId: string, seconds: string, base?: string, endByte = 40) =>
    entry(`sessions/${stem(`${thread}_${rolloutId}`, seconds)}.jsonl`, {
      threadId: thread,
      ...(base === undefined ? {} : { historyBase: { rolloutId: base, endByte } }),
    })

  const segmentsOf = (entries: CatalogEntry[]) => {
    const { catalog, diagnostics } = build(entries)
    expect(diagnostics).toEqual([])
    expect(catalog.threads).toHaveLength(1)
    return catalog.threads[0]?.segments.map(({ rolloutId, endByte }) => [rolloutId, endByte])
  }

  test('are in order, and the older one ends where the newer one begins', () => {
    expect(segmentsOf([segment(second, '54', thread, 40), first])).toEqual([
      [thread, 40],
      [second, undefined],
    ])
  })

  test('stay in order if both were made in the same second', () => {
    expect(segmentsOf([segment(threadId(0), '53', thread, 40), first])?.[0]).toEqual([thread, 40])
  })

  test('form a chain if the thread was reverted twice', () => {
    expect(segmentsOf([segment(third, '55', second, 7), first, segment(second, '54', thread, 40)])).toEqual([
      [thread, 40],
      [second, 7],
      [third, undefined],
    ])
  })

  test('lose all of a segment if a later revert goes back beyond it', () => {
    expect(segmentsOf([first, segment(second, '54', thread, 40), segment(third, '55', thread, 20)])).toEqual([
      [thread, 20],
      [second, 0],
      [third, undefined],
    ])
  })

  test('keep everything that is not known to be undone if one is missing or unreadable', () => {
    expect(segmentsOf([first, segment(third, '55', second, 7)])).toEqual([
      [thread, undefined],
      [third, undefined],
    ])
    const unreadable = entry(`sessions/${stem(`${thread}_${third}`, '55')}.jsonl`, { threadId: thread, idFrom: 'name' })
    expect(segmentsOf([first, unreadable])).toEqual([
      [thread, undefined],
      [third, undefined],
    ])
  })

  test('lose everything older if the thread was reverted to before its first turn', () => {
    expect(segmentsOf([first, segment(second, '54', thread, 40), segment(third, '55')])).toEqual([
      [thread, 0],
      [second, 0],
      [third, undefined],
    ])
    const fourth = segment(threadId(44), '56', third, 7)
    expect(segmentsOf([first, segment(third, '55'), fourth])).toEqual([
      [thread, 0],
      [third, 7],
      [threadId(44), undefined],
    ])
  })

  test('of a fork lose all of their own if it was reverted into the history it inherited', () => {
    const parent = threadId(9)
    const from = (endOrdinal: number, base = parent) => ({ historyBase: { rolloutId: base, endOrdinal, endByte: 40 } })
    const own = entry(`sessions/${stem(thread)}.jsonl`, from(30))
    const later = entry(`sessions/${stem(`${thread}_${second}`, '54')}.jsonl`, {
      threadId: thread,
      ...from(35, thread),
    })
    const back = entry(`sessions/${stem(`${thread}_${third}`, '55')}.jsonl`, { threadId: thread, ...from(12) })
    expect(segmentsOf([own, later])).toEqual([
      [thread, 40],
      [second, undefined],
    ])
    expect(segmentsOf([own, later, back])).toEqual([
      [thread, 0],
      [second, 0],
      [third, undefined],
    ])
  })

  test('end even if their bases form a circle', () => {
    expect(segmentsOf([segment(second, '54', third, 1), segment(third, '55', second, 2)])).toEqual([
      [second, 2],
      [third, undefined],
    ])
  })

  test('include a later one whose file was renamed', () => {
    const renamed = entry('sessions/copy.jsonl', { threadId: thread, historyBase: { rolloutId: thread, endByte: 40 } })
    expect(segmentsOf([first, renamed])).toHaveLength(2)
  })

  test('do not include the base of a fork, which belongs to another thread', () => {
    const fork = entry(`sessions/${stem(threadId(9))}.jsonl`, { historyBase: { rolloutId: thread, endByte: 40 } })
    const { catalog } = build([first, fork])
    expect(catalog.threads.map(({ segments }) => segments.map(({ endByte }) => endByte))).toEqual([
      [undefined],
      [undefined],
    ])
  })
})
