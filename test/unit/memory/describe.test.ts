/** The description of an item: category, tokens, one line of preview. */
import { expect, it } from 'vitest'
import { contentOf } from '../../../src/features/memory/history/content.ts'
import { categoryOf } from '../../../src/features/memory/history/entry.ts'
import { estimateTokens } from '../../../src/features/memory/history/estimate.ts'
import type { ResponseItem } from '../../../src/features/memory/history/history.ts'
import { headOf, previewOf } from '../../../src/features/memory/history/preview.ts'
import { assistant, call, developer, environment, instructions, output, user } from '../../helpers/remember.ts'

const preview = (item: ResponseItem, show?: (text: string) => string): string =>
  previewOf(headOf(item, contentOf(item)), show)
const tokens = (item: ResponseItem): number => estimateTokens(contentOf(item))
const picture = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(9000)}` }
const message = (...content: unknown[]): ResponseItem => ({ type: 'message', role: 'user', content })

const categories: [string, ResponseItem, string][] = [
  ['typed words', user('hello'), 'userMessage'],
  ['pictures alone', message(picture), 'userMessage'],
  ['a text in place of parts', { type: 'message', role: 'user', content: 'hello' }, 'userMessage'],
  ['typed words next to injected ones', message(...parts(environment('/a')), ...parts(user('hi'))), 'userMessage'],
  ['an answer', assistant('done'), 'assistantMessage'],
  ['folder and shell', environment('/a'), 'environmentContext'],
  ['AGENTS.md', instructions('be brief'), 'userInstructions'],
  ['a note of Codex', user('<turn_aborted>\nx\n</turn_aborted>'), 'injected'],
  ['a summary', user('Another language model started to solve this problem and'), 'compactionSummary'],
  ['rules', developer('rules'), 'developer'],
  ['an unknown role', { type: 'message', role: 'narrator', content: [] }, 'developer'],
  ['tools', { type: 'additional_tools', tools: [] }, 'developer'],
  ['reasoning', { type: 'reasoning', summary: [] }, 'reasoning'],
  ['a call', call('a'), 'toolCall'],
  ['an output', output('a'), 'toolOutput'],
  ['a search in the web', { type: 'web_search_call' }, 'webSearch'],
  ['a generated picture', { type: 'image_generation_call' }, 'image'],
  ['a message of another agent', { type: 'agent_message', content: [] }, 'agentMessage'],
  ['an encrypted summary', { type: 'compaction', encrypted_content: 'x' }, 'compactionSummary'],
]

function parts(item: ResponseItem): unknown[] {
  return item['content'] as unknown[]
}

it.each(categories)('%s has its category', (_what, item, category) => {
  expect(categoryOf(item)).toBe(category)
})

it('the labels of late builds count more than the words', () => {
  const labelled = (kind: string): ResponseItem => ({
    ...user('plain words'),
    internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] },
  })
  expect(categoryOf(labelled('environments.environment_context'))).toBe('environmentContext')
  expect(categoryOf(labelled('user.text'))).toBe('userMessage')
})

it('the tokens of words are estimated by length, those of pictures and encrypted reasoning by rule', () => {
  expect(tokens(user('x'.repeat(400)))).toBe(100)
  expect(tokens(user('漢字'))).toBe(2)
  expect(tokens(message(picture))).toBe(1844)
  expect(tokens({ type: 'reasoning', summary: [], encrypted_content: 'A'.repeat(4000) })).toBe(Math.ceil(2350 / 4))
})

it('the summary of reasoning counts only if the reasoning is not encrypted', () => {
  const summary = [{ type: 'summary_text', text: 'x'.repeat(400) }]
  expect(tokens({ type: 'reasoning', summary })).toBe(100)
  expect(tokens({ type: 'reasoning', summary, encrypted_content: 'A'.repeat(4000) })).toBe(588)
})

it('an estimate is never negative', () => {
  expect(tokens({ type: 'reasoning', summary: [], encrypted_content: 'A' })).toBe(0)
  expect(tokens({ type: 'message', role: 'user', content: [] })).toBe(0)
})

it('outputs of all forms are read', () => {
  const text = (value: unknown): string[] => contentOf({ type: 'function_call_output', output: value }).texts
  expect(text('plain')).toEqual(['plain'])
  expect(text([{ type: 'input_text', text: 'part' }, picture])).toEqual(['part'])
  expect(text({ content: 'early', success: true })).toEqual(['early'])
  expect(text(7)).toEqual([])
})

it('the preview of an item is one line without control characters', () => {
  expect(preview(user('first\n\tsecond\u001b[31m'))).toBe('first second\\x1b[31m')
  expect(preview(call('a', 'shell'))).toBe('shell')
  expect(preview({ ...call('a', 'find'), namespace: 'mcp__files' })).toBe('mcp__files.find')
})

it.each([
  ['the words of a command', { type: 'local_shell_call', action: { command: ['ls', '-l'] } }, 'Ran ls -l'],
  [
    'a script without its shell',
    { ...call('a', 'shell'), arguments: '{"command":["bash","-lc","ls | wc"]}' },
    'Ran ls | wc',
  ],
  ['a command in one text', { ...call('a', 'exec_command'), arguments: '{"cmd":"rg gate"}' }, 'Ran rg gate'],
  [
    'other arguments by their names',
    { ...call('a', 'wait'), arguments: '{"ids":["a1"],"ms":30}' },
    'wait: ids ["a1"], ms 30',
  ],
  [
    'the progress of a plan',
    {
      ...call('a', 'update_plan'),
      arguments: '{"plan":[{"step":"Dig","status":"completed"},{"step":"Sow","status":"in_progress"},{"step":"Rest"}]}',
    },
    'update_plan: 1 of 3 steps completed, now: Sow',
  ],
  [
    'a plan whose steps are all done',
    { ...call('a', 'update_plan'), arguments: '{"plan":[{"step":"Dig","status":"completed"}]}' },
    'update_plan: 1 of 1 step completed',
  ],
  [
    'no arguments that are empty',
    { ...call('a', 'write_stdin'), arguments: '{"session_id":7,"chars":"","yield_time_ms":30}' },
    'write_stdin: session_id 7, yield_time_ms 30',
  ],
  ['arguments that are no JSON', { ...call('a', 'wait'), arguments: '{"ids":' }, 'wait {"ids":'],
])('the preview of a call is in words: %s', (_, item, words) => {
  expect(preview(item)).toBe(words)
})

it.each([
  ['Chunk ID: 736efb\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\ngate.ts\n', 'gate.ts'],
  ['Exit code: 1\nWall time: 0.2 seconds\nOutput:\n', '(exit 1)'],
  ['Exit code: 0\nWall time: 0.2 seconds\nOutput:\n', '(no output)'],
  ['{"output":"gate.ts\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}', 'gate.ts'],
  ['gate.ts', 'gate.ts'],
  ['\u001b[32;1mMode\u001b[0m  \u001b[32mName\u001b[0m', 'Mode Name'],
  ['10 %\r50 %\rdone', 'done'],
])('the preview of an output omits the frame in which it was sent: %j', (output, words) => {
  expect(preview({ type: 'function_call_output', call_id: 'a', output })).toBe(words)
})

it("the preview of a script's output omits the frames around it", () => {
  const head = { type: 'input_text', text: 'Script completed\nWall time 0.1 seconds\nOutput:\n' }
  const printed = (...texts: string[]): string =>
    preview({
      type: 'custom_tool_call_output',
      call_id: 'a',
      output: [head, ...texts.map((text) => ({ type: 'input_text', text }))],
    })
  expect(printed('gate.ts', 'Exit code: 0\nWall time: 0.2 seconds\nOutput:\nlock.ts')).toBe('gate.ts lock.ts')
  expect(printed('')).toBe('(no output)')
})

it('the preview of a prompt is the request without what an editor or reviewer wrote around it', () => {
  const editor = '# Context from my IDE setup:\n\n## Active file: src/gate.ts\n\n'
  expect(preview(user(`${editor}## My request for Codex:\nOpen the gate\n`))).toBe('Open the gate')
  expect(preview(message(...parts(user(`${editor}## My request for Codex:\n`)), picture))).toBe(
    '# Context from my IDE setup: ## Active file: src/gate.ts ## My request for Codex: (picture)',
  )
  const review = 'Judge it.\n>>> APPROVAL REQUEST START\n{\n"tool": "shell",\n"command": ["rm", "gate.ts"]\n}\n'
  expect(preview(user(`${review}>>> APPROVAL REQUEST END`))).toBe('rm gate.ts')
  expect(preview(assistant(`${editor}## My request for Codex:\nOpen it`))).toContain('IDE setup')
})

