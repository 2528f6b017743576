/** Turns (rollout-format 6). */
import { describe, expect, it } from 'vitest'
import type { Session, Turn } from '../../../src/transcript/trast.ts'
import * as r from '../../helpers/records.ts'
import { all, dialogue, linesOf, only, run, runValues } from '../../helpers/slice.ts'

const said = (text: string): r.Json[] => [r.userItem(text), r.userEvent(text)]
const answered = (text: string): r.Json[] => [r.answerEvent(text), r.answerItem(text)]

/** Number, kind, state and dialogue of each turn. */
const outline = (tree: Session): unknown[] =>
  all(tree, 'turn').map(({ number, kind, status, ...turn }) => [
    number,
    kind,
    status,
    dialogue({ number, kind, status, ...turn } as Turn),
  ])

describe('implicit turns', () => {
  it('begin at each typed message', async () => {
    const { tree } = await run([...said('a'), ...answered('b'), ...said('c'), ...answered('d')])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a', 'A b']],
      [2, 'user', 'completed', ['U c', 'A d']],
    ])
  })

  it('end at an abort that names no turn', async () => {
    const { tree } = await run([...said('a'), r.aborted(), ...said('b'), ...answered('c')])
    expect(outline(tree)).toEqual([
      [1, 'user', 'interrupted', ['U a']],
      [2, 'user', 'completed', ['U b', 'A c']],
    ])
    expect(only(tree, 'notice')).toMatchObject({ kind: 'abort', children: [{ value: 'interrupted' }] })
  })

  it('begin at an event that repeats the prompt, however soon it comes', async () => {
    const [item, event] = said('a').map((record) => ({ ...record, timestamp: r.instant(0) }))
    const { tree } = await runValues([item, event, event, ...answered('b')])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a']],
      [2, 'user', 'completed', ['U a', 'A b']],
    ])
  })

  it('do not begin if nobody typed', async () => {
    const { tree } = await run([r.userItem('<environment_context>x</environment_context>'), ...answered('hello')])
    expect(all(tree, 'turn')).toEqual([])
    expect(dialogue(only(tree, 'preamble'))).toEqual(['A hello'])
  })

  it('include the context that Codex writes before the prompt', async () => {
    const context = r.userItem('<environment_context>x</environment_context>')
    const { tree } = await run([
      context,
      ...said('a'),
      ...answered('b'),
      context,
      r.developerItem('Be brief'),
      ...said('c'),
    ])
    expect(all(only(tree, 'preamble'), 'message')).toHaveLength(1)
    expect(
      all(tree, 'turn').map((turn) => all(turn, 'message').map(({ role, origin }) => `${role} ${origin}`)),
    ).toEqual([
      ['user typed', 'assistant generated'],
      ['user injected', 'developer injected', 'user typed'],
    ])
  })

  it('are also found in bare files', async () => {
    const { tree } = await runValues([
      { id: 'thread', timestamp: r.instant(0) },
      { record_type: 'state' },
      ...['a', 'b'].map((text) => r.userItem(text)['payload']),
    ])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a']],
      [2, 'user', 'completed', ['U b']],
    ])
    expect(all(tree, 'turn').every(({ at, durationMs }) => at === undefined && durationMs === undefined)).toBe(true)
  })
})

