/** The nodes that fragments become (rollout-format 3.7, 5.4, 8). */
import { describe, expect, it } from 'vitest'
import * as r from '../../helpers/records.ts'
import { all, bodies, dialogue, linesOf, nodesOf, only, run, textOf } from '../../helpers/slice.ts'

const commandMessage = (script: string, exitCode = 0, text = 'a\n'): r.Json =>
  r.userItem(
    `<user_shell_command>\n<command>\n${script}\n</command>\n<result>\nExit code: ${exitCode}\nDuration: 0.5000 seconds\nOutput:\n${text}\n</result>\n</user_shell_command>`,
  )
const ownCommand = (id: string, script: string, exitCode = 0): r.Json =>
  r.completed(
    'CommandExecution',
    {
      id,
      command: ['bash', '-lc', script],
      cwd: '/p',
      parsed_cmd: [],
      source: 'user_shell',
      status: exitCode === 0 ? 'completed' : 'failed',
      aggregated_output: 'a\n',
      exit_code: exitCode,
    },
    't1',
  )

describe("the user's own commands", () => {
  it("become commands even if only the model's message records them", async () => {
    const { tree } = await run([commandMessage('ls', 2)])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ script: 'ls', actor: 'user', exitCode: 2, status: 'failed', durationMs: 500 })
    expect(bodies(node)).toEqual(['a\n'])
  })

  it('become one command if an item records them, too', async () => {
    const { tree } = await run([r.started('t1'), ownCommand('u1', 'ls'), commandMessage('ls'), r.complete('t1')])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ actor: 'user', callId: 'u1', exitCode: 0 })
    expect(linesOf(node)).toEqual([2, 3])
  })

  it('are as many as the user typed', async () => {
    const { tree } = await run([
      r.started('t1'),
      ownCommand('u1', 'ls'),
      commandMessage('ls'),
      ownCommand('u2', 'ls'),
      commandMessage('ls'),
      ownCommand('u3', 'pwd'),
      r.complete('t1'),
    ])
    expect(all(tree, 'command').map(({ script, callId }) => [script, callId])).toEqual([
      ['ls', 'u1'],
      ['ls', 'u2'],
      ['pwd', 'u3'],
    ])
  })

  it('are interrupted once if the user stopped them, and take the line of the marker', async () => {
    const stopped = ownCommand('u1', 'sleep 60', -1)
    const { tree } = await run([r.started('t1'), stopped, commandMessage('sleep 60', -1), r.aborted('t1')])
    const node = only(tree, 'command')
    expect(node.status).toBe('interrupted')
    expect(linesOf(node)).toEqual([2, 3, 4])
    expect(only(tree, 'turn')).toMatchObject({ kind: 'shell', status: 'interrupted' })
    expect(all(tree, 'notice')).toEqual([])
  })

  it.each([
    [
      'a reason',
      [ownCommand('u1', 'sleep 60', -1), r.event('turn_aborted', { turn_id: 't1', reason: 'budget_limited' })],
    ],
    ['a command that had ended before', [ownCommand('u1', 'ls'), r.aborted('t1')]],
    ['a prompt', [r.userItem('Wait'), ownCommand('u1', 'sleep 60', -1), r.aborted('t1')]],
  ])('keep the marker if there is %s', async (_, records) => {
    const { tree } = await run([r.started('t1'), ...records])
    expect(only(tree, 'notice').kind).toBe('abort')
  })

  it('stay as they were written if they cannot be read', async () => {
    const text = '<user_shell_command>\nodd\n</user_shell_command>'
    const { tree } = await run([r.userItem(text)])
    expect(only(tree, 'message')).toMatchObject({ origin: 'injected', label: 'User shell command' })
    expect(textOf(only(tree, 'message'))).toBe(text)
  })
})

describe('injected context', () => {
  it('of several parts is labelled by all that it contains', async () => {
    const parts = [
      '# AGENTS.md instructions for /p\n<INSTRUCTIONS>\nOil it\n</INSTRUCTIONS>',
      '<environment_context>\n<cwd>/p</cwd>\n</environment_context>',
      '<environment_context>\n<cwd>/q</cwd>\n</environment_context>',
    ]
    const { tree } = await run([r.userItem('', { content: parts.map((text) => ({ type: 'input_text', text })) })])
    expect(only(tree, 'message')).toMatchObject({ origin: 'injected', label: 'Instructions, Environment' })
  })
})

