import { describe, expect, it } from 'vitest'
import type { FlowContent, TopContent, TrastNode } from '../../../src/transcript/trast.ts'
import { body, context, items } from '../../helpers/render.ts'
import { parseTags, tagsNamed, tagsOfClass } from '../../helpers/tags.ts'
import {
  agent,
  approval,
  assistant,
  command,
  errorNode,
  fileChange,
  finding,
  group,
  hunk,
  image,
  injected,
  input,
  markdown,
  notice,
  output,
  patch,
  plan,
  planStep,
  preamble,
  question,
  reasoning,
  reference,
  search,
  text,
  threadId,
  toolCall,
  turn,
  unknown,
  user,
} from '../../helpers/tree.ts'

const at = '2026-03-14T09:26:53.000Z'
const known = context({
  other: { title: 'Paint the gate', built: true },
  lost: { title: 'Oil the hinge', built: false },
})
const otherPage = '../other-'

/** Whether the first fold of some HTML is open. */
const isOpen = (html: string) => tagsNamed(html, 'details')[0]?.attributes['open'] !== undefined

/** What each node shows: a name, the node, texts that its HTML must contain. */
const shown: [string, FlowContent, string[]][] = [
  [
    'a prompt',
    user('Mend it', { id: 'l4', at }),
    ['<article id="l4" class="item prompt">', '<h3>Prompt</h3>', '<p>Mend it</p>'],
  ],
  [
    'the name of what was picked in a prompt',
    user('Fix [gate.lua (line 4)](w:/shop(1\\)/src/gate.lua) with [$oil](C:\\u\\oil\\SKILL.md) as [Old](app://1)'),
    [
      'Fix <code title="w:/shop(1)/src/gate.lua">gate.lua (line 4)</code> with ',
      '<code title="C:\\u\\oil\\SKILL.md">$oil</code> as <code title="app://1">Old</code></p>',
    ],
  ],
  [
    'the name of what was picked with its line',
    user('See [gate.lua (line 4)](w:/shop(1\\)/gate.lua:4), [a.ts:7](/b/a.ts:7:2) and [c.ts](/b/c.ts#L3-L9)'),
    [
      'See <code title="w:/shop(1)/gate.lua:4">gate.lua (line 4)</code>, <code title="/b/a.ts:7:2">a.ts:7</code> and ',
      '<code title="/b/c.ts#L3-L9">c.ts</code></p>',
    ],
  ],
  [
    'links in a prompt as they were typed',
    user('[gate](docs/paint.md) `[a.ts](b/a.ts)` [x](https://x.example/x)'),
    ['[gate](docs/paint.md) <code>[a.ts](b/a.ts)</code> [x](<a href='],
  ],
  ['a prompt while working', user('Wait', { steering: true }), ['<h3>Prompt while working</h3>']],
  ['commentary', assistant('I look', { phase: 'commentary' }), ['class="item say commentary"', '<p>I look</p>']],
  ['a final answer', assistant('Done', { phase: 'final_answer' }), ['class="item say answer"', '<h3>Answer</h3>']],
  ['injected context', injected('environment', 'cwd'), ['>Context<', '>environment<']],
  ['a developer message', user('Rules', { role: 'developer', origin: 'injected' }), ['>Context<', '>developer<']],
  ['a hook', user('Check', { origin: 'hook' }), ['>Hook<']],
  [
    'context with Windows line ends, and a return within a line by name',
    injected('Instructions', 'Oil\r\nPaint\rit'),
    ['>Oil\nPaint<span class="ctl">', 'it</div>'],
  ],
  [
    'a message between agents',
    user('Done', { origin: 'agent', author: '/root/read_one', recipient: '/root' }),
    ['>Message between agents<', 'read one → main agent'],
  ],
  [
    'the task that an agent got',
    user('Read one file', { origin: 'agent', author: '/root', recipient: '/root/read_one' }),
    ['class="item prompt"', '>Task from another agent</h3>', '<p>Read one file</p>'],
  ],
  [
    'a thought',
    reasoning('**Looking**\n\nAt it.'),
    ['>Thought<', '<span class="gist">Looking</span>', '<strong>Looking</strong>'],
  ],
  [
    'a thought about code',
    reasoning('**Looking at `a.ts`**'),
    ['<span class="gist">Looking at a.ts</span>', '<code>a.ts</code>'],
  ],
  [
    'a thought that fits in its line',
    reasoning('**Looking at it**\n'),
    ['<p class="work quiet single"><span class="what">Thought</span><span class="gist">Looking at it</span></p>'],
  ],
  ['an encrypted thought', reasoning(''), ['>Thought<', '>encrypted<']],
  [
    'a command',
    command('npm test', [output('ok')], { durationMs: 6400 }),
    [
      '>Ran<',
      '<span class="gist">npm test</span>',
      '<span class="mark">6.4 s</span>',
      '<pre class="run" data-copy="command" data-wrap>npm test</pre>',
      '<pre tabindex="0" data-copy="output" data-wrap>ok</pre>',
    ],
  ],
  [
    'a command that only read',
    command('cat /shop/a.ts b.ts', [output('x')], {
      actions: [
        { kind: 'read', path: '/shop/a.ts' },
        { kind: 'read', path: 'b.ts' },
      ],
    }),
    [
      '<details class="work quiet">',
      '<span class="what">Read</span><span class="gist" title="cat /shop/a.ts b.ts">/shop/a.ts, b.ts</span></summary>',
      '>cat /shop/a.ts b.ts</pre>',
    ],
  ],
  [
    'a command that searched a folder',
    command('rg gate src', [], { actions: [{ kind: 'search', query: 'gate', path: 'src' }] }),
    ['>Searched<', '>“gate” in src<'],
  ],
  [
    'a command that searched several places but names only one',
    command('rg -n gate src /srv/shop/test docs', [], { actions: [{ kind: 'search', query: 'gate', path: 'src' }] }),
    ['>Searched<', '>“gate” in src, /srv/shop/test, docs<'],
  ],
  [
    'a listing of several folders that names only one',
    command('ls -l src /srv/shop/test', [], { actions: [{ kind: 'list', path: 'src' }] }),
    ['>Listed<', '>src, /srv/shop/test<'],
  ],
  [
    'a command that looked around in several ways',
    command('ls && cat a', [], { actions: [{ kind: 'list' }, { kind: 'read', path: 'a' }] }),
    ['>Explored<', '>listed the working folder, read a<'],
  ],
  [
    'a listing of the working folder',
    command('ls -a', [], { actions: [{ kind: 'list' }] }),
    ['>Listed<', '<span class="gist" title="ls -a">the working folder</span>'],
  ],
  [
    'a failed search by badge and class',
    command('rg x', [], { actions: [{ kind: 'search', query: 'x' }], status: 'failed', exitCode: 2 }),
    ['class="item command failed"', '>“x”<', '<b class="badge">failed, exit 2</b>', '<details class="work">'],
  ],
  [
    'a command that read and did more',
    command('cat a | tee b', [], { actions: [{ kind: 'read', path: 'a' }, { kind: 'other' }] }),
    ['>Ran<'],
  ],
  [
    'a file that the user read as a command',
    command('cat a', [], { actor: 'user', actions: [{ kind: 'read', path: 'a' }] }),
    ['>You ran<'],
  ],
  ['a command of the user', command('ls', [], { actor: 'user' }), ['>You ran<']],
  [
    'a failed command by badge and class',
    command('false', [], { status: 'failed', exitCode: 1 }),
    ['class="item command failed"', '<b class="badge">failed, exit 1</b>'],
  ],
  [
    'an interrupted command',
    command('sleep 9', [], { status: 'interrupted' }),
    ['<b class="badge">interrupted, exit 0</b>'],
  ],
  ['a running command', command('serve', [], { status: 'running' }), ['still running']],
  ['input of a program', command('sh', [input('y')]), ['<pre class="typed" data-copy="command" data-wrap>y</pre>']],
  [
    'Enter alone as input of a program',
    command('sh', [input('\n')]),
    ['<pre class="typed" data-copy="command" data-wrap>⏎</pre>'],
  ],
  [
    'the error stream by name',
    command('sh', [output('no', { stream: 'stderr' })]),
    ['<p class="label">stderr</p><pre tabindex="0" data-copy="output" data-wrap>no</pre>'],
  ],
  [
    'an edited file',
    patch([fileChange('a.ts', [hunk('-a\n+b', { oldStart: 7, newStart: 7 })])]),
    [
      '>Edited<',
      '>a.ts<',
      '<b class="good">+1</b>',
      '<b class="bad">−1</b>',
      '<del data-g="7   −">a\n</del>',
      '<ins data-g="  7 +">b\n</ins>',
    ],
  ],
  [
    'the head of a hunk',
    patch([fileChange('a.ts', [hunk('+b', { header: '@@ class Gate' })])]),
    ['<span class="hunk">@@ class Gate\n</span>'],
  ],
  [
    'an added file with the numbers of its lines',
    patch([fileChange('a.ts', [hunk('+b\n+c')], { operation: 'add' })]),
    ['>Added<', '<ins data-g="1 +">b\n</ins><ins data-g="2 +">c\n</ins>'],
  ],
  [
    'a deleted file with the numbers of its lines',
    patch([fileChange('a.ts', [hunk('-b')], { operation: 'delete' })]),
    ['>Deleted<', '<del data-g="1 −">b\n</del>'],
  ],
  ['an edited file without numbers', patch([fileChange('a.ts', [hunk('+b')])]), ['<ins data-g="+">b\n</ins>']],
  [
    'a moved file',
    patch([fileChange('a.ts', [], { operation: 'update', movedTo: 'b.ts' })]),
    ['>Moved<', 'a.ts → b.ts'],
  ],
  [
    'a failed patch',
    patch([fileChange('a.ts', [hunk('+b')]), output('no such line')], { status: 'failed' }),
    ['Patch failed, not applied', '<span class="what">Not edited</span><span class="gist">a.ts</span>', 'no such line'],
  ],
  [
    'a failed patch without a file',
    patch([], { status: 'failed' }),
    ['Patch failed, not applied', '<span class="what">Not edited</span>'],
  ],
  [
    'the script around a patch and a patch that breaks the grammar, by name',
    patch([text('cd a && patch', { lang: 'sh' }), text('*** oops', { lang: 'diff' }), output('Done?')]),
    ['>Script<', '>cd a &#x26;&#x26; patch<', '>Patch as written<', '>Patch output<'],
  ],
  ['a declined patch', patch([], { status: 'declined' }), ['Patch declined, not applied']],
  [
    'an interrupted patch without a record',
    patch([fileChange('a.ts', [hunk('+b')])], { status: 'interrupted' }),
    ['Patch interrupted, may have been applied', '<span class="what">Maybe edited</span>'],
  ],
  [
    'a tool call',
    toolCall('find', '{"q":"x"}', [text('{"n":1}', { lang: 'json' })], {
      family: 'mcp',
      server: 'docs',
      durationMs: 400,
    }),
    ['>docs/find<', '>q: x<', 'MCP · 400 ms', '{\n  "q": "x"\n}', '{\n  "n": 1\n}'],
  ],
  [
    "one of Codex's own tools by what the model did",
    toolCall('tool_search', '{"query":"oil a hinge","limit":8}', [output('oil')]),
    ['<span class="what">Looked for tools</span><span class="gist" title="tool_search">oil a hinge</span>'],
  ],
  [
    "one of Codex's own tools without a telling argument",
    toolCall('wait', '{"cell_id":"7"}', [], { status: 'failed' }),
    ['<span class="what">Waited for a script</span>', '"cell_id": "7"'],
  ],
  [
    'a resource of a server, recorded like a tool',
    toolCall('read_mcp_resource', '{"server":"docs","uri":"docs://gate"}', [], { family: 'mcp', server: 'docs' }),
    ['<span class="what">Read an MCP resource</span>', '>docs://gate<'],
  ],
  [
    'a tool of a server by its own name, even if Codex has one of that name',
    toolCall('wait', '{"for":"paint"}', [], { family: 'mcp', server: 'shop' }),
    ['<span class="what">shop/wait</span><span class="gist">for: paint</span>'],
  ],
  [
    'a tool call with free text',
    toolCall('js', 'print(1)', [output('1')]),
    ['data-copy="code" data-wrap>print(1)</pre>', '>1<'],
  ],
  [
    'work inside a tool call',
    toolCall('exec', 'run()', [command('ls', [])]),
    ['<details class="work quiet">', 'class="nested"', '>Ran<'],
  ],
  [
    'a script of code mode by its first line if nothing else is known',
    toolCall('exec', 'await run(\n)', [], { family: 'custom' }),
    ['<span class="what">Script</span><span class="gist">await run(</span>', '>await run(\n)</pre>'],
  ],
  [
    'a script of code mode by how much it did',
    toolCall('exec', 'await run()', [command('ls', []), command('pwd', [])], { family: 'custom' }),
    ['<span class="what">Script</span><span class="gist">2 commands</span>'],
  ],
  [
    'the script of a command in a separate fold',
    { ...command('ls', []), data: { sources: [], code: 'await tools.exec_command({cmd: "ls"})' } },
    ['<summary><span class="what">Script</span></summary>', '>await tools.exec_command({cmd: "ls"})</pre>'],
  ],
  ['a search', search(['gate hinge']), ['Searched the web', '>gate hinge<']],
  [
    'several queries and links',
    search(['a', 'b'], [reference('https://example.org', { label: 'Site' })]),
    ['<span class="gist">a · 1 page</span>', '<ul><li>b</li>', '>Site</a>'],
  ],
  [
    'an opened page',
    search([], [], { action: 'open', url: 'https://example.org/x' }),
    ['>Opened<', 'href="https://example.org/x" rel="nofollow noreferrer noopener"'],
  ],
  [
    'a page that a script printed: its address once, and a link',
    search([], [output('words')], { action: 'open', url: 'https://example.org/x' }),
    [
      '<span class="gist">https://example.org/x</span></summary><ul><li><a href="https://example.org/x"',
      '>Open this page</a></li></ul>',
    ],
  ],
  [
    'a page with a title that a script printed: the title, and the address below it',
    search([], [output('words'), reference('https://example.org/x', { label: 'Site' })], {
      action: 'open',
      url: 'https://example.org/x',
    }),
    ['<span class="gist">Site</span></summary>', '>https://example.org/x</a></li></ul>'],
  ],
  [
    'text of a file that a script printed: its address once',
    search([], [output('words')], { action: 'open', url: 'file:///x' }),
    ['<span class="gist">file:///x</span></summary><div class="term">'],
  ],
  [
    'a page without a recorded address',
    search([], [], { action: 'open' }),
    ['<span class="what">Opened</span><span class="gist">a page (address not recorded)</span>'],
  ],
  [
    'a link of a page that only its session knew',
    search([], [reference('t0s1, link 7')], { action: 'open', url: 't0s1, link 7' }),
    ['<span class="what">Opened</span><span class="gist">a link (address not recorded)</span>'],
  ],
  [
    'a text looked for',
    search([], [], { action: 'find', pattern: 'hinge', url: 'file:///x' }),
    ['Looked for', '“hinge”', '<code>file:///x</code>'],
  ],
  [
    'a plan',
    plan([planStep('a', 'completed'), planStep('b', 'inProgress'), planStep('c')]),
    [
      '1 of 3 done',
      '<li class="done"><span class="box" role="img" aria-label="done">',
      'aria-label="in progress"',
      'aria-label="to do"',
    ],
  ],
  [
    'code in a step of a plan, and nothing else of Markdown or HTML',
    plan([planStep('Fix `a <b>()` and *not* `that')]),
    ['<span>Fix <code>a &#x3C;b>()</code> and *not* `that</span>'],
  ],
  [
    'code in the title of a finding',
    notice('review', [finding('[P1] Keep `a.ts`', 'y', { priority: 1 })]),
    ['<b>Keep <code>a.ts</code></b>'],
  ],
  ['the text of a plan', plan([markdown('First *this*')]), ['First <em>this</em>']],
  [
    'a picture',
    image({ asset: 'ab12.png', alt: 'chart', width: 64, height: 40, bytes: 2048, mediaType: 'image/png' }),
    [
      '<a class="shot" href="../../assets/ab12.png"><img src="../../assets/ab12.png" alt="chart" loading="lazy" decoding="async" width="64" height="40">',
      '64 × 40',
      '2 KiB',
    ],
  ],
  [
    'a missing picture',
    image({ mediaType: 'image/svg+xml', bytes: 10 }),
    ['class="item image missing"', 'image/svg+xml · 10 bytes'],
  ],
  ['a picture with a strange name', image({ asset: '../x.png' }), ['class="item image missing"']],
  [
    'a sub-agent with its page',
    agent([assistant('done')], { threadId: 'other', name: 'Wren', role: 'explorer', durationMs: 48_000 }),
    [
      'Started a sub-agent',
      `href="${otherPage}`,
      '>Wren</a>',
      '>explorer</span>',
      '>Paint the gate</p>',
      '48 s',
      '>What the call returned</span></summary><div class="inside"><div',
    ],
  ],
  [
    'a sub-agent whose task is longer than a line of its card',
    agent([user('Paint the gate.\n\nThen oil the hinge.'), assistant('done')]),
    ['<p class="about">Paint the gate.</p>', '>Whole task, and what the call returned</span>', 'Then oil the hinge.'],
  ],
  [
    'a sub-agent with only its task',
    agent([user('Paint the gate')], { id: 'l7' }),
    ['<b>Started a sub-agent</b></p><p id="', '" class="about">Paint the gate</p></div>'],
  ],
  [
    'a message to a sub-agent with its page',
    agent([user('Oil it')], { threadId: 'other', name: '/root/wren', action: 'send' }),
    ['<span class="gist">wren</span>', `href="${otherPage}`, '>Its session</a>'],
  ],
  [
    'a sub-agent without a page',
    agent([], { threadId: 'lost', action: 'wait' }),
    ['Waited for a sub-agent', '<span>Oil the hinge</span>'],
  ],
  [
    'what sub-agents reported',
    agent(
      [
        output('{"status":{"lost":{"completed":"**Oiled** <i>it</i>"},"other":"not_found"},"timed_out":false}', {
          id: 'o',
        }),
      ],
      { action: 'wait' },
    ),
    ['<b>Oil the hinge</b> · completed', '<strong>Oiled</strong> &#x3C;i>it&#x3C;/i>', '</b> · not found'],
  ],
  [
    'a wait in the words of Codex',
    agent([output('{"message":"Wait timed out.","timed_out":true}', { id: 'o' })], { action: 'wait' }),
    ['<div class="inside"><div class="prose"', 'Wait timed out.</p>'],
  ],
  [
    'the state of an agent that was closed',
    agent([output('{"previous_status":{"completed":"It is **done**"}}', { id: 'o' })], { action: 'close' }),
    ['<p class="where">was completed</p>', '<strong>done</strong>'],
  ],
  [
    'an encrypted task, without a fold',
    agent(
      [user([text('[Encrypted message]')], { origin: 'agent' }), output('{"task_name":"/root/oil_gate"}', { id: 'o' })],
      { name: '/root/oil_gate' },
    ),
    ['<span>oil gate</span></p><p id="', '" class="about">Its task is encrypted.</p></div>'],
  ],
  [
    'no title of a sub-agent that repeats its name',
    agent([user([text('[Encrypted message]')], { origin: 'agent' })], {
      threadId: 'other',
      name: '/root/Paint_the_gate',
    }),
    ['>Paint the gate</a></p><p id="', '>Its task is encrypted.</p>'],
  ],
  [
    'another result of a call as it is',
    agent([output('{"task_name":"/root/other"}', { id: 'o' })], { name: '/root/oil_gate' }),
    ['What the call returned', '/root/other'],
  ],
  [
    'a list of sub-agents with their last tasks',
    agent(
      [
        output(
          '{"agents":[{"agent_name":"/root","agent_status":"running","last_task_message":"Main thread"},' +
            '{"agent_name":"/root/oil_gate","agent_status":{"completed":"**Oiled**"},"last_task_message":null},' +
            '{"agent_name":"/root/wren","agent_status":"running","last_task_message":"Paint <it>\\nred"}]}',
          { id: 'o' },
        ),
      ],
      { action: 'list' },
    ),
    [
      ...['<b>main agent</b> · running</p>', '<b>oil gate</b> · completed</p>', '<strong>Oiled</strong>'],
      '<b>wren</b> · running · last task: Paint &#x3C;it></p>',
    ],
  ],
  [
    'an approval',
    approval([text('rm x')], { decision: 'approved' }),
    ['role="note"', 'Asked to run a command', ': approved'],
  ],
  [
    'a question',
    approval([question('Which?', { header: 'Pick', options: ['a', 'b'], answer: 'b' })], { subject: 'question' }),
    ['Asked a question', '<b>Pick</b>', '<li class="done">b<b> (chosen)</b></li>'],
  ],
  [
    'several chosen answers',
    approval([question('Which?', { options: ['a', 'b', 'c'], answer: 'a; c' })], { subject: 'question' }),
    ['<li class="done">a<b> (chosen)</b></li><li>b</li><li class="done">c<b> (chosen)</b></li>'],
  ],
  [
    'a chosen answer with a note',
    approval([question('Which?', { options: ['a', 'b'], answer: 'b; user_note: soon; or <i>now</i>' })], {
      subject: 'question',
    }),
    ['<li class="done">b<b> (chosen)</b></li>', '<p><b>Note: </b>soon; or &#x3C;i>now&#x3C;/i></p>'],
  ],
  [
    'a note alone',
    approval([question('Which?', { options: ['a'], answer: 'user_note: soon' })], { subject: 'question' }),
    ['<li>a</li>', '<b>Answer: </b>soon<'],
  ],
  [
    'code in options',
    approval([question('Which?', { options: ['`a`', 'b'], descriptions: ['', 'by `git`'] })], { subject: 'question' }),
    ['<li><code>a</code></li><li>b: by <code>git</code></li>'],
  ],
  [
    'an answer outside the options',
    approval([question('Which?', { options: ['a', 'b'], answer: 'a; none' })], { subject: 'question' }),
    ['<li>a</li>', '<b>Answer: </b>a; none'],
  ],
  ['a free answer', approval([question('Name?', { answer: 'Sam' })]), ['<b>Answer: </b>Sam']],
  ['an error with a meaningless code', errorNode('no', { code: 'other' }), ['<b>Error: </b>no']],
  [
    'an error with its code',
    errorNode('stream closed', { code: 'http_500' }),
    ['class="item error failed"', '<b>Error (http 500): </b>stream closed'],
  ],
  [
    'a compaction with its summary',
    notice('compaction', [markdown('Done so far')], { facts: { tokensBefore: 148_000, tokensAfter: 21_000 } }),
    ['Context compacted: 148,000 → 21,000 tokens', 'Done so far'],
  ],
  ['a change of model', notice('model', [], { facts: { before: 'a', after: 'b' } }), ['Model: a → b']],
  [
    'a change of settings by labels',
    notice('model', [], { facts: { before: 'Model: a, Effort: high', after: 'Model: b, Effort: low' } }),
    ['<p>Model: a → b, Effort: high → low</p>'],
  ],
  ['an interruption with its reason', notice('abort', [text('replaced')]), ['<p>Interrupted: replaced</p>']],
  ['an interruption whose reason is the same word', notice('abort', [text('interrupted')]), ['<p>Interrupted</p>']],
  ['a reason of several lines in a fold', notice('abort', [text('a\nb')]), ['<span>Interrupted</span>', '>a\nb</pre>']],
  [
    'what was reviewed',
    notice('review', [], { facts: { before: 'a branch', after: 'correct' } }),
    ['Review of a branch: correct'],
  ],
  [
    'what was reviewed, if that is a question',
    notice('review', [], { facts: { before: 'a.md: is it clear?', after: 'correct' } }),
    ['Review of a.md: is it clear? correct'],
  ],
  ['a rollback', notice('rollback', [], { facts: { count: 2 } }), ['Rolled back 2 turns']],
  ['a gap', notice('gap', [], { facts: { gapMs: 7_200_000 } }), ['2 h later']],
  [
    'a review',
    notice('review', [finding('Swallowed', 'The catch.', { priority: 1, path: 'a.ts', startLine: 3, endLine: 9 })]),
    ['<span class="badge">P1</span>', 'Swallowed', 'a.ts:3-9', 'The catch.'],
  ],
  [
    'exploring in one line',
    group('exploration', 'Explored 2 files', [command('cat a')]),
    ['>Explored<', '>2 files<', 'cat a'],
  ],
  [
    'rolled-back turns, folded',
    group('rolledBack', '1 turn rolled back', [turn([user('no')])]),
    ['1 turn rolled back', '<p>no</p>'],
  ],
  [
    'an unknown record',
    unknown('event_msg/quantum', { a: 1 }),
    ['data-pagefind-ignore', 'Unrecognised record', 'event_msg/quantum', '{\n  "a": 1\n}'],
  ],
]

