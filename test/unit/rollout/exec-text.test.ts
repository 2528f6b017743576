import { describe, expect, it, test } from 'vitest'
import { outputText, readOutcome } from '../../../src/rollout/parse/exec-text.ts'
import type { Outcome } from '../../../src/rollout/parse/facts.ts'

type Row = [name: string, text: string, expected: Partial<Outcome>]

/** Texts and what they say (rollout-format 3.8). Fields that are not named must be absent. */
const rows: Row[] = [
  [
    'shape 1: JSON with metadata',
    '{"output":"a\\nb\\n","metadata":{"exit_code":0,"duration_seconds":1.3}}',
    { exitCode: 0, durationMs: 1300, status: 'completed', truncated: false, body: 'a\nb\n' },
  ],
  [
    'shape 1, failed and cut',
    '{"output":"a\\n[... omitted 3 of 9 lines ...]\\nb","metadata":{"exit_code":2,"duration_seconds":0}}',
    {
      exitCode: 2,
      durationMs: 0,
      status: 'failed',
      truncated: true,
      body: 'a\n[... omitted 3 of 9 lines ...]\nb',
    },
  ],
  [
    'shape 1 with numbers as text and without a duration',
    '{"output":"x","metadata":{"exit_code":"7"}}',
    { exitCode: 7, status: 'failed', truncated: false, body: 'x' },
  ],
  [
    'shape 1 with a negative duration, which is ignored',
    '{"output":"x","metadata":{"exit_code":0,"duration_seconds":-3}}',
    { exitCode: 0, status: 'completed', truncated: false, body: 'x' },
  ],
  [
    'shape 2',
    'Exit code: 1\nWall time: 0.4 seconds\nOutput:\nno such file\n',
    { exitCode: 1, durationMs: 400, status: 'failed', truncated: false, body: 'no such file\n' },
  ],
  [
    'shape 2 with a count of lines',
    '\nExit code: 0\nWall time: 12 seconds\nTotal output lines: 900\nOutput:\nhead',
    { exitCode: 0, durationMs: 12_000, status: 'completed', truncated: true, body: 'head' },
  ],
  [
    'shape 2 without output',
    'Exit code: 0\nWall time: 0 seconds\nOutput:\n',
    { exitCode: 0, durationMs: 0, status: 'completed', truncated: false, body: '' },
  ],
  [
    'shape 3',
    'Chunk ID: 1a2b3c\nWall time: 0.0512 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\ndone\n',
    { exitCode: 0, durationMs: 51, status: 'completed', truncated: false, body: 'done\n' },
  ],
  [
    'shape 3, still running',
    'Chunk ID: 1a2b3c\nWall time: 10.0 seconds\nProcess running with session ID 4711\nOutput:\n',
    { durationMs: 10_000, status: 'running', processId: '4711', truncated: false, body: '' },
  ],
  [
    'shape 3 with its command, as 0.115 writes it',
    "Command: /bin/bash -lc 'ls'\nChunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 0\nOutput:\n",
    { exitCode: 3, durationMs: 100, status: 'failed', truncated: false, body: '' },
  ],
  [
    'shape 3 with a command of several lines',
    "Command: /bin/bash -lc 'cat <<X\nWall time: 9 seconds\nX'\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nWall time: 9 seconds\n",
    { exitCode: 0, durationMs: 100, status: 'completed', truncated: false, body: 'Wall time: 9 seconds\n' },
  ],
  [
    'shape 3 with a warning',
    'Wall time: 0.1 seconds\nProcess exited with code 0\nWarning: truncated output (original token count: 9)\nOutput:\nx',
    { exitCode: 0, durationMs: 100, status: 'completed', truncated: true, body: 'x' },
  ],
  [
    'shape 3, killed by a signal',
    'Wall time: 0.1 seconds\nProcess exited with code -1\nOutput:\n',
    { exitCode: -1, durationMs: 100, status: 'failed', truncated: false, body: '' },
  ],
  [
    'shape 4, completed',
    'Script completed\nWall time 1.2 seconds\nOutput:\n\nvalue',
    { durationMs: 1200, status: 'completed', truncated: false, body: 'value' },
  ],
  [
    'shape 4, failed',
    'Script failed\nWall time 0.1 seconds\nOutput:\nTypeError: x',
    { durationMs: 100, status: 'failed', truncated: false, body: 'TypeError: x' },
  ],
  [
    'shape 4, running',
    'Script running with cell ID 12\nWall time 5 seconds\nOutput:\n',
    { durationMs: 5000, status: 'running', cellId: '12', truncated: false, body: '' },
  ],
  [
    'shape 5 around plain text',
    'Wall time: 0.3 seconds\nOutput:\n{"answer":42}',
    { durationMs: 300, status: 'unknown', truncated: false, body: '{"answer":42}' },
  ],
  [
    'shape 5 around shape 2',
    'Wall time: 0.5 seconds\nOutput:\nExit code: 0\nWall time: 0.2 seconds\nOutput:\nSuccess. Updated the following files:\nA a.txt\n',
    {
      exitCode: 0,
      durationMs: 200,
      status: 'completed',
      truncated: false,
      body: 'Success. Updated the following files:\nA a.txt\n',
    },
  ],
  [
    'shape 5 around shape 1',
    'Wall time: 0.5 seconds\nOutput:\n{"output":"ok","metadata":{"exit_code":1}}',
    { exitCode: 1, durationMs: 500, status: 'failed', truncated: false, body: 'ok' },
  ],
  [
    'shape 6',
    'Wall time: 2.5 seconds\naborted by user',
    { durationMs: 2500, status: 'interrupted', truncated: false, body: '' },
  ],
  [
    'shape 6 with seconds',
    'aborted by user after 3.2s',
    { durationMs: 3200, status: 'interrupted', truncated: false, body: '' },
  ],
  ['shape 6, bare', 'aborted', { status: 'interrupted', truncated: false, body: '' }],
  [
    'shape 5, a tool that prints that word',
    'Wall time: 2.5 seconds\nOutput:\naborted',
    { durationMs: 2500, status: 'unknown', truncated: false, body: 'aborted' },
  ],
  [
    'a time-out',
    'command timed out after 1000 milliseconds\npartial',
    { exitCode: 124, status: 'failed', truncated: false, body: 'command timed out after 1000 milliseconds\npartial' },
  ],
  [
    'shape 7b: a patch through the shell',
    'Success. Updated the following files:\nM a.txt\n',
    { exitCode: 0, status: 'completed', truncated: false, body: 'Success. Updated the following files:\nM a.txt\n' },
  ],
  ['shape 8, success', '{"content":"fine","success":true}', { status: 'completed', truncated: false, body: 'fine' }],
  ['shape 8, failure', '{"content":"bad","success":false}', { status: 'failed', truncated: false, body: 'bad' }],
  ['shape 8 without a status', '{"content":"so so"}', { status: 'unknown', truncated: false, body: 'so so' }],
  [
    'shape 9: an MCP result',
    '{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"isError":false}',
    { status: 'completed', truncated: false, body: 'a\nb' },
  ],
  [
    'shape 9, an error',
    '{"content":[{"type":"text","text":"broken"}],"isError":true}',
    { status: 'failed', truncated: false, body: 'broken' },
  ],
  ['shape 9: a bare list', '[{"type":"text","text":"a"}]', { status: 'unknown', truncated: false, body: 'a' }],
  ['a list of other things', '[1,2]', { status: 'unknown', truncated: false, body: '[1,2]' }],
  ['an empty list', '[]', { status: 'unknown', truncated: false, body: '[]' }],
  ['an object of another kind', '{"agent_id":"x"}', { status: 'unknown', truncated: false, body: '{"agent_id":"x"}' }],
  ['a text that only begins like JSON', '{"output":', { status: 'unknown', truncated: false, body: '{"output":' }],
  ['plain text', 'Plan updated', { status: 'unknown', truncated: false, body: 'Plan updated' }],
  ['nothing', '', { status: 'unknown', truncated: false, body: '' }],
  [
    'a head in the middle of a text',
    'note\nExit code: 0\nWall time: 1 seconds\nOutput:\n',
    { status: 'unknown', truncated: false, body: 'note\nExit code: 0\nWall time: 1 seconds\nOutput:\n' },
  ],
]