describe('a prompt from an editor', () => {
  it.each([
    '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nMend it\n',
    '\n# Files mentioned by the user:\n\n- a.ts\n\n## My request for Codex:\n\nMend it\n',
    '## My request for Codex:\nMend it\n',
  ])('is separate from its context, and both together are what was sent: %j', async (text) => {
    const { tree } = await run([r.userItem(text), r.userEvent(text)])
    const [context, prompt] = all(tree, 'message')
    expect(prompt && textOf(prompt)).toBe('Mend it\n')
    expect(context).toMatchObject({ origin: 'injected', label: 'IDE context', data: { visibility: 'collapsed' } })
    expect(`${context && textOf(context)}${prompt && textOf(prompt)}`).toBe(text)
  })

  it('names the attached files that its context lists', async () => {
    const text =
      '# Context from my IDE setup:\n\n## Active file: x.ts\n\n# Files mentioned by the user:\n\n## a.ts: c:/p/a.ts\r\n\n' +
      '## b: c.ts: /home/ada/b: c.ts\n\n## a.ts: c:/p/a.ts\n# Review findings:\n## d.ts: /d.ts\n## My request for Codex:\nMend them\n'
    const { tree } = await run([r.userItem(text), r.userEvent(text)])
    const prompt = all(tree, 'message').find(({ origin }) => origin === 'typed')
    expect(
      prompt?.children.map((child) => ('target' in child ? [child.type, child.kind, child.target] : child.type)),
    ).toEqual(['markdown', ['reference', 'file', 'c:/p/a.ts'], ['reference', 'file', '/home/ada/b: c.ts']])
  })

  it.each(['Why does it say\n## My request for Codex:\nhere?', '# Context from my IDE setup:\nno request'])(
    'stays whole if it only quotes such a heading: %j',
    async (text) => {
      const { tree } = await run([r.userItem(text), r.userEvent(text)])
      expect(dialogue(tree)).toEqual([`U ${text}`])
    },
  )
})

describe('a prompt of an approval review', () => {
  const ask = (request: object | string): string => {
    const json = typeof request === 'string' ? request : JSON.stringify(request, null, 2)
    const around = '>>> TRANSCRIPT START\n[1] user: Mend it\n>>> TRANSCRIPT END\n'
    return `Judge this:\n${around}>>> APPROVAL REQUEST START\nPlanned action:\n${json}\n>>> APPROVAL REQUEST END\n`
  }
  const command = { tool: 'exec_command', cwd: '/work', command: ['/bin/zsh', '-lc', 'rm -rf build'], tty: true }
  const patch = { tool: 'apply_patch', files: ['a.ts', 'b.ts'], patch: '*** Begin Patch\n*** End Patch' }

  it('is the action that needs approval, and its context is all that was sent', async () => {
    const text = ask(command)
    const { tree } = await run([r.userItem(text), r.userEvent(text)])
    const [context, prompt] = all(tree, 'message')
    expect(context).toMatchObject({ origin: 'injected', label: 'Reviewed transcript' })
    expect(context && textOf(context)).toBe(text)
    expect(prompt?.children).toMatchObject([
      { type: 'text', lang: 'sh', value: 'rm -rf build' },
      { type: 'text', value: 'cwd: /work\ntty' },
    ])
  })

  it('lists what else is asked for in lines, without what is switched off', async () => {
    const request = {
      ...command,
      sandbox_permissions: 'with_additional_permissions',
      additional_permissions: { file_system: { write: ['/a_b', '/c'] }, network: { enabled: true } },
      justification: 'It must go.',
      tty: false,
    }
    const { tree } = await run([r.userItem(ask(request))])
    expect(all(tree, 'message')[1]?.children[1]).toMatchObject({
      value: [
        'cwd: /work',
        'sandbox permissions: with additional permissions',
        'additional permissions file system write: /a_b, /c',
        'additional permissions network enabled',
        'justification: It must go.',
      ].join('\n'),
    })
  })

  it('writes lists of objects and deep values as JSON, and leaves out what is nested too deeply', async () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } }
    const endless = '['.repeat(20_000) + ']'.repeat(20_000)
    const json = JSON.stringify({ tool: 'mcp_tool_call', edits: [{ path: 'a.ts' }], deep, endless: 0 }).replace(
      ':0}',
      `:${endless}}`,
    )
    const { tree } = await run([r.userItem(ask(json))])
    const [context, prompt] = all(tree, 'message')
    expect(prompt?.children[1]).toMatchObject({ value: 'edits: [{"path":"a.ts"}]\ndeep a b c d e: {"f":1}' })
    expect(context && textOf(context)).toContain(endless)
  })

  it.each([
    [
      { tool: 'network_access', target: 'https://example.com:443', port: 443 },
      'network_access https://example.com:443',
    ],
    [
      { tool: 'mcp_tool_call', server: 'notes', tool_name: 'read', arguments: { id: 'n_1' } },
      'mcp_tool_call notes read',
    ],
  ])('is the address or tool that is asked for: %j', async (request, action) => {
    const { tree } = await run([r.userItem(ask(request))])
    expect(all(tree, 'message')[1]?.children[0]).toMatchObject({ lang: 'sh', value: action })
  })

  it('is the patch and its files if a patch needs approval', async () => {
    const { tree } = await run([r.userItem(ask(patch))])
    expect(all(tree, 'message')[1]?.children).toMatchObject([
      { lang: 'sh', value: 'apply_patch a.ts b.ts' },
      { lang: 'diff', value: patch.patch },
    ])
  })

  it.each([ask('{ "tool": 1 }'), ask('no JSON'), `${ask(command)}And now?`, ask('{"tool":'), ask([])])(
    'stays whole if it has another shape: %j',
    async (text) => {
      const { tree } = await run([r.userItem(text)])
      expect(all(tree, 'message').map((message) => textOf(message))).toEqual([text])
    },
  )
})