describe('explicit turns', () => {
  it('do not begin at text that a client inserted between them', async () => {
    const { tree } = await run([
      ...[r.started('t-1'), ...said('a'), ...answered('b'), r.complete('t-1')],
      ...[r.answerItem('Added answer'), r.userItem('Added words')],
      ...[r.started('t-2'), ...said('c'), ...answered('d'), r.complete('t-2')],
    ])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a', 'A b', 'A Added answer']],
      [2, 'user', 'completed', ['U c', 'A d']],
    ])
    expect(all(tree, 'message').find(({ origin }) => origin === 'injected')).toMatchObject({
      label: 'Context from a client',
      children: [{ value: 'Added words' }],
    })
    expect(all(tree, 'notice')).toEqual([])
  })

  it('may be followed by implicit ones of a build that records no starts', async () => {
    const { tree } = await run([
      ...[r.started('t-1'), ...said('a'), ...answered('b'), r.complete('t-1')],
      ...[...said('c'), ...answered('d'), ...said('e'), ...answered('f')],
    ])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a', 'A b']],
      [2, 'user', 'completed', ['U c', 'A d']],
      [3, 'user', 'completed', ['U e', 'A f']],
    ])
  })

  it('do not treat the end of a voice conversation as a prompt, and expect no answer to it', async () => {
    const text =
      '<realtime_delegation>\n  <source>transcript_tail_flush</source>\n  <input>It ended.</input>\n</realtime_delegation>'
    const silent = r.complete('t-1', { last_agent_message: null })
    const shown = r.completed('UserMessage', { id: 'u', content: [{ type: 'text', text }] }, 't-1')
    const { tree } = await run([r.started('t-1'), r.userItem(text), shown, silent])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', []]])
    expect(all(tree, 'message').map((node) => [node.origin, node.label, linesOf(node)])).toEqual([
      ['injected', 'Voice transcript', [2, 3]],
    ])
    expect(all(tree, 'notice')).toEqual([])
  })

  it('continue if their start is written again', async () => {
    const { tree } = await run([r.started('t-1'), r.started('t-1'), ...said('a'), ...answered('b'), r.complete('t-1')])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', ['U a', 'A b']]])
  })

  it('contain what is between start and end', async () => {
    const { tree } = await run([
      r.started('0198c0de-0000-7000-8000-00000000abcd'),
      ...said('a'),
      ...said('and b'),
      ...answered('c'),
      r.complete('0198c0de-0000-7000-8000-00000000abcd', { duration_ms: 4321 }),
    ])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', ['U a', 'U and b', 'A c']]])
    expect(only(tree, 'turn')).toMatchObject({
      id: 't-00000000abcd',
      turnId: '0198c0de-0000-7000-8000-00000000abcd',
      at: r.instant(0),
      endedAt: r.instant(7),
      durationMs: 4321,
    })
  })

  it('have, after a page border, the duration of that part', async () => {
    const before = await run([r.started('turn-1'), ...said('a')], { last: false })
    const ended = { timestamp: r.instant(9), ...r.complete('turn-1', { duration_ms: 9876 }) }
    const rest = [{ timestamp: r.instant(7), ...r.answerEvent('b') }, ended]
    const after = await runValues(rest, { ...before.slice, last: true, counted: false })
    expect(only(after.tree, 'turn')).toMatchObject({ data: { continued: true }, durationMs: 2000 })
  })

  it('are recognised by older names of their records', async () => {
    const { tree } = await run([
      r.event('turn_started', { turn_id: 't1' }),
      ...said('a'),
      r.event('turn_complete', { turn_id: 't1' }),
    ])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', ['U a']]])
  })

  it('are kept even if they are empty', async () => {
    const { tree } = await run([r.started('t1'), r.aborted('t1'), r.started('t2'), ...said('a'), r.complete('t2')])
    expect(outline(tree)).toEqual([
      [1, 'user', 'interrupted', []],
      [2, 'user', 'completed', ['U a']],
    ])
  })

  it('end where the next one starts', async () => {
    const { tree } = await run([r.started('t1'), ...said('a'), r.started('t2'), ...said('b'), r.complete('t2')])
    expect(outline(tree)).toEqual([
      [1, 'user', 'unfinished', ['U a']],
      [2, 'user', 'completed', ['U b']],
    ])
  })

  it('show a new folder, but not another spelling of the same folder on Windows', async () => {
    const folders = async (...cwds: string[]) => {
      const { tree } = await run([
        r.started('t1'),
        ...said('a'),
        ...cwds.map((cwd) => r.turnContext({ cwd })),
        r.complete('t1'),
      ])
      return all(tree, 'notice').map(({ facts }) => facts?.after)
    }
    expect(await folders('C:\\work\\app', 'c:\\work\\app', 'c:/Work/app/', '\\\\?\\C:\\work\\app')).toEqual([])
    expect(await folders('\\\\host\\Share', '\\\\HOST\\share')).toEqual([])
    expect(await folders('C:\\work', 'D:\\work')).toEqual(['Folder: D:\\work'])
    expect(await folders('/work/app', '/work/App')).toEqual(['Folder: /work/App'])
  })

  it('contain all prompts that were queued and sent at the same instant', async () => {
    const at = (record: r.Json, ms: number): r.Json => ({
      ...record,
      timestamp: new Date(1_767_000_000_000 + ms).toISOString(),
    })
    const queued = [at(r.userItem('a'), 0), at(r.userEvent('a'), 3), at(r.userItem('b'), 6), at(r.userItem('c'), 6)]
    const { tree } = await run([...queued, r.turnContext({ model: 'm-1' }), r.answerItem('Done')])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', ['U a', 'U b', 'U c', 'A Done']]])
    expect(all(tree, 'message').map(({ steering }) => steering)).toEqual([undefined, true, true, undefined])
    const apart = [at(r.userItem('a'), 0), at(r.answerItem('So'), 2), at(r.userItem('b'), 4)]
    expect(all((await run(apart)).tree, 'turn')).toHaveLength(2)
  })

  it('failed if an error is their last record, whatever their end record says', async () => {
    const error = r.event('error', { message: 'usage limit reached' })
    const ended = async (...records: r.Json[]) => {
      const { tree } = await run([r.started('t1'), ...said('a'), ...records, r.complete('t1')])
      return all(tree, 'turn').map((turn) => [turn.status, turn.error])
    }
    expect(await ended(error)).toEqual([['failed', 'usage limit reached']])
    expect(await ended(error, r.answerItem('Again'))).toEqual([['completed', undefined]])
    expect(await ended(r.event('warning', { message: 'slow' }))).toEqual([['completed', undefined]])
    expect(await ended(error, r.event('warning', { message: 'slow' }))).toEqual([['failed', 'usage limit reached']])
  })

  it('are unfinished if the last has no end, and running while the file is written', async () => {
    const { tree } = await run([r.started('t1'), ...said('a')])
    expect(outline(tree)).toEqual([[1, 'user', 'unfinished', ['U a']]])
    const { tree: live } = await run([r.started('t1'), ...said('a')], { live: true })
    expect(outline(live)).toEqual([[1, 'user', 'running', ['U a']]])
  })

  it('accept an end that names an unknown turn', async () => {
    const { tree } = await run([
      r.started('t1'),
      ...said('a'),
      r.complete('other'),
      r.started('t2'),
      ...said('b'),
      r.complete('t2'),
    ])
    expect(outline(tree).map((turn) => (turn as unknown[])[2])).toEqual(['completed', 'completed'])
  })

  it('accept their own end even if it is late', async () => {
    const { tree } = await run([
      r.started('t1'),
      ...said('a'),
      r.started('t2'),
      ...said('b'),
      r.aborted('t1'),
      r.complete('t2'),
    ])
    expect(outline(tree).map((turn) => (turn as unknown[])[2])).toEqual(['interrupted', 'completed'])
  })

  it('show the error that ended them', async () => {
    const { tree } = await run([
      r.started('t1'),
      ...said('a'),
      r.complete('t1', { error: { message: 'usage limit', codex_error_info: 'usage_limit_exceeded' } }),
    ])
    expect(only(tree, 'turn')).toMatchObject({ status: 'failed', error: 'usage limit' })
    expect(only(tree, 'error').message).toBe('usage limit')
  })

  it('are not changed by ends of a turn that is not open', async () => {
    const { tree } = await run([r.complete('t0'), r.started('t1'), ...said('a'), r.complete('t1'), r.complete('t1')])
    expect(outline(tree)).toEqual([[1, 'user', 'completed', ['U a']]])
  })

  it('have no effort if the record says that none was chosen, whatever was set before', async () => {
    const modes = (effort: string | null) => ({
      collaboration_mode: { mode: 'default', settings: { reasoning_effort: effort } },
    })
    const chosen = { model: 'm-1', effort: 'high', ...modes('high') }
    const unset = { model: 'm-1', ...modes(null) }
    const turnOf = (id: string, context: r.Json) => [
      r.started(id),
      r.turnContext({ turn_id: id, ...context }),
      ...said(id),
      r.complete(id),
    ]
    const { tree } = await run([
      ...turnOf('t1', unset),
      ...turnOf('t2', chosen),
      r.event('thread_settings_applied', { thread_settings: unset }),
      ...turnOf('t3', unset),
      // Older builds do not say so, so the previous effort stays.
      ...turnOf('t4', chosen),
      ...turnOf('t5', { model: 'm-1' }),
    ])
    expect(all(tree, 'turn').map(({ effort }) => effort)).toEqual([undefined, 'high', undefined, 'high', 'high'])
    expect(all(tree, 'notice').map(({ facts }) => [facts?.before, facts?.after])).toEqual([
      ['Effort: default', 'Effort: high'],
      ['Effort: high', 'Effort: default'],
      ['Effort: default', 'Effort: high'],
    ])
  })

  it('have the settings in force and show when they change', async () => {
    const settings = {
      cwd: '/p',
      model: 'gpt-8',
      effort: 'low',
      approval_policy: 'never',
      sandbox_policy: { mode: 'read-only' },
    }
    const { tree } = await run([
      r.started('t1'),
      r.turnContext({ turn_id: 't1', ...settings }),
      ...said('a'),
      r.turnContext({ turn_id: 't1', ...settings }),
      r.complete('t1'),
      r.started('t2'),
      ...said('b'),
      r.complete('t2'),
      r.started('t3'),
      r.turnContext({ turn_id: 't3', ...settings, model: 'gpt-9', sandbox_policy: { type: 'danger-full-access' } }),
      ...said('c'),
      r.complete('t3'),
    ])
    expect(
      all(tree, 'turn').map(({ model, effort, cwd, approval, sandbox }) => [model, effort, cwd, approval, sandbox]),
    ).toEqual([
      ['gpt-8', 'low', '/p', 'never', 'read-only'],
      ['gpt-8', 'low', '/p', 'never', 'read-only'],
      ['gpt-9', 'low', '/p', 'never', 'danger-full-access'],
    ])
    expect(only(tree, 'notice')).toMatchObject({
      kind: 'model',
      facts: { before: 'Model: gpt-8, Sandbox: read only', after: 'Model: gpt-9, Sandbox: full access' },
    })
    expect(tree.models).toEqual(['gpt-8', 'gpt-9'])
  })

  const asking = { model: 'gpt-8', approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write' } }
  const trusting = { model: 'gpt-8', approval_policy: 'never', sandbox_policy: { type: 'danger-full-access' } }
  const choosing = () =>
    r.event('thread_settings_applied', {
      thread_settings: { model: 'gpt-8', approval_policy: 'never', permission_profile: { type: 'disabled' } },
    })
  const change = {
    before: 'Approval: asks when needed, Sandbox: workspace writes',
    after: 'Approval: never asks, Sandbox: full access',
  }

  const chosenTurn = () => [
    choosing(),
    r.started('t2'),
    r.turnContext({ turn_id: 't2', ...trusting }),
    ...said('b'),
    r.complete('t2'),
  ]

  it('keep the settings with which they began, whatever is chosen while they run', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.turnContext({ turn_id: 't1', ...asking }),
      ...said('a'),
      choosing(),
      r.answerItem('Done.'),
      // Codex writes the settings of a turn again after a compaction.
      r.turnContext({ turn_id: 't1', ...asking }),
      r.complete('t1'),
      ...chosenTurn(),
    ])
    expect(all(tree, 'turn').map(({ approval, sandbox }) => [approval, sandbox])).toEqual([
      ['on-request', 'workspace-write'],
      ['never', 'danger-full-access'],
    ])
    expect(all(tree, 'notice').map(({ facts }) => facts)).toEqual([change])
    expect(all(tree, 'turn')[0]?.children).toContainEqual(expect.objectContaining({ type: 'notice', facts: change }))
  })

  it('show what was chosen between them', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.turnContext({ turn_id: 't1', ...asking }),
      ...said('a'),
      r.complete('t1'),
      ...chosenTurn(),
    ])
    expect(all(tree, 'turn')[1]?.children[0]).toMatchObject({ type: 'notice', facts: change })
  })

  it('name a model only if a turn used it', async () => {
    const chosen = (model: string) => r.event('thread_settings_applied', { thread_settings: { model } })
    const { tree } = await run([chosen('gpt-8'), r.started('t1'), ...said('a'), r.complete('t1'), chosen('gpt-9')])
    expect(tree.models).toEqual(['gpt-8'])
  })
})

