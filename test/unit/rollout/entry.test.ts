/** From lines of every envelope to facts (rollout-format 2.1, 3.1, 3.3, 3.4). */
import { describe, expect, it } from 'vitest'
import { parseEntry } from '../../../src/rollout/parse/entry.ts'
import type { Entry, Fact } from '../../../src/rollout/parse/facts.ts'
import * as r from '../../helpers/records.ts'

const place = { line: 7, byteOffset: 99 }
const parse = (value: unknown): Entry => parseEntry(value, place)
const at = '2026-03-14T09:26:53.589Z'
const lineOf = (record: r.Json): r.Json => ({ timestamp: at, ...record })

/** The only fact of a record, or `skipped`. */
function factOf(record: r.Json): Fact | 'skipped' {
  const { facts, count, faults } = parse(lineOf(record))
  expect(faults).toEqual([])
  const [fact] = facts
  if (fact === undefined) expect(count).toBe('skipped')
  return fact ?? 'skipped'
}

describe('an envelope', () => {
  it('of the second and third generation has time, type and payload', () => {
    const record = r.userEvent('Hi')
    expect(parse(lineOf(record))).toStrictEqual({
      source: { line: 7, byteOffset: 99, kind: 'event_msg/user_message' },
      at,
      facts: [{ kind: 'message', log: 'event', role: 'user', parts: [{ kind: 'text', text: 'Hi', class: 'typed' }] }],
      count: 'carried',
      kind: 'user_message',
      faults: [],
    })
    expect(parse({ ordinal: 3, ...lineOf(record), new_key: 1 })).toStrictEqual(parse(lineOf(record)))
  })

  it('may lack its time', () => {
    const entry = parse(r.userEvent('Hi'))
    expect('at' in entry).toBe(false)
    expect(parse({ ...r.userEvent('Hi'), timestamp: 'yesterday' })).toStrictEqual(entry)
  })

  it('is not needed in bare files', () => {
    expect(parse({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] })).toMatchObject({
      source: { kind: 'message' },
      facts: [{ kind: 'message', log: 'item', role: 'user' }],
      kind: 'message',
    })
    expect(parse({ id: 'a', timestamp: at, instructions: null, git: {} })).toMatchObject({
      source: { kind: 'session_meta' },
      facts: [{ kind: 'meta', threadId: 'a' }],
      at,
    })
    expect(parse({ id: 'a', timestamp: at, instructions: 'Run the tests.' }).facts).toMatchObject([
      { kind: 'meta', threadId: 'a' },
      { kind: 'message', role: 'user', parts: [{ text: 'Run the tests.', class: 'injected', label: 'Instructions' }] },
    ])
    expect(parse({ record_type: 'state', previous_response_id: 'x' })).toMatchObject({
      facts: [],
      count: 'skipped',
      kind: 'state',
    })
  })

  it('is recognised by its record type in transitional files', () => {
    expect(parse({ record_type: 'session_meta', id: 'a' }).facts).toEqual([{ kind: 'meta', threadId: 'a' }])
    expect(parse({ record_type: 'prev_session_meta', id: 'b' }).facts).toEqual([{ kind: 'meta', threadId: 'b' }])
    expect(parse({ record_type: 'event', id: '1', msg: { type: 'agent_message', message: 'x' } }).facts).toMatchObject([
      { kind: 'message', role: 'assistant' },
    ])
    expect(parse({ record_type: 'response', payload: r.answerItem('x')['payload'] }).facts).toMatchObject([
      { kind: 'message', log: 'item' },
    ])
    expect(parse({ record_type: 'event' }).faults).toEqual(['unknown-record'])
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [1, 2]],
    ['text', 'x'],
    ['a number', 5],
    ['an empty object', {}],
    ['an unknown type', { type: 'brand_new', payload: { a: 1 } }],
    ['a payload that is no object', { type: 'response_item', payload: 'x' }],
    ['an item of an unknown type', { type: 'response_item', payload: { type: 'brand_new' } }],
    ['an item without a type', { type: 'response_item', payload: {} }],
    ['speech of an unknown type', { type: 'realtime_item', payload: { type: 'frame', channels: { video: {} } } }],
    ['an event of an unknown type', { type: 'event_msg', payload: { type: 'brand_new' } }],
    [
      'a completed item of an unknown type',
      { type: 'event_msg', payload: { type: 'item_completed', item: { type: 'BrandNew' } } },
    ],
    ['a completed item that is null', { type: 'event_msg', payload: { type: 'item_completed', item: null } }],
    ['the name of a property', { type: 'constructor', payload: {} }],
    ['an event named like a property', { type: 'event_msg', payload: { type: 'toString' } }],
    ['an unknown record type', { record_type: 'brand_new' }],
  ])('that is %s is kept as unknown', (_name, value) => {
    const entry = parse(value)
    expect(entry).toMatchObject({ count: 'carried', faults: ['unknown-record'], facts: [{ kind: 'unknown' }] })
    const [fact] = entry.facts
    expect(fact?.kind === 'unknown' && fact.payload).toEqual(
      typeof value === 'object' && value !== null && 'payload' in value && typeof value.payload === 'object'
        ? value.payload
        : value,
    )
  })
})