describe('questions', () => {
  const questions = [
    { id: 'scope', header: 'Scope', question: 'How much?', options: [{ label: 'All' }, { label: 'Some' }] },
    { id: 'token', header: 'Token', question: 'Which token?', isSecret: true, options: [] },
  ]

  it('have their answers, and secret answers are masked', async () => {
    const answer = JSON.stringify({
      answers: { scope: { answers: ['All', 'user_note: soon'] }, token: { answers: ['hunter2'] } },
    })
    const { tree } = await run([r.call('q', 'request_user_input', { questions }), r.output('q', answer)])
    expect(only(tree, 'approval')).toMatchObject({ subject: 'question', status: 'completed' })
    expect(all(tree, 'question').map((node) => [node.header, node.answer, node.options, node.secret])).toEqual([
      ['Scope', 'All; user_note: soon', ['All', 'Some'], false],
      ['Token', '[redacted:secret-answer]', [], true],
    ])
    expect(JSON.stringify(tree)).not.toContain('hunter2')
  })

  it('never show an answer of another shape if one of them is secret', async () => {
    const { tree } = await run([r.call('q', 'request_user_input', { questions }), r.output('q', 'token=hunter2')])
    expect(JSON.stringify(tree)).not.toContain('hunter2')
  })

  it('show an answer of another shape if none of them is secret', async () => {
    const { tree } = await run([
      r.call('q', 'request_user_input', { questions: questions.slice(0, 1) }),
      r.output('q', 'the user left'),
    ])
    expect(only(tree, 'approval').children.at(-1)).toMatchObject({ type: 'text', value: 'the user left' })
  })

  it('may have an id that is the name of a property', async () => {
    const { tree } = await run([
      r.call('q', 'request_user_input', { questions: [{ id: 'constructor', question: 'Why?' }] }),
      r.output('q', '{"answers":{"other":{"answers":["x"]}}}'),
    ])
    expect(only(tree, 'question').answer).toBeUndefined()
  })

  it('are unfinished while their turn has no end', async () => {
    const { tree } = await run([r.started('t1'), r.call('q', 'request_user_input', { questions })])
    expect(only(tree, 'approval').status).toBe('unfinished')
  })

  it('for permission keep the reason and the decision', async () => {
    const { tree } = await run([
      r.call('q', 'request_permissions', { permissions: { network: true }, reason: 'to fetch' }),
      r.output('q', 'granted'),
    ])
    expect(only(tree, 'approval')).toMatchObject({
      subject: 'permission',
      decision: 'granted',
      children: [{ value: 'to fetch' }, { lang: 'json' }],
    })
  })
})

