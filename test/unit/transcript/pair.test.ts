/** Calls, outputs and end records as one node (rollout-format 4). */
import { describe, expect, it } from 'vitest'
import type { Command } from '../../../src/transcript/trast.ts'
import * as r from '../../helpers/records.ts'
import { all, bodies, dialogue, linesOf, nodesOf, only, run, runValues } from '../../helpers/slice.ts'

const executed = (id: string, fields: r.Json = {}, turnId = 't1'): r.Json =>
  r.completed(
    'CommandExecution',
    {
      id,
      command: ['bash', '-lc', 'make'],
      cwd: 'file:///home/ada/engine',
      parsed_cmd: [{ type: 'unknown', cmd: 'make' }],
      source: 'unified_exec_startup',
      status: 'completed',
      aggregated_output: 'built\n',
      exit_code: 0,
      duration: { secs: 1, nanos: 0 },
      ...fields,
    },
    turnId,
  )

describe('a call and its output', () => {
  it('are one node at the place of the call', async () => {
    const { tree, said } = await run([...r.command('c1', 'make', 2, 'no rule\n'), r.answerEvent('x')])
    const node = only(tree, 'command')
    expect(node).toMatchObject({
      id: 'l1',
      callId: 'c1',
      script: 'make',
      cwd: '/home/ada/engine',
      actor: 'agent',
      exitCode: 2,
      status: 'failed',
      durationMs: 200,
    })
    expect(bodies(node)).toEqual(['no rule\n'])
    expect(linesOf(node)).toEqual([1, 2])
    expect(said).toEqual([])
  })

  it('are paired in parallel calls, in any order', async () => {
    const [callA, outputA] = r.command('a', 'make a', 0, 'A')
    const [callB, outputB] = r.command('b', 'make b', 1, 'B')
    const { tree } = await run([callA, callB, outputB, outputA])
    expect(all(tree, 'command').map((node) => [node.script, node.exitCode, bodies(node)])).toEqual([
      ['make a', 0, ['A']],
      ['make b', 1, ['B']],
    ])
  })

  it('are paired even if the output comes first', async () => {
    const [call, output] = r.command('a', 'make a')
    const { tree, said } = await run([output, call])
    expect(only(tree, 'command')).toMatchObject({ id: 'l1', script: 'make a', exitCode: 0 })
    expect(said).toEqual(['orphan-output:1'])
  })

  it('are paired by the id of a local shell call', async () => {
    const { tree } = await runValues([
      { type: 'local_shell_call', id: 'lsh_1', status: 'completed', action: { type: 'exec', command: ['make'] } },
      { type: 'function_call_output', call_id: 'lsh_1', output: '{"output":"x","metadata":{"exit_code":0}}' },
    ])
    expect(only(tree, 'command')).toMatchObject({ script: 'make', exitCode: 0 })
  })
})

describe('a call without an output', () => {
  const [call] = r.command('a', 'make')

  it.each<[string, r.Json[], Command['status']]>([
    ['is unfinished in a turn that is not over', [r.started('t1'), call], 'unfinished'],
    ['was interrupted in a turn that was', [r.started('t1'), call, r.aborted('t1')], 'interrupted'],
    ['has no known end in a turn that is over', [r.started('t1'), call, r.complete('t1')], 'unknown'],
    ['has no known end in a bare file', [call], 'unknown'],
  ])('%s', async (_name, records, status) => {
    const { tree } = await run(records)
    expect(only(tree, 'command').status).toBe(status)
  })
})

describe('an output without a call', () => {
  it('is shown with its text and reported', async () => {
    const { tree, said } = await run([r.output('lost', 'some words')])
    expect(only(tree, 'toolCall')).toMatchObject({ status: 'unknown', input: '' })
    expect(only(tree, 'output').value).toBe('some words')
    expect(said).toEqual(['orphan-output:1'])
  })

  it('is shown if a completed item is all there is', async () => {
    const item = r.completed('FunctionCallOutput', { id: 'x', name: 'clock', output: 'late' }, 't1')
    const { tree } = await run([r.started('t1'), item])
    expect(only(tree, 'toolCall')).toMatchObject({ tool: 'clock' })
  })
})

