import { describe, expect, it } from 'vitest'
import { renderTextSlice } from '../../../src/render/transcript/text.ts'
import { context, renderText } from '../../helpers/render.ts'
import * as tree from '../../helpers/tree.ts'

describe('a transcript as plain text', () => {
  it('names what reorders or hides, in titles and in messages', () => {
    const session = tree.session([tree.turn([tree.user('a\u202Eb \u001B]8;;javascript:x\u0007c')])], {
      title: 'x\u2067y',
    })
    const text = renderText(session, context())
    expect(text).toContain('x[U+2067]y')
    expect(text).toContain('a[U+202E]b c')
  })

  it('has the beginning of the last answer below the title', () => {
    const text = renderText(tree.session([], { title: 'Mend' }), { ...context(), subtitle: 'It is\u202E oiled.' })
    expect(text).toMatch(/^Mend\n={4}\nIt is\[U\+202E\] oiled\.\n\nSession/)
  })

  it('names files relative to the working folder, and other folders explicitly', () => {
    const edits = (path: string) => tree.patch([tree.fileChange(path, [tree.hunk('+c')])])
    const turns = [
      tree.turn([edits('/srv/gate/a.ts'), tree.command('ls', [], { cwd: '/srv/' })], { cwd: '/srv' }),
      tree.turn([edits('/srv/gate/a.ts'), edits('/opt/b.ts'), tree.command('ls', [], { cwd: '/srv/gate/oil' })], {
        ...{ number: 2, cwd: '/srv/gate' },
      }),
    ]
    const text = renderText(tree.session(turns, { cwd: '/srv' }), context())
    expect(text.match(/^(?:--- Turn|Edited|\[).*$/gm)).toEqual([
      '--- Turn 1 ---',
      'Edited gate/a.ts (+1 -0)',
      '[exit 0]',
      '--- Turn 2 · /srv/gate ---',
      'Edited a.ts (+1 -0)',
      'Edited /opt/b.ts (+1 -0)',
      '[exit 0 · /srv/gate/oil]',
    ])
  })

  it('reads like a terminal log with roles', () => {
    const session = tree.session(
      [
        tree.turn(
          [
            tree.injected('environment', '<cwd>/srv</cwd>'),
            tree.user('# Fix\n\nthe gate'),
            tree.reasoning('Rust first'),
            tree.command('npm test\n--all', [tree.output('\u001B[31m1 failed\u001B[0m\n')], {
              status: 'failed',
              exitCode: 1,
              durationMs: 2300,
            }),
            tree.command('cat', [tree.input('y'), tree.output('y')]),
            tree.patch([tree.fileChange('a.ts', [tree.hunk('-b\n+c', { oldStart: 1, newStart: 1 })])]),
            tree.toolCall('look', '{"a":1}', [tree.output('found')], { server: 'docs' }),
            tree.plan([tree.planStep('saw', 'completed'), tree.planStep('sand', 'inProgress'), tree.planStep('oil')]),
            tree.search(['old gate'], [tree.reference('https://example.org')]),
            tree.image({ url: '/srv/gate.png', mediaType: 'image/png', bytes: 2048 }),
            tree.agent([tree.user('Paint')], { name: 'painter' }),
            tree.notice('compaction', [tree.markdown('So far.')]),
            tree.approval([tree.question('Red?', { options: ['yes', 'no'], answer: 'yes' })], { decision: 'approved' }),
            tree.group('exploration', 'Explored 1 file', [tree.command('cat a')]),
            tree.errorNode('stream closed'),
            tree.unknown('new_kind', { a: 1 }),
            tree.assistant('Done.'),
          ],
          { at: '2026-03-14T09:26:53.000Z', model: 'm-1', durationMs: 61_000 },
        ),
      ],
      { cwd: '/srv', startedAt: '2026-03-14T09:26:50.000Z' },
    )
    expect(renderText(session, context())).toBe(`Mend the garden gate
====================
Session: 01990000-0000-7000-8000-000000000001
Started: 2026-03-14 09:26 UTC
Folder: /srv

--- Turn 1 · 2026-03-14 09:26 · m-1 · 1 min 1 s ---

User (injected: environment): not shown

User:

  # Fix

  the gate

Reasoning:

  Rust first

$ npm test
  --all
1 failed
[exit 1 · 2.3 s]

$ cat
> y
y
[exit 0]

Edited a.ts (+1 -1)
@@ -1,1 +1,1 @@
-b
+c

Tool docs/look
  {"a":1}

  found

Plan:
  [x] saw
  [>] sand
  [ ] oil

Web search: old gate
  [url · https://example.org]

[picture · image/png · 2 KiB · /srv/gate.png]

Started a sub-agent: painter

  User:

    Paint

* Context compacted

  So far.

* Asked to run a command: approved

  Red?

  Options: yes · no

  Answer: yes

* Explored 1 file

$ cat a
[exit 0]

Error: stream closed

Unrecognised record new_kind
  {"a":1}

Assistant:

  Done.

--- Receipt ---

Lines read: 0
Shown: 0
Merged into those: 0
Counted only: 0
Unknown: 0
Damaged: 0
`)
  })

  it('says what was cut', () => {
    const cut = tree.output('headtail', { omitted: { by: 'limit', bytes: 9, at: 4 } })
    const session = tree.session([tree.turn([tree.command('x', [cut])])])
    expect(renderTextSlice(session, context())).toContain('head\n… 9 bytes left out …\ntail\n')
  })

  it('does not say at the end what Codex says within the text', () => {
    const cut = tree.output('a\n…12 tokens truncated…\nb', { omitted: { by: 'codex', bytes: 0 } })
    const session = tree.session([tree.turn([tree.command('x', [cut])])])
    expect(renderTextSlice(session, context())).toMatch(/a\n…12 tokens truncated…\nb\n(?!… )/)
  })

  it.each([
    ['interrupted', '* Interrupted'],
    ['Interrupted', '* Interrupted'],
    ['replaced', '* Interrupted\n\n  replaced'],
  ])('gives the reason of an interruption, unless it repeats that word: %s', (reason, expected) => {
    const session = tree.session([tree.turn([tree.notice('abort', [tree.text(reason)])])])
    expect(renderTextSlice(session, context()).trimEnd()).toMatch(new RegExp(`${expected.replace('*', '\\*')}$`))
  })

  it('says what a failed patch did not do, and what an interrupted one may have done', () => {
    const failed = tree.patch([tree.fileChange('a.ts', [], { operation: 'add' })], { status: 'declined' })
    const text = renderText(tree.session([tree.turn([failed])]), context())
    expect(text).toContain('Not added a.ts (+0 -0)\n\n[not applied · declined]')
    const stopped = tree.patch([tree.fileChange('a.ts', [], { operation: 'add' })], { status: 'interrupted' })
    const stoppedText = renderText(tree.session([tree.turn([stopped])]), context())
    expect(stoppedText).toContain('Maybe added a.ts (+0 -0)\n\n[may have been applied · interrupted]')
  })

  it.each([
    ['\u0003', '^C'],
    ['\n', '⏎'],
    ['yes\n', 'yes'],
    ['\u001B[A', '^[[A'],
  ])('shows the keys that were sent to a program: %j', (keys, shown) => {
    const session = tree.session([tree.turn([tree.command('sh', [tree.input(keys), tree.output('done')])])])
    expect(renderTextSlice(session, context())).toContain(`$ sh\n> ${shown}\ndone\n`)
  })

  it('names an opened page once', () => {
    const page = 'https://example.org/latch'
    const others = [tree.reference(page), tree.reference('https://example.org/gate')]
    const opened = tree.search([], others, { action: 'open', url: page })
    const text = renderTextSlice(tree.session([tree.turn([opened])]), context())
    expect(text.trimEnd()).toMatch(
      /^Web open: https:\/\/example\.org\/latch\n {2}\[url · https:\/\/example\.org\/gate\]$/m,
    )
  })

  it.each(['{}', ' { } ', ''])('shows no arguments of a call without any: %j', (input) => {
    const session = tree.session([tree.turn([tree.toolCall('list', input, [tree.output('{}')])])])
    expect(renderTextSlice(session, context()).trimEnd()).toMatch(/^Tool list\n\n {2}\{\}$/m)
  })

  it('marks turns of a group and omits inherited ones', () => {
    const back = tree.group('rolledBack', '1 turn rolled back', [tree.turn([tree.user('old')])])
    const copied = tree.group('inherited', '1 turn inherited', [tree.turn([tree.user('older')])])
    const text = renderTextSlice(tree.session([copied, back]), context())
    expect(text).toBe(
      '\n* 1 turn inherited\n\n* 1 turn rolled back\n\n--- Turn 1 (rolled back) ---\n\nUser:\n\n  old\n',
    )
  })

  it('contains no control character of a terminal', () => {
    const evil = '\u001B]0;x\u0007\u001B[2Jz\u009B1m\u0008'
    const session = tree.session(
      [
        tree.turn(
          [
            tree.user(evil, { origin: 'agent', author: evil }),
            tree.command(evil, [tree.input(evil), tree.output(evil)]),
            tree.toolCall(evil, evil, [tree.text(evil)], { server: evil }),
            tree.patch([tree.fileChange(evil, [tree.hunk(evil, { header: evil })], { movedTo: evil })]),
            tree.notice('model', [], { facts: { before: evil } }),
            tree.errorNode(evil, { code: evil }),
            tree.unknown(evil, evil),
            tree.search([evil], [tree.reference(evil, { label: evil })]),
          ],
          { model: evil, effort: evil },
        ),
      ],
      { title: evil, cwd: evil, models: [evil] },
    )
    expect(renderText(session, context())).not.toMatch(/[\0-\x08\x0B-\x1F\x7F-\x9F]/)
  })
})