describe('the kind of a turn', () => {
  it.each<[string, r.Json[], Turn['kind']]>([
    [
      'a command of the user',
      [
        r.userItem(
          '<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\nDuration: 0.1 seconds\nOutput:\na\n</result>\n</user_shell_command>',
        ),
      ],
      'shell',
    ],
    [
      'a message of an agent',
      [
        r.item({
          type: 'agent_message',
          author: '/root/a',
          recipient: '/root',
          content: [{ type: 'input_text', text: 'x' }],
        }),
      ],
      'agent',
    ],
    ['a goal', [r.event('thread_goal_updated', { goal: { status: 'active', objective: 'Win' } })], 'goal'],
    ['a compaction', [r.answerItem('Summary'), { type: 'compacted', payload: { message: 'Summary' } }], 'compaction'],
    ['a prompt', said('a'), 'user'],
    ['a prompt with a compaction after it', [...said('a'), { type: 'compacted', payload: { message: '' } }], 'user'],
  ])('is set by %s', async (_name, records, kind) => {
    const { tree } = await run([r.started('t1'), ...records, r.complete('t1')])
    expect(only(tree, 'turn').kind).toBe(kind)
  })
})

describe('a compaction', () => {
  const summary = 'Another language model started to solve this problem.\nWe built an engine.'

  it('is one marker of line, event and summary', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.answerItem('We built an engine.'),
      { type: 'compacted', payload: { message: summary, replacement_history: [{ type: 'message' }] } },
      r.turnContext({ turn_id: 't1', cwd: '/p' }),
      r.event('context_compacted'),
      r.complete('t1'),
    ])
    const notice = only(tree, 'notice')
    expect(notice).toMatchObject({ kind: 'compaction', children: [{ value: summary }] })
    expect(linesOf(notice)).toEqual([3, 2, 5])
    expect(dialogue(tree)).toEqual([])
  })

  it('is one marker of line and item, even if settings change in between', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.turnContext({ turn_id: 't1', model: 'gpt-8' }),
      r.answerItem('Summary', {}),
      { type: 'compacted', payload: { message: 'Summary' } },
      r.turnContext({ turn_id: 't1', model: 'gpt-9' }),
      r.completed('ContextCompaction', { id: 'x' }, 't1'),
      r.complete('t1'),
    ])
    expect(all(tree, 'notice').map(({ kind }) => kind)).toEqual(['compaction', 'model'])
  })

  it('shows each of two', async () => {
    const { tree } = await run([
      r.started('t1'),
      ...said('a'),
      { type: 'compacted', payload: { message: 'one' } },
      r.event('context_compacted'),
      { type: 'compacted', payload: { message: 'two' } },
      r.event('context_compacted'),
      r.complete('t1'),
    ])
    expect(all(tree, 'notice').map(({ children }) => children)).toMatchObject([[{ value: 'one' }], [{ value: 'two' }]])
  })

  it('absorbs the message that some builds write about it', async () => {
    const { tree } = await run([
      ...said('a'),
      { type: 'compacted', payload: { message: 'one' } },
      r.answerEvent('Compact task completed'),
    ])
    expect(dialogue(tree)).toEqual(['U a'])
  })

  it('without a summary has no text', async () => {
    const { tree } = await run([{ type: 'compacted', payload: { message: '' } }])
    expect(only(tree, 'notice').children).toEqual([])
  })

  it('takes its summary from the answer that is marked as such', async () => {
    const { tree } = await run([
      r.started('t1'),
      { ...r.answerItem('In other words'), metadata: { compaction_output: true } },
      { type: 'compacted', payload: { message: '' } },
      r.complete('t1'),
    ])
    expect(only(tree, 'notice').children).toMatchObject([{ value: 'In other words' }])
    expect(dialogue(tree)).toEqual([])
  })
})