it('the preview of what cannot be shown says what it is', () => {
  expect(preview(message(picture))).toBe('(picture)')
  expect(preview(message(picture, picture))).toBe('(2 pictures)')
  expect(preview({ type: 'reasoning', summary: [], encrypted_content: 'AAAA' })).toBe('(encrypted)')
  expect(preview({ type: 'compaction', encrypted_content: 'AAAA' })).toBe('(encrypted summary)')
  expect(preview({ type: 'additional_tools', tools: [] })).toBe('(tools)')
  expect(preview(user('  \n '))).toBe('(empty)')
})

it('a preview is cut, but not inside a character', () => {
  const dots = { type: 'function_call_output', call_id: 'a', output: '\u001b[32;1m.\u001b[0m'.repeat(200) }
  expect(preview(dots)).toBe(`${'.'.repeat(159)}…`)
  expect(preview(user('😀'.repeat(200)))).toBe(`${'😀'.repeat(79)}…`)
})

it('a preview is redacted before it is cut', () => {
  const secret = `${'a'.repeat(150)} KEY-${'9'.repeat(60)}`
  expect(preview(user(secret), (text) => text.replace(/KEY-9{60}/, '[gone]'))).toBe(`${'a'.repeat(150)} [gone]`)
})

const metadata = { id: 'x_1', status: 'completed', execution: 'client' }
const passthrough = { internal_chat_message_metadata_passthrough: { turn_id: 'turn-1', create_time: 1.5 } }
const found = [
  {
    type: 'namespace',
    name: 'github',
    tools: [{ type: 'function', name: 'open_issue', description: 'Opens an issue.' }],
  },
  { type: 'function', name: 'clock', parameters: {} },
]

