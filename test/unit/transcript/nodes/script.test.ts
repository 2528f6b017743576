// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts are texts here.
/** Scripts of code mode as the commands, patches and calls that they make (rollout-format 3.7). */
import { describe, expect, it } from 'vitest'
import { renderBody } from '../../../../src/render/transcript/html.ts'
import { renderMarkdown } from '../../../../src/render/transcript/markdown.ts'
import { searchPagePieces } from '../../../../src/search/page.ts'
import { failureOf } from '../../../../src/transcript/stats.ts'
import type { Command, Session, ToolCall, TrastNode } from '../../../../src/transcript/trast.ts'
import * as r from '../../../helpers/records.ts'
import { context, renderText } from '../../../helpers/render.ts'
import { all, only, run } from '../../../helpers/slice.ts'

const head = (state: string): r.Json => ({
  type: 'input_text',
  text: `Script ${state}\nWall time 1.5 seconds\nOutput:\n`,
})
const texts = (...parts: string[]): r.Json[] => parts.map((text) => ({ type: 'input_text', text }))

/** The tree of a turn with one script, what it printed, and records between the two. */
async function tree(code: string, parts: readonly r.Json[], between: r.Json[] = [], state = 'completed') {
  const records = [
    r.started('t1'),
    r.customCall('exec1', 'exec', code),
    ...between,
    r.customOutput('exec1', [head(state), ...parts]),
    r.complete('t1'),
  ]
  return (await run(records)).tree
}

const outputs = (node: TrastNode): string[] => all(node, 'output').map(({ value }) => value)
const ran = (session: Session): unknown[] =>
  all(session, 'command').map((command) => [command.script, command.exitCode, outputs(command).join('')])
const json = (fields: r.Json): string => JSON.stringify({ chunk_id: 'a1', wall_time_seconds: 0.25, ...fields })

/** What Codex records at the end of a command, with an id that no call has. */
const recorded = (id: string, script: string, code: number): r.Json =>
  r.completed(
    'CommandExecution',
    {
      id,
      command: ['bash', '-lc', script],
      cwd: '/w',
      status: code === 0 ? 'completed' : 'failed',
      aggregated_output: '',
      exit_code: code,
      parsed_cmd: [],
    },
    't1',
  )

