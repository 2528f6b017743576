/** Sessions with a text in every place, and everything that a build writes about them, as text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { rules } from '../../src/redact/rules/all.ts'
import type { BuildOptions } from '../../src/site/types.ts'
import { pictureWith } from './pictures.ts'
import type { Planted } from './planted.ts'
import * as r from './records.ts'
import { plainBuild } from './surroundings.ts'

const wrapping = new Set(rules.flatMap(({ id, wraps }) => (wraps ? [id] : [])))

/** A text that is broken in the middle by something that terminals and programs insert. */
function broken({ secret, text }: Planted, by: string): string {
  const at = text.indexOf(secret) + Math.floor(secret.length / 2)
  return text.slice(0, at) + by + text.slice(at)
}

/** The places in a session, each with the records that put a text there. */
export const places: readonly (readonly [name: string, put: (secret: Planted) => r.Json[]])[] = [
  ['prompt', ({ text }) => [r.userItem(`Use this: ${text}`)]],
  ['second prompt', ({ text }) => [r.userItem(text)]],
  ['answer', ({ text }) => [r.answerItem(`It is \`${text}\` now.`)]],
  ['reasoning', ({ text }) => [r.reasoningItem([`They gave ${text}`])]],
  ['command', ({ text }) => r.command('c1', `echo '${text}' | deploy`)],
  ['argv', ({ text }) => [r.call('c2', 'shell', { command: ['deploy', text, '--now'] }), r.output('c2', 'done')]],
  ['output', ({ text }) => r.command('c3', 'cat notes', 0, `one\n${text}\nlast\n`)],
  ['long output', ({ text }) => r.command('c4', 'cat log', 0, `${'line of a log\n'.repeat(2000)}${text}\n`)],
  ['failure', ({ text }) => r.command('c5', 'false', 1, `error: ${text} was refused\n`)],
  ['patch', ({ text }) => patch('c6', 'notes.txt', text)],
  ['path', ({ text }) => patch('c7', `src/${text.replaceAll('\n', ' ')}/a.ts`, 'x')],
  ['MCP argument', ({ text }) => [r.call('c8', 'mcp__files__find', { query: text }), r.output('c8', text)]],
  [
    'nested JSON',
    ({ text }) => [
      r.call('c9', 'send', { body: JSON.stringify({ inner: JSON.stringify({ text }) }) }),
      r.output('c9', '{}'),
    ],
  ],
  ['coloured output', (secret) => r.command('c10', 'show', 0, `${broken(secret, '\u001B[1;31m')}\u001B[0m\n`)],
  [
    'wrapped output',
    (secret) =>
      secret.text === secret.secret && wrapping.has(secret.rule)
        ? r.command('c11', 'x', 0, `${broken(secret, '\n')}\n`)
        : [],
  ],
  ['picture', ({ text }) => [picture('c12', pictureWith('png', text)), picture('c13', pictureWith('jpg', text))]],
  ['unknown record', ({ text }) => [r.event('brand_new_kind', { note: { deep: [text] } })]],
  ['error', ({ text }) => [r.event('error', { message: `Cannot log in with ${text}` })]],
  ['summary', ({ text }) => [{ type: 'compacted', payload: { message: `Before:\n${text}` } }]],
  ['web search', ({ text }) => [webSearch({ type: 'search', query: `why ${text}` })]],
  [
    'web page',
    ({ text }) => [webSearch({ type: 'open_page', url: `https://a.example/?q=${encodeURIComponent(text)}` })],
  ],
  ['typed input', ({ text }) => typed('c14', text)],
  ['script of code mode', ({ text }) => script('c15', `echo '${text}'`, text)],
  [
    'plan',
    ({ text }) => [
      r.call('c16', 'update_plan', { explanation: text, plan: [{ step: `Use ${text}`, status: 'pending' }] }),
      r.output('c16', 'Plan updated'),
    ],
  ],
  ['heredoc', ({ text }) => r.command('c17', `cat > .env <<'EOF'\n${text}\nEOF`)],
  [
    'hit of grep',
    ({ text }) =>
      r.command(
        'c18',
        'rg x',
        0,
        eachLine(text, (line, index) => `a.env:${index + 3}:${line}`),
      ),
  ],
  [
    'log',
    ({ text }) =>
      r.command(
        'c19',
        'docker compose logs',
        0,
        eachLine(text, (line) => `web-1  | ${line}`),
      ),
  ],
  [
    'comment in code',
    ({ text }) =>
      r.command(
        'c20',
        'cat a.ts',
        0,
        eachLine(text, (line) => `  // ${line}`),
      ),
  ],
  ['JSON in JSON', ({ text }) => r.command('c21', 'jq .', 0, JSON.stringify({ a: JSON.stringify({ note: text }) }))],
  ['removed line', ({ text }) => patch('c22', 'a.env', text, '-')],
  [
    'task of an agent',
    ({ text }) => [
      r.call('c23', 'spawn_agent', { message: `Use ${text}`, agent_type: 'worker' }),
      r.output('c23', JSON.stringify({ agent_id: 'x' })),
    ],
  ],
  ["user's own command", ({ text }) => [r.userItem(userCommand(`echo '${text}'`, text))]],
  [
    'event of a tool',
    ({ text }) => [
      r.event('mcp_tool_call_end', {
        call_id: 'c24',
        invocation: { server: 's', tool: 't', arguments: { note: text } },
        duration: '1s',
        result: { Ok: { content: [{ type: 'text', text }] } },
      }),
    ],
  ],
  ['address in prose', ({ text }) => [r.answerItem(`[here](https://x.example/${encodeURIComponent(text)})`)]],
  ['quote', ({ text }) => [r.answerItem(eachLine(text, (line) => `> ${line}`))]],
]