describe('a node', () => {
  it.each(shown)('shows %s', (_name, node, parts) => {
    const html = items([node], known)
    for (const part of parts) expect(html).toContain(part)
    expect(() => parseTags(html)).not.toThrow()
  })

  it.each(shown.map(([name, node]) => [name, node] as const))('keeps the anchor of %s', (_name, node) => {
    const ids = parseTags(items([node], known)).tags.map(({ attributes }) => attributes['id'])
    expect(ids).toContain(node.id)
  })

  it.each(shown.map(([name, node]) => [name, node] as const))('is not shown if it is hidden: %s', (_name, node) => {
    const html = items([{ ...node, data: { visibility: 'hidden' } } as FlowContent], known)
    expect(tagsOfClass(html, 'item')).toEqual([])
  })

  it('shows its time in the zone of the page, as a link to itself', () => {
    const html = items([user('x', { id: 'l4', at })], context({}, { timeZone: 'Asia/Tokyo' }))
    expect(html).toContain(
      '<a class="at" href="#l4"><time datetime="2026-03-14T09:26:53.000Z" title="2026-03-14 18:26:53 Asia/Tokyo">18:26</time></a>',
    )
  })

  it('of an unknown type looks like an unknown record', () => {
    const html = items([{ type: 'hologram', id: 'l4', depth: 3 } as unknown as FlowContent])
    expect(html).toContain('Unrecognised record')
    expect(html).toContain('"depth": 3')
  })

  it('of a type named like a property of objects has no handler', () => {
    expect(items([{ type: 'constructor', id: 'l4' } as unknown as FlowContent])).toContain('Unrecognised record')
  })
})

