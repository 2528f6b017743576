import { beforeEach, describe, expect, it } from 'vitest'
import { renderMarkdownSlice } from '../../../src/render/transcript/markdown.ts'
import type { FlowContent } from '../../../src/transcript/trast.ts'
import { context } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

const child = '01990000-0000-7000-8000-00000000000c'
const using = context({ [child]: { title: 'Paint the [gate]', built: true } }, { outputFiles: true })

beforeEach(() => tree.resetIds())

/** The Markdown of items in a turn, without the turn's heading. */
function written(...items: FlowContent[]): string {
  const text = renderMarkdownSlice(tree.session([tree.turn(items)]), using)
  return text.replace(/^\n## Turn 1\n+/, '').trimEnd()
}

function lines(...parts: string[]): string {
  return parts.join('\n')
}

describe('messages', () => {
  it.each([
    [tree.user('Hello'), '### User\n\nHello'],
    [tree.user('a\nb'), '### User\n\na  \nb'],
    [tree.user('Stop', { steering: true }), '### User (while the turn was running)\n\nStop'],
    [tree.assistant('a\nb'), '### Assistant\n\na\nb'],
    [tree.assistant('Look', { phase: 'commentary' }), '### Assistant (commentary)\n\nLook'],
    [tree.assistant('Half', { phase: 'partial_answer' }), '### Assistant (partial answer)\n\nHalf'],
    [tree.user('Do', { origin: 'agent', author: 'root' }), '### Agent message from root\n\nDo'],
    [
      tree.assistant('Done', { origin: 'agent', author: '/root/a', recipient: '/root', phase: 'commentary' }),
      '### Agent message from /root/a to /root (commentary)\n\nDone',
    ],
    [tree.user('Be kind', { origin: 'injected', label: 'rules' }), '### User (injected: rules)\n\nBe kind'],
    [tree.injected('rules', 'Be kind'), '**User (injected: rules)** · 7 bytes not shown'],
    [tree.user([tree.text('a ``` b\n')]), '### User\n\n````\na ``` b\n````'],
    [tree.user([tree.reference('src/a b.ts', { kind: 'file' })]), '### User\n\nFile: `src/a b.ts`'],
  ])('%# are written under their role', (node, expected) => {
    expect(written(node)).toBe(expected)
  })

  it('omit what a plugin hid', () => {
    expect(written(tree.user('seen'), tree.user('not seen', { data: { visibility: 'hidden' } }))).not.toContain(
      'not seen',
    )
  })

  it('keep parts separate if a list would include the next one', () => {
    const parts = [tree.markdown('- a'), tree.markdown('    # b')]
    expect(written(tree.assistant(parts))).toBe('### Assistant\n\n- a\n\n***\n\n    # b')
  })

  it('say how much was cut from a body, and give both pieces different labels', () => {
    const value = 'a[^1]\n\n[^1]: b' + 'c[^1]\n\n[^1]: d'
    const body = tree.markdown(value, { id: 'l9', omitted: { by: 'codex', bytes: 1500, at: 14 } })
    expect(written(tree.assistant([body]))).toBe(
      lines('### Assistant', '', 'a[^l9-1]', '', '[^l9-1]: b', '', '… 1,500 bytes left out by Codex …', '') +
        lines('', 'c[^l9.tail-1]', '', '[^l9.tail-1]: d'),
    )
  })
})

describe('commands', () => {
  it('are script, output and outcome', () => {
    const node = tree.command('npm test', [tree.output('\u001B[31m1 failed\u001B[0m\n\n')], {
      exitCode: 1,
      status: 'failed',
      durationMs: 2300,
    })
    expect(written(node)).toBe('```sh\nnpm test\n```\n\n```\n1 failed\n```\n\nexit 1 · 2.3 s')
  })

  it("name the user, a state without a code, and a folder that is not the turn's", () => {
    const { exitCode: _, ...node } = tree.command('ls', [], { cwd: '/srv/gate', actor: 'user', status: 'interrupted' })
    expect(written(node)).toBe('```sh\nls\n```\n\nrun by the user · interrupted · `/srv/gate`')
  })

  it('say so if they continue from an earlier page', () => {
    expect(written(tree.command('make', [], { data: { continued: true } }))).toContain('began earlier · exit 0')
  })

  it('name the commits and pull requests that they made', () => {
    const made = [
      tree.reference('abc1234', { kind: 'commit' }),
      tree.reference('https://example.org/pull/1', { kind: 'pullRequest' }),
    ]
    expect(written(tree.command('git push', made))).toContain(
      'Commit: `abc1234`\n\nPull request: <https://example.org/pull/1>',
    )
  })

  it('show their input, with control keys in the usual notation', () => {
    expect(written(tree.command('cat', [tree.input('y\n'), tree.input('\u0003')]))).toContain(
      'Sent to the process:\n\n```\ny\n```\n\nSent to the process:\n\n```\n^C\n```',
    )
    expect(written(tree.command('cat', [tree.input('\n'), tree.output('ready')]))).toContain(
      'Sent to the process:\n\n```\n⏎\n```\n\n```\nready\n```',
    )
  })

  it('label standard error if the streams are separate', () => {
    expect(written(tree.command('x', [tree.output('no', { stream: 'stderr' })]))).toContain(
      'Standard error:\n\n```\nno\n```',
    )
  })

  it('show head and tail of a long output and link to the whole text', () => {
    const cut = tree.output('headtail', { id: 'l5', omitted: { by: 'limit', bytes: 20_000, at: 4 } })
    expect(written(tree.command('x', [cut]))).toContain(
      '```\nhead\n… 20,000 bytes left out …\ntail\n```\n\n[Whole text](l5.txt)',
    )
  })

  it('promise no whole text of copied history or of anything except outputs', () => {
    const omitted = { by: 'limit', bytes: 20_000, at: 4 } as const
    const copy = tree.group('inherited', 'x', [tree.command('x', [tree.output('headtail', { id: 'l5', omitted })])])
    copy.data = { visibility: 'open' }
    const prompt = tree.user([tree.text('headtail', { omitted }), tree.markdown('headtail', { omitted })])
    const text = written(copy, prompt)
    expect(text.match(/20,000 bytes left out/g)).toHaveLength(3)
    expect(text).not.toContain('Whole text')
  })

  it('promise no whole text if Codex had cut it', () => {
    const cut = tree.output('head', { omitted: { by: 'codex', bytes: 0 } })
    const text = written(tree.command('x', [cut]))
    expect(text).toContain('head\n… an unknown number of bytes left out by Codex …')
    expect(text).not.toContain('Whole text')
  })

  it('do not say at the end what Codex says within the text', () => {
    const value = 'a\n…12 tokens truncated…\nb'
    const cut = tree.output(value, { omitted: { by: 'codex', bytes: 0 } })
    expect(written(tree.command('x', [cut]))).toContain(`\n${value}\n\`\`\``)
  })

  it('cannot break out of their fences', () => {
    const text = written(tree.command('a\n```\n# b', [tree.output('````\n# c')]))
    expect(text).toBe('````sh\na\n```\n# b\n````\n\n`````\n````\n# c\n`````\n\nexit 0')
  })
})

describe('patches', () => {
  const hunk = tree.hunk(' a\n-b\n+c\n+d', { oldStart: 3, newStart: 4, header: 'gate()' })

  it.each([
    [
      tree.fileChange('src/a.ts', [hunk]),
      '**Edited** `src/a.ts` · +2 −1\n\n```diff\n@@ -3,2 +4,3 @@ gate()\n a\n-b\n+c\n+d\n```',
    ],
    [
      // Context lines without their space, and a remark, which is not a line.
      tree.fileChange('a.ts', [
        tree.hunk(' a\n\nkept\n-b\n+c\n+d\n\\ No newline at end of file\n', { oldStart: 3, newStart: 3 }),
      ]),
      '**Edited** `a.ts` · +2 −1\n\n```diff\n@@ -3,4 +3,5 @@\n a\n\nkept\n-b\n+c\n+d\n\\ No newline at end of file\n```',
    ],
    [
      tree.fileChange('b.ts', [tree.hunk('+x'), tree.hunk('-y', { header: '@@ two' })], { operation: 'add' }),
      '**Added** `b.ts` · +1 −1\n\n```diff\n@@\n+x\n@@ two\n-y\n```',
    ],
    [tree.fileChange('c.ts', [], { operation: 'delete' }), '**Deleted** `c.ts`'],
    [tree.fileChange('d.ts', [], { operation: 'move', movedTo: 'e.ts' }), '**Moved** `d.ts` → `e.ts`'],
  ])('%# name the file and show its diff', (change, expected) => {
    expect(written(tree.patch([change]))).toBe(expected)
  })

  it('that did not apply say so', () => {
    const text = written(tree.patch([tree.fileChange('a', [])], { status: 'failed' }))
    expect(text).toBe('**Not edited** `a`\n\nnot applied · failed')
  })

  it('that were interrupted do not claim an outcome', () => {
    const text = written(tree.patch([tree.fileChange('a', [])], { status: 'interrupted' }))
    expect(text).toBe('**Maybe edited** `a`\n\nmay have been applied · interrupted')
  })

  it('say what was cut from a hunk', () => {
    const cut = tree.hunk('+a\n+z', { omitted: { by: 'limit', bytes: 9, at: 2 } })
    expect(written(tree.patch([tree.fileChange('a', [cut])]))).toContain('@@\n+a\n… 9 bytes left out …\n+z\n```')
  })
})

describe('other calls', () => {
  it.each([
    [
      tree.toolCall('look', '{"a":1}', [tree.output('[]'), tree.text('x', { lang: 'ts' })], { server: 'docs' }),
      '**docs/look**\n\n```json\n{\n  "a": 1\n}\n```\n\n```\n[]\n```\n\n```ts\nx\n```',
    ],
    [
      tree.toolCall('run', 'free text', [tree.markdown('# done')], { status: 'failed', durationMs: 5 }),
      '**run**\n\n```\nfree text\n```\n\n#### done\n\nfailed · 5 ms',
    ],
    [
      tree.toolCall('tool_search', '{"query":"oil"}', [tree.output('oil_hinge')]),
      '**Looked for tools**\n\n```json\n{\n  "query": "oil"\n}\n```\n\n```\noil_hinge\n```',
    ],
    [tree.toolCall('list', '{ }', [tree.output('{}')]), '**list**\n\n```\n{}\n```'],
    [
      tree.search(['old `gate`'], [tree.reference('https://example.org', { label: 'A gate' })]),
      '**Searched the web**\n\n- `` old `gate` ``\n- [A gate](https://example.org)',
    ],
    [tree.search([], [], { action: 'open', url: 't0s1, line 40' }), '**Opened a page (address not recorded)**'],
    [
      tree.search([], [], { action: 'find', url: 'javascript:x', pattern: 'hinge' }),
      '**Searched in a page**\n\n- `hinge`\n- `javascript:x`',
    ],
    [
      tree.plan([tree.planStep('measure', 'completed'), tree.planStep('*saw*', 'inProgress'), tree.planStep('<b>')]),
      '**Plan**\n\n- [x] measure\n- [ ] **in progress** \\*saw\\*\n- [ ] &lt;b>',
    ],
    [tree.plan([tree.planStep('Fix `a_b()` and a_b')]), '**Plan**\n\n- [ ] Fix `a_b()` and a\\_b'],
    [tree.plan([tree.markdown('# First')]), '**Plan**\n\n#### First'],
    [
      tree.agent([tree.user('Paint it')], { threadId: child, name: 'painter', role: 'worker' }),
      '**Started a sub-agent**: painter, worker · ' +
        '[Paint the \\[gate\\]](../01990000-0000-7000-8000-00000000000c/index.md)\n\n> **User**\n>\n> Paint it',
    ],
    [
      tree.agent(
        [
          tree.output(
            '{"agents":[{"agent_name":"/root/oil_gate","agent_status":{"completed":"# Oiled"}},' +
              '{"agent_name":"/root/wren","agent_status":"running","last_task_message":"Paint *it*"}]}',
          ),
        ],
        { action: 'list' },
      ),
      '**Listed sub-agents**\n\n**oil gate** · completed\n\n> #### Oiled\n\n' +
        '**wren** · running · last task: Paint \\*it\\*',
    ],
    [
      tree.agent([tree.output('{"agents":[{"agent_name":"/root/wren"}]}')], { action: 'list' }),
      '**Listed sub-agents**\n\n```\n{"agents":[{"agent_name":"/root/wren"}]}\n```',
    ],
    [tree.agent([], { action: 'wait', threadId: 'gone' }), '**Waited for a sub-agent** · `gone`'],
  ])('%# show input and result', (node, expected) => {
    expect(written(node)).toBe(expected)
  })
})

describe('pictures', () => {
  it('are the copied assets', () => {
    const text = written(tree.image({ asset: 'ab12.png', alt: 'the gate\n[x]' }))
    expect(text).toBe('![the gate \\[x\\]](../../assets/ab12.png)')
  })

  it('without an asset are described and not loaded', () => {
    const facts = { url: 'https://example.org/a.png', mediaType: 'image/png', bytes: 2048 }
    expect(written(tree.image(facts))).toBe(
      'Attached picture, not included (image/png, 2 KiB): `https://example.org/a.png`',
    )
  })

  it('do not repeat the bytes of a data address', () => {
    expect(written(tree.image({ url: `data:image/png;base64,${'A'.repeat(5000)}` })).length).toBeLessThan(120)
  })
})

describe('notes in quotes', () => {
  it.each([
    [tree.reasoning('**Think**\n\n# hard'), '> **Reasoning**\n>\n> **Think**\n>\n> #### hard'],
    [tree.reasoning(''), '> **Reasoning** (encrypted)'],
    [
      tree.notice('compaction', [tree.markdown('So far\n\n```\nx')], {
        facts: { tokensBefore: 12_000, tokensAfter: 900 },
      }),
      '> **Context compacted**: 12,000 → 900 tokens\n>\n> So far\n>\n> ```\n> x\n> ```',
    ],
    [tree.notice('model', [], { facts: { before: 'a', after: 'b' } }), '> **Model**: a → b'],
    [tree.notice('gap', [], { facts: { gapMs: 90_000 } }), '> **1 min 30 s later**'],
    [
      tree.notice('review', [
        tree.finding('Rust', 'Sand it.', { priority: 1, path: 'gate.ts', startLine: 3, endLine: 5 }),
      ]),
      '> **Review**\n>\n> **Rust** · priority 1 · `gate.ts:3-5`\n>\n> Sand it.',
    ],
    [
      tree.approval([tree.question('Which?', { header: 'Paint', options: ['red', 'blue'], answer: 'red' })], {
        subject: 'question',
        decision: 'answered',
      }),
      '> **Asked a question**: answered\n>\n> **Paint**\n>\n> Which?\n>\n> Options: red · blue\n>\n> Answer: red',
    ],
    [
      tree.approval([tree.question('Key?', { secret: true, answer: 'hush' })], { status: 'declined' }),
      '> **Asked to run a command**: declined\n>\n> Key?\n>\n> Answer: not shown',
    ],
    [
      tree.approval([tree.question('Key?', { secret: true, answer: '[redacted:secret-answer#2]' })]),
      '> **Asked to run a command**\n>\n> Key?\n>\n> Answer: \\[redacted:secret-answer#2]',
    ],
    [tree.errorNode('no *luck* <b>', { code: 'e1' }), '> **Error** (e1): no \\*luck\\* &lt;b>'],
    [
      tree.errorNode('429', { code: 'response_too_many_failed_attempts' }),
      '> **Error** (too many failed attempts): 429',
    ],
    [tree.errorNode('no', { code: 'other' }), '> **Error**: no'],
    [tree.errorNode('a\n# b'), '> **Error**\n>\n> ```\n> a\n> # b\n> ```'],
  ])('%# have a bold label', (node, expected) => {
    expect(written(node)).toBe(expected)
  })
})

describe('groups', () => {
  it('are a label, then the children in order', () => {
    const text = written(tree.group('exploration', 'Explored 2 files', [tree.command('cat a'), tree.command('cat b')]))
    expect(text).toBe('**Explored 2 files**\n\n```sh\ncat a\n```\n\nexit 0\n\n```sh\ncat b\n```\n\nexit 0')
  })

  it('of inherited history are one line with a link', () => {
    const inherited = tree.group('inherited', '2 turns inherited', [tree.turn([tree.user('old')])])
    const tops = tree.session([inherited], { lineage: { segments: [], forkedFromId: child } })
    expect(renderMarkdownSlice(tops, using)).toBe(
      '\n**2 turns inherited** · [Paint the \\[gate\\]](../01990000-0000-7000-8000-00000000000c/index.md)\n',
    )
  })

  it('of inherited history are shown in full if they are open', () => {
    const turns = [tree.turn([tree.user('old')])]
    const inherited = tree.group('inherited', '1 turn inherited', turns, { data: { visibility: 'open' } })
    expect(renderMarkdownSlice(tree.session([inherited]), using)).toBe(
      '\n**1 turn inherited**\n\n## Turn 1 (inherited)\n\n### User\n\nold\n',
    )
  })

  it('that were rolled back say so at each turn', () => {
    const back = tree.group('rolledBack', '1 turn rolled back', [tree.turn([tree.user('old')])])
    expect(renderMarkdownSlice(tree.session([back]), using)).toContain('## Turn 1 (rolled back)')
  })
})

describe('unknown records', () => {
  it('are shown as JSON', () => {
    expect(written(tree.unknown('new_kind', { a: ['`'] }))).toBe(
      '**Unrecognised record** `new_kind`\n\n```json\n{\n  "a": [\n    "`"\n  ]\n}\n```',
    )
  })

  it('are cut at 4 KiB, but not within a character', () => {
    const text = written(tree.unknown('big', `${'x'.repeat(4094)}😀😀`))
    expect(text).toContain('x\n… 5 characters left out …\n```')
    expect(() => encodeURIComponent(text)).not.toThrow()
  })

  it('may be nodes of a type without a handler', () => {
    const node = { type: 'weather', id: 'l3', sky: 'grey' } as unknown as FlowContent
    expect(written(node)).toBe('**Unrecognised record** `weather`\n\n```json\n{\n  "sky": "grey"\n}\n```')
  })

  it('may be nodes of a type named like a property of objects', () => {
    const node = { type: 'constructor', id: 'l3' } as unknown as FlowContent
    expect(written(node)).toContain('**Unrecognised record** `constructor`')
  })
})
