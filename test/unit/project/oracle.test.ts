/** The comparison with Codex's own reading finds the mistakes that it is made for. */
import { describe, expect, it } from 'vitest'
import type { FlowContent, Session, Turn } from '../../../src/transcript/trast.ts'
import { compareThread, type OracleThread } from '../../helpers/oracle.ts'
import * as tree from '../../helpers/tree.ts'

type Item = OracleThread['turns'][number]['items'][number]

const said = (text: string): Item => ({ type: 'agentMessage', text })
const typed = (text: string): Item => ({ type: 'userMessage', content: [{ type: 'text', text }] })
const answer = (items: Item[], historyMode = 'legacy'): OracleThread => ({
  id: 'thread',
  historyMode,
  turns: [{ items }],
})
const from = (...kinds: string[]) => ({ data: { sources: kinds.map((kind) => ({ line: 1, kind })) } })
const ours = (children: FlowContent[], fields: Partial<Turn> = {}): Session =>
  tree.session([tree.turn(children, fields)])

/** `side: text (row)` for every difference. */
function differences(theirs: OracleThread, session: Session): string[] {
  return compareThread(theirs, session).differences.map(
    ({ side, what, why }) => `${side}: ${what} (${why?.row ?? 'not explained'})`,
  )
}

describe('a comparison of messages', () => {
  const codex = answer([typed('Go.'), said('Going.'), said('Done.')])

  it('finds nothing if both have the same, except for whitespace around it', () => {
    expect(differences(codex, ours([tree.user('Go.\n'), tree.assistant('Going.'), tree.assistant(' Done.')]))).toEqual(
      [],
    )
  })

  it('finds messages that we lost, doubled or moved', () => {
    expect(differences(codex, ours([tree.user('Go.'), tree.assistant('Done.')]))).toEqual([
      'codex: assistant Going. (not explained)',
    ])
    expect(
      differences(codex, ours([tree.user('Go.'), tree.user('Go.'), tree.assistant('Going.'), tree.assistant('Done.')])),
    ).toEqual(['ours: user Go. (not explained)'])
    expect(
      differences(codex, ours([tree.user('Go.'), tree.assistant('Done.'), tree.assistant('Going.')])),
    ).toHaveLength(2)
  })

  it('finds injected text that we take for a prompt', () => {
    const session = ours([
      tree.user('<environment_context/>', from('response_item/message')),
      tree.user('Go.'),
      tree.assistant('Going.'),
      tree.assistant('Done.'),
    ])
    expect(differences(codex, session)).toEqual(['ours: user <environment_context/> (not explained)'])
  })

  it('explains steering and interrupted prompts that have no event', () => {
    const record = from('response_item/message')
    const children = [tree.user('Go.'), tree.user('Stop.', { steering: true, ...record })]
    expect(differences(answer([typed('Go.')]), ours(children))).toEqual(['ours: user Stop. (1)'])
    expect(differences(answer([]), ours([tree.user('Go.', record)], { status: 'interrupted' }))).toEqual([
      'ours: user Go. (1)',
    ])
  })

  it('explains what was rolled back, and what is inherited by reference only', () => {
    const back = tree.session([tree.group('rolledBack', '1 turn', [tree.turn([tree.user('Go.')])])])
    const inherited = tree.session([tree.group('inherited', '1 turn', [tree.turn([tree.user('Go.')])])])
    expect(differences(answer([]), back)).toEqual(['ours: user Go. (19)'])
    expect(differences(answer([], 'paginated'), inherited)).toEqual(['ours: user Go. (3)'])
    expect(differences(answer([]), inherited)).toEqual(['ours: user Go. (not explained)'])
  })

  it('explains two prompts and one result per review, and no more', () => {
    const review = tree.notice('review')
    const items = [typed('Review the changes'), typed('Review the changes'), said('Fine.'), said('Lost.')]
    expect(differences(answer(items), ours([review]))).toEqual([
      'codex: user Review the changes (7)',
      'codex: user Review the changes (7)',
      'codex: assistant Fine. (7)',
      'codex: assistant Lost. (not explained)',
    ])
  })

  it('explains empty texts, messages with pictures only and the note at the end of a compaction', () => {
    const items = [said(''), { type: 'userMessage', content: [] }, said('Compact task completed')]
    expect(differences(answer(items), ours([]))).toEqual([
      'codex: assistant  (6)',
      'codex: user  (13)',
      'codex: assistant Compact task completed (1)',
    ])
  })

  it('explains a thread that Codex shows as empty only if another thread started it', () => {
    const children = [tree.turn([tree.user('Go.')])]
    const agent = tree.session(children, { lineage: { segments: [], parentId: 'parent' } })
    expect(differences(answer([], 'paginated'), agent)).toEqual(['ours: user Go. (5)'])
    expect(differences(answer([], 'paginated'), tree.session(children))).toEqual(['ours: user Go. (not explained)'])
  })
})

describe('a comparison of file changes and MCP calls', () => {
  const change = { path: '/a/b.ts', kind: { type: 'update', move_path: null } }
  const codex = answer([
    { type: 'fileChange', status: 'completed', changes: [change] },
    { type: 'mcpToolCall', status: 'failed', server: 'docs', tool: 'read' },
  ])
  const call = tree.toolCall('read', '{}', [], { server: 'docs', family: 'mcp', status: 'failed' })

  it('finds nothing if both have the same, in any order', () => {
    expect(differences(codex, ours([call, tree.patch([tree.fileChange('/a/b.ts', [])])]))).toEqual([])
  })

  it('finds a different state, operation or path', () => {
    const recorded = from('event_msg/patch_apply_end')
    const failed = tree.patch([tree.fileChange('/a/b.ts', [])], { status: 'failed', ...recorded })
    const moved = tree.patch([tree.fileChange('/a/b.ts', [], { movedTo: '/a/c.ts', operation: 'move' })], recorded)
    for (const patch of [failed, moved, tree.patch([tree.fileChange('/a/B.ts', [])], recorded)])
      expect(differences(codex, ours([call, patch]))).toHaveLength(2)
  })

  it('explains a change that only a call records', () => {
    const record = from('response_item/custom_tool_call', 'response_item/custom_tool_call_output')
    expect(differences(answer([]), ours([tree.patch([tree.fileChange('/a/b.ts', [])], record)]))).toEqual([
      'ours: completed update /a/b.ts (9)',
    ])
  })
})