describe('items', () => {
  it('have the classes that style sheet and script use', () => {
    const nodes: [FlowContent, string][] = [
      [user('x'), 'item prompt'],
      [assistant('x', { phase: 'final_answer' }), 'item say answer'],
      [assistant('x', { phase: 'commentary' }), 'item say commentary'],
      [injected('x', 'y'), 'item context'],
      [reasoning('x'), 'item thought'],
      [command('x'), 'item command'],
      [command('x', [], { status: 'failed' }), 'item command failed'],
      [patch([], { status: 'declined' }), 'item patch failed'],
      [toolCall('x', '', [], { status: 'failed' }), 'item tool failed'],
      [search(['x']), 'item search'],
      [plan([]), 'item planned'],
      [image(), 'item image missing'],
      [agent([], { status: 'failed' }), 'item card failed'],
      [approval(), 'item aside'],
      [notice('undo'), 'item note'],
      [errorNode('x'), 'item error failed'],
      [group('exploration', 'x', []), 'item group exploration'],
      [group('rolledBack', 'x', []), 'item group rolledback'],
      [group('made up' as never, 'x', []), 'item group omitted'],
      [unknown('x', {}), 'item unknown'],
    ]
    const found = nodes.map(([node]) => tagsOfClass(items([node]), 'item').map(({ attributes }) => attributes['class']))
    expect(found).toEqual(nodes.map(([, name]) => [name]))
  })

  it('mark each block that can be copied, without its gutter and prompt sign', () => {
    const html = items([
      command('a', [input('b'), output('c')]),
      patch([fileChange('d', [hunk('-e\n+f', { oldStart: 1, newStart: 1 })])]),
      toolCall('g', 'h'),
      assistant('`i`\n\n```\nj\n```', { phase: 'final_answer' }),
    ])
    const marked = parseTags(html).tags.flatMap(({ attributes }) => attributes['data-copy'] ?? [])
    expect(marked).toEqual(['command', 'command', 'output', 'diff', 'code', 'text', 'code'])
    expect(parseTags(html).text).toMatch(/a.*b.*c.*e\nf\n/s)
    expect(parseTags(html).text).not.toContain('$')
  })
})

