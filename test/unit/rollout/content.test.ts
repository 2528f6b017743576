import { describe, expect, it, test } from 'vitest'
import { contentTexts, partName } from '../../../src/rollout/parse/content.ts'
import { readOutcome } from '../../../src/rollout/parse/exec-text.ts'
import * as r from '../../helpers/records.ts'
import { all, dialogue, only, run } from '../../helpers/slice.ts'

test.each([
  [{ type: 'input_audio', audio_url: 'data:audio/wav;base64,UklGRg==' }, 'Audio'],
  [{ type: 'output_audio', transcript: 'Hello' }, 'Audio: Hello'],
  [{ type: 'encrypted_content', encrypted_content: 'gAAA' }, 'Encrypted content'],
  [{ type: 'input_file', filename: 'a.pdf', file_data: 'JVBERi0=' }, 'File: a.pdf'],
  [{ type: 'resource_link', uri: 'x://a', name: 'A', description: 'Of it' }, 'Resource: x://a, A, Of it'],
  [{ type: 'odd', z: 'said' }, 'Content of an unknown kind (odd): {"z":"said"}'],
  [{ type: 'odd' }, 'Content of an unknown kind (odd)'],
  [{ type: 'odd', data: 'x'.repeat(3000) }, 'Content of an unknown kind (odd): {"data":"[3000 characters]"}'],
  [42, 'Content of an unknown kind (no type): 42'],
  [null, 'Content of an unknown kind (no type)'],
])('a part that is neither text nor picture gets a name: %j', (part, name) => {
  expect(partName(part)).toBe(name)
})

test('a part that is nested too deeply is named by its kind alone', () => {
  let deep: unknown = 'x'
  for (let level = 0; level < 200; level++) deep = [deep]
  expect(partName({ type: 'odd', deep })).toBe('Content of an unknown kind (odd)')
})

test('blocks become their texts, and a placeholder for each other kind except pictures', () => {
  const resource = { type: 'resource', resource: { uri: 'x://a', text: 'inside' } }
  const list = [
    'bare',
    { type: 'text', text: 'said' },
    { type: 'image', data: 'AA==' },
    resource,
    { type: 'odd' },
    null,
  ]
  expect(contentTexts(list)).toEqual([
    'bare',
    'said',
    '[Resource: x://a]',
    'inside',
    '[Content of an unknown kind (odd)]',
  ])
})

describe('the JSON of an MCP result', () => {
  const content = [{ type: 'text', text: '{"a":1}' }]

  it('is reduced to the text of its blocks if they contain all of it', () => {
    for (const structuredContent of [undefined, { a: 1 }])
      expect(readOutcome(JSON.stringify({ content, isError: true, structuredContent }))).toMatchObject({
        status: 'failed',
        body: '{"a":1}',
      })
  })

  it('is kept whole if it contains more than its blocks', () => {
    const text = JSON.stringify({ content, isError: true, structuredContent: { b: 2 } })
    expect(readOutcome(text)).toMatchObject({ status: 'failed', body: text })
  })
})

describe('no part of a record is dropped silently', () => {
  const shown = async (...records: r.Json[]): Promise<string> =>
    JSON.stringify((await run([r.userItem('Go'), ...records])).tree)

  it('in an answer or an output with parts of all kinds', async () => {
    const parts = ['bare words', { type: 'odd', z: 'odd words' }, { type: 'refusal', refusal: 'no words' }]
    const said = await shown(r.item({ type: 'message', role: 'assistant', content: parts }))
    const printed = await shown(r.call('c', 'foo', {}), r.output('c', parts))
    for (const text of ['bare words', 'odd words', 'no words']) {
      expect(said).toContain(text)
      expect(printed).toContain(text)
    }
  })

  it('in a prompt with a sound and a file that also has an event', async () => {
    const content = [
      { type: 'input_text', text: 'hear' },
      { type: 'input_audio', audio_url: 'data:audio/wav;base64,UklGRg==' },
      { type: 'input_file', filename: 'a.pdf' },
    ]
    const { tree } = await run([r.item({ type: 'message', role: 'user', content }), r.userEvent('hear')])
    expect(only(tree, 'message').children.map((node) => ('value' in node ? node.value : ''))).toEqual([
      'hear',
      '[Audio]',
      '[File: a.pdf]',
    ])
  })

  it('in an MCP result that only its event records', async () => {
    const content = [
      { type: 'text', text: 'words' },
      { type: 'resource', resource: { uri: 'x://a', text: 'inside' } },
      { type: 'resource_link', uri: 'x://b', name: 'linked' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ]
    const result = { Ok: { content, structuredContent: { structured: 1 } } }
    const event = r.event('mcp_tool_call_end', { call_id: 'm', invocation: { server: 's', tool: 't' }, result })
    const text = await shown(event)
    for (const part of ['words', 'x://a', 'inside', 'linked', '[Audio]', 'structured']) expect(text).toContain(part)
  })

  it('in reasoning that is recorded both as a summary and in full', async () => {
    const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'short' }] }
    const { tree } = await run([r.item({ ...thought, content: [{ type: 'reasoning_text', text: 'long' }] })])
    expect(all(tree, 'reasoning')).toMatchObject([
      { form: 'summary', children: [{ value: 'short' }] },
      { form: 'raw', children: [{ value: 'long' }] },
    ])
  })

  it('in what a patch printed in addition to its output', async () => {
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch'
    const ended = r.event('patch_apply_end', { call_id: 'p', success: false, stderr: 'disk is full', changes: {} })
    const text = await shown(r.customCall('p', 'apply_patch', patch), ended, r.customOutput('p', 'Not done.'))
    for (const part of ['disk is full', 'Not done.']) expect(text).toContain(part)
  })

  it('in a turn whose last answer only its end records, and no answer is shown twice', async () => {
    const end = r.complete('t1', { last_agent_message: 'The end.' })
    const { tree, slice } = await run([r.started('t1'), r.userItem('Go'), end])
    expect(dialogue(tree)).toEqual(['U Go', 'A The end.'])
    expect(slice.lines).toMatchObject({ total: 3, shown: 3 })
    const once = await run([r.started('t1'), r.userItem('Go'), r.answerItem('The  end.'), end])
    expect(dialogue(once.tree)).toEqual(['U Go', 'A The  end.'])
  })

  it('in a turn that ends on the next page, which does not repeat its last answer', async () => {
    const said = [r.answerEvent('The end.'), r.answerItem('The end.')]
    const before = await run([r.started('t1'), r.userItem('Go'), ...said], { last: false })
    const end = r.complete('t1', { last_agent_message: 'The end.' })
    const { tree } = await run([...r.command('c', 'ls'), end], { carry: before.slice.carry })
    expect(dialogue(tree)).toEqual([])
  })
})