describe('a second output', () => {
  it('is kept if it says something else', async () => {
    const { tree } = await run([...r.command('a', 'make'), r.output('a', 'again')])
    expect(bodies(only(tree, 'command'))).toEqual(['ok\n\nagain'])
  })

  it('is dropped if it says the same', async () => {
    const [call, output] = r.command('a', 'make')
    const { tree } = await run([call, output, output])
    const node = only(tree, 'command')
    expect(bodies(node)).toEqual(['ok\n'])
    expect(linesOf(node)).toEqual([1, 2, 3])
  })
})

describe('an id that is used again', () => {
  it('makes another call', async () => {
    const { tree } = await run([...r.command('a', 'make a', 0, 'A'), ...r.command('a', 'make b', 1, 'B')])
    expect(all(tree, 'command').map((node) => [node.script, node.exitCode, bodies(node)])).toEqual([
      ['make a', 0, ['A']],
      ['make b', 1, ['B']],
    ])
  })
})

describe('a call that is recorded twice', () => {
  const twice = (records: r.Json[]) => records.flatMap((record) => [record, record])

  it('is one command', async () => {
    const { tree } = await run(twice([r.started('t1'), ...r.command('a', 'make'), executed('b'), r.complete('t1')]))
    expect(all(tree, 'command').map(({ callId, status }) => [callId, status])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
    ])
    expect(all(tree, 'command').map(linesOf)).toEqual([
      [3, 4, 5, 6],
      [7, 8],
    ])
  })

  it('is one script, with its output once', async () => {
    const script = [r.customCall('c1', 'exec', 'text("done")'), r.customOutput('c1', 'Script completed\nOutput:\ndone')]
    const once = await run([r.started('t1'), ...script, r.complete('t1')])
    const { tree } = await run(twice([r.started('t1'), ...script, r.complete('t1')]))
    expect(all(tree, 'output').map(({ value }) => value)).toEqual(all(once.tree, 'output').map(({ value }) => value))
  })

  it('is two commands if the input differs', async () => {
    const [callA] = r.command('a', 'make a')
    const { tree } = await run([callA, ...r.command('a', 'make b')])
    expect(all(tree, 'command').map(({ script }) => script)).toEqual(['make a', 'make b'])
  })
})

describe('Codex tools that list resources of MCP servers', () => {
  it.each(['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'])(
    'have one name with and without an end record: %s',
    async (tool) => {
      const ended = r.event('mcp_tool_call_end', {
        call_id: 'a',
        invocation: { server: 'codex', tool, arguments: {} },
        result: { Ok: { content: [] } },
      })
      const { tree } = await run([r.call('a', tool, {}), ended, r.call('b', tool, {}), r.output('b', '{}')])
      expect(all(tree, 'toolCall').map(({ server, family }) => [server, family])).toEqual([
        ['codex', 'mcp'],
        ['codex', 'mcp'],
      ])
      expect(Object.keys(tree.stats.tools)).toEqual([`codex/${tool}`])
    },
  )
})