describe('a script of one call', () => {
  it('becomes that command, with its output and exit code, and keeps the script', async () => {
    const code = 'const r = await tools.shell_command({command: "make -j2", workdir: "/w"}); text(r)'
    const session = await tree(code, texts('Exit code: 2\nWall time: 1 seconds\nOutput:\nno rule\n'))
    expect(all(session, 'toolCall')).toEqual([])
    expect(only(session, 'command')).toMatchObject({
      id: 'l2',
      callId: 'exec1',
      script: 'make -j2',
      cwd: '/w',
      exitCode: 2,
      status: 'failed',
      durationMs: 1000,
      data: { code },
    })
    expect(outputs(session)).toEqual(['no rule\n'])
  })

  it('is read, listed and searched like any command', async () => {
    const session = await tree(
      'text((await tools.exec_command({cmd: "rg -n gate src"})).output)',
      texts('a.ts:1:gate\n'),
    )
    expect(only(session, 'command')).toMatchObject({
      status: 'completed',
      actions: [{ kind: 'search', query: 'gate' }],
    })
    expect(only(session, 'command').data?.inferred).toEqual(['status'])
  })

  it('gives the result object of exec_command to its command', async () => {
    const code = 'const r = await tools.exec_command({cmd: "make"}); text(JSON.stringify(r))'
    const session = await tree(code, texts(json({ exit_code: 3, output: 'no\n' })))
    expect(ran(session)).toEqual([['make', 3, 'no\n']])
    expect(only(session, 'command').durationMs).toBe(250)
  })

  it('takes the exit code from the text that it prints around it', async () => {
    const code =
      'const r = await tools.exec_command({cmd: "make"}); text(r.output); if (r.exit_code) text("exit code " + r.exit_code)'
    expect(ran(await tree(code, texts('no\n', 'exit code 2')))).toEqual([['make', 2, 'no\n']])
    expect(ran(await tree(code, texts('yes\n')))).toEqual([['make', undefined, 'yes\n']])
  })

  it('shows all that it printed if it changed the result', async () => {
    const code =
      'const r = await tools.exec_command({cmd: "ls"}); text(JSON.stringify({exit: r.exit_code, n: r.output.split("\\n").length}))'
    expect(ran(await tree(code, texts('{"exit":0,"n":7}')))).toEqual([['ls', 0, '{"exit":0,"n":7}']])
  })

  it('becomes a patch with its files, even if the patch failed', async () => {
    const code =
      'const patch = "*** Begin Patch\\n*** Add File: a.txt\\n+one\\n*** End Patch"; text(await tools.apply_patch(patch))'
    const good = await tree(code, texts('{}'))
    expect(only(good, 'patch')).toMatchObject({ status: 'completed', children: [{ type: 'fileChange', added: 1 }] })
    const words = 'apply_patch verification failed: Failed to find expected lines'
    const bad = await tree(code, texts(`Script error:\n${words}`), [], 'failed')
    expect(only(bad, 'patch').status).toBe('failed')
    expect(outputs(bad)).toEqual([words])
    expect(all(bad, 'toolCall')).toEqual([])
  })

  it('becomes a picture, a plan, a web search or an MCP call', async () => {
    const picture = { type: 'input_image', image_url: r.pixelUrl }
    const seen = await tree('const s = await tools.view_image({path: "/a.png"}); image(s.image_url)', [picture])
    expect(only(seen, 'image')).toMatchObject({ origin: 'viewed', url: '/a.png' })
    const plan = await tree('text(await tools.update_plan({plan: [{step: "go", status: "completed"}]}))', texts('{}'))
    expect(only(plan, 'planStep')).toMatchObject({ value: 'go', status: 'completed' })
    const web = await tree(
      'text(await tools.web__run({search_query: [{q: "nuts"}, {q: "bolts"}]}))',
      texts('Nuts (https://a)'),
    )
    expect(only(web, 'search')).toMatchObject({ action: 'search', queries: ['nuts', 'bolts'], status: 'completed' })
    expect(outputs(web)).toEqual(['Nuts (https://a)'])
    const mcp = await tree(
      'text(await tools.mcp__stock__find({query: "lamp"}))',
      texts('{"content":[{"type":"text","text":"17"}],"isError":false}'),
    )
    expect(only(mcp, 'toolCall')).toMatchObject({ server: 'stock', tool: 'find', input: '{"query":"lamp"}' })
  })

  it('is shown once if Codex recorded the command, and with what that record adds', async () => {
    const event = r.completed(
      'CommandExecution',
      {
        id: 'exec-1',
        command: ['bash', '-lc', 'make'],
        cwd: '/w',
        status: 'failed',
        aggregated_output: 'no\n',
        exit_code: 2,
        parsed_cmd: [],
      },
      't1',
    )
    const session = await tree('const r = await tools.exec_command({cmd: "make"}); text(r.output)', texts('no\n'), [
      event,
    ])
    expect(ran(session)).toEqual([['make', 2, 'no\n']])
  })

  it('ran nothing if it is not valid JavaScript', async () => {
    const session = await tree(
      'await tools.exec_command({cmd: "ls"}',
      texts('Script error:\nSyntaxError: missing )'),
      [],
      'failed',
    )
    expect(all(session, 'command')).toEqual([])
    expect(only(session, 'toolCall').status).toBe('failed')
  })

  it('keeps its error if something other than its call failed', async () => {
    const code = 'const r = await tools.exec_command({cmd: "ls"}); text(r.lines.length)'
    const session = await tree(
      code,
      texts('Script error:\nTypeError: Cannot read properties of undefined'),
      [],
      'failed',
    )
    expect(only(session, 'toolCall')).toMatchObject({ tool: 'exec', status: 'failed' })
    expect(only(session, 'command')).toMatchObject({ script: 'ls', status: 'unknown' })
  })

  it('continues the process of an earlier script', async () => {
    const { tree: session } = await run([
      r.started('t1'),
      r.customCall('e1', 'exec', 'text(await tools.exec_command({cmd: "cat", tty: true}))'),
      r.customOutput('e1', [head('completed'), ...texts(json({ session_id: 77, output: '' }))]),
      r.customCall('e2', 'exec', 'text(await tools.write_stdin({session_id: 77, chars: "hi\\n"}))'),
      r.customOutput('e2', [head('completed'), ...texts(json({ exit_code: 0, output: 'hi\n' }))]),
      r.complete('t1'),
    ])
    expect(only(session, 'command')).toMatchObject({ script: 'cat', status: 'completed', exitCode: 0 })
    expect(only(session, 'input').value).toBe('hi\n')
  })
})