describe('agents', () => {
  const child = '0198c0de-0000-7000-8000-000000000002'

  it('are linked by the output of the first version', async () => {
    const { tree } = await run([
      r.call('a', 'spawn_agent', { message: 'Look around', agent_type: 'explorer' }),
      r.output('a', `{"agent_id":"${child}","nickname":"Ada"}`),
    ])
    const node = only(tree, 'agent')
    expect(node).toMatchObject({ action: 'spawn', threadId: child, role: 'explorer', status: 'completed' })
    expect(node.children[0]).toMatchObject({ type: 'message', origin: 'agent', children: [{ value: 'Look around' }] })
  })

  it('are linked by the activity event of the second version', async () => {
    const { tree } = await run([
      r.call(
        'a',
        'spawn_agent',
        { task_name: 'look', message: `gAAAA${'x'.repeat(60)}` },
        { namespace: 'collaboration' },
      ),
      r.event('sub_agent_activity', {
        event_id: 'a',
        agent_thread_id: child,
        agent_path: '/root/look',
        kind: 'started',
      }),
      r.output('a', '{"task_name":"look"}'),
    ])
    expect(only(tree, 'agent')).toMatchObject({ action: 'spawn', threadId: child, name: '/root/look' })
    expect(JSON.stringify(tree)).not.toContain('gAAAA')
  })

  it('send messages, which lose the head of their envelope', async () => {
    const text = 'Message Type: FINAL_ANSWER\nTask name: look\nSender: /root/look\nPayload:\nThere is one file.'
    const { tree } = await run([
      { type: 'inter_agent_communication_metadata', payload: { trigger_turn: true } },
      r.item({
        type: 'agent_message',
        author: '/root/look',
        recipient: '/root',
        content: [{ type: 'input_text', text }],
      }),
    ])
    expect(only(tree, 'message')).toMatchObject({ origin: 'agent', author: '/root/look', recipient: '/root' })
    expect(textOf(only(tree, 'message'))).toBe('There is one file.')
  })

  it.each<[string, r.Json]>([
    [
      'an item',
      r.item({
        type: 'agent_message',
        author: 'a',
        recipient: 'b',
        content: [{ type: 'encrypted_content', encrypted_content: 'gAAAAx' }],
      }),
    ],
    [
      'a line',
      {
        type: 'inter_agent_communication',
        payload: { author: 'a', recipient: 'b', content: `gAAAA${'x'.repeat(60)}`, trigger_turn: true },
      },
    ],
  ])('hide the ciphertext of their messages in %s', async (_name, record) => {
    const { tree } = await run([record])
    expect(textOf(only(tree, 'message'))).toBe('[Encrypted message]')
    expect(JSON.stringify(tree)).not.toContain('gAAAA')
  })
})