describe('a picture', () => {
  const sizeOf = (width: number, height: number) => {
    const [{ attributes = {} } = {}] = tagsNamed(items([image({ asset: 'a.png', width, height })]), 'img')
    return [attributes['width'], attributes['height']]
  }

  it.each([
    [64, 40, 64, 40],
    [1472, 100, 736, 50],
    [600, 4800, 60, 480],
    [100_000, 10, 736, 1],
  ])('of %i by %i is shown at %i by %i', (width, height, ...shown) => {
    expect(sizeOf(width, height)).toEqual(shown.map(String))
  })

  it('without a size gets no size', () => {
    expect(sizeOf(0, 40)).toEqual([undefined, undefined])
  })
})

describe('findings', () => {
  it('are sorted by priority, those without one last', () => {
    const findings = [
      finding('c', '', { priority: 3 }),
      finding('d', ''),
      finding('a', '', { priority: 0 }),
      finding('b', '', { priority: 1 }),
    ]
    const html = items([notice('review', findings)])
    const order = [...html.matchAll(/<b>([a-d])<\/b>/g)].map(([, title]) => title)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(html).toContain('<span class="badge mild">P3</span>')
  })
})

describe('folds', () => {
  it.each([
    ['a successful command', command('ls'), false],
    ['a failed command', command('ls', [], { status: 'failed' }), false],
    ['an edit', patch([fileChange('a', [hunk('+b')])]), false],
    ['a checklist', plan([planStep('a')]), false],
    ['a plan in prose', plan([markdown('a')]), true],
    ['a plan that a plugin folds', plan([markdown('a')], { data: { visibility: 'collapsed' } }), false],
    ['a thought', reasoning('a'), false],
    ['injected context', injected('x', 'y'), false],
    ['a prompt that a plugin folds', user('x', { data: { visibility: 'collapsed' } }), false],
    ['exploring', group('exploration', 'x', [command('ls')]), false],
    [
      'exploring that a plugin opens',
      group('exploration', 'x', [command('ls')], { data: { visibility: 'open' } }),
      true,
    ],
    ['findings of a review', notice('review', [finding('x', 'y')]), true],
    ['a review without findings', notice('review', [markdown('x')]), true],
    ['a summary of a compaction', notice('compaction', [markdown('x')]), false],
  ] as [string, TrastNode, boolean][])('are open or closed by default: %s', (_name, node, open) => {
    expect(isOpen(items([node as FlowContent]))).toBe(open)
  })

  it('open the turns that were rolled back only where a page has no others', () => {
    const undone = group('rolledBack', '1 turn rolled back', [turn([user('no')])]) as TopContent
    expect(isOpen(body([preamble([]), undone, undone]))).toBe(true)
    expect(isOpen(body([undone, turn([user('yes')])]))).toBe(false)
    expect(isOpen(body([undone], { ...context(), half: 'story' }))).toBe(false)
  })

  const collapsed = { data: { visibility: 'collapsed' as const } }
  it.each([
    ['a command', command('ls', [], { status: 'failed', ...collapsed })],
    ['an output', command('ls', [output('x', collapsed)])],
    ['an edit', patch([fileChange('a', [hunk('+b')], collapsed)])],
  ] as [string, FlowContent][])(
    'are marked as closed for the view of everything if a plugin folds %s',
    (_name, node) => {
      expect(items([node])).toMatch(/<details [^>]*data-collapsed/)
    },
  )
})

