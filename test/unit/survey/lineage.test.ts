import { cpSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isOlderTurn } from '../../../src/survey/copied-prefix.ts'
import { scanWithLineage, threadIndex } from '../../../src/survey/lineage.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { buildHome, goldenHomes } from '../../helpers/golden-homes.ts'
import { answerItem, envelopes, type Json, meta, userItem } from '../../helpers/records.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { threadsAt } from '../../helpers/thread.ts'

const id = (number: number) => `019c0000-0000-7000-8000-00000000000${number}`
const text = (records: readonly Json[]) =>
  envelopes(records, true)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
const file = (number: number) => `sessions/rollout-2026-03-14T09-0${number}-00-${id(number)}.jsonl`

/** A thread that continues another one after its first lines. */
const continuing = (number: number, base: number): string =>
  text([
    meta({ id: id(number), history_base: { thread_id: id(base), end_ordinal_exclusive: 3 } }),
    userItem(`question ${number}`),
    answerItem(`answer ${number}`),
  ])

async function scans(files: Readonly<Record<string, string>>) {
  const home = useTempDir()
  writeFolder(home, files)
  const threads = await threadsAt(home)
  const index = threadIndex(threads)
  const found: [string, unknown][] = []
  for (const thread of threads) {
    const { facts } = await scanWithLineage(thread, index, { spoolDir: () => home })
    found.push([thread.id, facts?.base])
  }
  return Object.fromEntries(found)
}

describe('a history by reference', () => {
  test('is counted along the chain, by ordinals if no byte offset is named', async () => {
    const first = text([meta({ id: id(1) }), userItem('a'), answerItem('1'), userItem('b'), answerItem('2')])
    const found = await scans({ [file(1)]: first, [file(2)]: continuing(2, 1), [file(3)]: continuing(3, 2) })
    expect(found).toEqual({
      [id(1)]: undefined,
      [id(2)]: { threadId: id(1), turns: 1, anchor: 'l2' },
      [id(3)]: { threadId: id(2), turns: 2, anchor: 'l2' },
    })
  })

  test('has no number of turns if it leads round in a circle', async () => {
    const found = await scans({ [file(1)]: continuing(1, 2), [file(2)]: continuing(2, 1) })
    expect(found).toEqual({ [id(1)]: { threadId: id(2) }, [id(2)]: { threadId: id(1) } })
  })

  test('names the nearest thread and no number of turns if its chain breaks off', async () => {
    expect(await scans({ [file(2)]: continuing(2, 9), [file(3)]: continuing(3, 2) })).toEqual({
      [id(2)]: { threadId: id(9) },
      [id(3)]: { threadId: id(2) },
    })
  })
})

/** A copy of a golden home in a folder of its own. */
function homeLike(name: string): string {
  const found = goldenHomes().find((home) => home.name === name)
  if (found === undefined) throw new Error(`there is no golden home ${name}`)
  const path = join(useTempDir(), 'home')
  cpSync(found.path, path, { recursive: true })
  return path
}

test('a fork is read again when its parent disappears or comes back', async () => {
  const home = homeLike('fork-legacy')
  const folder = useTempDir()
  const parent = readdirSync(join(home, 'sessions/2026/03/05')).sort()[0] ?? ''
  const [present, away] = [join(home, 'sessions/2026/03/05', parent), join(folder, 'away.jsonl')]
  const labels = async (): Promise<unknown[]> => {
    const { sessions } = await buildHome(home, folder)
    const fork = sessions.find(({ session }) => session.title === 'Keep one item instead.')
    return (fork?.session.children ?? []).flatMap((child) =>
      child.type === 'group' ? [child.label, child.data?.visibility] : [],
    )
  }
  expect(await labels()).toEqual(['2 turns inherited', 'collapsed'])
  renameSync(present, away)
  expect(await labels()).toEqual(['2 turns copied from a session that was not found', 'open'])
  renameSync(away, present)
  expect(await labels()).toEqual(['2 turns inherited', 'collapsed'])
})

test('lists show a sub-agent only if its parent is missing, and say so', async () => {
  const folder = useTempDir()
  await buildHome(homeLike('sub-agents'), folder)
  const index = readFileSync(join(folder, 'site/index.html'), 'utf8')
  expect(index).toContain('worker, parent missing')
  expect(index).not.toContain('Count the files.')
})

test('lists name the kind of threads that Codex started for itself', async () => {
  const folder = useTempDir()
  await buildHome(homeLike('workers'), folder)
  const index = readFileSync(join(folder, 'site/index.html'), 'utf8')
  for (const badge of ['compaction', 'agent job']) expect(index).toContain(badge)
  // Their titles name the work, so the list only has to say who asked for it.
  for (const title of ['Approval review', 'Memory consolidation'])
    expect(index).toMatch(new RegExp(`<span class="t">${title}.*?<i class="state">by Codex</i>`))
  expect(index).not.toMatch(/guardian/i)
})

test('a turn is older than a thread only if both ids contain a time', () => {
  const [early, late] = ['019c0000-0000-7000-8000-000000000000', '019c0000-0001-7000-8000-000000000000']
  expect(isOlderTurn(early, late)).toBe(true)
  expect(isOlderTurn(late, early)).toBe(false)
  expect(isOlderTurn(late, late)).toBe(false)
  expect(isOlderTurn('1', late)).toBe(false)
  expect(isOlderTurn(early, 'thread')).toBe(false)
})