describe('a process that keeps running', () => {
  const running = (session: number, text: string): string =>
    `Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID ${session}\nOutput:\n${text}`
  const exited = (code: number, text: string): string =>
    `Chunk ID: 2\nWall time: 0.5 seconds\nProcess exited with code ${code}\nOutput:\n${text}`

  it('is one command with its inputs and outputs', async () => {
    const { tree } = await run([
      r.call('a', 'exec_command', { cmd: 'python' }),
      r.output('a', running(7, '>>> ')),
      r.call('b', 'write_stdin', { session_id: 7, chars: '1+1\n' }),
      r.output('b', running(7, '2\n')),
      r.call('c', 'write_stdin', { session_id: 7, chars: '' }),
      r.output('c', exited(3, 'bye\n')),
    ])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ script: 'python', processId: '7', exitCode: 3, status: 'failed', durationMs: 2500 })
    expect(node.children.map((part) => [part.type, 'value' in part ? part.value : ''])).toEqual([
      ['output', '>>> '],
      ['input', '1+1\n'],
      ['output', '2\n'],
      ['output', 'bye\n'],
    ])
    expect(linesOf(node)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('is one command even if the item records its end before the polls', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.call('a', 'exec_command', { cmd: 'cat' }),
      r.output('a', running(7, '')),
      r.call('b', 'write_stdin', { session_id: 7, chars: 'hello\n' }),
      r.completed('CommandExecution', {
        id: 'a',
        process_id: '7',
        command: ['bash', '-lc', 'cat'],
        cwd: '/p',
        parsed_cmd: [],
        source: 'unified_exec_startup',
        status: 'completed',
        aggregated_output: 'hello\nhello\n',
        exit_code: 0,
        duration: { secs: 2, nanos: 0 },
      }),
      r.output('b', exited(0, 'hello\nhello\n')),
      r.complete('t1'),
    ])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ exitCode: 0, status: 'completed', durationMs: 1500, ranMs: 2000 })
    expect(bodies(node)).toEqual(['hello\nhello\n'])
    expect(node.children.filter(({ type }) => type === 'input')).toMatchObject([{ value: 'hello\n' }])
  })

  it('stays as it ended if it is polled again', async () => {
    const { tree } = await run([
      r.call('a', 'exec_command', { cmd: 'make' }),
      r.output('a', running(7, '')),
      r.call('b', 'write_stdin', { session_id: 7, chars: '' }),
      r.output('b', exited(0, 'done')),
      r.call('c', 'write_stdin', { session_id: 7, chars: '' }),
      r.output('c', 'write_stdin failed: Unknown process id 7'),
    ])
    expect(only(tree, 'command')).toMatchObject({ exitCode: 0, status: 'completed' })
    expect(bodies(only(tree, 'command'))).toContain('write_stdin failed: Unknown process id 7')
  })

  it('keeps running if input is refused, and ends as a later poll says', async () => {
    const refused = 'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true'
    const begin = [
      r.call('a', 'exec_command', { cmd: 'make' }),
      r.output('a', running(7, '')),
      r.call('b', 'write_stdin', { session_id: 7, chars: '\u0003' }),
      r.output('b', refused),
    ]
    expect(only((await run(begin)).tree, 'command')).toMatchObject({ status: 'running' })
    const later = (text: string) => [...begin, r.call('c', 'write_stdin', { session_id: 7 }), r.output('c', text)]
    const node = only((await run(later(exited(0, 'done')))).tree, 'command')
    expect(node).toMatchObject({ exitCode: 0, status: 'completed', durationMs: 1500 })
    expect(bodies(node)).toEqual([refused, 'done'])
    const vanished = await run(later('write_stdin failed: Unknown process id 7'))
    expect(only(vanished.tree, 'command')).toMatchObject({ status: 'unknown' })
  })

  it('did not fail if the model stopped it, unless it continued and failed by itself', async () => {
    const begin = [r.call('a', 'exec_command', { cmd: 'npm run dev' }), r.output('a', running(7, 'up'))]
    const sent = (id: string, chars: string, answer: string) => [
      r.call(id, 'write_stdin', { session_id: 7, chars }),
      r.output(id, answer),
    ]
    const ended = async (...records: Parameters<typeof run>[0]) =>
      only((await run([...begin, ...records])).tree, 'command')
    const stopped = { status: 'completed', outcome: 'stopped' }
    expect(await ended(...sent('b', '\u0003', exited(130, '^C')))).toMatchObject({ ...stopped, exitCode: 130 })
    expect(await ended(...sent('b', '\u0003', running(7, '^C')), ...sent('c', '', exited(1, 'bye')))).toMatchObject(
      stopped,
    )
    expect(await ended(...sent('b', 'q', exited(130, '')))).toMatchObject({ status: 'failed', outcome: 'killed' })
    const typed = await ended(...sent('b', '\u0003', running(7, '>>> ')), ...sent('c', 'exit(1)\n', exited(1, '')))
    expect(typed).toMatchObject({ status: 'failed' })
    const refused = 'write_stdin failed: stdin is closed for this session'
    const failed = await ended(...sent('b', '\u0003', refused), ...sent('c', '', exited(1, 'x')))
    expect(failed).toMatchObject({ status: 'failed' })
    expect(failed.outcome).toBeUndefined()
  })

  it('ran from its first output to the last poll that saw it, and the model waited for less', async () => {
    const at = (seconds: number, record: r.Json): r.Json => ({
      ...record,
      timestamp: new Date(Date.UTC(2026, 2, 14, 9, 0, 0) + seconds * 1000).toISOString(),
    })
    const exec = [
      // Approved after a minute.
      at(0, r.call('a', 'exec_command', { cmd: 'make' })),
      at(61, r.output('a', running(7, ''))),
      at(80, r.call('b', 'write_stdin', { session_id: 7, chars: '' })),
      at(81, r.output('b', running(7, ''))),
    ]
    const polled = (text: string) => [
      ...exec,
      at(99.5, r.call('c', 'write_stdin', { session_id: 7, chars: '' })),
      at(100, r.output('c', text)),
    ]
    const ended = only((await run(polled(exited(0, 'done')))).tree, 'command')
    expect(ended).toMatchObject({ status: 'completed', durationMs: 2500, ranMs: 40_000 })
    // Nobody saw when it ended: between the polls, or before.
    const vanished = 'Wall time: 0.0513 seconds\nProcess exited with code 0\nOutput:\n'
    expect(only((await run(polled(vanished))).tree, 'command')).toMatchObject({ durationMs: 2051, ranMs: 21_000 })
    expect(only((await run(polled('write_stdin failed: Unknown process id 7'))).tree, 'command')).toMatchObject({
      status: 'unknown',
      ranMs: 21_000,
    })
    expect(only((await run(exec)).tree, 'command')).toMatchObject({
      status: 'running',
      durationMs: 2000,
      ranMs: 21_000,
    })
  })

  it('ran as long as its end record says, and the model waited as long as the outputs say', async () => {
    const end = (durationMs: number, fields = {}) =>
      r.completed('CommandExecution', {
        ...{ id: 'a', command: ['bash', '-lc', 'serve'], cwd: '/w', status: 'failed', exit_code: -1, process_id: '7' },
        ...{ duration: { secs: durationMs / 1000, nanos: 0 }, ...fields },
      })
    const call = r.call('a', 'exec_command', { cmd: 'serve' })
    const look = [r.call('b', 'write_stdin', { session_id: 7, chars: '' }), r.output('b', running(7, ''))]
    const command = async (...records: Parameters<typeof run>[0]) => only((await run(records)).tree, 'command')
    const orphan = await command(call, r.output('a', running(7, 'up')), ...look, end(60_000))
    expect(orphan).toMatchObject({ status: 'interrupted', durationMs: 2000, ranMs: 60_000 })
    const stopped = await command(call, r.output('a', 'Wall time: 2.0 seconds\naborted by user'), end(8000))
    expect(stopped).toMatchObject({ status: 'interrupted', durationMs: 2000, ranMs: 8000 })
    const whole = await command(call, r.output('a', exited(0, 'ok')), end(3000, { status: 'completed', exit_code: 0 }))
    expect([whole.durationMs, whole.ranMs]).toEqual([3000, undefined])
  })

  it('is running if no record shows its end', async () => {
    const { tree } = await run([r.call('a', 'exec_command', { cmd: 'serve' }), r.output('a', running(7, 'up'))])
    expect(only(tree, 'command')).toMatchObject({ status: 'running' })
  })

  it('is shown by its poll if its start is unknown', async () => {
    const { tree } = await run([
      r.call('b', 'write_stdin', { session_id: 9, chars: 'x' }),
      r.output('b', exited(0, 'y')),
    ])
    expect(only(tree, 'command')).toMatchObject({ script: '', processId: '9', exitCode: 0, status: 'completed' })
  })
})