describe('a turn', () => {
  it('shows its number, start, duration, model, tokens and outcome', () => {
    const usage = { input: 1, cached: 0, output: 1, reasoning: 0, total: 34_100 }
    const fields = {
      id: 't-1',
      number: 3,
      at,
      durationMs: 61_000,
      model: 'm-1',
      effort: 'high',
      usage,
      status: 'failed',
    } as const
    const html = body([turn([], fields)])
    expect(html).toContain('<section id="t-1" class="turn unasked">')
    expect(html).toContain('<h2><a href="#t-1">Turn 3</a></h2>')
    expect(parseTags(html).text).toBe('Turn 32026-03-14 09:261 min 1 sm-1 high34k tokensfailed')
  })

  it('begins with its line if no prompt is recorded, and otherwise with the prompt', () => {
    const injected = user('Files of the project', { origin: 'injected' })
    const unasked = (...children: FlowContent[]) => body([turn(children)]).includes('class="turn unasked"')
    expect(unasked(injected, assistant('Done'))).toBe(true)
    expect(unasked(injected, user('Mend the gate'), assistant('Done'))).toBe(false)
    const others = [{ kind: 'shell' as const }, { data: { continued: true } }]
    for (const fields of others) expect(body([turn([assistant('Done')], fields)])).not.toContain('unasked')
  })

  it('says that it continues from the previous page', () => {
    expect(body([turn([], { number: 3, data: { continued: true } })])).toContain('Turn 3, continued')
  })

  it('shows the error that ended it once', () => {
    expect(body([turn([], { error: 'no credit' })])).toContain('<b>Error: </b>no credit')
    const html = body([turn([errorNode('no credit')], { error: 'no credit' })])
    expect(html.match(/no credit/g)).toHaveLength(1)
  })

  it('takes the last message as the answer if no record names one', () => {
    const html = items([assistant('first'), assistant('last')])
    expect(tagsOfClass(html, 'answer')).toHaveLength(1)
    expect(html.indexOf('first')).toBeLessThan(html.indexOf('Answer'))
  })

  it('has no answer if its messages have phases or if it was interrupted', () => {
    expect(tagsOfClass(items([assistant('a', { phase: 'commentary' }), assistant('b')]), 'answer')).toEqual([])
    expect(tagsOfClass(body([turn([assistant('a')], { status: 'interrupted' })]), 'answer')).toEqual([])
  })

  it('names the folder of a command only if it differs', () => {
    const inTurn = (cwd: string) => body([turn([command('ls', [], { cwd })], { cwd: '/shop' })])
    expect(inTurn('/shop')).not.toContain('class="where"')
    expect(inTurn('/shop/app')).toContain('in <code>/shop/app</code>')
  })

  it('shows paths below its folder, and the whole path on demand', () => {
    const html = body([turn([patch([fileChange('/shop/a.ts', [])])], { cwd: '/shop/' })])
    expect(html).toContain('<span class="gist" title="/shop/a.ts">a.ts</span>')
    expect(body([turn([patch([fileChange('/shopper/a.ts', [])])], { cwd: '/shop' })])).toContain('>/shopper/a.ts<')
  })

  it('comes after a preamble, which is not shown if it is empty', () => {
    const html = body([preamble([injected('x', 'y')]), turn([])])
    expect(html).toContain('Before the first turn')
    expect(body([preamble([])])).toBe('')
  })
})