describe('a script of several calls', () => {
  const three = `const rs = await Promise.all(["a", "b", "c"].map(f => tools.exec_command({cmd: "cat " + f})));`

  it('is the parent of its commands, each with its own output', async () => {
    const session = await tree(`${three} for (const r of rs) text(r.output)`, texts('A\n', 'B\n', 'C\n'))
    const script = only(session, 'toolCall')
    expect(script).toMatchObject({ tool: 'exec', status: 'completed' })
    expect(ran(session)).toEqual([
      ['cat a', undefined, 'A\n'],
      ['cat b', undefined, 'B\n'],
      ['cat c', undefined, 'C\n'],
    ])
    expect(outputs(script)).toEqual(['A\n', 'B\n', 'C\n'])
    expect(script.children.map(({ type }) => type)).toEqual(['command', 'command', 'command'])
    expect(new Set(script.children.map(({ id }) => id)).size).toBe(3)
  })

  it('assigns outputs by the text that it prints around them', async () => {
    const code = `${three} rs.forEach((r, i) => { text("--- " + (i + 1) + " ---\\n" + r.output + "\\n= " + r.exit_code) })`
    const session = await tree(code, texts('--- 1 ---\nA\n= 0', '--- 2 ---\n\n= 1', '--- 3 ---\nC\n= 0'))
    expect(ran(session)).toEqual([
      ['cat a', 0, 'A'],
      ['cat b', 1, ''],
      ['cat c', 0, 'C'],
    ])
  })

  it('takes exit codes from JSON that it prints, which stays with the script', async () => {
    const code = `${three} text(JSON.stringify(rs.map((r, i) => ({i, exit: r.exit_code, hit: r.output.includes("x")}))))`
    const part = JSON.stringify([0, 2, 0].map((exit, i) => ({ i, exit, hit: false })))
    const session = await tree(code, texts(part))
    expect(ran(session).map((row) => (row as unknown[])[1])).toEqual([0, 2, 0])
    expect(outputs(only(session, 'toolCall'))).toEqual([part])
  })

  it('shows only what ran if it left a loop at the first failure', async () => {
    const code = `const done = []; for (let i = 0; i < 9; i++) { const r = await tools.exec_command({cmd: "step " + i});
      done.push({i, exit: r.exit_code}); if (r.exit_code !== 0) break } text(JSON.stringify({done}))`
    const session = await tree(code, texts('{"done":[{"i":0,"exit":0},{"i":1,"exit":4}]}'))
    expect(ran(session)).toEqual([
      ['step 0', 0, ''],
      ['step 1', 4, ''],
    ])
  })

  it('shows only what ran before it exited', async () => {
    const code = `const a = await tools.exec_command({cmd: "one"}); if (a.exit_code) { text("stop: " + a.output); exit() }
      const b = await tools.exec_command({cmd: "two"}); text("all: " + b.output)`
    expect(ran(await tree(code, texts('stop: no')))).toEqual([['one', undefined, 'no']])
    expect(ran(await tree(code, texts('all: yes')))).toEqual([
      ['one', undefined, ''],
      ['two', undefined, 'yes'],
    ])
  })

  it('that returned early says which commands may not have run', async () => {
    const code = `const a = await tools.exec_command({cmd: "one"}); if (a.exit_code) return;
      const b = await tools.exec_command({cmd: "two"}); text(b.output)`
    const states = async (...parts: string[]): Promise<unknown[]> =>
      all(await tree(code, texts(...parts)), 'command').map(({ outcome, status }) => outcome ?? status)
    expect(await states()).toEqual(['completed', 'maybe'])
    expect(await states('done')).toEqual(['completed', 'completed'])
  })

  it('does not give what a handler prints to the calls in its block', async () => {
    const code = `try { const a = await tools.exec_command({cmd: "one"}); const b = await tools.exec_command({cmd: "two"});
      text(b.output) } catch (error) { text("failed: " + error.message) }`
    const session = await tree(code, texts('failed: no such tool'))
    expect(ran(session)).toEqual([
      ['one', undefined, ''],
      ['two', undefined, ''],
    ])
    expect(outputs(only(session, 'toolCall'))).toEqual(['failed: no such tool'])
    expect(ran(await tree(code, texts('two files')))[1]).toEqual(['two', undefined, 'two files'])
  })

  it('gives a call in a branch nothing that another call may have printed', async () => {
    const code = `const a = await tools.exec_command({cmd: "one"}); let shown = a.output;
      if (a.exit_code) { const b = await tools.exec_command({cmd: "two"}); shown = b.output } text(shown)`
    const session = await tree(code, texts('files'))
    expect(all(session, 'command').flatMap(outputs)).toEqual([])
    expect(outputs(only(session, 'toolCall'))).toEqual(['files'])
  })

  it('may print text of its own in place of an output', async () => {
    const code = `const [a, b] = await Promise.all(["one", "two"].map((cmd) => tools.exec_command({cmd})));
      text(a.output || "(none)"); text(b.exit_code === 0 ? "fine" : b.output)`
    expect(ran(await tree(code, texts('(none)', 'fine')))).toEqual([
      ['one', undefined, ''],
      ['two', undefined, ''],
    ])
    expect(ran(await tree(code, texts('files', 'trouble')))).toEqual([
      ['one', undefined, 'files'],
      ['two', undefined, 'trouble'],
    ])
  })

  it('keeps a text that two different calls may have printed', async () => {
    const code = `const [a, b] = await Promise.all(["one", "two"].map((cmd) => tools.exec_command({cmd})));
      if (a.output) text(a.output); if (b.output) text(b.output)`
    const session = await tree(code, texts('files'))
    expect(all(session, 'command').flatMap(outputs)).toEqual([])
    expect(ran(await tree(code, texts('files', 'folders')))).toEqual([
      ['one', undefined, 'files'],
      ['two', undefined, 'folders'],
    ])
  })

  it('keeps what it printed if nothing says whose it is', async () => {
    const session = await tree(`${three} text(rs.map(r => r.output).join(""))`, texts('A\nB\nC\n'))
    expect(all(session, 'command').flatMap(outputs)).toEqual([])
    expect(outputs(only(session, 'toolCall'))).toEqual(['A\nB\nC\n'])
  })

  it('recognises results by their form if it does not say what it prints', async () => {
    const code =
      'const [a, b] = await Promise.all([tools.shell_command({command: "one"}), tools.shell_command({command: "two"})]); print([a, b])'
    const result = (code: number, body: string): string => `Exit code: ${code}\nWall time: 1 seconds\nOutput:\n${body}`
    expect(ran(await tree(code, texts(result(0, 'A'), result(1, 'B'))))).toEqual([
      ['one', 0, 'A'],
      ['two', 1, 'B'],
    ])
  })

  it('that failed only because of its patch is completed, and the patch failed', async () => {
    const code =
      'text((await tools.exec_command({cmd: "ls"})).output); await tools.apply_patch("*** Begin Patch\\n*** Delete File: a\\n*** End Patch")'
    const session = await tree(code, texts('a\n', 'Script error:\napply_patch verification failed: no a'), [], 'failed')
    expect(only(session, 'patch').status).toBe('failed')
    expect(only(session, 'toolCall')).toMatchObject({ status: 'completed', data: { inferred: ['status'] } })
    expect(ran(session)).toEqual([['ls', undefined, 'a\n']])
  })

  it('is joined to the commands that Codex recorded, even where their text is unknown', async () => {
    const code =
      'for (const f of (await tools.exec_command({cmd: "ls"})).output.split("\\n")) await tools.exec_command({cmd: `cat ${f}`})'
    const session = await tree(
      code,
      [],
      [recorded('exec-1', 'ls', 0), recorded('exec-2', 'cat a', 0), recorded('exec-3', 'cat b', 1)],
    )
    expect(ran(session).map((row) => (row as unknown[]).slice(0, 2))).toEqual([
      ['ls', 0],
      ['cat a', 0],
      ['cat b', 1],
    ])
  })

  it('counts as its calls', async () => {
    const session = await tree(
      `${three} rs.forEach(r => text(r))`,
      texts(...[0, 1, 0].map((exit_code) => json({ exit_code, output: 'x' }))),
    )
    expect(session.stats.commands).toEqual({ total: 3, failed: 1 })
  })

  it('that only explores joins its neighbours in one group', async () => {
    const look = (id: string, code: string, ...parts: string[]): r.Json[] => [
      r.customCall(id, 'exec', code),
      r.customOutput(id, [head('completed'), ...texts(...parts)]),
    ]
    const { tree: session } = await run([
      r.started('t1'),
      ...look('e1', `${three} for (const r of rs) text(r.output)`, 'A', 'B', 'C'),
      ...look('e2', 'text((await tools.exec_command({cmd: "rg gate src"})).output)', 'x'),
      r.complete('t1'),
    ])
    expect(only(session, 'group')).toMatchObject({ kind: 'exploration', label: 'Explored 3 files, 1 search' })
  })
})