describe('an end record', () => {
  it('decides exit code, duration, status and folder, and the longer body is kept', async () => {
    const [call] = r.command('a', 'make')
    const { tree } = await run([r.started('t1'), call, executed('a'), r.output('a', 'buil'), r.complete('t1')])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ exitCode: 0, durationMs: 1000, status: 'completed', argv: ['bash', '-lc', 'make'] })
    expect(bodies(node)).toEqual(['built\n'])
    expect(linesOf(node)).toEqual([2, 3, 4])
  })

  it.each([
    ['Name the target first.', ['built\n', 'Name the target first.']],
    ['built', ['built\n']],
    ['bui…4 chars truncated…all', ['bui…4 chars truncated…all']],
    ['Exit code: 0\nWall time: 1 seconds\nOutput:\nother words', ['other words']],
  ])('keeps its body and what the model was given instead: %j', async (text, outputs) => {
    const [call] = r.command('a', 'make')
    const { tree } = await run([r.started('t1'), call, executed('a'), r.output('a', text), r.complete('t1')])
    const node = only(tree, 'command')
    expect(bodies(node)).toEqual(outputs)
    expect(node.children.map((child) => 'instead' in child)).toEqual(outputs.map((_, at) => at === 1))
  })

  it('is used even long after its turn', async () => {
    const [call] = r.command('a', 'make')
    const { tree } = await run([
      r.started('t1'),
      call,
      r.output('a', 'Wall time: 2.0 seconds\naborted by user'),
      r.aborted('t1'),
      r.started('t2'),
      r.userItem('Go on'),
      executed('a', { status: 'failed', exit_code: -1, aggregated_output: 'half\n' }, 't1'),
      r.complete('t2'),
    ])
    const node = only(tree, 'command')
    expect(node).toMatchObject({ id: 'l2', status: 'interrupted' })
    expect(bodies(node)).toEqual(['half\n'])
    expect(linesOf(node)).toEqual([2, 3, 7])
  })

  it.each([
    ['Process running with session ID 7', 'interrupted', undefined],
    ['Process exited with code -1', 'failed', -1],
  ])('with code -1 gives no exit code, unless the output says the same: %s', async (text, status, exitCode) => {
    const [call] = r.command('a', 'make')
    const said = r.output('a', `Chunk ID: a1\nWall time: 1.0 seconds\n${text}\nOutput:\nhalf\n`)
    const end = executed('a', { status: 'failed', exit_code: -1, aggregated_output: 'half\n' })
    const { tree } = await run([r.started('t1'), call, said, r.complete('t1'), end])
    const node = only(tree, 'command')
    expect([node.status, node.exitCode, node.outcome]).toEqual([status, exitCode, undefined])
  })

  it('with code -1 for a process that a script started means that it was stopped', async () => {
    const script = 'const result = await tools.exec_command({"cmd":"make"});\ntext(result.output);'
    const { tree } = await run([
      r.started('t1'),
      r.item({ type: 'custom_tool_call', call_id: 'c', name: 'exec', input: script }),
      r.item({
        type: 'custom_tool_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'Script completed\nWall time 1.0 seconds\nOutput:\n' },
          { type: 'input_text', text: 'half\n' },
        ],
      }),
      r.complete('t1'),
      executed('exec-1', { process_id: '7', status: 'failed', exit_code: -1, aggregated_output: 'half\n' }),
    ])
    expect(only(tree, 'command')).toMatchObject({ script: 'make', status: 'interrupted' })
    expect(only(tree, 'command')).not.toHaveProperty('exitCode')
  })

  it("with code -1 for a user's command means stopped with its turn, or that it could not run", async () => {
    const end = executed('a', { source: 'user_shell', status: 'failed', exit_code: -1 })
    const statusOf = async (last: r.Json): Promise<unknown> => {
      const { tree } = await run([r.started('t1'), end, last])
      expect(only(tree, 'command')).not.toHaveProperty('exitCode')
      return only(tree, 'command').status
    }
    expect(await statusOf(r.aborted('t1'))).toBe('interrupted')
    expect(await statusOf(r.complete('t1'))).toBe('failed')
  })

  it('with an exit code overrides an output that says the command was aborted', async () => {
    const [call] = r.command('a', 'make')
    const said = r.output('a', 'Wall time: 2.0 seconds\naborted by user')
    const { tree } = await run([r.started('t1'), call, said, executed('a'), r.complete('t1')])
    expect(only(tree, 'command')).toMatchObject({ status: 'completed', exitCode: 0 })
  })

  it('without a call goes to the turn that it names', async () => {
    const { tree } = await run([
      r.started('t1'),
      r.userItem('Go'),
      r.aborted('t1'),
      r.started('t2'),
      r.userItem('Next'),
      executed('late', {}, 't1'),
      r.complete('t2'),
    ])
    const [first, second] = all(tree, 'turn')
    expect(first && all(first, 'command').map(({ callId }) => callId)).toEqual(['late'])
    expect(second && all(second, 'command')).toEqual([])
  })

  it('without a call and with an unknown turn goes to the open turn', async () => {
    const { tree } = await run([r.started('t1'), executed('late', {}, 'elsewhere'), r.complete('t1')])
    expect(all(only(tree, 'turn'), 'command')).toHaveLength(1)
  })

  it('identifies a call whose arguments cannot be read', async () => {
    const broken = r.item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":', call_id: 'a' })
    const { tree } = await run([r.started('t1'), broken, executed('a'), r.output('a', 'x'), r.complete('t1')])
    expect(only(tree, 'command')).toMatchObject({ script: 'make', exitCode: 0 })
  })

  it('says which files a patch through the shell changed', async () => {
    const change = r.completed(
      'FileChange',
      { id: 'a', changes: { '/p/b.txt': { type: 'add', content: 'x\n' } }, status: 'completed' },
      't1',
    )
    const { tree } = await run([r.started('t1'), ...r.command('a', 'python patch.py'), change, r.complete('t1')])
    expect(only(tree, 'fileChange')).toMatchObject({ path: '/p/b.txt', operation: 'add', added: 1 })
  })
})