describe('patches', () => {
  const text = '*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n+more\n*** End Patch'
  const success = 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nM a.txt\n'

  it('become their files', async () => {
    const { tree } = await run([r.customCall('p', 'apply_patch', text), r.customOutput('p', success)])
    const node = only(tree, 'patch')
    expect(node).toMatchObject({ status: 'completed', callId: 'p', durationMs: 100 })
    expect(only(tree, 'fileChange')).toMatchObject({ operation: 'update', added: 2, removed: 1 })
    expect(only(tree, 'fileChange').path).toMatch(/a\.txt$/)
    expect(only(tree, 'hunk').value).toBe('-old\n+new\n+more')
    expect(bodies(node)).toEqual([])
  })

  it('that failed keep their changes and the reason, and count as no edit', async () => {
    const { tree, slice } = await run([
      r.customCall('p', 'apply_patch', text),
      r.customOutput('p', 'apply_patch verification failed: no such line'),
    ])
    expect(only(tree, 'patch').status).toBe('failed')
    expect(all(tree, 'fileChange')).toHaveLength(1)
    expect(bodies(only(tree, 'patch'))).toEqual(['apply_patch verification failed: no such line'])
    expect(slice.stats.edits).toMatchObject({ added: 0, removed: 0 })
  })

  it('have the line numbers of the end event', async () => {
    const { tree } = await run([
      r.customCall('p', 'apply_patch', text),
      r.event('patch_apply_end', {
        call_id: 'p',
        success: true,
        stdout: 'Success. Updated the following files:\nM a.txt\n',
        stderr: '',
        changes: {
          '/p/a.txt': { type: 'update', unified_diff: '@@ -4 +4,2 @@\n-old\n+new\n+more\n', move_path: null },
        },
      }),
      r.customOutput('p', success),
    ])
    expect(only(tree, 'fileChange')).toMatchObject({ path: '/p/a.txt', added: 2, removed: 1 })
    expect(only(tree, 'hunk')).toMatchObject({ oldStart: 4, newStart: 4 })
  })

  const inFolder = [r.started('t1'), r.turnContext({ turn_id: 't1', cwd: '/home/ada/engine', model: 'm' })]
  const end = (stdout: string, changes: r.Json): r.Json =>
    r.event('patch_apply_end', { call_id: 'p', success: true, stdout, stderr: '', changes })

  it('that delete a file and add it again show both, though the end event records only the second', async () => {
    const anew = '*** Begin Patch\n*** Delete File: a.txt\n*** Add File: a.txt\n+new\n*** End Patch'
    const { tree, slice } = await run([
      ...inFolder,
      r.customCall('p', 'apply_patch', anew),
      end('Success. Updated the following files:\nA a.txt\nD a.txt\n', {
        '/home/ada/engine/a.txt': { type: 'add', content: 'new\n' },
      }),
      r.customOutput('p', success),
    ])
    const operations = all(tree, 'fileChange').map(({ path, operation, added }) => [path, operation, added])
    expect(operations).toEqual([
      ['/home/ada/engine/a.txt', 'delete', 0],
      ['/home/ada/engine/a.txt', 'add', 1],
    ])
    expect(slice.stats.edits).toMatchObject({ added: 1, removed: 0 })
  })

  it('of scripts that delete a file and add it again show both, as the tool says', async () => {
    const { tree } = await run([
      ...inFolder,
      end('Success. Updated the following files:\nA a.txt\nD a.txt\nD b.txt\n', {
        '/home/ada/engine/a.txt': { type: 'add', content: 'new\n' },
        '/home/ada/engine/b.txt': { type: 'delete', content: 'old\n' },
      }),
    ])
    expect(all(tree, 'fileChange').map(({ operation }) => operation)).toEqual(['delete', 'add', 'delete'])
  })

  it('that change a file in two sections show both, and the recorded one has line numbers', async () => {
    const twice = `${text.replace('*** End Patch', '')}*** Update File: a.txt\n@@\n-last\n*** End Patch`
    const { tree, slice } = await run([
      ...inFolder,
      r.customCall('p', 'apply_patch', twice),
      end('Success. Updated the following files:\nM a.txt\nM a.txt\n', {
        '/home/ada/engine/a.txt': { type: 'update', unified_diff: '@@ -9 +8,0 @@\n-last\n', move_path: null },
      }),
      r.customOutput('p', success),
    ])
    expect(all(tree, 'hunk').map(({ value, oldStart }) => [value, oldStart])).toEqual([
      ['-old\n+new\n+more', undefined],
      ['-last', 9],
    ])
    expect(slice.stats.edits).toMatchObject({ added: 2, removed: 2 })
  })

  it('that break the grammar are shown unchanged', async () => {
    const broken = '*** Begin Patch\n*** Add File: a\nno plus\n*** End Patch'
    const { tree } = await run([r.customCall('p', 'apply_patch', broken), r.customOutput('p', 'Invalid patch')])
    expect(only(tree, 'patch').children[0]).toMatchObject({ type: 'text', lang: 'diff', value: broken })
  })

  it('in a script that does more keep the script', async () => {
    const { tree } = await run([
      r.call('p', 'exec_command', { cmd: `apply_patch <<'EOF'\n${text}\nEOF\nmake test` }),
      r.output('p', 'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok'),
    ])
    expect(only(tree, 'patch').children[0]).toMatchObject({
      type: 'text',
      lang: 'sh',
      value: "apply_patch <<'EOF'\n…\nEOF\nmake test",
    })
    expect(all(tree, 'fileChange')).toHaveLength(1)
  })
})