describe('records after the output of their script', () => {
  const cell = (id: string, code: string, ...parts: string[]): [r.Json, r.Json] => [
    r.customCall(id, 'exec', code),
    r.customOutput(id, [head('completed'), ...texts(...parts)]),
  ]
  const start = 'text((await tools.exec_command({cmd: "npm start"})).session_id)'
  const ends = (session: Session): unknown[] => ran(session).map((row) => (row as unknown[]).slice(0, 2))

  it('belong to the command that the script left running, which is shown once', async () => {
    const { tree: session } = await run([
      r.started('t1'),
      ...cell('e1', start, '7'),
      r.answerItem('It runs.'),
      recorded('exec-1', 'npm start', 143),
      r.complete('t1'),
    ])
    expect(ends(session)).toEqual([['npm start', 143]])
    expect(only(session, 'command').data?.sources?.map(({ line }) => line)).toEqual([2, 3, 5])
  })

  it('belong to that script even while another one runs', async () => {
    const [call, output] = cell('e2', 'text((await tools.exec_command({cmd: "npm test"})).output)', 'ok')
    const { tree: session } = await run([
      r.started('t1'),
      ...cell('e1', start, '7'),
      call,
      recorded('exec-1', 'npm start', 1),
      recorded('exec-2', 'npm test', 0),
      output,
      r.complete('t1'),
    ])
    expect(ends(session)).toEqual([
      ['npm start', 1],
      ['npm test', 0],
    ])
  })

  it('belong to the newest script that makes the call and has no record of it', async () => {
    const { tree: session } = await run([
      r.started('t1'),
      ...cell('e1', start, '7'),
      recorded('exec-1', 'npm start', 1),
      ...cell('e2', start, '8'),
      recorded('exec-2', 'npm start', 2),
      recorded('exec-3', 'npm start', 3),
      r.complete('t1'),
    ])
    expect(ends(session)).toEqual([
      ['npm start', 1],
      ['npm start', 2],
      ['npm start', 3],
    ])
    expect(all(session, 'command').map(({ data }) => data?.code === start)).toEqual([true, true, false])
  })

  it('become commands of their own if no script makes such a call', async () => {
    const { tree: session } = await run([
      r.started('t1'),
      ...cell('e1', start, '7'),
      recorded('exec-1', 'make', 0),
      r.complete('t1'),
    ])
    expect(ends(session)).toEqual([
      ['npm start', undefined],
      ['make', 0],
    ])
  })
})

