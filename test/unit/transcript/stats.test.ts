import { unified } from 'unified'
import { VFile } from 'vfile'
import { describe, expect, it } from 'vitest'
import { stats } from '../../../src/transcript/stats.ts'
import type { Session } from '../../../src/transcript/trast.ts'
import { sliceData } from '../../helpers/slice.ts'
import * as tree from '../../helpers/tree.ts'

/** The statistics of slices, in order. */
function count(...slices: Session[]): Session['stats'] {
  const shared = sliceData()
  let last = slices[0]?.stats
  for (const slice of slices) {
    const file = new VFile({ data: { slice: { ...shared, counted: false } } })
    // A tree without parser: only `runSync` is used.
    last = (
      unified()
        .use(stats)
        .runSync(slice as never, file) as unknown as Session
    ).stats
  }
  return last ?? tree.stats()
}
const ofTurn = (children: Parameters<typeof tree.turn>[0], fields = {}) =>
  count(tree.session([tree.turn(children, fields)]))

describe('turns', () => {
  it('count once however many pages they span, and separately if they were rolled back', () => {
    const back = (fields = {}) => tree.group('rolledBack', '1 turn', [tree.turn([tree.user('no')], fields)])
    const continued = { data: { continued: true } }
    const { turns, rolledBack, messages } = count(
      tree.session([tree.turn([tree.user('yes')]), back(), back()]),
      tree.session([back(continued), tree.turn([], continued), tree.turn([])]),
    )
    expect({ turns, rolledBack, messages }).toEqual({ turns: 2, rolledBack: 2, messages: 1 })
    expect(ofTurn([])).not.toHaveProperty('rolledBack')
  })
})

describe('calls', () => {
  it('are counted by tool with their failures, and commands separately', () => {
    const found = ofTurn([
      tree.command('ls'),
      tree.command('false', [], { status: 'failed', exitCode: 1 }),
      tree.command('rm -r x', [], { status: 'declined' }),
      tree.toolCall('read', '{}', [], { server: 'docs', family: 'mcp' }),
      tree.toolCall('read', '{}', [], { server: 'docs', family: 'mcp', status: 'failed' }),
      tree.toolCall('constructor', '{}'),
      tree.toolCall('__proto__', '{}', [], { status: 'failed' }),
      tree.patch([]),
      tree.patch([], { status: 'failed' }),
      tree.search(['gates']),
      tree.agent([]),
      tree.agent([], { action: 'wait' }),
      tree.agent([], { action: 'send', tool: 'send_message' }),
      tree.agent([], { action: 'send', tool: 'followup_task', status: 'failed' }),
      tree.agent([], { action: 'finish' }),
      tree.plan([tree.planStep('one')]),
      tree.image({ origin: 'viewed', data: { sources: [{ line: 1, kind: 'x' }] } }),
      tree.approval([], { subject: 'question', callId: 'call_1' }),
    ])
    expect(found.commands).toEqual({ total: 3, failed: 1 })
    expect(Object.entries(found.tools)).toEqual([
      ['docs/read', { calls: 2, failed: 1 }],
      ['constructor', { calls: 1, failed: 0 }],
      ['__proto__', { calls: 1, failed: 1 }],
      ['apply_patch', { calls: 2, failed: 1 }],
      ['web_search', { calls: 1, failed: 0 }],
      ['spawn_agent', { calls: 1, failed: 0 }],
      ['wait_agent', { calls: 1, failed: 0 }],
      ['send_message', { calls: 1, failed: 0 }],
      ['followup_task', { calls: 1, failed: 1 }],
      ['update_plan', { calls: 1, failed: 0 }],
      ['view_image', { calls: 1, failed: 0 }],
      ['request_user_input', { calls: 1, failed: 0 }],
    ])
  })

  it('are not counted for a plan in words, an attached picture or an assessment', () => {
    const found = ofTurn([
      tree.plan([tree.markdown('First this.')]),
      tree.image({ origin: 'attached', data: { sources: [{ line: 1, kind: 'x' }] } }),
      tree.approval([], { subject: 'command' }),
    ])
    expect(found.tools).toEqual({})
  })

  it('inside a script are counted, too', () => {
    const found = ofTurn([tree.toolCall('exec', '', [tree.command('ls'), tree.toolCall('now', '{}')])])
    expect(found.commands.total).toBe(1)
    expect(found.tools).toEqual({ exec: { calls: 1, failed: 0 }, now: { calls: 1, failed: 0 } })
  })

  it('in copied history are not counted', () => {
    const copied = tree.group('inherited', '1 turn inherited', [tree.turn([tree.command('ls'), tree.search(['x'])])], {
      data: { inherited: true },
    })
    expect(count(tree.session([copied]))).toMatchObject({ turns: 0, tools: {}, commands: { total: 0 } })
  })
})

