import { describe, expect, it } from 'vitest'
import type { Action, CallFact } from '../../../src/rollout/parse/facts.ts'
import { responseItem } from '../../../src/rollout/parse/response-item.ts'

/** The fact of a function call. */
function callOf(name: string, args: unknown, fields: Record<string, unknown> = {}): CallFact {
  const fact = responseItem({
    type: 'function_call',
    name,
    call_id: 'call_1',
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    ...fields,
  })
  if (fact === 'skip' || fact?.kind !== 'call') throw new Error('no call')
  return fact
}

const command = (script: string, fields: object = {}): Action => ({
  type: 'command',
  argv: [],
  script,
  actions: [{ kind: 'other' }],
  ...fields,
})
const patchText = '*** Begin Patch\n*** Delete File: a\n*** End Patch'
const patch = (fields: object = {}): Action => ({
  type: 'patch',
  text: patchText,
  changes: [{ path: 'a', operation: 'delete', hunks: [] }],
  ...fields,
})
const uuid = '0198c0de-0000-7000-8000-000000000002'

/** Every tool of rollout-format 3.7, and the action that a call of it asks for. */
const tools: [name: string, args: unknown, expected: Action][] = [
  [
    'shell',
    { command: ['bash', '-lc', 'make'], workdir: '/p' },
    command('make', { argv: ['bash', '-lc', 'make'], cwd: '/p' }),
  ],
  ['shell', { command: ['make', 'a b'] }, command("make 'a b'", { argv: ['make', 'a b'] })],
  ['shell', { command: 'make' }, command('make')],
  ['container.exec', { command: ['make'] }, command('make', { argv: ['make'] })],
  ['local_shell', { command: ['make'] }, command('make', { argv: ['make'] })],
  ['shell_command', { command: 'make', workdir: '/p' }, command('make', { cwd: '/p' })],
  ['shell_command', { command: 'cat a' }, command('cat a', { actions: [{ kind: 'read', path: 'a' }] })],
  ['exec_command', { cmd: 'make', workdir: '/p', tty: true }, command('make', { cwd: '/p' })],
  ['unified_exec', { input: ['bash', '-lc', 'make'] }, command('make', { argv: ['bash', '-lc', 'make'] })],
  ['write_stdin', { session_id: 4711, chars: 'y\n' }, { type: 'stdin', processId: '4711', chars: 'y\n' }],
  ['write_stdin', { session_id: '4711' }, { type: 'stdin', processId: '4711', chars: '' }],
  ['apply_patch', { input: patchText }, patch()],
  ['apply_patch', { patch: `\n${patchText}\n` }, patch()],
  ['shell', { command: ['apply_patch', patchText], workdir: '/p' }, patch({ cwd: '/p' })],
  ['shell', { command: ['applypatch', patchText] }, patch()],
  ['shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patchText}\nEOF\n`] }, patch()],
  ['exec_command', { cmd: `cd /p && apply_patch <<EOF\n${patchText}\nEOF` }, patch()],
  [
    'exec_command',
    { cmd: `apply_patch <<EOF\n${patchText}\nEOF\nmake` },
    patch({ script: 'apply_patch <<EOF\n…\nEOF\nmake' }),
  ],
  ['exec_command', { cmd: 'which apply_patch' }, command('which apply_patch')],
  [
    'update_plan',
    {
      explanation: 'so',
      plan: [{ step: 'a', status: 'completed' }, { step: 'b', status: 'in_progress' }, { step: 'c' }],
    },
    {
      type: 'plan',
      explanation: 'so',
      steps: [
        { step: 'a', status: 'completed' },
        { step: 'b', status: 'inProgress' },
        { step: 'c', status: 'pending' },
      ],
    },
  ],
  ['view_image', { path: '/p/a.png' }, { type: 'viewImage', path: '/p/a.png' }],
  ['view_image', { path: 'file:///p/a%20b.png' }, { type: 'viewImage', path: '/p/a b.png' }],
  [
    'request_user_input',
    {
      questions: [
        { id: 'q', header: 'H', question: 'Which?', isSecret: true, options: [{ label: 'A', description: 'd' }, 'B'] },
      ],
    },
    {
      type: 'questions',
      questions: [{ id: 'q', header: 'H', text: 'Which?', options: ['A', 'B'], descriptions: ['d', ''], secret: true }],
    },
  ],
  [
    'request_user_input_async',
    { questions: [{ question: 'Which?' }] },
    { type: 'questions', questions: [{ text: 'Which?', options: [], secret: false }] },
  ],
  ['request_permissions', { permissions: {}, reason: 'to build' }, { type: 'permissions', reason: 'to build' }],
  [
    'spawn_agent',
    { message: 'Look', agent_type: 'explorer' },
    { type: 'agent', action: 'spawn', role: 'explorer', message: 'Look', threadIds: [] },
  ],
  [
    'spawn_agent',
    { task_name: 'look', message: 'Look' },
    { type: 'agent', action: 'spawn', name: 'look', message: 'Look', threadIds: [] },
  ],
  [
    'send_input',
    {
      id: uuid,
      items: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    { type: 'agent', action: 'send', message: 'a\nb', threadIds: [uuid] },
  ],
  ['send_message', { target: 'x', message: 'm' }, { type: 'agent', action: 'send', message: 'm', threadIds: ['x'] }],
  ['followup_task', { target: 'x', message: 'm' }, { type: 'agent', action: 'send', message: 'm', threadIds: ['x'] }],
  ['wait', { ids: [uuid] }, { type: 'agent', action: 'wait', threadIds: [uuid] }],
  ['wait_agent', { targets: [uuid] }, { type: 'agent', action: 'wait', threadIds: [uuid] }],
  ['resume_agent', { id: uuid }, { type: 'agent', action: 'resume', threadIds: [uuid] }],
  ['close_agent', { id: uuid }, { type: 'agent', action: 'close', threadIds: [uuid] }],
  ['interrupt_agent', { target: 'x' }, { type: 'agent', action: 'close', threadIds: ['x'] }],
  ['list_agents', { path_prefix: '/root' }, { type: 'agent', action: 'list', name: '/root', threadIds: [] }],
  ['wait', { cell_id: '12' }, { type: 'wait', cellId: '12' }],
  ['wait', { cell_id: 12, terminate: true }, { type: 'wait', cellId: '12' }],
  // All other calls are shown as they were sent.
  ['read_file', { file_path: 'a' }, { type: 'tool' }],
  ['current_time', {}, { type: 'tool' }],
  ['constructor', {}, { type: 'tool' }],
  ['shell', { command: [] }, { type: 'tool' }],
  ['shell', '{"command":', { type: 'tool' }],
  ['shell_command', '"make"', { type: 'tool' }],
  ['update_plan', { plan: 'x' }, { type: 'tool' }],
  ['write_stdin', {}, { type: 'tool' }],
  ['apply_patch', {}, { type: 'tool' }],
  ['view_image', {}, { type: 'tool' }],
  ['request_user_input', {}, { type: 'tool' }],
]

describe('a function call', () => {
  it.each(tools)('%s with %j', (name, args, expected) => {
    const fact = callOf(name, args)
    expect(fact.action).toStrictEqual(expected)
    expect(fact).toMatchObject({ family: 'function', tool: name, callId: 'call_1' })
    expect(fact.input).toBe(typeof args === 'string' ? args : JSON.stringify(args))
  })

  it.each<[string, string | undefined, Partial<CallFact>]>([
    ['mcp__stock__find_all', undefined, { family: 'mcp', server: 'stock', tool: 'find_all' }],
    ['mcp__stock_room__find', undefined, { family: 'mcp', server: 'stock_room', tool: 'find' }],
    ['stock__find', undefined, { family: 'mcp', server: 'stock', tool: 'find' }],
    ['find', 'mcp__stock', { family: 'mcp', server: 'stock', tool: 'find' }],
    ['find', 'mcp__stock__', { family: 'mcp', server: 'stock', tool: 'find' }],
    ['shell', 'mcp__stock', { family: 'mcp', server: 'stock', tool: 'shell', action: { type: 'tool' } }],
    ['run', 'web', { family: 'function', tool: 'web.run' }],
    ['make', 'functions', { family: 'function', tool: 'make' }],
    ['send_message', 'collaboration', { family: 'function', tool: 'send_message' }],
  ])('%s in the namespace %s', (name, namespace, expected) => {
    const fact = callOf(name, {}, namespace === undefined ? {} : { namespace })
    expect(fact).toMatchObject(expected)
    expect('server' in fact).toBe('server' in expected)
  })

  it('without a name is an unknown tool', () => {
    expect(responseItem({ type: 'function_call' })).toStrictEqual({
      kind: 'call',
      family: 'function',
      tool: 'unknown',
      input: '',
      action: { type: 'tool' },
    })
  })
})

describe('other calls', () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      'a custom patch',
      { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: patchText },
      { family: 'custom', tool: 'apply_patch', action: patch() },
    ],
    [
      'a script',
      { type: 'custom_tool_call', call_id: 'c', name: 'exec', namespace: 'functions', input: 'text(1)' },
      { family: 'custom', tool: 'exec', action: { type: 'cell', code: 'text(1)' } },
    ],
    [
      'another custom tool',
      { type: 'custom_tool_call', call_id: 'c', name: 'js_repl', input: '1' },
      { family: 'custom', tool: 'js_repl', input: '1', action: { type: 'tool' } },
    ],
    [
      'a local shell call by its id',
      { type: 'local_shell_call', id: 'lsh_1', action: { type: 'exec', command: ['ls'], working_directory: '/p' } },
      {
        callId: 'lsh_1',
        tool: 'local_shell',
        action: { type: 'command', argv: ['ls'], script: 'ls', cwd: '/p', actions: [{ kind: 'list' }] },
      },
    ],
    [
      'a search',
      { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'a', queries: ['a', 'b'] } },
      { callId: 'ws_1', action: { type: 'search', action: 'search', queries: ['a', 'b'] } },
    ],
    [
      'an opened page',
      { type: 'web_search_call', id: 'ws_1', action: { type: 'open_page', url: 'https://example.com' } },
      { action: { type: 'search', action: 'open', queries: [], url: 'https://example.com' } },
    ],
    [
      'a search in a page',
      {
        type: 'web_search_call',
        id: 'ws_1',
        action: { type: 'find_in_page', url: 'https://example.com', pattern: 'p' },
      },
      { action: { type: 'search', action: 'find', queries: [], url: 'https://example.com', pattern: 'p' } },
    ],
    [
      'a search without an action',
      { type: 'web_search_call' },
      { action: { type: 'search', action: 'search', queries: [] } },
    ],
    [
      'a generated picture',
      { type: 'image_generation_call', id: 'ig_1', revised_prompt: 'a cat', result: 'aGk=' },
      {
        callId: 'ig_1',
        action: { type: 'generateImage', prompt: 'a cat', picture: { base64: 'aGk=', mediaType: 'image/png' } },
      },
    ],
    [
      'a search for tools',
      { type: 'tool_search_call', call_id: 'c', arguments: { query: 'x' } },
      { tool: 'tool_search', input: '{"query":"x"}', action: { type: 'tool' } },
    ],
  ])('%s', (_name, payload, expected) => {
    expect(responseItem(payload)).toMatchObject({ kind: 'call', ...expected })
  })
})