describe('the text of an output', () => {
  it.each(rows)('%s', (_name, text, expected) => {
    expect(readOutcome(text)).toStrictEqual(expected)
  })

  const declined = [
    'exec command rejected by user',
    'patch rejected by user',
    'exec command rejected',
    'approval policy is UnlessTrusted; reject command',
    'exec_command failed: Rejected("rejected by user")',
    'exec_command failed for `rm -r x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    'exec_command failed for `bash -lc \'a\nb\'`: Rejected("rejected by user")',
    '`rm -rf /` rejected: blocked by policy',
    '`cat <<X\na\nX` rejected: blocked by policy',
  ]
  it.each(declined)('is recognised as a refusal: %j', (text) => {
    expect(readOutcome(text)).toStrictEqual({ status: 'declined', truncated: false, body: text })
  })

  const failures = [
    'failed in sandbox LinuxSeccomp with execution error: x',
    'execution error: Io(x)',
    'exec_command failed: no such program',
    'exec_command failed for `x`: not found',
    'write_stdin failed: Unknown process id 3',
    'error: Failed to find expected lines',
    'Command blocked by PreToolUse hook: no',
    'unable to locate image at `x.png`',
    'unsupported call: frobnicate',
    'failed to parse function arguments: EOF',
    'apply_patch verification failed: Failed to find context',
    'Invalid patch',
    'Failed to read file to update x',
    'collab spawn failed: no',
  ]
  it.each(failures)('is recognised as a failure: %j', (text) => {
    expect(readOutcome(text)).toStrictEqual({ status: 'failed', truncated: false, body: text })
  })

  const marks = [
    '[... omitted 12 of 400 lines ...]',
    '[... output truncated to fit 10000 bytes ...]',
    '…120 tokens truncated…',
    '… 12 chars truncated …',
    '…1 lines truncated…',
  ]
  it.each(marks)('is recognised as cut by Codex: %j', (mark) => {
    expect(readOutcome(`Exit code: 0\nWall time: 1 seconds\nOutput:\na\n${mark}\nb`).truncated).toBe(true)
    expect(readOutcome(`a\n${mark}\nb`).truncated).toBe(true)
  })

  test('is read in time that grows only with its length', () => {
    const texts = [
      `Command: ${'Chunk ID: x\n'.repeat(40_000)}`,
      `Command: ${'\nWall time: 1 seconds\n'.repeat(20_000)}`,
      `${' '.repeat(400_000)}x`,
      `\`${'a'.repeat(400_000)}`,
      `exec_command failed${'a\n'.repeat(200_000)}`,
    ]
    for (const text of texts) expect(readOutcome(text).body).toBe(text)
  })
})

