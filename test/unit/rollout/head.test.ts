import { describe, expect, test } from 'vitest'
import type { SessionHead } from '../../../src/rollout/discover/rollout.ts'
import { decodeHead } from '../../../src/rollout/parse/head.ts'
import { threadId } from '../../helpers/rollout.ts'

const id = threadId(1)
const parent = threadId(2)
const timestamp = '2026-03-14T09:26:53.589Z'
const file = { name: 'sessions/notes.jsonl' }

/** The head of an enveloped file whose header has these fields in addition to id and time. */
function fromMeta(payload: Readonly<Record<string, unknown>>): SessionHead {
  return decodeHead([{ timestamp, type: 'session_meta', payload: { id, timestamp, ...payload } }], file)
}

const plain = { generation: 'G2', threadId: id, idFrom: 'meta', startedAt: timestamp }

describe('generations', () => {
  test('G0: one document', () => {
    const document = { session: { id, timestamp, instructions: '' }, items: [] }
    expect(decodeHead([document], file)).toEqual({ ...plain, generation: 'G0' })
  })

  test('G1: bare header, folder from the environment message', () => {
    const header = { id, timestamp, instructions: null, git: { commit_hash: 'abc', branch: 'main' } }
    const text = '<environment_context>\n  <cwd>/home/ada/engine</cwd>\n</environment_context>'
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    const head = { ...plain, generation: 'G1', git: { commit: 'abc', branch: 'main' } }
    expect(decodeHead([header], file)).toEqual(head)
    expect(decodeHead([header, { record_type: 'state' }, message], file)).toEqual({ ...head, cwd: '/home/ada/engine' })
  })

  test('G1: a folder in a text that somebody wrote is not taken', () => {
    const text = 'Why does <environment_context> hold <cwd>/tmp</cwd>?'
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
    expect(decodeHead([{ id, timestamp }, message], file).cwd).toBeUndefined()
  })

  test('G1t: header tagged by record type, nested or flat', () => {
    const head = { ...plain, generation: 'G1t', cwd: '/x' }
    expect(decodeHead([{ record_type: 'session_meta', payload: { id, timestamp, cwd: '/x' } }], file)).toEqual(head)
    expect(decodeHead([{ record_type: 'session_meta', id, timestamp, cwd: '/x' }], file)).toEqual(head)
  })

  test('G2 and G3: enveloped header, distinguished by history mode', () => {
    expect(fromMeta({})).toEqual(plain)
    expect(fromMeta({ history_mode: 'legacy' }).generation).toBe('G2')
    expect(fromMeta({ history_mode: 'paginated' }).generation).toBe('G3')
  })

  test('the first header counts, because later ones are copies of ancestors', () => {
    const records = [id, parent].map((id) => ({ timestamp, type: 'session_meta', payload: { id, timestamp } }))
    expect(decodeHead(records, file).threadId).toBe(id)
  })
})

describe('without a header', () => {
  const records = [
    { timestamp, type: 'event_msg', payload: { type: 'user_message', message: 'Hello' } },
    { timestamp, type: 'turn_context', payload: { cwd: 'file:///home/ada/my%20engine' } },
  ]

  test('the id comes from the name, time and folder from the records', () => {
    expect(decodeHead(records, { ...file, nameId: parent })).toEqual({
      generation: 'G2',
      threadId: parent,
      idFrom: 'name',
      startedAt: timestamp,
      cwd: '/home/ada/my engine',
    })
  })

  test('a file without an id in its name is identified by its path', () => {
    expect(decodeHead(records, file)).toMatchObject({ threadId: 'sessions/notes', idFrom: 'path' })
    expect(decodeHead([], { name: 'a.jsonl.zst' })).toEqual({ generation: 'G2', threadId: 'a', idFrom: 'path' })
  })

  test('the other fields of a header without an id are still read', () => {
    expect(fromMeta({ id: ' ', cwd: '/x' })).toMatchObject({ threadId: 'sessions/notes', idFrom: 'path', cwd: '/x' })
  })

  test.each([[[null]], [[1, 'x', []]], [[{ type: 'session_meta', payload: null }]], [[{ session: 1, items: 2 }]]])(
    'odd records do no harm: %j',
    (odd) => {
      expect(decodeHead(odd, { name: 'a.jsonl' })).toMatchObject({ threadId: 'a', idFrom: 'path' })
    },
  )
})

