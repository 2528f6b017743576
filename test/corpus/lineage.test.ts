/**
 * How genuine threads are related: where copies end, what was reverted, who started whom. The expectations come from the
 * raw lines, read by code that shares nothing with the program.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findRoots } from '../../src/rollout/discover/homes-fs.ts'
import type { Thread } from '../../src/rollout/discover/rollout.ts'
import { scanWithLineage, threadIndex } from '../../src/survey/lineage.ts'
import { findNeighbours } from '../../src/survey/neighbours.ts'
import { survey } from '../../src/survey/survey.ts'
import type { ScannedThread } from '../../src/transcript/summary.ts'
import { transcribeThread } from '../../src/transcript.ts'
import { type CorpusHome, describeWithCorpus } from '../helpers/corpus.ts'

const options = { spoolDir: () => tmpdir() }

/** The raw head of a rollout. */
interface RawHead {
  id: string
  forked_from_id?: string
  history_base?: { thread_id: string; end_byte_offset: number }
  history_mode?: string
  parent_thread_id?: string
  source?: unknown
}

interface RawFile {
  name: string
  head: RawHead
  text: string
  lines: { timestamp: string; type: string; payload: { id?: string; type?: string } }[]
}

/** A line of a rollout, or nothing if a kill tore it. */
function parsed(line: string): RawFile['lines'] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** The plain rollouts of a home from 0.36 on, whose first line is a head. */
function rawFiles({ path }: CorpusHome): RawFile[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /rollout-[^/]*\.jsonl$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(join(path, name), 'utf8')
      if (!text.includes('"session_meta"')) return []
      const lines: RawFile['lines'] = text.split('\n').flatMap(parsed)
      // The first line of an enveloped file is its head.
      return [{ name, head: lines[0]?.payload as RawHead, text, lines }]
    })
}

/** Threads that a rollout names as its origin. */
function origins({ head, lines }: RawFile): (string | undefined)[] {
  const { subagent } = (head.source ?? {}) as { subagent?: { thread_spawn?: { parent_thread_id?: string } } }
  const copied = lines[1]?.type === 'session_meta' ? lines[1].payload.id : undefined
  return [head.forked_from_id, head.parent_thread_id, subagent?.thread_spawn?.parent_thread_id, copied]
}

async function threadsOf({ path }: CorpusHome): Promise<Thread[]> {
  const { catalog } = await survey(findRoots([path], { env: {}, homeDir: path }), options)
  return catalog.threads
}

const isUsers = ({ head }: RawFile): boolean => typeof head.source !== 'object'

/** The first own line of a fork, counted from 1: the first one that differs from the parent's. */
function firstOwnLine(fork: RawFile, parent: RawFile): number {
  const record = (line: RawFile['lines'][number] | undefined) => JSON.stringify([line?.type, line?.payload])
  let index = 1
  while (index < fork.lines.length && record(fork.lines[index]) === record(parent.lines[index - 1])) index++
  return index + 1
}

/**
 * The line after a burst, counted from 1: a copy is written at once, and the next record comes at least a second later.
 */
function lineAfterBurst({ lines }: RawFile): number {
  const times = lines.map(({ timestamp }) => Date.parse(timestamp))
  return times.findIndex((time, index) => index > 1 && time - (times[index - 1] ?? time) > 1000) + 1
}

describeWithCorpus('the lineage of genuine threads', ({ homes: scripted, lived }) => {
  const homes = [...scripted, ...lived]
  const forks = homes.flatMap((home) => {
    const files = rawFiles(home)
    const copies = files.filter((file) => isUsers(file) && file.lines[1]?.type === 'session_meta')
    return copies.map((fork) => {
      const parent = files.find(({ head }) => head.id === fork.lines[1]?.payload.id)
      return { home, fork, name: `${home.name} ${fork.head.id}`, parent }
    })
  })
  const copied = forks.flatMap(({ parent, ...fork }) => (parent === undefined ? [] : [{ ...fork, parent }]))
  const orphaned = forks.filter(({ parent }) => parent === undefined)

  it('has as many forks as the format describes', () => {
    expect(copied).toHaveLength(15)
    expect(copied.every(({ home }) => scripted.includes(home))).toBe(true)
    expect(orphaned).toHaveLength(lived.length === 0 ? 0 : 3)
  })

  it.each(orphaned)('has a guessed end for a copy whose parent is lost: $name', async ({ home, fork }) => {
    const threads = await threadsOf(home)
    const thread = threads.find(({ id }) => id === fork.head.id)
    if (thread === undefined) throw new Error('the fork was not found')
    const { facts } = await scanWithLineage(thread, threadIndex(threads), options)
    expect(facts?.inherited).toMatchObject({
      from: 2,
      to: lineAfterBurst(fork),
      guessed: true,
      threadId: fork.lines[1]?.payload.id,
    })
  })

  it.each(copied)('has the exact end of each copy: $name', async ({ home, fork, parent }) => {
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
    'has the exact end of the copy in a migrated fork: $name',
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

  it.each(reverted)(
    'joins the segments of a reverted thread and shows what was undone: $name',
    async ({ home, file, files }) => {
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
    },
  )

  it.each(homes)('has parents, the calls that started agents, and inherited turns: $name', async (home) => {
    const threads = await threadsOf(home)
    const index = threadIndex(threads)
    const scanned: ScannedThread[] = []
    for (const thread of threads) {
      const { facts } = await scanWithLineage(thread, index, options)
      if (facts !== undefined) scanned.push({ thread, facts })
    }
    const ids = new Set(threads.map(({ id }) => id))
    const { neighbours, diagnostics } = findNeighbours(scanned, ids)
    const lost = rawFiles(home).filter((file) => origins(file).some((id) => id !== undefined && !ids.has(id)))
    const reported = diagnostics.map(({ ruleId, file }) => `${ruleId} ${file}`)
    expect(reported.sort()).toEqual(lost.map(({ name }) => `missing-parent ${name}`).sort())
    const orphans = new Set(lost.map(({ head }) => head.id))
    for (const { thread, facts } of scanned) {
      const { parent, forkedFrom } = neighbours.get(thread.id) ?? {}
      const head = thread.segments[0]?.head
      const spawned = head?.agent?.kind === 'spawn' && !orphans.has(thread.id)
      // The records of every genuine parent show where it started an agent.
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