describe('the error of one of several calls', () => {
  const commands = (...scripts: string[]): string =>
    `await Promise.all([${scripts.map((cmd) => `tools.exec_command({cmd: ${JSON.stringify(cmd)}})`).join(', ')}])`
  const patches = (...files: string[]): string =>
    `await Promise.all([${files
      .map((file) => `tools.apply_patch(${JSON.stringify(`*** Begin Patch\n*** Delete File: ${file}\n*** End Patch`)})`)
      .join(', ')}])`
  const views = (...paths: string[]): string =>
    `await Promise.all([${paths.map((path) => `tools.view_image({path: ${JSON.stringify(path)}})`).join(', ')}])`

  it.each([
    [
      'its command',
      commands('ls', 'ls -la', 'false'),
      "exec_command failed for `/bin/bash -lc 'ls -la'`: CreateProcess: rejected",
      1,
    ],
    ['its command with quotes', commands('rg "a b"', 'rg c'), `exec_command failed for \`bash -lc 'rg "a b"'\`: no`, 0],
    [
      'its file',
      patches('src/a.ts', 'src/ba.ts'),
      'apply_patch verification failed: Failed to read /w/src/a.ts: No such file',
      0,
    ],
    [
      'its file on Windows',
      patches('src\\a.ts', 'src\\a.ts.bak'),
      'apply_patch verification failed: Failed to read C:\\w\\src\\a.ts.bak: no',
      1,
    ],
    ['its picture', views('/p/a.png', '/p/b.png'), 'unable to locate image at `/p/b.png`: No such file', 1],
  ])('belongs to the call that it quotes: %s', async (_, code, error, failing) => {
    const session = await tree(code, texts(`Script error:\n${error}`), [], 'failed')
    const calls = all(session, 'toolCall')[0]?.children.filter((node) => 'status' in node) ?? []
    expect(calls.findIndex((node) => 'status' in node && node.status === 'failed')).toBe(failing)
    expect(calls.filter((node) => 'status' in node && node.status === 'failed')).toHaveLength(1)
  })

  it.each([
    ['names none', commands('ls', 'pwd'), 'exec_command failed: no more processes'],
    ['names two', patches('a.ts', 'b.ts'), 'apply_patch verification failed: neither a.ts nor b.ts is there'],
    [
      'is what a command printed',
      commands('cat a', 'cat b'),
      'Exit code: 1\nWall time: 1 seconds\nOutput:\ncat a: no such file\n',
    ],
  ])('is shown with the script if it %s', async (_, code, error) => {
    const session = await tree(code, texts(`Script error:\n${error}`), [], 'failed')
    const [script] = all(session, 'toolCall')
    const shown = script?.children.filter((node) => node.type === 'output').map(({ value }) => value)
    expect({ status: script?.status, shown, all: outputs(session) }).toEqual({
      status: 'failed',
      shown: [error],
      all: [error],
    })
    const calls = script?.children.flatMap((node) => ('status' in node ? [node.status] : []))
    expect(calls).toEqual(['unknown', 'unknown'])
  })
})