describe('a record with an impossible value', () => {
  it.each([
    ['a duration', r.event('exec_command_end', { call_id: 'c', duration: { secs: -5, nanos: 1e30 }, exit_code: 0 })],
    ['a count', r.event('thread_rolled_back', { num_turns: -1 })],
    ['a time', { ...r.event('agent_message', { message: 'x' }), timestamp: '+275761-01-01T00:00:00.000Z' }],
    ['an exit code in a text', r.output('c', 'Exit code: 99999999999999\nWall time: 1 seconds\nOutput:\nx')],
  ])('is read without the value, and reported: %s', (_what, record) => {
    expect(parse({ timestamp: '2026-03-14T09:00:00.000Z', ...record })).toMatchObject({ faults: ['absurd-value'] })
    expect(parse(lineOf(r.event('agent_message', { message: 'x' }))).faults).toEqual([])
  })
})

describe('a line of a known type', () => {
  it.each<[string, r.Json, Fact | 'skipped']>([
    ['session_meta', r.meta({ id: 'a' }), { kind: 'meta', threadId: 'a' }],
    [
      'turn_context',
      r.turnContext({
        turn_id: 't',
        cwd: 'file:///p',
        model: 'm',
        effort: 'high',
        approval_policy: { granular: {} },
        sandbox_policy: { type: 'read-only' },
      }),
      {
        kind: 'settings',
        from: 'turn_context',
        turnId: 't',
        cwd: '/p',
        model: 'm',
        effort: 'high',
        approval: 'granular',
        sandbox: 'read-only',
      },
    ],
    [
      'turn_context of 0.36',
      r.turnContext({
        cwd: '/p',
        model: 'm',
        effort: null,
        approval_policy: 'never',
        sandbox_policy: { mode: 'read-only' },
      }),
      { kind: 'settings', from: 'turn_context', cwd: '/p', model: 'm', approval: 'never', sandbox: 'read-only' },
    ],
    [
      'compacted',
      { type: 'compacted', payload: { message: 'so', replacement_history: [{}] } },
      { kind: 'compaction', from: 'line', summary: 'so' },
    ],
    [
      'compacted without a summary',
      { type: 'compacted', payload: { message: '' } },
      { kind: 'compaction', from: 'line' },
    ],
    [
      'inter_agent_communication',
      {
        type: 'inter_agent_communication',
        payload: { author: '/root', recipient: '/root/a', content: 'x', trigger_turn: true },
      },
      { kind: 'agentMessage', author: '/root', recipient: '/root/a', text: 'x', encrypted: false },
    ],
    [
      'inter_agent_communication_metadata',
      { type: 'inter_agent_communication_metadata', payload: { trigger_turn: true } },
      { kind: 'agentTrigger' },
    ],
    [
      'token_usage_record',
      {
        type: 'token_usage_record',
        payload: {
          turn_id: 't',
          response_id: 'r',
          usage: {
            input_tokens: 5,
            cached_input_tokens: 1,
            output_tokens: 2,
            reasoning_output_tokens: 1,
            total_tokens: 7,
          },
        },
      },
      {
        kind: 'tokens',
        from: 'token_usage_record',
        turnId: 't',
        responseId: 'r',
        last: { input: 5, cached: 1, output: 2, reasoning: 1, total: 7 },
      },
    ],
    [
      'realtime speech',
      { type: 'realtime_item', payload: { type: 'transcript_segment', role: 'user', text: 'hi' } },
      { kind: 'message', log: 'event', role: 'user', parts: [{ kind: 'text', text: 'hi', class: 'typed' }] },
    ],
    [
      'realtime speech in a frame',
      {
        type: 'realtime_item',
        payload: { type: 'frame', channels: { voice_transcript: { role: 'assistant', text: 'hi' } } },
      },
      { kind: 'message', log: 'event', role: 'assistant', parts: [{ kind: 'text', text: 'hi', class: 'typed' }] },
    ],
    // The model's item contains the same words.
    ['input by voice', { type: 'realtime_item', payload: { type: 'turn_input_accepted', input: 'hi' } }, 'skipped'],
    ['realtime start', { type: 'realtime_item', payload: { type: 'realtime_session_started' } }, 'skipped'],
    ['world_state', { type: 'world_state', payload: { full: true, state: {} } }, 'skipped'],
    ['retained_context', { type: 'retained_context', payload: {} }, 'skipped'],
    ['security_risk_score', { type: 'security_risk_score', payload: {} }, 'skipped'],
    ['dynamic_tools_updated', { type: 'dynamic_tools_updated', payload: {} }, 'skipped'],
  ])('%s', (_name, record, expected) => {
    expect(factOf(record)).toStrictEqual(expected)
  })
})