describe('markers', () => {
  it.each<[string, r.Json, object]>([
    ['an undo', r.event('undo_completed', { success: true, message: 'Undone' }), { type: 'notice', kind: 'undo' }],
    [
      'a goal',
      r.event('thread_goal_updated', { goal: { status: 'active', objective: 'Win' } }),
      { type: 'notice', kind: 'goal', children: [{ value: 'active: Win' }] },
    ],
    [
      'an error',
      r.event('error', { message: 'bad', codex_error_info: { http: {} } }),
      { type: 'error', message: 'bad', code: 'http' },
    ],
    [
      'a hook',
      r.completed('HookPrompt', { id: 'h', fragments: [{ text: 'Mind', hookRunId: 'x' }] }, 't1'),
      { type: 'message', origin: 'hook' },
    ],
    ['a rerouted model', r.event('model_reroute', { message: 'to gpt-8' }), { type: 'notice', kind: 'model' }],
    [
      'an unknown record',
      { type: 'brand_new', payload: { a: 1 } },
      { type: 'unknown', recordType: 'brand_new', payload: { a: 1 } },
    ],
    ['an unknown event', r.event('brand_new', { a: 1 }), { type: 'unknown', recordType: 'event_msg/brand_new' }],
    [
      'an unknown item',
      r.completed('BrandNew', { id: 'x' }, 't1'),
      { type: 'unknown', recordType: 'event_msg/item_completed/BrandNew' },
    ],
  ])('%s', async (_name, record, expected) => {
    const { tree } = await run([r.started('t1'), record, r.complete('t1')])
    expect(only(tree, 'turn').children).toMatchObject([expected])
  })

  it('of an unknown kind are counted and reported', async () => {
    const { slice, said } = await run([
      { type: 'constructor', payload: {} },
      { type: '__proto__', payload: {} },
      r.event('brand_new'),
    ])
    expect(slice.lines).toMatchObject({ total: 3, damaged: 0, shown: 0 })
    expect(Object.entries(slice.lines.unknown)).toEqual([
      ['constructor', 1],
      ['__proto__', 1],
      ['event_msg/brand_new', 1],
    ])
    expect(said).toEqual(['unknown-record:1', 'unknown-record:2', 'unknown-record:3'])
  })

  it('of an assessment become the decision on the call that was judged', async () => {
    const { tree } = await run([
      ...r.command('a', 'rm -r build'),
      r.event('guardian_assessment', { id: 'g', target_item_id: 'a', action: {} }),
      r.event('guardian_assessment', {
        id: 'g',
        target_item_id: 'a',
        action: {},
        status: 'approved',
        risk_level: 'low',
        rationale: 'harmless',
      }),
    ])
    expect(only(tree, 'approval')).toMatchObject({ subject: 'command', decision: 'Approved: harmless (risk low)' })
  })
})