describe('turns that a rollback removed', () => {
  it('are together in a folded group', async () => {
    const { tree, slice } = await run(
      [...said('a'), ...said('b'), ...said('c'), r.event('thread_rolled_back', { num_turns: 2 }), ...said('d')],
      {
        rolledBack: [2, 3],
      },
    )
    expect(tree.children.map(({ type }) => type)).toEqual(['turn', 'group', 'turn'])
    const group = only(tree, 'group')
    expect(group).toMatchObject({ kind: 'rolledBack', label: '2 turns rolled back', data: { visibility: 'collapsed' } })
    expect(dialogue(group)).toEqual(['U b', 'U c'])
    expect(all(tree, 'notice')).toContainEqual(expect.objectContaining({ kind: 'rollback', facts: { count: 2 } }))
    expect(slice.stats.turns).toBe(2)
  })
})

describe('a migrated file', () => {
  it('has the prompt in the turn that starts after it', async () => {
    const { tree } = await run([
      r.userItem('a'),
      r.started('rollout-3'),
      r.completed('UserMessage', { id: 'item-1', content: [{ type: 'text', text: 'a' }] }, 'rollout-3'),
      r.answerItem('b'),
      r.completed('AgentMessage', { id: 'item-2', content: [{ type: 'Text', text: 'b' }] }, 'rollout-3'),
      r.userItem('a'),
      r.complete('rollout-3'),
      r.started('rollout-9'),
      r.completed('UserMessage', { id: 'item-3', content: [{ type: 'text', text: 'a' }] }, 'rollout-9'),
      r.complete('rollout-9'),
    ])
    expect(outline(tree)).toEqual([
      [1, 'user', 'completed', ['U a', 'A b']],
      [2, 'user', 'completed', ['U a']],
    ])
  })
})