describe('an event', () => {
  it.each<[string, r.Json, object | 'skipped']>([
    ['user_message', { message: 'a', kind: 'plain' }, { kind: 'message', role: 'user' }],
    ['user_message', { message: 'a', kind: 'environment_context' }, 'skipped'],
    [
      'user_message',
      { message: 'a', images: [r.pixelUrl, 'https://example.com/a.png'], local_images: ['file:///p/a.png'] },
      {
        parts: [
          { kind: 'text', text: 'a', class: 'typed' },
          { kind: 'image', data: r.pixelUrl },
          { kind: 'image', url: 'https://example.com/a.png' },
          { kind: 'image', url: '/p/a.png' },
        ],
      },
    ],
    [
      'agent_message',
      { message: 'a', phase: 'commentary' },
      { kind: 'message', role: 'assistant', phase: 'commentary', shown: true },
    ],
    ['agent_message', { message: 'a', phase: 'brand_new' }, { kind: 'message', role: 'assistant' }],
    ['agent_reasoning', { text: 'a' }, { kind: 'reasoning', log: 'event', summary: ['a'], raw: [] }],
    ['agent_reasoning_raw_content', { text: 'a' }, { kind: 'reasoning', log: 'event', summary: [], raw: ['a'] }],
    ['token_count', { info: null, rate_limits: {} }, 'skipped'],
    [
      'token_count',
      {
        info: {
          total_token_usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
          last_token_usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
          model_context_window: 100,
        },
      },
      { kind: 'tokens', from: 'token_count', last: { input: 3, output: 1, total: 4 }, contextWindow: 100 },
    ],
    [
      'task_started',
      { turn_id: 't', model_context_window: 9, turn_attribution: { turn_trigger: 'queue' } },
      { kind: 'turnStart', turnId: 't', contextWindow: 9 },
    ],
    ['turn_started', { turn_id: 't' }, { kind: 'turnStart', turnId: 't' }],
    [
      'task_complete',
      { turn_id: 't', duration_ms: 5 },
      { kind: 'turnEnd', turnId: 't', status: 'completed', durationMs: 5 },
    ],
    ['turn_complete', { turn_id: 't', error: 'bad' }, { kind: 'turnEnd', status: 'failed', error: 'bad' }],
    [
      'task_complete',
      { turn_id: 't', error: { message: 'bad', codex_error_info: 'x' } },
      { status: 'failed', error: 'bad' },
    ],
    ['turn_aborted', { reason: 'replaced' }, { kind: 'turnEnd', status: 'interrupted', reason: 'replaced' }],
    ['turn_aborted', { reason: 'review_ended' }, { kind: 'turnEnd', status: 'completed', reason: 'review_ended' }],
    ['context_compacted', {}, { kind: 'compaction', from: 'event' }],
    [
      'entered_review_mode',
      { prompt: 'look', user_facing_hint: 'changes' },
      { kind: 'review', step: 'entered', hint: 'changes' },
    ],
    ['entered_review_mode', { target: { type: 'baseBranch', branch: 'main' } }, { step: 'entered', hint: 'main' }],
    ['entered_review_mode', { target: { type: 'commit', sha: 'abc', title: 'T' } }, { hint: 'T' }],
    ['entered_review_mode', { target: { type: 'custom', instructions: 'look' } }, { hint: 'look' }],
    ['exited_review_mode', { review_output: null }, { kind: 'review', step: 'exited', findings: [] }],
    ['thread_rolled_back', { num_turns: 2 }, { kind: 'rollback', turns: 2 }],
    ['thread_rolled_back', { num_turns: '2' }, { kind: 'rollback', turns: 2 }],
    ['thread_rolled_back', {}, { kind: 'rollback', turns: 0 }],
    ['undo_completed', { success: true }, { kind: 'notice', notice: 'undo' }],
    ['thread_name_updated', { thread_name: 'T' }, { kind: 'name', name: 'T' }],
    ['thread_name_updated', { thread_name: ' ' }, 'skipped'],
    ['thread_goal_updated', { goal: null }, { kind: 'notice', notice: 'goal', text: 'Goal cleared' }],
    [
      'thread_settings_applied',
      { thread_settings: { model: 'm', cwd: '/p', reasoning_effort: 'low' } },
      { kind: 'settings', from: 'thread_settings', model: 'm', effort: 'low' },
    ],
    ...[
      [{ type: 'disabled' }, 'danger-full-access'],
      [{ type: 'managed', file_system: { entries: [{ access: 'read' }, { access: 'write' }] } }, 'workspace-write'],
      [{ type: 'managed', file_system: { type: 'restricted', entries: [{ access: 'read' }] } }, 'read-only'],
      [{ type: 'external' }, 'external-sandbox'],
    ].map(([profile, sandbox]): [string, r.Json, object] => [
      'thread_settings_applied',
      { thread_settings: { permission_profile: profile } },
      { kind: 'settings', from: 'thread_settings', sandbox },
    ]),
    [
      'thread_settings_applied',
      { thread_settings: { sandbox_policy: { type: 'read-only' }, permission_profile: { type: 'disabled' } } },
      { kind: 'settings', sandbox: 'read-only' },
    ],
    [
      'patch_apply_end',
      { call_id: 'c', success: false, stderr: 'bad' },
      { kind: 'result', callId: 'c', status: 'failed', result: { type: 'patch', stderr: 'bad' } },
    ],
    [
      'mcp_tool_call_end',
      { call_id: 'c', invocation: { server: 's', tool: 't' }, result: { Err: 'bad' } },
      { status: 'failed', result: { type: 'tool', server: 's', tool: 't', text: 'bad' } },
    ],
    ['web_search_end', { call_id: 'c', query: 'q' }, { result: { type: 'search', queries: ['q'] } }],
    [
      'image_generation_end',
      { call_id: 'c', failure: { message: 'x' } },
      { status: 'failed', result: { type: 'generateImage' } },
    ],
    [
      'exec_command_end',
      {
        call_id: 'c',
        command: ['bash', '-lc', 'ls'],
        cwd: '/p',
        exit_code: 2,
        stdout: 'a',
        stderr: 'b',
        duration: '1.5s',
      },
      {
        status: 'failed',
        durationMs: 1500,
        result: { type: 'command', script: 'ls', exitCode: 2, output: 'a\nb', actor: 'agent' },
      },
    ],
    ['view_image_tool_call', { call_id: 'c', path: '/p' }, { result: { type: 'viewImage', path: '/p' } }],
    [
      'dynamic_tool_call_response',
      { call_id: 'c', tool: 't', success: false, content_items: [{ type: 'inputText', text: 'x' }] },
      { status: 'failed', result: { type: 'tool', family: 'dynamic', tool: 't', text: 'x' } },
    ],
    [
      'collab_agent_spawn_end',
      { call_id: 'c', new_thread_id: 'n', new_agent_nickname: 'Ada', prompt: 'p' },
      { callId: 'c', result: { type: 'agent', action: 'spawn', threadIds: ['n'], name: 'Ada', message: 'p' } },
    ],
    ['collab_waiting_end', { call_id: 'c' }, { result: { action: 'wait' } }],
    ['collab_close_end', { call_id: 'c', receiver_thread_id: 'n' }, { result: { action: 'close', threadIds: ['n'] } }],
    ['collab_resume_end', { call_id: 'c' }, { result: { action: 'resume' } }],
    ['collab_agent_interaction_end', { call_id: 'c' }, { result: { action: 'send' } }],
    [
      'sub_agent_activity',
      { event_id: 'c', agent_thread_id: 'n', agent_path: '/root/a', kind: 'started' },
      { callId: 'c', result: { action: 'spawn', threadIds: ['n'], name: '/root/a' } },
    ],
    ['sub_agent_activity', { event_id: 'c', kind: 'constructor' }, { result: { action: 'wait' } }],
    ['error', { message: 'bad', codex_error_info: 'limit' }, { kind: 'error', message: 'bad', code: 'limit' }],
    ['stream_error', { message: 'bad' }, { kind: 'error', message: 'bad' }],
    ['warning', { message: 'mind' }, { kind: 'notice', notice: 'warning', text: 'mind' }],
    ['model_reroute', {}, { kind: 'notice', notice: 'model', text: 'The request went to another model.' }],
    [
      'model_reroute',
      { from_model: 'm-2', to_model: 'm-1', reason: 'high_load' },
      { kind: 'notice', text: 'The request went to `m-1` instead of `m-2` (high load).' },
    ],
    [
      'error',
      { message: 'bad', additional_details: 'after 5 attempts' },
      { kind: 'error', message: 'bad', body: 'after 5 attempts' },
    ],
    [
      'task_complete',
      { turn_id: 't', error: { message: 'bad', additional_details: 'after 5 attempts' } },
      { kind: 'turnEnd', error: 'bad', errorBody: 'after 5 attempts' },
    ],
    [
      'guardian_assessment',
      { target_item_id: 'c', risk_level: 'low' },
      { callId: 'c', result: { type: 'assessment', text: 'Checked (risk low)' } },
    ],
    ['guardian_assessment', { target_item_id: 'c' }, 'skipped'],
    ['exec_command_begin', {}, 'skipped'],
    ['agent_message_delta', {}, 'skipped'],
    ['turn_diff', {}, 'skipped'],
    ['item_started', {}, 'skipped'],
    ['realtime_anything', {}, 'skipped'],
  ])('%s with %j', (type, fields, expected) => {
    const fact = factOf(r.event(type, fields))
    if (expected === 'skipped') expect(fact).toBe('skipped')
    else expect(fact).toMatchObject(expected)
  })
})

