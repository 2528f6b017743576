/**
 * What genuine threads have to do with each other: where copies end, what was reverted, who started whom. The
 * expectations come from a look at the raw lines that shares no code with the program.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scanWithLineage, threadIndex } from '../../src/app/lineage.ts'
import { findNeighbours } from '../../src/app/neighbours.ts'
import { survey } from '../../src/app/survey.ts'
import { transcribeThread } from '../../src/app/transcript.ts'
import { findRoots } from '../../src/discover/homes-fs.ts'
import type { Thread } from '../../src/model/rollout.ts'
import type { ScannedThread } from '../../src/model/summary.ts'
import { type CorpusHome, describeWithCorpus } from '../helpers/corpus.ts'

const options = { spoolDir: () => tmpdir() }

/** The raw head of a rollout. */
interface RawHead {
  id: string
  forked_from_id?: string
  history_base?: { thread_id: string; end_byte_offset: number }
  history_mode?: string
  source?: unknown
}

interface RawFile {
  name: string
  head: RawHead
  text: string
  lines: { type: string; payload: { id?: string; type?: string } }[]
}

/** The plain rollouts of a home from 0.36 on, whose first line is a head. */
function rawFiles({ path }: CorpusHome): RawFile[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /rollout-[^/]*\.jsonl$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(path, name), 'utf8')
      if (!text.includes('"session_meta"')) return []
      const lines: RawFile['lines'] = text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
      // The first line of an enveloped file is its head.
      return [{ name, head: lines[0]?.payload as RawHead, text, lines }]
    })
}

async function threadsOf({ path }: CorpusHome): Promise<Thread[]> {
  const { catalog } = await survey(findRoots({ codexHomes: [path], env: {}, homeDir: path }), options)
  return catalog.threads
}

const isUsers = ({ head }: RawFile): boolean => typeof head.source !== 'object'

/** The line of a fork, 1-based, that is its first own one: the first that differs from the parent's. */
function firstOwnLine(fork: RawFile, parent: RawFile): number {
  const record = (line: RawFile['lines'][number] | undefined) => JSON.stringify([line?.type, line?.payload])
  let index = 1
  while (index < fork.lines.length && record(fork.lines[index]) === record(parent.lines[index - 1])) index++
  return index + 1
}

describeWithCorpus('the lineage of genuine threads', ({ homes }) => {
  const copied = homes.flatMap((home) => {
    const files = rawFiles(home)
    const forks = files.filter((file) => isUsers(file) && file.lines[1]?.type === 'session_meta')
    return forks.map((fork) => ({ home, fork, name: `${home.name} ${fork.head.id}`, files }))
  })

  it('has the forks that the format describes', () => {
    expect(copied).toHaveLength(15)
  })

  it.each(copied)('ends a copy at the very line: $name', async ({ home, fork, files }) => {
    const parent = files.find(({ head }) => head.id === fork.lines[1]?.payload.id)
    if (parent === undefined) throw new Error('the parent is not there')
    const threads = await threadsOf(home)
    const thread = threads.find(({ id }) => id === fork.head.id)
    if (thread === undefined) throw new Error('the fork was not found')
    const { facts } = await scanWithLineage(thread, threadIndex(threads), options)
    expect(facts?.inherited).toMatchObject({
      from: 2,
      to: firstOwnLine(fork, parent),
      guessed: false,
      threadId: parent.head.id,
    })
  })

  it.each(homes.filter(({ name }) => /migrated/.test(name)))(
    'ends the copy in a migrated fork: $name',
    async (home) => {
      const files = rawFiles(home)
      const threads = await threadsOf(home)
      const items = ({ lines }: RawFile) =>
        lines.flatMap(({ type, payload }, index) =>
          type === 'response_item' ? [{ line: index + 1, text: JSON.stringify(payload) }] : [],
        )
      const forks = files.filter(({ head }) => head.forked_from_id !== undefined)
      expect(forks.length).toBeGreaterThan(0)
      for (const fork of forks) {
        const parent = files.find(({ head }) => head.id === fork.head.forked_from_id)
        const thread = threads.find(({ id }) => id === fork.head.id)
        if (parent === undefined || thread === undefined) throw new Error('parent or fork is not there')
        const { facts } = await scanWithLineage(thread, threadIndex(threads), options)
        const theirs = items(parent)
        const first = items(fork).find(({ text }, index) => text !== theirs[index]?.text)
        expect(facts?.inherited).toMatchObject({ from: 2, to: first?.line, guessed: false })
      }
    },
  )

  const reverted = homes.flatMap((home) => {
    const files = rawFiles(home)
    const later = files.filter(({ head }) => head.history_base?.thread_id === head.id)
    return later.map((file) => ({ home, file, files, name: `${home.name} ${file.head.id}` }))
  })

  it('has the reverts that the format describes', () => {
    expect(reverted.map(({ home }) => home.name)).toEqual(['0.156.0', '0.162.0', '0.169.0'])
  })

  it.each(reverted)('joins a reverted thread and shows what was undone: $name', async ({ home, file, files }) => {
    const threads = await threadsOf(home)
    const thread = threads.find(({ id }) => id === file.head.id)
    const older = files.find(({ name, head }) => head.id === file.head.id && name !== file.name)
    if (thread === undefined || older === undefined) throw new Error('a segment is missing')
    const kept = Buffer.from(older.text).subarray(0, file.head.history_base?.end_byte_offset).toString('utf8')
    const { session } = await transcribeThread(thread, { ...options, family: threads })
    const undone = session.children.filter((child) => child.type === 'group')
    expect(undone.map(({ kind, label, data }) => [kind, label, data?.visibility])).toEqual([
      ['rolledBack', '1 turn undone by a revert', 'collapsed'],
    ])
    expect(undone[0]?.children[0]?.position?.start.line).toBe(kept.split('\n').length)
    expect(session.stats.lines.total).toBe(older.lines.length + file.lines.length)
    expect(session.stats.lines.skipped).not.toHaveProperty('undone')
  })

  it.each(homes)('knows parents, the calls that started agents, and inherited turns: $name', async (home) => {
    const threads = await threadsOf(home)
    const index = threadIndex(threads)
    const scanned: ScannedThread[] = []
    for (const thread of threads) {
      const { facts } = await scanWithLineage(thread, index, options)
      if (facts !== undefined) scanned.push({ thread, facts })
    }
    const { neighbours, diagnostics } = findNeighbours(scanned, new Set(threads.map(({ id }) => id)))
    expect(diagnostics).toEqual([])
    for (const { thread, facts } of scanned) {
      const { parent, forkedFrom } = neighbours.get(thread.id) ?? {}
      const head = thread.segments[0]?.head
      const spawned = head?.agent?.kind === 'spawn'
      // The records of every genuine parent tell where it started an agent.
      expect({ id: thread.id, call: parent?.place !== undefined }).toEqual({
        id: thread.id,
        call: spawned || (parent !== undefined && head?.agent?.kind === 'review'),
      })
      if (facts.base === undefined) continue
      expect(facts.base.turns, thread.id).toBeGreaterThan(0)
      expect(forkedFrom?.place, thread.id).toBeDefined()
    }
  })
})