describe('copied history', () => {
  it('is a folded group that no number includes', async () => {
    const parent = [r.meta({ id: 'parent' }), ...said('a'), ...answered('b'), ...r.command('c', 'make', 1)]
    const { tree, slice } = await run([r.meta({ id: 'own' }), ...parent, ...said('c'), ...answered('d')], {
      inherited: { from: 2, to: 9, guessed: false, threadId: 'parent' },
    })
    const group = only(tree, 'group')
    expect(group).toMatchObject({
      kind: 'inherited',
      label: '1 turn inherited',
      data: { visibility: 'collapsed', inherited: true },
    })
    expect(dialogue(group)).toEqual(['U a', 'A b'])
    // Its records have the time of the copy, which says how long the copy took, not the turn.
    const [copied, own] = all(tree, 'turn')
    expect([copied?.durationMs, copied?.endedAt]).toEqual([undefined, undefined])
    expect(own?.durationMs).toBeGreaterThan(0)
    expect(outline(tree).at(-1)).toEqual([1, 'user', 'completed', ['U c', 'A d']])
    expect(slice.stats).toMatchObject({ turns: 1, messages: 2, commands: { total: 0, failed: 0 } })
    expect(slice.lines).toMatchObject({ total: 12 })
  })
})

describe('the time of a turn', () => {
  const start = (seconds: number): r.Json => r.started('t1', { started_at: Date.parse(r.instant(0)) / 1000 + seconds })
  it.each([
    ['when it began, if its record came late', -40, r.instant(-40)],
    ['that of its record, which is more exact', 0, r.instant(0)],
    ['that of its record, if the other is later', 5, r.instant(0)],
  ])('is %s', async (_, seconds, at) => {
    const { tree } = await run([start(seconds), ...said('a'), r.complete('t1')])
    expect(only(tree, 'turn').at).toBe(at)
  })

  it('is never an absurd one', async () => {
    const { tree } = await run([r.started('t1', { started_at: -1e300 }), ...said('a'), r.complete('t1')])
    expect(only(tree, 'turn').at).toBe(r.instant(0))
  })
})