describe('consecutive context', () => {
  it('is one line that names it, with the anchor of each message', () => {
    const run = [
      injected('Rules', 'a', { id: 'l2' }),
      injected('Rules', 'b', { id: 'l3' }),
      injected('Environment', 'c', { id: 'l4' }),
    ]
    const html = items([...run, user('Go', { id: 'l5' })])
    expect(html).toContain('<div id="l2-context" class="item context">')
    expect(html).toContain('<span class="gist">Rules × 2, Environment</span>')
    expect(parseTags(html).tags.flatMap(({ attributes }) => attributes['id'] ?? [])).toEqual([
      ...['turn', 'l2-context', 'l2', 'l3', 'l4', 'l5'],
    ])
    expect(body([preamble(run)])).toContain('Rules × 2, Environment')
  })

  it('is not joined if there is only one, or if something comes between', () => {
    expect(items([injected('Rules', 'a'), user('Go'), injected('Rules', 'b')])).not.toContain('-context"')
  })
})

describe('copied history', () => {
  const inherited = group('inherited', '4 turns copied', [
    turn([user('old'), assistant('said')]),
    turn([user('newer')]),
  ])
  const lineage = { forkedFromId: 'other', segments: [] }

  it('is one line with a count, the last prompt of the copy and a link', () => {
    const html = body([inherited], known, { lineage })
    expect(html).toContain('4 turns copied, up to “newer” · <a href="../other-')
    expect(html).toContain('Paint the gate')
    expect(html).not.toMatch(/old|said/)
  })

  it('names a parent that has no page', () => {
    expect(body([inherited], known, { lineage: { parentId: 'lost', segments: [] } })).toContain(
      '4 turns copied, up to “newer” · Oil the hinge',
    )
  })

  it('is a closed fold if the original is missing, and a link in a story of several pages', () => {
    const label = '4 turns copied from a session that was not found'
    const open = { ...inherited, label, id: 'inherited-2', data: { visibility: 'open' as const } }
    const html = body([open], known, { lineage })
    expect(html).toContain(`<details class="work quiet"><summary><span class="what">${label}</span>`)
    expect(html).toContain('<p>old</p>')
    const story = body([open], { ...known, half: 'story', page: 2 }, { lineage })
    expect(story).toContain(
      '<a href="2.html#inherited-2">History copied from a session that was not found, up to “newer”</a>',
    )
    expect(story).not.toContain('<p>old</p>')
  })
})