describe('fields', () => {
  test('client, version, provider and repository', () => {
    const git = { commit_hash: 'abc', branch: 'main', repository_url: 'https://ada:secret@example.com/engine.git' }
    expect(
      fromMeta({
        cwd: '/x',
        originator: 'codex_exec',
        cli_version: '0.98.0',
        source: 'exec',
        model_provider: 'openai',
        git,
      }),
    ).toEqual({
      ...plain,
      cwd: '/x',
      originator: 'codex_exec',
      version: '0.98.0',
      source: 'exec',
      modelProvider: 'openai',
      git: { commit: 'abc', branch: 'main', remote: 'https://example.com/engine.git' },
    })
  })

  test('personal ids are left out', () => {
    expect(fromMeta({ creator_user_id: 'user-1', creator_account_id: 'account-1', git: {} })).toEqual(plain)
  })

  test('wrong types count as absent', () => {
    expect(fromMeta({ cwd: 5, originator: {}, cli_version: null, source: [], git: 'main', history_base: 'x' })).toEqual(
      plain,
    )
  })

  test.each<[unknown, Partial<SessionHead>]>([
    ['cli', { source: 'cli' }],
    [{ custom: 'bot' }, { source: 'bot' }],
    [{ internal: 'guardian' }, { source: 'internal', agent: { kind: 'other', name: 'guardian' } }],
    [{ subagent: 'review' }, { source: 'subagent', agent: { kind: 'review' } }],
    [{ subagent: 'compact' }, { source: 'subagent', agent: { kind: 'compact' } }],
    [
      { subagent: 'memory_consolidation' },
      { source: 'subagent', agent: { kind: 'other', name: 'memory_consolidation' } },
    ],
    [{ subagent: { other: 'agent_job:7' } }, { source: 'subagent', agent: { kind: 'other', name: 'agent_job:7' } }],
    [{ subagent: { novel: 1 } }, { source: 'subagent', agent: { kind: 'other' } }],
    [
      {
        subagent: {
          thread_spawn: {
            parent_thread_id: parent,
            depth: 1,
            agent_path: '/root/a',
            agent_nickname: 'Fir',
            agent_role: 'worker',
          },
        },
      },
      {
        source: 'subagent',
        parentId: parent,
        agent: { kind: 'spawn', name: 'Fir', role: 'worker', path: '/root/a', depth: 1 },
      },
    ],
  ])('source %j', (source, expected) => {
    expect(fromMeta({ source })).toEqual({ ...plain, ...expected })
  })

  test('names of an agent that are next to its source are used', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1, agent_nickname: null } } }
    expect(fromMeta({ source, agent_nickname: 'Fir', agent_type: 'worker' }).agent).toEqual({
      kind: 'spawn',
      name: 'Fir',
      role: 'worker',
      depth: 1,
    })
    expect(fromMeta({ source: 'exec', parent_thread_id: parent })).toMatchObject({
      source: 'exec',
      parentId: parent,
      agent: { kind: 'spawn' },
    })
  })

  test('lineage', () => {
    const base = { thread_id: parent, end_ordinal_exclusive: 20, end_byte_offset: 44_923 }
    const head = fromMeta({
      session_id: parent,
      forked_from_id: parent,
      history_base: base,
      subagent_history_start_ordinal: 9,
    })
    expect(head).toEqual({
      ...plain,
      rootId: parent,
      forkedFromId: parent,
      historyBase: { rolloutId: parent, endOrdinal: 20, endByte: 44_923 },
      subagentHistoryStart: 9,
    })
  })

  test('a link from a thread to itself is ignored', () => {
    expect(fromMeta({ session_id: id, forked_from_id: id })).toEqual(plain)
  })
})