describe('a deeply nested output', () => {
  test('with wall times inside each other is read like the innermost', () => {
    const text = `${'Wall time: 1 seconds\nOutput:\n'.repeat(20_000)}Exit code: 2\nWall time: 3 seconds\nOutput:\nno`
    expect(readOutcome(text)).toStrictEqual({
      exitCode: 2,
      durationMs: 3000,
      status: 'failed',
      truncated: false,
      body: 'no',
    })
  })

  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  test.each([
    ['alone', deep],
    ['in a block', JSON.stringify({ content: [{ type: 'text', text: deep }], structuredContent: { a: 1 } })],
    ['beside its blocks', `{"content":[{"type":"text","text":"a"}],"structuredContent":${deep}}`],
  ])('that is JSON %s is kept as text', (_name, text) => {
    expect(readOutcome(text)).toStrictEqual({ status: 'unknown', truncated: false, body: text })
  })
})

describe('an output value', () => {
  it.each<[string, unknown, string]>([
    ['text', 'a', 'a'],
    [
      'parts',
      [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'x' },
        { type: 'input_text', text: 'b' },
      ],
      'a\nb',
    ],
    ['an early object', { content: 'a', success: true }, '{"content":"a","success":true}'],
    ['an object with parts', { content: [{ type: 'text', text: 'a' }] }, 'a'],
    ['another object', { a: 1 }, '{"a":1}'],
    ['null', null, ''],
    ['nothing', undefined, ''],
    ['a number', 5, '5'],
  ])('gives the text of %s', (_name, value, expected) => {
    expect(outputText(value)).toBe(expected)
  })
})