describe('a call of web.run', () => {
  it('shows all queries and pages in order, and the output after the last one', async () => {
    const code = `text(await tools.web__run({search_query: [{q: "nuts"}, {q: "bolts"}], open: [{ref_id: "https://a.test/"},
      {ref_id: "t0s1", lineno: 40}], click: [{ref_id: "t0s1", id: 7}], find: [{ref_id: "t0s1", pattern: "M8"},
      {ref_id: "t0s1", pattern: "M6"}], screenshot: [{ref_id: "t0s2", pageno: 3}], response_length: "short"}))`
    const event = r.event('web_search_end', { call_id: 'ws1', query: 'nuts ...', action: { type: 'other' } })
    const session = await tree(code, texts('found'), [event])
    const searches = all(session, 'search')
    expect(searches.map(({ action, queries, url, pattern }) => [action, ...queries, url, pattern])).toEqual([
      ['search', 'nuts', 'bolts', undefined, undefined],
      ['open', 'https://a.test/', undefined],
      ['open', 't0s1, line 40', undefined],
      ['open', 't0s1, link 7', undefined],
      ['find', 't0s1', 'M8'],
      ['find', 't0s1', 'M6'],
      ['open', 't0s2, page 3', undefined],
    ])
    expect(searches.map(outputs)).toEqual([[], [], [], [], [], [], ['found']])
    expect(new Set(searches.map(({ id }) => id)).size).toBe(searches.length)
    expect(searches[0]?.data?.code).toBe(code)
    expect(session.stats.tools).toEqual({ web_search: { calls: 1, failed: 0 } })
  })

  it('takes the duration of its script once, however many pages it asks for', async () => {
    const code = 'text(await tools.web__run({open: [{ref_id: "t0s1"}, {ref_id: "t0s2"}]}))'
    const event = r.event('web_search_end', { call_id: 'ws1', query: '', action: { type: 'other' } })
    for (const between of [[], [event]]) {
      const session = await tree(code, texts('found'), between)
      expect(all(session, 'search').map(({ durationMs }) => durationMs)).toEqual([1500, undefined])
      expect(session.stats.durations?.tools).toBe(1500)
    }
  })

  it('fails only once, however many pages it asks for', async () => {
    const code = 'text(await tools.web__run({open: [{ref_id: "t0s1"}, {ref_id: "t0s2"}]}))'
    const failed = await tree(code, texts('no web'))
    for (const search of all(failed, 'search')) search.status = 'failed'
    expect(all(failed, 'search').map(failureOf)).toEqual(['tool', undefined])
  })

  it('shows addresses in place of page names if the session records them', async () => {
    const ended = (id: string, ...results: [name: string, url?: string][]): r.Json =>
      r.event('web_search_end', {
        ...{ call_id: id, query: '', action: { type: 'other' } },
        results: results.map(([ref_id, url]) => ({ type: 'text_result', ref_id, url })),
      })
    const asked = async (code: string, ...events: r.Json[]) =>
      all(await tree(code, texts('found'), events), 'search').map(({ url }) => url)
    const clicks = 'text(await tools.web__run({click: [{ref_id: "t0s1", id: 7}, {ref_id: "t0s1", id: 9}]}))'
    expect(await asked(clicks, ended('ws1', ['t1v0', 'https://a.test/7'], ['t1v1', 'https://a.test/9']))).toEqual([
      'https://a.test/7',
      'https://a.test/9',
    ])
    expect(await asked(clicks, ended('ws1', ['t0s1', 'https://a.test/']))).toEqual(['t0s1, link 7', 't0s1, link 9'])
    const opens = 'text(await tools.web__run({open: [{ref_id: "t0s1", lineno: 4}, {ref_id: "t0s2"}]}))'
    const found = ended('ws1', ['t0s1', 'https://a.test/'], ['t0s2'], ['t0s3', 'https://c.test/'])
    expect(await asked(opens, found)).toEqual(['https://a.test/', 't0s2'])
  })

  it('shows the titles of the pages that it opened, also in the search', async () => {
    const ended = r.event('web_search_end', {
      ...{ call_id: 'ws1', query: '', action: { type: 'other' } },
      results: [
        { type: 'text_result', ref_id: 't1v0', url: 'https://a.test/7', title: 'Nuts & <bolts>' },
        { type: 'text_result', ref_id: 't1v1', url: 'https://a.test/9' },
      ],
    })
    const opens = 'text(await tools.web__run({open: [{ref_id: "t0s1"}, {ref_id: "t0s2"}]}))'
    const session = await tree(opens, texts('found'), [ended])
    expect(all(session, 'reference')).toMatchObject([
      { target: 'https://a.test/7', label: 'Nuts & <bolts>' },
      { target: 'https://a.test/9' },
    ])
    const using = context()
    expect(renderBody(session, using)).toContain('Nuts &#x26; &#x3C;bolts>')
    expect(renderMarkdown(session, using)).toContain('[Nuts & &lt;bolts>](https://a.test/7)')
    expect(renderText(session, using)).toContain('Web open: https://a.test/7 · Nuts & <bolts>\n')
    expect(searchPagePieces(session, using, { title: '', project: '', words: [] }).join('')).toContain('Nuts ')
  })

  it('lists the pages that a search found, with what it quotes from them', async () => {
    const ended = r.event('web_search_end', {
      ...{ call_id: 'ws1', query: 'nuts', action: { type: 'search', query: 'nuts', queries: ['nuts'] } },
      results: [
        { ref_id: 't1s0', url: 'https://a.test/nuts', title: 'Nuts & <bolts>', snippet: 'All *about* nuts' },
        { ref_id: 't1s1', url: 'javascript:alert(1)', title: 'Trap', snippet: '<img src=x>' },
        { ref_id: 't1s2', snippet: 'No address' },
      ],
    })
    const session = await tree('text(await tools.web__run({search_query: [{q: "nuts"}]}))', texts('done'), [ended])
    expect(all(session, 'reference')).toMatchObject([
      { target: 'https://a.test/nuts', label: 'Nuts & <bolts>', excerpt: 'All *about* nuts' },
      { target: 'javascript:alert(1)', label: 'Trap', excerpt: '<img src=x>' },
      { target: 't1s2', label: 'No address' },
    ])
    const using = context()
    const page = renderBody(session, using)
    expect(page).toContain('href="https://a.test/nuts"')
    expect(page).toContain('<br>All *about* nuts')
    expect(page).not.toContain('href="javascript')
    expect(page).not.toContain('<img')
    expect(renderMarkdown(session, using)).toContain('[Nuts & &lt;bolts>](https://a.test/nuts): All \\*about\\* nuts')
    expect(renderText(session, using)).toContain('Nuts & <bolts> · https://a.test/nuts]\n')
  })

  it('is shown with all of its arguments if it also asks for something else', async () => {
    const session = await tree(
      'text(await tools.web__run({open: [{ref_id: "t0s1"}], weather: [{location: "Faro"}]}))',
      texts('sun'),
    )
    expect(JSON.parse(only(session, 'toolCall').input)).toEqual({
      open: [{ ref_id: 't0s1' }],
      weather: [{ location: 'Faro' }],
    })
  })
})

describe('texts without a known source', () => {
  it('stay with the script', async () => {
    const session = await tree('const found = ALL_TOOLS.filter(t => /x/.test(t.name)); text(found)', texts('[]'))
    const script: ToolCall = only(session, 'toolCall')
    expect(script.children.map(({ type }) => type)).toEqual(['output'])
    expect(all(session, 'command')).toEqual<Command[]>([])
  })
})