describe('a completed item', () => {
  it.each<[string, r.Json, object]>([
    [
      'UserMessage',
      { id: 'u', content: [{ type: 'Text', text: 'a' }] },
      { kind: 'message', log: 'event', role: 'user', id: 'u', turnId: 't', parts: [{ text: 'a' }] },
    ],
    [
      'UserMessage',
      { content: [{ type: 'audio' }, { type: 'brand_new' }] },
      { parts: [{ kind: 'placeholder', text: 'Audio' }, { kind: 'placeholder' }] },
    ],
    [
      'AgentMessage',
      { id: 'm', content: [{ type: 'Text', text: 'a' }], phase: 'final_answer' },
      { kind: 'message', role: 'assistant', id: 'm', phase: 'final_answer' },
    ],
    [
      'Reasoning',
      { id: 'r', summary_text: ['a'], raw_content: ['b'] },
      { kind: 'reasoning', id: 'r', summary: ['a'], raw: ['b'] },
    ],
    ['Plan', { id: 'p', text: 'x' }, { kind: 'planText', id: 'p', text: 'x' }],
    ['HookPrompt', { fragments: [{ text: 'a' }, { text: 'b' }] }, { kind: 'hook', texts: ['a', 'b'] }],
    [
      'CommandExecution',
      { id: 'c', command: ['ls'], source: 'user_shell', status: 'in_progress' },
      { kind: 'result', callId: 'c', turnId: 't', status: 'running', result: { type: 'command', actor: 'user' } },
    ],
    ['CommandExecution', { id: 'c', command: ['ls'], status: 'declined' }, { status: 'declined' }],
    [
      'FileChange',
      { id: 'c', changes: { '/a': { type: 'add', content: '' } }, status: 'completed' },
      { result: { type: 'patch', changes: [{ path: '/a' }] } },
    ],
    [
      'McpToolCall',
      { id: 'c', server: 's', tool: 't', arguments: { a: 1 }, status: 'inProgress' },
      { status: 'running', result: { server: 's', tool: 't', input: '{"a":1}' } },
    ],
    [
      'McpToolCall',
      { id: 'c', server: 's', tool: 't', error: { message: 'bad' }, status: 'failed' },
      { status: 'failed', result: { text: 'bad' } },
    ],
    [
      'DynamicToolCall',
      { id: 'c', namespace: 'app', tool: 't', status: 'completed' },
      { result: { type: 'tool', family: 'dynamic', tool: 'app.t' } },
    ],
    ['FunctionCallOutput', { id: 'c', name: 'clock', output: 'x' }, { kind: 'output', callId: 'c', tool: 'clock' }],
    [
      'WebSearch',
      { id: 'ws', query: 'q', action: { type: 'openPage', url: 'u' } },
      { callId: 'ws', result: { type: 'search', action: 'open', url: 'u' } },
    ],
    ['ImageView', { id: 'c', path: 'file:///p/a.png' }, { result: { type: 'viewImage', path: '/p/a.png' } }],
    [
      'ImageGeneration',
      { id: 'ig', status: 'completed', result: 'aGk=' },
      { result: { type: 'generateImage', picture: { base64: 'aGk=' } } },
    ],
    [
      'CollabAgentToolCall',
      {
        id: 'c',
        tool: 'spawn_agent',
        receiver_thread_ids: ['n'],
        receiver_agents: [{ agent_nickname: 'Ada', agent_role: 'x' }],
      },
      { callId: 'c', result: { action: 'spawn', threadIds: ['n'], name: 'Ada', role: 'x' } },
    ],
    [
      'SubAgentActivity',
      { id: 'c', kind: 'completed', agent_thread_id: 'n' },
      { callId: 'c', result: { action: 'finish', threadIds: ['n'] } },
    ],
    ['EnteredReviewMode', { id: 'x', user_facing_hint: 'h' }, { kind: 'review', step: 'entered', hint: 'h' }],
    [
      'ExitedReviewMode',
      { id: 'x', review_output: { findings: [], overall_correctness: 'ok' } },
      { kind: 'review', step: 'exited', verdict: 'ok' },
    ],
    ['ContextCompaction', { id: 'x' }, { kind: 'compaction', from: 'item' }],
    [
      'Extension',
      { id: 'x', kind: 'clock.sleep', durationMs: 5 },
      { callId: 'x', durationMs: 5, result: { type: 'tool', tool: 'clock.sleep', input: '{"durationMs":5}' } },
    ],
    ['Extension', { id: 'x', kind: 'web.search', query: 'q' }, { result: { type: 'search', queries: ['q'] } }],
    ['Extension', { id: 'x', kind: 'image_gen.make', result: 'aGk=' }, { result: { type: 'generateImage' } }],
  ])('%s with %j', (type, fields, expected) => {
    expect(factOf(r.completed(type, fields, 't'))).toMatchObject(expected)
  })
})

