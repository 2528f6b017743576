/** Faults of the program are neither swallowed nor blamed on a file by code that can do without the file. */
import { describe, expect, test } from 'vitest'
import { headOf, openBackup } from '../../../src/features/memory/files/backups-fs.ts'
import { prunedItems } from '../../../src/features/memory/page/session-memory.ts'
import { bytePatterns } from '../../../src/features/terminal-search/byte-patterns.ts'
import { missingPatterns } from '../../../src/features/terminal-search/bytes.ts'
import { parseQuery } from '../../../src/features/terminal-search/query.ts'
import type { RolloutFile, Thread } from '../../../src/rollout/discover/rollout.ts'
import { bufferSource, fileFault, throwOwnFault, UnreadableFileError } from '../../../src/rollout/read/source.ts'
import { decompress, hasNativeZstd } from '../../../src/rollout/read/zstd-fs.ts'
import { familyLookup } from '../../../src/site/known/families.ts'
import { tryValues } from '../../../src/site/known/session-values.ts'
import { scanWithLineage, threadIndex } from '../../../src/survey/lineage.ts'
import { findOldCopies, foldOldCopies } from '../../../src/survey/old-copies.ts'
import { privacyOf } from '../../../src/survey/privacy.ts'
import { writeFolder } from '../../helpers/folder.ts'
import * as r from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { threadsAt } from '../../helpers/thread.ts'
import { zstdFrame } from '../../helpers/zstd.ts'

const id = (number: number) => `019c0000-0000-7000-8000-00000000000${number}`
/** What the path of `faulty` leads to. */
const fault = 'Cannot read properties of undefined'

/** A copy of a file whose path a fault of the program has lost. */
function faulty(file: RolloutFile): RolloutFile {
  return { ...file, path: undefined as never }
}

function faultyThread(thread: Thread): Thread {
  return { ...thread, segments: thread.segments.map((part) => ({ ...part, file: faulty(part.file) })) }
}

/** A session and its fork. */
async function twoThreads(): Promise<{ home: string; parent: Thread; fork: Thread }> {
  const home = useTempDir()
  const lines = (records: readonly r.Json[]): string =>
    r
      .envelopes(records, true)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
  const path = (number: number): string => `sessions/rollout-2026-03-14T09-0${number}-00-${id(number)}.jsonl`
  writeFolder(home, {
    [path(1)]: lines([r.meta({ id: id(1) }), r.userItem('a'), r.answerItem('1')]),
    [path(2)]: lines([r.meta({ id: id(2), forked_from_id: id(1) }), r.userItem('a'), r.answerItem('1')]),
  })
  const [parent, fork] = await threadsAt(home)
  if (parent === undefined || fork === undefined) throw new Error('the home has two threads')
  return { home, parent, fork }
}

test('only files, the system and users cause what is not thrown again', () => {
  for (const error of [new UnreadableFileError('cut off'), Object.assign(new Error('x'), { code: 'EIO' })])
    expect(() => throwOwnFault(error)).not.toThrow()
  for (const error of [new TypeError('x'), new Error('x'), Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG' })])
    expect(() => throwOwnFault(error)).toThrow(error)
})

test('a fault while a copy is looked for is reported with the session', async () => {
  const { home, parent, fork } = await twoThreads()
  const index = threadIndex([faultyThread(parent), fork])
  const { facts, diagnostics } = await scanWithLineage(fork, index, { spoolDir: () => home })
  expect(facts).toBeUndefined()
  expect(diagnostics).toMatchObject([{ ruleId: 'page-failed', message: expect.stringContaining(fault) }])
})

test('a parent that cannot be read is no fault of its fork', async () => {
  const { home, parent, fork } = await twoThreads()
  const lost = {
    ...parent,
    segments: parent.segments.map((part) => ({ ...part, file: { ...part.file, path: '/none' } })),
  }
  const { facts, diagnostics } = await scanWithLineage(fork, threadIndex([lost, fork]), { spoolDir: () => home })
  expect(facts).toBeDefined()
  expect(diagnostics).toEqual([])
})

test('a fault while old copies are looked for is reported, and the other sessions are compared', async () => {
  const { home, parent, fork } = await twoThreads()
  const found = await findOldCopies([faultyThread(parent), fork], () => home)
  expect(foldOldCopies([parent, fork], found)).toMatchObject({
    threads: [{ id: id(1) }, { id: id(2) }],
    diagnostics: [{ ruleId: 'page-failed', file: parent.segments[0]?.file.name }],
  })
})

describe('values of a family', () => {
  const signal = new AbortController().signal
  const privacy = privacyOf({}, { homeDir: '/home/me' })

  test('are not called unknown because of a fault', async () => {
    const { home, parent } = await twoThreads()
    const { facts } = await scanWithLineage(parent, threadIndex([parent]), { spoolDir: () => home })
    if (facts === undefined || privacy === undefined) throw new Error('the session is readable')
    const reading = { spoolDir: () => home, signal }
    await expect(tryValues({ thread: faultyThread(parent), facts }, { ...reading, privacy })).rejects.toThrow(fault)
    const lookUp = familyLookup([faultyThread(parent)], reading)
    await expect(lookUp(new Set(['word']), { thread: faultyThread(parent), facts })).rejects.toThrow(fault)
  })
})

describe('backups', () => {
  test('are not called unreadable because of a fault', async () => {
    const { home, parent } = await twoThreads()
    const live = parent.segments[0]
    if (live === undefined) throw new Error('the session has a file')
    const backup = faulty(live.file) as never
    await expect(headOf(backup, { thread: parent, live, path: live.file.path }, () => home)).rejects.toThrow(fault)
    await expect(openBackup(backup, live, () => home)).rejects.toThrow(fault)
    await expect(prunedItems({ ...faulty(live.file), backups: [live.file] } as never, () => home)).rejects.toThrow(
      fault,
    )
  })
})

test('a search does not take a file for one that holds everything because of a fault', async () => {
  const { home, parent } = await twoThreads()
  const [part] = parent.segments
  const missing = missingPatterns(bytePatterns(parseQuery(['word']), []), {
    spoolDir: () => home,
    signal: new AbortController().signal,
  })
  await expect(missing(faulty(part?.file as RolloutFile))).rejects.toThrow(fault)
})

describe.each(hasNativeZstd ? [true, false] : [false])('decompression (by Node: %s)', (native) => {
  test('calls only its data broken', async () => {
    const bytes = zstdFrame('a'.repeat(100_000))
    const read = async (source: ReturnType<typeof bufferSource>): Promise<unknown> => {
      try {
        for await (const _ of decompress(source, source.size, native));
        return undefined
      } catch (error) {
        return error
      }
    }
    expect(fileFault(await read(bufferSource(Buffer.concat([bytes, Buffer.from('junk')]))))).toBe('unreadable-file')
    expect(fileFault(await read(bufferSource(bytes.subarray(0, -4))))).toBe('unreadable-file')
    let reads = 0
    const source = bufferSource(bytes)
    const failing: typeof source = {
      ...source,
      read(...taken) {
        if (taken[2] > 18 && ++reads > 0) throw new TypeError('read is not a function')
        return source.read(...taken)
      },
    }
    expect(await read(failing)).toBeInstanceOf(TypeError)
    expect(reads).toBeGreaterThan(0)
  })
})
