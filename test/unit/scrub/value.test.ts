/** What a fixture keeps and what it replaces, record by record. */
import { imageSize } from 'image-size'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../helpers/records.ts'
import * as records from '../../helpers/records.ts'
import { scrubRecord, scrubTexts } from '../../helpers/scrub.ts'

/** The scrubbed text of a prompt event. */
function prompt(text: string): string {
  const { payload } = scrubRecord(records.userEvent(text)) as { payload: { message: string } }
  return payload.message
}

const outputOf = (text: string): string =>
  (scrubRecord(records.output('call_1', text)) as { payload: { output: string } }).payload.output

const payloadOf = (record: Json): Json => scrubRecord(record)['payload'] as Json

describe('the words of the format', () => {
  test('types, roles, models and versions stay', () => {
    const record = records.meta({
      cli_version: '0.169.0',
      originator: 'codex_exec',
      source: 'cli',
      history_mode: 'paginated',
    })
    expect(scrubRecord(record)).toEqual(record)
    expect(
      payloadOf(records.turnContext({ model: 'gpt-5.1-codex', effort: 'high', approval_policy: 'on-request' })),
    ).toEqual({
      model: 'gpt-5.1-codex',
      effort: 'high',
      approval_policy: 'on-request',
    })
  })

  test('keys and types of unknown records stay, their texts do not', () => {
    const record = scrubRecord({
      type: 'quantum_state',
      payload: { type: 'leap', spin_axis: 'northward', count: 123_456 },
    })
    expect(record).toEqual({
      type: 'quantum_state',
      payload: { type: 'leap', spin_axis: expect.any(String), count: 123_456 },
    })
    expect(record.payload.spin_axis).not.toContain('northward')
  })

  test('a possible secret in place of a word of the format is replaced', () => {
    const token = ['ghp', 'J7dK2mQ9xW4vB8nR5tY1pL6sF3hG0aZcE7uT'].join('_')
    const record = scrubRecord({ type: token, payload: { type: token, model: token, status: 'done', [token]: 1 } })
    expect(JSON.stringify(record)).not.toContain(token.slice(4, 20))
    expect(record.payload.type).toBe(record.type)
    expect(record.payload).toMatchObject({ model: record.type, status: 'done' })
    const others = [
      records.call('call_1', token, {}),
      records.call('call_1', 'run', {}, { namespace: token }),
      records.meta({ originator: `codex ${token}` }),
    ]
    for (const other of others) expect(JSON.stringify(scrubRecord(other))).not.toContain(token.slice(4, 20))
    const sentence = payloadOf(records.call('call_1', 'Ada paid the ferry', {}))
    expect(sentence['name']).not.toContain('Ada')
  })

  test("names of Codex's own tools stay, names of MCP tools are replaced consistently", () => {
    expect(payloadOf(records.call('call_1', 'exec_command', {}))['name']).toBe('exec_command')
    const lines = [
      records.call('call_1', 'mcp__acme_crm__find_customer', {}),
      records.event('mcp_tool_call_end', { invocation: { server: 'acme_crm', tool: 'find_customer' } }),
      records.call('call_2', 'find_customer', {}, { namespace: 'mcp__acme_crm' }),
    ]
    const [flat, end, split] = scrubTexts(lines.map((line) => JSON.stringify(line))).map(
      (line) => JSON.parse(line).payload,
    )
    expect(flat.name).toBe(`mcp__${end.invocation.server}__${end.invocation.tool}`)
    expect(split).toMatchObject({ name: end.invocation.tool, namespace: `mcp__${end.invocation.server}` })
    expect(flat.name).not.toMatch(/acme|customer/)
  })

  test('timestamps stay', () => {
    const record = {
      timestamp: '2026-03-14T09:00:00.000Z',
      type: 'event_msg',
      payload: { type: 'task_started', started_at: 1_772_359_200 },
    }
    expect(scrubRecord(record)).toEqual(record)
  })
})