describe('an item without anything to show', () => {
  it.each([
    'additional_tools',
    'ghost_snapshot',
    'compaction',
    'compaction_summary',
    'context_compaction',
    'compaction_trigger',
    'configuration_update',
    'other',
  ])('%s is counted under its name', (type) => {
    expect(parse(lineOf(r.item({ type })))).toMatchObject({ facts: [], count: 'skipped', kind: type, faults: [] })
  })
})

describe('a message', () => {
  it.each<[string, r.Json, object]>([
    ['an unknown role', { role: 'tool', content: [] }, { role: 'system', parts: [] }],
    ['text for content', { role: 'user', content: 'hi' }, { parts: [{ kind: 'text', text: 'hi', class: 'typed' }] }],
    ['no content', { role: 'user' }, { parts: [] }],
    ['a refusal', { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }, { parts: [{ text: 'no' }] }],
    [
      'parts of every kind',
      {
        role: 'user',
        content: [
          { type: 'input_image', file_id: 'f' },
          { type: 'input_image' },
          { type: 'input_audio' },
          { type: 'encrypted_content', encrypted_content: 'gAAAA' },
          { type: 'brand_new' },
          null,
        ],
      },
      {
        parts: [
          { kind: 'image', url: 'f' },
          { kind: 'placeholder', text: 'Image' },
          { kind: 'placeholder', text: 'Audio' },
          { kind: 'placeholder', text: 'Encrypted content' },
          { kind: 'placeholder', text: 'Content of an unknown kind (brand_new)' },
          { kind: 'placeholder', text: 'Content of an unknown kind (no type)' },
        ],
      },
    ],
    [
      'kinds of its parts',
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
        internal_chat_message_metadata_passthrough: {
          turn_id: 't',
          content_item_kinds: ['agents_md.instructions', 'user.text'],
        },
      },
      {
        turnId: 't',
        parts: [
          { text: 'a', class: 'injected', label: 'Instructions' },
          { text: 'b', class: 'typed' },
        ],
      },
    ],
    [
      'kinds that do not fit its parts',
      {
        role: 'user',
        content: [{ type: 'input_text', text: 'a' }],
        internal_chat_message_metadata_passthrough: { content_item_kinds: ['x', 'y'] },
      },
      { parts: [{ text: 'a', class: 'typed' }] },
    ],
  ])('with %s', (_name, payload, expected) => {
    expect(factOf(r.item({ type: 'message', ...payload }))).toMatchObject({ kind: 'message', log: 'item', ...expected })
  })

  it('says in its metadata whether it is a summary or a copy', () => {
    expect(factOf(r.item({ type: 'message', role: 'assistant' }, { compaction_output: true }))).toMatchObject({
      compaction: true,
    })
    expect(factOf(r.item({ type: 'message', role: 'user' }, { inherited_user_message: true }))).toMatchObject({
      inherited: true,
    })
  })
})