describe('a repeated or empty fact is not shown', () => {
  it('such as the address of an opened page that is also its result', () => {
    const url = 'https://example.org/x'
    const html = items([search([], [reference(url)], { action: 'open', url })])
    expect(tagsNamed(html, 'a').filter(({ attributes }) => attributes['href'] === url)).toHaveLength(1)
  })

  it('such as a duration of zero', () => {
    expect(body([turn([command('ls', [], { durationMs: 0 })], { durationMs: 0 })])).not.toContain('0 ms')
  })
})

describe('long outputs', () => {
  const omitted = { bytes: 20_480, by: 'limit', at: 5 } as const
  const cutOutput = () => output('head\ntail', { id: 'l7.1', omitted })

  it('show head, tail and a link to the whole text', () => {
    const html = items([command('x', [cutOutput()])], context({}, { outputFiles: true }))
    expect(html).toContain(
      'head<span class="cut">… 20 KiB left out here: <a href="l7.1.txt">the whole text</a></span>tail',
    )
  })

  it('promise no file for copied history', () => {
    const copy = group('inherited', 'x', [turn([command('x', [cutOutput()])])], { data: { visibility: 'open' } })
    const html = body([copy], context({}, { outputFiles: true }))
    expect(html).toContain('20 KiB left out of this page')
    expect(html).not.toContain('l7.1.txt')
  })

  it('say that Codex itself omitted text', () => {
    const html = items([command('x', [output('a\nb', { omitted: { bytes: 0, by: 'codex' } })])])
    expect(html).toContain('… text left out by Codex itself')
  })

  it('do not say at the end what Codex says within the text', () => {
    const value = 'a\n…7834 chars truncated…\nb'
    const html = items([command('x', [output(value, { omitted: { bytes: 0, by: 'codex' } })])])
    expect(html).toContain(value)
    expect(html).not.toContain('left out')
  })
})

describe('pages', () => {
  it('link relative to where they are', () => {
    const html = items(
      [reference('x', {}) as never, agent([], { threadId })],
      context({ [threadId]: { title: 'Self', built: true } }, { page: 3 }),
    )
    expect(html).toContain(`href="index.html"`)
  })

  it('cut an unknown record at 4 KiB', () => {
    const html = items([unknown('x', { a: 'y'.repeat(50_000) })])
    expect(html.length).toBeLessThan(6000)
    expect(html).toContain('…')
  })

  it('do not show a secret answer', () => {
    expect(items([approval([question('Token?', { answer: 'hunter2', secret: true })])])).not.toContain('hunter2')
    const listed = question('Which?', { options: ['a', 'b'], answer: 'b', secret: true })
    expect(items([approval([listed])])).not.toContain('chosen')
    const marked = question('Token?', { answer: '[redacted:secret-answer#2]', secret: true })
    expect(items([approval([marked])])).toContain('[redacted:secret-answer#2]')
  })
})