describe('texts', () => {
  test('Markdown stays, and words are replaced by words of the same length and case', () => {
    const text =
      '## A Heading\n\n- [ ] do *this*\n- [x] **not** that\n\n```sh\nabc | def\n```\n\n| One | Two |\n|---|---|'
    expect(prompt(text).replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A')).toBe(
      text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A'),
    )
    expect(prompt(text)).not.toContain('Heading')
  })

  test('the two records of a message stay equal, whatever spaces and notes surround its text', () => {
    const [item, event] = scrubTexts([
      JSON.stringify(records.answerItem('All of it is done.<oai-mem-citation>\nnote\n</oai-mem-citation>')),
      JSON.stringify(records.answerEvent('  All of it is done.  ')),
    ]).map((line) => JSON.parse(line).payload)
    expect(item.content[0].text.split('<')[0]).toBe(event.message.trim())
  })

  test('the same word gets different fillers, so that a known text does not reveal others', () => {
    const [one = '', two = ''] = prompt('The password is here.\nMy password is gone.').split('\n')
    expect(one.split(' ')[1]).not.toBe(two.split(' ')[1])
  })

  test.each([
    'Exit code: 3\nWall time: 1.5 seconds\nOutput:\n',
    'Chunk ID: a1b2c3\nWall time: 0.2 seconds\nProcess exited with code 127\nOriginal token count: 12345\nOutput:\n',
    'Wall time: 1 seconds\nProcess running with session ID 48213\nOutput:\n',
    'Script running with cell ID 7\nWall time 0.5 seconds\nOutput:\n',
    'aborted by user after 2.5s',
    'command timed out after 10000 milliseconds',
    'exec command rejected by user',
    'Plan updated',
    '…1234 tokens truncated…',
  ])('a phrase that Codex itself writes stays: %j', (text) => {
    expect(outputOf(text).replace(/(?<=Chunk ID: )\w+/, 'a1b2c3')).toBe(text)
  })

  test('the grammar of a patch stays, and its paths match those of other records', () => {
    const text =
      '*** Begin Patch\n*** Update File: src/ledger/totals.ts\n@@ class Ledger\n-  old\n+  newer\n*** End Patch'
    const [call, end] = scrubTexts([
      JSON.stringify(records.customCall('call_1', 'apply_patch', text)),
      JSON.stringify(
        records.completed('FileChange', {
          id: 'call_1',
          changes: { 'src/ledger/totals.ts': { type: 'add', content: '' } },
        }),
      ),
    ]).map((line) => JSON.parse(line).payload)
    const path = Object.keys(end.item.changes)[0] ?? ''
    expect(call.input.replace(/(?<=@@ |^[-+] {2}).*$/gm, '…')).toBe(
      `*** Begin Patch\n*** Update File: ${path}\n@@ …\n-  …\n+  …\n*** End Patch`,
    )
    expect(path).toMatch(/^\w+\/\w+\/\w+\.ts$/)
    expect(path).not.toMatch(/ledger|totals/)
  })

  test('names of programs stay, so that commands are classified as before', () => {
    expect(prompt("cd lib && rg -n 'total' | head -5 && sed -n '1,20p' notes.md")).toMatch(
      /^cd \w+ && rg -n '\w+' \| head -5 && sed -n '1,20p' \w+\.md$/,
    )
    expect(prompt('git ls-files && rg --files docs && find . -name x -delete')).toMatch(
      /^git ls-files && rg --files \w+ && find \. -\w+ x -delete$/,
    )
  })

  test('the shell of a command on Windows stays, other programs are replaced', () => {
    const run = (program: string) => {
      const argv = [`C:\\Windows\\System32\\v1.0\\${program}`, '-Command', 'ledger sum']
      const { payload } = scrubRecord(records.event('exec_command_end', { call_id: 'c', command: argv })) as {
        payload: { command: string[] }
      }
      return payload.command
    }
    for (const shell of ['powershell.exe', 'pwsh.exe', 'PowerShell.EXE', 'bash.exe'])
      expect(run(shell)[0]?.endsWith(`\\${shell}`)).toBe(true)
    expect(run('ledger.exe')[0]).toMatch(/\\(?!ledger)\w+\.exe$/)
    expect(run('powershell.exe')[2]).not.toMatch(/ledger|sum/)
  })

  test('escape sequences of a terminal stay', () => {
    expect(prompt('\u001b[1;31merror\u001b[0m')).toMatch(/^\u001b\[1;31m[a-z]{5}\u001b\[0m$/)
  })
})

describe('names', () => {
  test('a path has one replacement in texts, keys and URIs, with its extension and the home `user`', () => {
    const line = JSON.stringify(
      records.completed('CommandExecution', {
        id: 'call_1',
        cwd: 'file:///home/petra/ledger%20app/src',
        aggregated_output: 'see /home/petra/ledger-app/src/totals.test.ts and ~/ledger-app/src',
        changes: { '/home/petra/ledger-app/src/totals.test.ts': {} },
      }),
    )
    const { item } = JSON.parse(scrubTexts([line])[0] ?? '').payload
    const [path = ''] = Object.keys(item.changes)
    expect(path).toMatch(/^\/home\/user\/\w+-\w+\/\w+\/\w+\.test\.ts$/)
    expect(item.aggregated_output).toContain(path)
    expect(item.aggregated_output).toContain(`~${path.slice('/home/user'.length).replace(/\/[^/]*$/, '')}`)
    expect(item.cwd).toMatch(/^file:\/\/\/home\/user\/[\w-]+\/\w+$/)
    expect(JSON.stringify(item)).not.toMatch(/petra|ledger/)
  })

  test.each([
    ['/Users/petra/work', /^\/Users\/user\/\w+$/],
    ['C:\\Users\\petra\\work', /^[A-Z]:\\Users\\user\\\w+$/],
    ['/root/helper_one', /^\/root\/\w+_\w+$/],
  ])('replaces the names in the folder %s', (cwd, expected) => {
    expect(payloadOf(records.turnContext({ cwd }))['cwd']).toMatch(expected)
  })

  test('hosts, addresses, remotes and branches are replaced consistently, loopback addresses stay', () => {
    const { git } = payloadOf(
      records.meta({
        git: { branch: 'feature/ledger', repository_url: 'https://petra:word@git.example.com/ledger/app.git' },
      }),
    ) as { git: Record<string, string> }
    expect(git['repository_url']).toMatch(/^https:\/\/\w+:\w+@\w+\.\w+\.com\/\w+\/\w+\.git$/)
    expect(git['branch']).toMatch(/^\w+\/\w+$/)
    const text = prompt(
      'mail petra@example.com or open https://git.example.com/ledger/app.git#L1 on 192.168.17.4, not 127.0.0.1 or localhost',
    )
    expect(text).toContain(git['repository_url']?.replace(/^.*@/, ''))
    expect(JSON.stringify([git, text])).not.toMatch(/petra|example|ledger|192\.168/)
    expect(text).toMatch(/127\.0\.0\.1 \w+ localhost$/)
  })

  test('different ids stay different, and equal ids stay equal', () => {
    const ids = [
      'call_a',
      'call_b',
      'call_12',
      'item-1',
      'call_4mYzQx81LpR0sTuVwXyZ7890',
      '0198c0de-0000-7000-8000-00000000beef',
    ]
    const lines = ids.flatMap((id) => [
      JSON.stringify(records.output(id, `of ${id}`)),
      JSON.stringify(records.call(id, 'shell', {})),
    ])
    const found = scrubTexts(lines).map((line) => JSON.parse(line).payload)
    const calls = found.map(({ call_id }) => call_id)
    expect(new Set(calls).size).toBe(ids.length)
    expect(calls.filter((_, at) => at % 2 === 0)).toEqual(calls.filter((_, at) => at % 2 === 1))
    expect(found[8].output).toContain(calls[8])
    expect(found[10].output).toContain(calls[10])
    expect(calls.slice(4, 8)).toEqual(['call_12', 'call_12', 'item-1', 'item-1'])
  })

  test('an id of version 7 keeps its time, by which readers recognise what a fork copied', () => {
    const { id } = payloadOf(records.meta({ id: '0198c0de-1234-7abc-8def-00000000beef' })) as { id: string }
    expect(id).toMatch(/^0198c0de-1234-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(id).not.toContain('beef')
  })

  test('numbers of five digits or more are replaced, also grouped ones; shorter ones and dates stay', () => {
    expect(prompt('on 2026-03-14 at 09:30, 1234 of')).toMatch(/2026-03-14 \w+ 09:30, 1234/)
    expect(prompt('call 0170 555 1234 or 4111-1111-1111-1111 for 987654')).not.toMatch(/555|4111|987654/)
  })

  test('questions and their answers still share their ids', () => {
    const [asked, answered] = scrubTexts([
      JSON.stringify(
        records.call('call_1', 'request_user_input', { questions: [{ id: 'storage_place', question: 'Where?' }] }),
      ),
      JSON.stringify(records.output('call_1', JSON.stringify({ answers: { storage_place: { answers: ['There'] } } }))),
    ]).map((line) => JSON.parse(line).payload)
    const [{ id }] = JSON.parse(asked.arguments).questions
    expect(Object.keys(JSON.parse(answered.output).answers)).toEqual([id])
    expect(id).not.toContain('storage')
  })
})

describe('pictures and ciphertext', () => {
  test.each([
    ['png', `iVBORw0KGgo${'A'.repeat(400)}`],
    ['jpg', `/9j/${'A'.repeat(400)}`],
    ['gif', `R0lGOD${'A'.repeat(400)}`],
    ['webp', `UklGR${'A'.repeat(400)}`],
  ])('a %s becomes the smallest picture of its format', (type, base64) => {
    const { content } = payloadOf(
      records.item({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_image', image_url: `data:image/x;base64,${base64}` }, { data: base64 }],
      }),
    ) as { content: [{ image_url: string }, { data: string }] }
    for (const text of [content[0].image_url.replace(/^.*,/, ''), content[1].data]) {
      expect(imageSize(Buffer.from(text, 'base64'))).toMatchObject({ type, width: 1, height: 1 })
      expect(text.length).toBeLessThan(base64.length)
    }
  })

  test('other base64 becomes other base64 of the same length', () => {
    const base64 = Buffer.from('a private text that is long enough to be taken for base64, is it not?').toString(
      'base64',
    )
    const { blob } = payloadOf({ type: 'event_msg', payload: { blob: base64 } }) as { blob: string }
    expect(blob).toHaveLength(base64.length)
    expect(Buffer.from(blob, 'base64').toString('latin1')).not.toContain('private')
  })

  test('ciphertext keeps its first characters and its length, and becomes x', () => {
    const cipher = `gAAAAABo${'Zm9v'.repeat(20)}==`
    expect(payloadOf(records.item({ type: 'reasoning', encrypted_content: cipher }))['encrypted_content']).toBe(
      `gAAAA${'x'.repeat(cipher.length - 5)}`,
    )
    const args = payloadOf(records.call('call_1', 'spawn_agent', { message: cipher }))['arguments'] as string
    expect(JSON.parse(args).message).toBe(`gAAAA${'x'.repeat(cipher.length - 5)}`)
  })
})

describe('JSON within texts', () => {
  test.each([undefined, 2, 4, '\t'])('keeps its indent of %j', (indent) => {
    const value = { output: 'several words', metadata: { exit_code: 1, duration_seconds: 0.5 } }
    const text = outputOf(JSON.stringify(value, undefined, indent))
    expect(text).toBe(JSON.stringify({ ...value, output: JSON.parse(text).output }, undefined, indent))
    expect(text).not.toContain('words')
  })

  test('stays JSON, whatever its strings escape', () => {
    const patch = '*** Begin Patch\n+@media (x) {\n+}\nnamed\t"quoted" C:\\new\n'
    const value = { files: ['secret.ts'], open: null, tool: 'apply_patch', patch }
    const scrubbed = JSON.parse(prompt(JSON.stringify(value, undefined, 2)))
    expect(scrubbed).toMatchObject({ files: [expect.any(String)], tool: expect.any(String) })
    expect(Object.values(scrubbed)).toContain(null)
    expect(scrubbed.patch.split('\n')).toHaveLength(patch.split('\n').length)
    expect(JSON.stringify(scrubbed)).not.toMatch(/secret|media|named|quoted/)
  })

  test('in arguments of tools gets other keys, words and large numbers', () => {
    const args = payloadOf(records.call('call_1', 'mcp__a__b', { customer: 'Smith', account: 987_654, limit: 5 }))[
      'arguments'
    ] as string
    expect(args).not.toMatch(/customer|Smith|account|987654/)
    expect(Object.values(JSON.parse(args))).toEqual([expect.any(String), expect.any(Number), 5])
  })

  test('gets other large numbers in any notation, and keeps small ones', () => {
    const numbers = [-987_654, 12_345_678_901_234_567_000, 9_876_543.21, 48.137_154, 1234.5678, 1e21, -0.5]
    const args = payloadOf(records.call('call_1', 'mcp__a__b', { numbers }))['arguments'] as string
    expect(args).not.toMatch(/987654|12345678|9876543|137154/)
    const [negative, big, amount, place, ...small] = Object.values(JSON.parse(args) as object)[0] as number[]
    expect(negative).toBeLessThan(-99_999)
    expect(big).toBeGreaterThan(1e19)
    expect([Math.trunc(amount ?? 0), Math.trunc(place ?? 0)]).toEqual([expect.any(Number), 48])
    expect(small).toEqual([1234.5678, 1e21, -0.5])
  })

  test('gets other large numbers in scripts too', () => {
    const code = 'tools.pay(987654, 9876543.21, 9_876_543n, 48.137154, 0x98765abc, 0b10101, 0o77777, 1234, 1_000)'
    const { input } = payloadOf(records.customCall('call_1', 'exec', code)) as { input: string }
    expect(input).not.toMatch(/987654|9_876_543|137154|98765/)
    expect(input).toMatch(
      /^tools\.\w+\(\d{6}, \d{7}\.21, \d_\d{3}_\d{3}n, 48\.\d{6}, 0x\d{5}abc, 0b10101, 0o77777, 1234, 1_000\)$/,
    )
  })
})