describe('calls of MCP servers', () => {
  const ended = (result: r.Json): r.Json =>
    r.event('mcp_tool_call_end', {
      call_id: 'a',
      invocation: { server: 'stock', tool: 'find', arguments: { name: 'nut' } },
      duration: { secs: 0, nanos: 250_000_000 },
      result,
    })

  it('have the server, tool and blocks of the end event', async () => {
    const { tree } = await run([
      r.call('a', 'mcp__stock__find_abbrev', { name: 'nut' }),
      ended({ Ok: { content: [{ type: 'text', text: '3 nuts' }], isError: false } }),
      r.output('a', 'Wall time: 0.2 seconds\nOutput:\n3 nuts'),
    ])
    expect(only(tree, 'toolCall')).toMatchObject({
      family: 'mcp',
      server: 'stock',
      tool: 'find',
      input: '{"name":"nut"}',
      status: 'completed',
      durationMs: 250,
      children: [{ type: 'text', value: '3 nuts' }],
    })
  })

  it.each<[string, r.Json]>([
    ['an error that the server reported', { Ok: { content: [{ type: 'text', text: 'no' }], isError: true } }],
    ['an error on the way', { Err: 'connection closed' }],
  ])('fail by %s', async (_name, result) => {
    const { tree } = await run([r.call('a', 'mcp__stock__find', {}), ended(result), r.output('a', 'bad')])
    expect(only(tree, 'toolCall').status).toBe('failed')
  })

  it('show the pictures of a result that is JSON text', async () => {
    const text = JSON.stringify([
      { type: 'text', text: 'a shelf' },
      { type: 'image', data: r.pixel, mimeType: 'image/png' },
    ])
    const { tree } = await run([r.call('a', 'stock__photo', {}), r.output('a', text)])
    expect(only(tree, 'image')).toMatchObject({ mediaType: 'image/png', origin: 'tool' })
  })
})

describe('viewing a picture', () => {
  const look = (callId: string): r.Json => r.call(callId, 'view_image', { path: `/p/${callId}.png` })
  const brought = r.item({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_image', image_url: r.pixelUrl }],
  })

  it('gives the picture of its output', async () => {
    const { tree } = await run([look('a'), r.output('a', [{ type: 'input_image', image_url: r.pixelUrl }])])
    expect(only(tree, 'image')).toMatchObject({ origin: 'viewed', url: '/p/a.png', mediaType: 'image/png' })
  })

  it('gives the picture of the message after it, which nobody typed', async () => {
    const { tree } = await run([
      r.userItem('Look'),
      r.userEvent('Look'),
      look('a'),
      r.output('a', 'attached local image path'),
      brought,
      r.userEvent('', { images: [r.pixelUrl] }),
      r.answerEvent('A dot'),
      r.answerItem('A dot'),
    ])
    expect(dialogue(tree)).toEqual(['U Look', 'A A dot'])
    expect(linesOf(only(tree, 'image'))).toEqual([3, 4, 5, 6])
  })

  it('gives each of two calls its own picture', async () => {
    const attached = 'attached local image path'
    const { tree } = await run([
      look('a'),
      look('b'),
      r.output('a', attached),
      r.output('b', attached),
      brought,
      brought,
    ])
    expect(all(tree, 'image').map((node) => [node.url, node.mediaType])).toEqual([
      ['/p/a.png', 'image/png'],
      ['/p/b.png', 'image/png'],
    ])
    expect(dialogue(tree)).toEqual([])
  })

  it('stays a call with its text if it failed', async () => {
    const { tree } = await run([look('a'), r.output('a', 'unable to locate image at `/p/a.png`')])
    expect(all(tree, 'image')).toEqual([])
    expect(only(tree, 'toolCall')).toMatchObject({ tool: 'view_image', status: 'failed' })
  })

  it('takes no picture that a user attaches to the next prompt', async () => {
    const { tree } = await run([
      r.started('t1'),
      look('a'),
      r.output('a', [{ type: 'input_image', image_url: r.pixelUrl }]),
      r.complete('t1'),
      r.started('t2'),
      brought,
      r.complete('t2'),
    ])
    expect(dialogue(tree)).toEqual(['U [image]'])
  })
})