describe('an abort', () => {
  it.each([
    ['interrupted', 'interrupted', 'interrupted'],
    ['replaced', 'interrupted', 'replaced by the next prompt'],
    ['budget_limited', 'interrupted', 'its budget was used up'],
    ['brand_new', 'interrupted', 'brand_new'],
    ['review_ended', 'completed', undefined],
  ])('for the reason %s leaves a turn %s', async (reason, status, words) => {
    const { tree } = await run([r.started('t1'), ...said('a'), r.event('turn_aborted', { turn_id: 't1', reason })])
    expect(only(tree, 'turn').status).toBe(status)
    const reasons = all(tree, 'notice').flatMap(
      ({ facts, children }) => facts?.reason ?? children.map((child) => 'value' in child && child.value),
    )
    expect(reasons).toEqual(words === undefined ? [] : [words])
  })

  it.each([
    ['the user', r.userItem],
    ['Codex', r.developerItem],
  ])('absorbs the note about it to the model, in a message of %s', async (_, item) => {
    const { tree } = await run([
      r.started('t1'),
      ...said('a'),
      item('<turn_aborted>\nThe user interrupted.\n</turn_aborted>'),
      r.aborted('t1'),
    ])
    expect(linesOf(only(tree, 'notice'))).toEqual([5, 4])
    expect(all(tree, 'message')).toHaveLength(1)
  })
})