describe('files and lines', () => {
  const change = (path: string, lines: string, fields = {}) => tree.fileChange(path, [tree.hunk(lines)], fields)

  it('count only what was applied, and each file once', () => {
    const found = count(
      tree.session([tree.turn([tree.patch([change('/a/gate.ts', '+1\n+2\n-3'), change('/a/wall.ts', '+1')])])]),
      tree.session([tree.turn([tree.patch([change('/a/gate.ts', '-2')], { status: 'unknown' })])]),
    )
    expect(found.edits).toEqual({ files: 2, added: 3, removed: 2 })
  })

  it.each(['failed', 'declined', 'interrupted', 'running'] as const)('leave out a patch that is %s', (status) => {
    expect(ofTurn([tree.patch([change('/a/gate.ts', '+1')], { status })]).edits).toEqual({
      files: 0,
      added: 0,
      removed: 0,
    })
  })

  it('follow a file to its new name', () => {
    const found = ofTurn([
      tree.patch([change('/a/gate.ts', '+1')]),
      tree.patch([change('/a/gate.ts', '+2', { operation: 'move', movedTo: '/a/door.ts' })]),
      tree.patch([change('/a/door.ts', '+3')]),
    ])
    expect(found.edits).toEqual({ files: 1, added: 3, removed: 0 })
  })

  it('distinguish names by letter case, except on Windows', () => {
    const patch = (...paths: string[]) => ofTurn([tree.patch(paths.map((path) => change(path, '+1')))]).edits.files
    expect(patch('/a/Gate.ts', '/a/gate.ts')).toBe(2)
    expect(patch('C:\\a\\Gate.ts', 'c:\\A\\gate.ts')).toBe(1)
  })
})

describe('durations', () => {
  it('add up what was recorded, without guesses and the rest of a cut turn', () => {
    const found = count(
      tree.session([
        tree.turn([tree.command('a', [], { durationMs: 200 }), tree.toolCall('b', '', [], { durationMs: 30 })], {
          durationMs: 1000,
        }),
        tree.turn([], { durationMs: 4000, data: { inferred: ['durationMs'] } }),
      ]),
      tree.session([tree.turn([tree.patch([], { durationMs: 5 })], { durationMs: 1000, data: { continued: true } })]),
    )
    expect(found.durations).toEqual({ turns: 1000, commands: 200, tools: 35 })
    expect(found.turns).toBe(2)
  })
})

describe('commits and pull requests', () => {
  it('are listed once each, in order', () => {
    const commit = (hash: string) => tree.reference(hash, { kind: 'commit' })
    const url = 'https://git.example.com/a/b/pull/3'
    const found = ofTurn([
      tree.command('git commit', [commit('bbbbbbb')]),
      tree.command('git commit', [commit('aaaaaaa'), commit('bbbbbbb')]),
      tree.command('gh pr create', [tree.reference(url, { kind: 'pullRequest' })]),
    ])
    expect(found).toMatchObject({ commits: ['bbbbbbb', 'aaaaaaa'], pullRequests: [url] })
  })

  it('are absent if there are none', () => {
    const found = ofTurn([tree.command('ls')])
    expect(Object.keys(found).filter((key) => key === 'commits' || key === 'pullRequests')).toEqual([])
  })
})