describe('a script of code mode', () => {
  const script = r.customCall('exec1', 'exec', 'for (const step of steps()) await step.run()')
  const done = r.customOutput('exec1', [
    { type: 'input_text', text: 'Script completed\nWall time 1.0 seconds\nOutput:\n' },
  ])

  it('contains the work between its call and its output', async () => {
    const work = [executed('exec-0198'), executed('exec-0199')]
    const { tree } = await run([r.started('t1'), script, ...work, done, r.complete('t1')])
    const node = only(tree, 'toolCall')
    expect(node).toMatchObject({ tool: 'exec', family: 'custom', status: 'completed', durationMs: 1000 })
    expect(all(node, 'command')).toMatchObject([
      { script: 'make', exitCode: 0 },
      { script: 'make', exitCode: 0 },
    ])
  })

  it('is replaced by its command if only one was recorded', async () => {
    const { tree } = await run([r.started('t1'), script, executed('exec-0198'), done, r.complete('t1')])
    expect(all(tree, 'toolCall')).toEqual([])
    expect(only(tree, 'command')).toMatchObject({ id: 'l2', script: 'make', exitCode: 0 })
    expect(linesOf(only(tree, 'command'))).toEqual([2, 4, 3])
  })

  it('contains no work that comes after its output', async () => {
    const { tree } = await run([r.started('t1'), script, done, executed('exec-0198'), r.complete('t1')])
    expect(all(only(tree, 'toolCall'), 'command')).toEqual([])
    expect(all(tree, 'command')).toHaveLength(1)
  })

  it('contains no work of later turns if it never ended', async () => {
    const { tree } = await run([
      r.started('t1'),
      script,
      r.aborted('t1'),
      r.started('t2'),
      executed('exec-0199', {}, 't2'),
      r.complete('t2'),
    ])
    expect(all(only(tree, 'toolCall'), 'command')).toEqual([])
    const second = all(tree, 'turn')[1]
    expect(second && all(second, 'command')).toHaveLength(1)
  })

  it('contains no command of the user', async () => {
    const { tree } = await run([r.started('t1'), script, executed('own', { source: 'user_shell' }), done])
    expect(all(only(tree, 'toolCall'), 'command')).toEqual([])
    expect(only(tree, 'command').actor).toBe('user')
  })

  it('continues through waits, even through one without output', async () => {
    const { tree } = await run([
      r.started('t1'),
      script,
      r.customOutput('exec1', 'Script running with cell ID 7\nWall time 5.0 seconds\nOutput:\nhalf'),
      r.call('w1', 'wait', { cell_id: '7' }),
      executed('exec-0198'),
      r.output('w1', 'Script running with cell ID 7\nWall time 2.0 seconds\nOutput:\nwhole'),
      r.call('w2', 'wait', { cell_id: '7' }),
      r.output('w2', 'Script completed\nWall time 1.0 seconds\nOutput:\n'),
      r.complete('t1'),
    ])
    const node = only(tree, 'toolCall')
    expect(node).toMatchObject({ status: 'completed', durationMs: 8000 })
    expect(bodies(node)).toEqual(['half', 'whole'])
    expect(all(node, 'command')).toHaveLength(1)
  })
})

describe('searches', () => {
  it('are one node with their end event', async () => {
    const { tree } = await run([
      r.event('web_search_end', {
        call_id: 'ws_1',
        query: 'nuts',
        action: { type: 'search', query: 'nuts', queries: ['nuts'] },
      }),
      r.item({ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'nuts' } }),
    ])
    expect(only(tree, 'search')).toMatchObject({ action: 'search', queries: ['nuts'], status: 'completed' })
  })

  const ended = (query: string, id: string) =>
    r.event('web_search_end', { call_id: id, query, action: { type: 'search', query, queries: [query] } })
  const asked = (query: string) =>
    r.item({ type: 'web_search_call', status: 'completed', action: { type: 'search', query, queries: [query] } })

  it.each([
    ['an event before its item', [ended('nuts', 'ws_1'), asked('nuts')], ['nuts']],
    ['an item before its event', [asked('nuts'), ended('nuts', 'ws_1')], ['nuts']],
    ['a batch', [ended('nuts', 'ws_1'), ended('bolts', 'ws_2'), asked('nuts'), asked('bolts')], ['nuts', 'bolts']],
    [
      'the same search twice',
      [ended('nuts', 'ws_1'), asked('nuts'), ended('nuts', 'ws_2'), asked('nuts')],
      ['nuts', 'nuts'],
    ],
    ['two items', [asked('nuts'), asked('nuts')], ['nuts', 'nuts']],
    ['two events', [ended('nuts', 'ws_1'), ended('nuts', 'ws_2')], ['nuts', 'nuts']],
    ['other words', [ended('nuts', 'ws_1'), asked('bolts')], ['nuts', 'bolts']],
    [
      'another turn',
      [r.started('t1'), ended('nuts', 'ws_1'), r.complete('t1'), r.started('t2'), asked('nuts')],
      ['nuts', 'nuts'],
    ],
  ])('are matched by what they search for if the item has no id: %s', async (_name, records, queries) => {
    const { tree } = await run(records)
    expect(all(tree, 'search').map((node) => node.queries.join())).toEqual(queries)
    expect(tree.stats.tools['web_search']?.calls).toBe(queries.length)
  })
})

