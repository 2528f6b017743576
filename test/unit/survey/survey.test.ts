import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRoots } from '../../../src/rollout/discover/homes-fs.ts'
import type { RolloutFile } from '../../../src/rollout/discover/rollout.ts'
import type { HeadReading } from '../../../src/rollout/read/head-fs.ts'
import { type SurveyOptions, survey } from '../../../src/survey/survey.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { messageLine, metaLine, threadId } from '../../helpers/rollout.ts'
import { useTempDir } from '../../helpers/temp.ts'

const base = (number: number) => `rollout-2026-03-14T09-26-53-${threadId(number)}`
const rollout = (number: number) => `${metaLine({ id: threadId(number) })}\n${messageLine('Hello')}\n`

function surveyOf(codexHomes: string[], options: Partial<SurveyOptions> = {}) {
  const spoolDir = () => {
    throw new Error('no temporary file is needed')
  }
  return survey(findRoots(codexHomes, { env: {}, homeDir: '/nowhere' }), { spoolDir, ...options })
}

/** A home with these files. */
function home(files: Readonly<Record<string, string>>): string {
  const path = useTempDir()
  writeFolder(path, { 'sessions/2026/.keep': '', ...files })
  return path
}

test('a survey finds threads with names in several homes, each file once', async () => {
  const first = home({
    [`sessions/2026/${base(1)}.jsonl`]: rollout(1),
    'session_index.jsonl': JSON.stringify({ id: threadId(1), thread_name: 'Engine' }),
  })
  const second = home({ [`archived_sessions/${base(2)}.jsonl`]: rollout(2) })
  const { catalog, diagnostics, places } = await surveyOf([first, join(first, 'sessions'), second])
  expect(catalog.threads.map(({ id, name, archived }) => ({ id, name, archived }))).toEqual([
    { id: threadId(1), name: 'Engine', archived: false },
    { id: threadId(2), name: undefined, archived: true },
  ])
  expect(catalog.files).toBe(2)
  expect(diagnostics).toEqual([])
  expect(places).toEqual([first, join(first, 'sessions'), second])
})

test('a survey continues after files that cannot be read', async () => {
  const path = home({
    [`sessions/2026/${base(1)}.jsonl`]: rollout(1),
    [`sessions/2026/${base(2)}.jsonl`]: '',
    [`sessions/2026/${base(3)}.jsonl.zst`]: 'no zstd',
    [`sessions/2026/${base(4)}.jsonl`]: 'no JSON\n',
  })
  mkdirSync(join(path, 'sessions', `${base(5)}.jsonl`))
  symlinkSync('nothing', join(path, 'sessions', `${base(6)}.jsonl`))
  const { catalog, diagnostics } = await surveyOf([path])
  expect(catalog.threads.map(({ id }) => id).sort()).toEqual([threadId(1), threadId(4)])
  expect(catalog.files).toBe(4)
  expect(diagnostics.map(({ file, ruleId }) => `${file} ${ruleId}`).sort()).toEqual([
    `sessions/2026/${base(2)}.jsonl empty-file`,
    `sessions/2026/${base(3)}.jsonl.zst unreadable-file`,
    `sessions/2026/${base(4)}.jsonl missing-head`,
    `sessions/${base(5)}.jsonl unreadable-file`,
    `sessions/${base(6)}.jsonl unreadable-file`,
  ])
  expect(JSON.stringify(diagnostics)).not.toContain(path)
})

test('a survey does not call a fault of the program one of the file', async () => {
  const path = home({ [`sessions/2026/${base(1)}.jsonl`]: rollout(1) })
  const keepHead = (_: RolloutFile, { head }: HeadReading): void => {
    if (head !== undefined) throw new TypeError('head is not a function')
  }
  const { diagnostics } = await surveyOf([path], { keepHead })
  expect(diagnostics).toMatchObject([{ ruleId: 'page-failed', file: `sessions/2026/${base(1)}.jsonl` }])
})

test('a survey reports files that vanish in the meantime', async () => {
  const path = home({ [`sessions/2026/${base(1)}.jsonl`]: rollout(1), [`sessions/2026/${base(2)}.jsonl`]: rollout(2) })
  const keepHead = () => rmSync(join(path, 'sessions/2026', `${base(2)}.jsonl`), { force: true })
  const { catalog, diagnostics } = await surveyOf([path], { keepHead })
  expect(catalog.threads.map(({ id }) => id)).toEqual([threadId(1)])
  expect(diagnostics).toMatchObject([{ ruleId: 'vanished-file', file: `sessions/2026/${base(2)}.jsonl` }])
})

test('an empty file does not hide the compressed copy next to it', async () => {
  const path = home({ [`sessions/2026/${base(1)}.jsonl`]: '', [`sessions/2026/${base(1)}.jsonl.zst`]: rollout(1) })
  const { catalog } = await surveyOf([path])
  expect(catalog.threads.map(({ segments }) => segments[0]?.file.compression)).toEqual(['zstd'])
})

describe('known heads', () => {
  test('make it unnecessary to open the file', async () => {
    const path = home({ [`sessions/2026/${base(1)}.jsonl`]: 'not looked at' })
    const head = { generation: 'G3', threadId: threadId(9), idFrom: 'meta' } as const
    const { catalog, diagnostics } = await surveyOf([path], { knownHead: () => ({ head, diagnostics: [] }) })
    expect(catalog.threads.map(({ id }) => id)).toEqual([threadId(9)])
    expect(diagnostics).toEqual([])
  })
})

test('a survey ends when it is aborted', async () => {
  const controller = new AbortController()
  const path = home({ [`sessions/2026/${base(1)}.jsonl`]: rollout(1), [`sessions/2026/${base(2)}.jsonl`]: rollout(2) })
  const keepHead = () => controller.abort(new Error('stopped'))
  await expect(surveyOf([path], { signal: controller.signal, keepHead })).rejects.toThrow('stopped')
})

test('a home without sessions gives an empty catalog', async () => {
  expect((await surveyOf([home({})])).catalog).toEqual({ threads: [], files: 0 })
})