describe('a generated picture', () => {
  it('is shown once with its prompt and the path of its file', async () => {
    const { tree } = await run([
      r.event('image_generation_end', {
        call_id: 'ig',
        status: 'completed',
        revised_prompt: 'a dot',
        result: r.pixel,
        saved_path: '/p/x.png',
      }),
      r.item({
        type: 'image_generation_call',
        id: 'ig',
        status: 'completed',
        revised_prompt: 'a dot',
        result: r.pixel,
      }),
    ])
    expect(only(tree, 'image')).toMatchObject({
      ...{ origin: 'generated', alt: 'a dot', mediaType: 'image/png' },
      url: '/p/x.png',
    })
  })
})

describe('a plan', () => {
  it.each([
    [
      'was refused',
      [{ step: 'Read', status: 'pending' }],
      'failed to parse function arguments: missing field',
      'failed',
    ],
    ['was answered otherwise', [{ step: 'Read', status: 'pending' }], 'Noted.', 'completed'],
    ['has steps of another shape', [{ text: 'Read' }, 'Write'], 'Plan updated', 'completed'],
    ['has a step in an unknown state', [{ step: 'Read', status: 'blocked' }], 'Plan updated', 'completed'],
  ])('that %s is a call with its input and its output', async (_, plan, said, status) => {
    const { tree } = await run([r.call('p', 'update_plan', { plan }), r.output('p', said)])
    const call = only(tree, 'toolCall')
    expect(call).toMatchObject({ tool: 'update_plan', status })
    const shown = JSON.stringify(call)
    for (const text of [JSON.stringify(JSON.stringify(plan)).slice(3, -3), said]) expect(shown).toContain(text)
  })

  it('becomes its steps', async () => {
    const plan = [
      { step: 'Read', status: 'completed' },
      { step: 'Write', status: 'in_progress' },
    ]
    const { tree } = await run([r.call('p', 'update_plan', { explanation: 'So', plan }), r.output('p', 'Plan updated')])
    expect(only(tree, 'plan').children.map((node) => [node.type, 'value' in node ? node.value : ''])).toEqual([
      ['markdown', 'So'],
      ['planStep', 'Read'],
      ['planStep', 'Write'],
    ])
  })
})

describe('every node of a rich turn', () => {
  it('survives JSON and contains no base64', async () => {
    const { tree } = await run([
      r.item({
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: r.pixelUrl },
          { type: 'input_audio', file_id: 'f' },
        ],
      }),
      r.call('a', 'view_image', { path: '/p/a.png' }),
      r.output('a', [{ type: 'input_image', image_url: r.pixelUrl }]),
    ])
    expect(JSON.parse(JSON.stringify(tree))).toStrictEqual(tree)
    expect(JSON.stringify(tree)).not.toContain(r.pixel.slice(0, 40))
    expect(nodesOf(tree).every(({ id }) => id !== '')).toBe(true)
  })
})