describe('every node', () => {
  it('has an id of its own, even if records ran together and calls have many parts', async () => {
    const { parseEntry } = await import('../../../src/rollout/parse/entry.ts')
    const { assemble } = await import('../../../src/transcript/fragment.ts')
    const { normalizer } = await import('../../../src/transcript/preset.ts')
    const { VFile } = await import('vfile')
    const { sliceData } = await import('../../helpers/slice.ts')
    const { session } = await import('../../helpers/tree.ts')
    const values = r.envelopes([r.answerEvent('left'), r.answerEvent('right'), ...r.command('a', 'make')])
    const entries = values.map((value, part) => parseEntry(value, part === 0 ? { line: 1 } : { line: 1, part }))
    const file = new VFile({ data: { slice: sliceData() } })
    const tree = await normalizer().run(assemble(entries, session([]), file), file)
    const ids = nodesOf(tree).map(({ id }) => id)
    expect(new Set(ids.slice(1)).size).toBe(ids.length - 1)
    expect(file.data.slice?.lines).toMatchObject({ total: 1, shown: 1 })
  })
})

describe('a call that sends a message while the work continues', () => {
  const accepted = '{"accepted":true}'
  const said = (text: string) => ({ delivery: 'async', phase: 'final_answer', message: text })
  const sent = (id: string, text: string): r.Json =>
    r.completed('AgentMessage', { id, content: [{ type: 'Text', text }], phase: 'final_answer', delivery: 'async' })

  it('becomes the message', async () => {
    const { tree } = await run([
      r.started('turn-1'),
      r.call('m', 'send_message_to_user_async', { message: 'It is **slow**.' }),
      sent('m', 'It is **slow**.'),
      r.output('m', accepted),
      r.complete('turn-1', { last_agent_message: null }),
    ])
    const message = only(tree, 'message')
    expect(message).toMatchObject({ id: 'l2', role: 'assistant', phase: 'final_answer' })
    expect(linesOf(message)).toEqual([2, 3, 4])
    expect([all(tree, 'toolCall'), all(tree, 'notice')]).toEqual([[], []])
  })

  it('becomes the question, whose answer is a prompt', async () => {
    const questions = [{ title: 'Which first?', options: ['Staging', 'Production'] }]
    const { tree } = await run([
      r.call('q', 'request_user_input_async', { questions }),
      sent('q', 'Which first?\n- Staging\n- Production'),
      r.output('q', accepted),
    ])
    const approval = only(tree, 'approval')
    expect(approval).toMatchObject({ subject: 'question', status: 'completed', children: [{ type: 'question' }] })
    expect(only(tree, 'question').children).toMatchObject([{ value: 'Which first?' }])
    expect(linesOf(approval)).toEqual([1, 2, 3])
    expect(all(tree, 'message')).toEqual([])
  })

  it('is matched by its position if the record has no id', async () => {
    const { tree } = await run([
      r.call('bad', 'send_message_to_user_async', { message: '' }),
      r.output('bad', 'message must not be empty'),
      r.call('a', 'send_message_to_user_async', { message: 'A' }),
      r.call('b', 'send_message_to_user_async', { message: 'B' }),
      r.answerEvent('A', said('A')),
      r.answerEvent('B', said('B')),
      r.output('a', accepted),
      r.output('b', accepted),
    ])
    expect(all(tree, 'message').map(linesOf)).toEqual([
      [3, 5, 7],
      [4, 6, 8],
    ])
    expect(bodies(only(tree, 'toolCall'))).toEqual(['message must not be empty'])
  })

  it('does not affect a message without a call', async () => {
    const { tree } = await run([sent('elsewhere', 'Hello.'), r.answerEvent('Hi.', said('Hi.'))])
    expect(all(tree, 'message')).toHaveLength(2)
  })
})
