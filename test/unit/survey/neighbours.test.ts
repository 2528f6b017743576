import { describe, expect, test } from 'vitest'
import type { SessionHead } from '../../../src/rollout/discover/rollout.ts'
import { findNeighbours } from '../../../src/survey/neighbours.ts'
import type { AgentCall, ScanFacts, ScannedThread } from '../../../src/transcript/summary.ts'
import { rolloutAt } from '../../helpers/rollout.ts'

/** A scanned thread with this id. */
function scanned(id: string, head: Partial<SessionHead> = {}, facts: Partial<ScanFacts> = {}): ScannedThread {
  return {
    thread: {
      id,
      archived: false,
      segments: [
        {
          file: rolloutAt(`/nowhere/${id}.jsonl`),
          head: { generation: 'G2', threadId: id, idFrom: 'meta', ...head },
          rolloutId: id,
        },
      ],
      duplicates: [],
    },
    facts: {
      threadId: id,
      title: `About ${id}`,
      titleFrom: 'prompt',
      cwds: [],
      turns: 1,
      prompts: 1,
      lines: 1,
      bytes: 1,
      outline: [],
      pages: [],
      rolledBack: [],
      ...facts,
    },
  }
}

const call = (anchor: string, fields: Partial<AgentCall> = {}): AgentCall => ({
  kind: 'spawn',
  page: 2,
  anchor,
  turn: 1,
  callId: `call-${anchor}`,
  ...fields,
})

function find(...threads: ScannedThread[]) {
  const { neighbours, diagnostics } = findNeighbours(threads, new Set(threads.map(({ thread }) => thread.id)))
  return { of: (id: string) => neighbours.get(id), diagnostics }
}

const spawned = (path?: string): Partial<SessionHead> => ({
  parentId: 'root',
  agent: { kind: 'spawn', ...(path === undefined ? {} : { path }) },
})

describe('a sub-agent', () => {
  test('belongs to the call whose records name it, or else to the call with its name', () => {
    const agents = [call('l3', { name: 'two' }), call('l4', { threadId: 'one' }), call('l5', { name: 'three' })]
    const { of } = find(
      scanned('root', {}, { agents }),
      scanned('one', spawned()),
      scanned('three', spawned('/root/three')),
      scanned('two', spawned('/root/two/')),
      scanned('four', spawned('/root/four')),
    )
    expect(['one', 'two', 'three', 'four'].map((id) => of(id)?.parent?.place?.anchor)).toEqual([
      'l4',
      'l3',
      'l5',
      undefined,
    ])
    expect(of('root')?.agents).toEqual([
      { threadId: 'one', title: 'About one', role: 'sub-agent', callId: 'call-l4' },
      { threadId: 'three', title: 'About three', role: 'sub-agent', callId: 'call-l5' },
      { threadId: 'two', title: 'About two', role: 'sub-agent', callId: 'call-l3' },
      { threadId: 'four', title: 'About four', role: 'sub-agent' },
    ])
  })

  test('of 0.136 names its parent as the origin of a fork, though it copied nothing', () => {
    const { of } = find(
      scanned('root', {}, { agents: [call('l9', { kind: 'review' })] }),
      scanned('review', { forkedFromId: 'root', agent: { kind: 'review' } }),
    )
    expect(of('review')).toMatchObject({ parent: { threadId: 'root', place: { page: 2, anchor: 'l9' } } })
    expect(of('review')?.forkedFrom).toBeUndefined()
    expect(of('root')?.forks).toEqual([])
  })

  test('with copied history is not a fork as well', () => {
    const inherited = { from: 2, to: 5, guessed: false, threadId: 'root' }
    const { of } = find(scanned('root'), scanned('one', { ...spawned(), forkedFromId: 'root' }, { inherited }))
    expect(of('one')?.parent?.threadId).toBe('root')
    expect(of('one')?.forkedFrom).toBeUndefined()
    expect(of('root')).toMatchObject({ forks: [], agents: [{ threadId: 'one' }] })
  })

  test('names at most three threads above its parent, even missing ones, and ends in a circle', () => {
    const child = (id: string, parentId: string) => scanned(id, { parentId, agent: { kind: 'spawn' } })
    const chain = find(child('f', 'e'), child('e', 'd'), child('d', 'c'), child('c', 'b'), child('b', 'a'))
    expect(chain.of('f')?.above?.map(({ threadId }) => threadId)).toEqual(['d', 'c', 'b'])
    expect(chain.of('c')?.above).toEqual([{ threadId: 'a', built: false }])
    expect(chain.of('b')).not.toHaveProperty('above')
    const circle = find(child('a', 'b'), child('b', 'a'))
    expect(circle.of('a')).not.toHaveProperty('above')
  })

  test('is reported if its parent is missing', () => {
    const { of, diagnostics } = find(scanned('one', spawned()))
    expect(of('one')?.parent).toEqual({ threadId: 'root', built: false })
    expect(diagnostics.map(({ ruleId }) => ruleId)).toEqual(['missing-parent'])
  })
})

describe('a fork', () => {
  test('by reference links to the last inherited prompt', () => {
    const outline = [{ anchor: 'l7', page: 3, turn: 2, text: 'gears' }]
    const base = { threadId: 'root', turns: 2, anchor: 'l7' }
    const { of } = find(scanned('root', {}, { outline }), scanned('fork', { forkedFromId: 'root' }, { base }))
    expect(of('fork')?.forkedFrom).toEqual({
      threadId: 'root',
      title: 'About root',
      built: true,
      place: { page: 3, anchor: 'l7' },
    })
    expect(of('root')?.forks).toEqual([{ threadId: 'fork', title: 'About fork' }])
  })

  test('is recognised by the copied head if its own head does not say so', () => {
    const inherited = { from: 2, to: 5, guessed: true, threadId: 'root' }
    const { of } = find(scanned('root'), scanned('fork', {}, { inherited }))
    expect(of('fork')?.forkedFrom?.threadId).toBe('root')
  })

  test('with a gap in its files is reported once', () => {
    const gap = find(scanned('root'), scanned('fork', { forkedFromId: 'root' }, { base: { threadId: 'root' } }))
    expect(gap.diagnostics).toHaveLength(1)
    const lost = find(scanned('fork', { forkedFromId: 'root' }, { base: { threadId: 'root' } }))
    expect(lost.diagnostics).toHaveLength(1)
  })
})