function eachLine(text: string, change: (line: string, index: number) => string): string {
  return text.split('\n').map(change).join('\n')
}

function webSearch(action: r.Json): r.Json {
  return r.item({ type: 'web_search_call', id: `ws_${String(action['type'])}`, status: 'completed', action })
}

/** What the agent types into a program that is running. */
function typed(callId: string, text: string): r.Json[] {
  const ran = (state: string): string => `Wall time: 1.0 seconds\nProcess ${state}\nOutput:\n`
  return [
    r.call(callId, 'exec_command', { cmd: 'cat' }),
    r.output(callId, ran('running with session ID 7')),
    r.call(`${callId}-in`, 'write_stdin', { session_id: 7, chars: `${text}\n` }),
    r.output(`${callId}-in`, ran('exited with code 0')),
  ]
}

/** A command that a script of code mode runs, and what the script prints. */
function script(callId: string, cmd: string, printed: string): r.Json[] {
  const body = `const result = await tools.exec_command(${JSON.stringify({ cmd })});\ntext(result.output);`
  const head = 'Script completed\nWall time 0.1 seconds\nOutput:\n'
  const parts = [head, printed].map((text) => ({ type: 'input_text', text }))
  return [r.customCall(callId, 'exec', body), r.customOutput(callId, parts)]
}

function userCommand(command: string, printed: string): string {
  const result = `Exit code: 0\nDuration: 0.1 seconds\nOutput:\n${printed}`
  return `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\n${result}\n</result>\n</user_shell_command>`
}

/** A picture that the agent viewed. */
function picture(callId: string, bytes: Buffer): r.Json {
  const format = bytes[0] === 0xff ? 'jpeg' : 'png'
  return r.output(callId, [
    { type: 'input_image', image_url: `data:image/${format};base64,${bytes.toString('base64')}` },
  ])
}

function patch(callId: string, path: string, text: string, sign: '+' | '-' = '+'): r.Json[] {
  const head = sign === '+' ? [`*** Add File: ${path}`] : [`*** Update File: ${path}`, '@@']
  const lines = eachLine(text, (line) => `${sign}${line}`)
  const body = ['*** Begin Patch', ...head, lines, ...(sign === '+' ? [] : ['+x']), '*** End Patch'].join('\n')
  return [
    r.customCall(callId, 'apply_patch', body),
    r.customOutput(callId, 'Success. Updated the following files:\nA x'),
  ]
}

/** A build of all formats, search over outputs included, of a home into `folder`. */
export function wholeBuild(home: string, folder: string, fields: Partial<BuildOptions> = {}): BuildOptions {
  return {
    ...plainBuild(),
    homes: [{ path: home }],
    siteUrl: 'https://example.org/logs/',
    out: join(folder, 'site'),
    cache: join(folder, 'cache'),
    formats: ['html', 'md', 'json'],
    search: true,
    searchOutputs: true,
    dryRun: false,
    ...fields,
  }
}

/** All readings of the bytes of a file: as they are, unpacked, and decoded if a script wraps them. */
function readings(bytes: Buffer): string[] {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  const text = plain.toString('latin1')
  const wrapped = Array.from(text.matchAll(/["'`]([A-Za-z0-9+/]{40,}={0,2})["'`]/g), ([, data = '']) =>
    Buffer.from(data, 'base64'),
  )
  return [
    text,
    ...wrapped
      .filter((data) => data[0] === 0x1f && data[1] === 0x8b)
      .map((data) => gunzipSync(data).toString('latin1')),
  ]
}

/** The texts of all files below a folder, with their relative paths. */
export function textsBelow(root: string): { path: string; texts: string[] }[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { path: path.slice(root.length + 1), texts: [entry.name, ...readings(readFileSync(path))] }
    })
}