const searches: [string, ResponseItem, string][] = [
  [
    'a search for tools',
    { type: 'tool_search_call', arguments: { query: 'open issues', limit: 8 } },
    'tool_search open issues',
  ],
  [
    'its result',
    { type: 'tool_search_output', tools: found },
    '2 tools found: github.open_issue: Opens an issue. clock',
  ],
  ['a result without tools', { type: 'tool_search_output', tools: [] }, '(no tool found)'],
  ['a search in the web', { type: 'web_search_call', action: { type: 'search', query: 'oil can' } }, 'oil can'],
  [
    'a page of the web',
    { type: 'web_search_call', action: { type: 'open_page', url: 'https://a.example' } },
    'https://a.example',
  ],
  ['a search without words', { type: 'web_search_call' }, '(web search)'],
]

it.each(searches)('the preview of %s is in words, and metadata does not count', (_what, item, text) => {
  expect(preview({ ...item, ...metadata, ...passthrough })).toBe(text)
  expect(tokens({ ...item, ...metadata, ...passthrough })).toBe(tokens(item))
})

it('the preview of a code-mode script names its calls', () => {
  const script = (input: string): ResponseItem => ({ type: 'custom_tool_call', name: 'exec', call_id: 'a', input })
  const two = 'await Promise.all(["a", "b"].map(f => tools.exec_command({cmd: "cat " + f})))'
  expect(preview(script(two))).toBe('Ran cat a · Ran cat b')
  expect(preview(script('text(await tools.mcp__stock__find({query: "lamp"}))'))).toBe(
    'mcp__stock__find {"query":"lamp"}',
  )
  expect(preview(script('nope()'))).toBe('exec nope()')
})
