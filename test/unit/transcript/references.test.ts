import fc from 'fast-check'
import { unified } from 'unified'
import { describe, expect, it } from 'vitest'
import { references } from '../../../src/transcript/plugins/annotate.ts'
import type { Command, Session } from '../../../src/transcript/trast.ts'
import { command, complete, started, userEvent } from '../../helpers/records.ts'
import { all, only, run } from '../../helpers/slice.ts'
import * as tree from '../../helpers/tree.ts'

const processor = unified().use(references).freeze()

/** `kind target label` of each reference that a command gets. */
function made(script: string, text: string, fields: Partial<Command> = {}): string[] {
  const session = tree.session([tree.turn([tree.command(script, [tree.output(text)], fields)])])
  // A tree without parser: only `runSync` is used.
  const result = processor.runSync(session as never) as unknown as Session
  return all(result, 'reference').map(({ kind, target, label }) => `${kind} ${target} ${label}`)
}

describe('a commit', () => {
  it.each([
    ['git commit -m "Mend"', '[main abc1234] Mend\n 1 file changed', 'commit abc1234 Mend'],
    ['git -C gate -c user.name=Kim commit -am x', '[fix/gate 0123456789ab] x\n', 'commit 0123456789ab x'],
    ['git init && git commit -qm a; git commit -m b', '[main (root-commit) abc1234] b\r\n', 'commit abc1234 b'],
    ['git commit --amend --no-edit', '[detached HEAD abc1234] Again\n Date: x', 'commit abc1234 Again'],
    ['git cherry-pick 1234567', '[main abc1234] Picked\n', 'commit abc1234 Picked'],
    ['git add -A\ngit commit -F note.txt', 'noise\n[main abc1234] \u001B[1mBold\u001B[0m\n', 'commit abc1234 Bold'],
    ["git commit -F - <<'EOF'\nSubject\n\nBody\nEOF", '[main abc1234] Subject\n', 'commit abc1234 Subject'],
  ])('is found: %j', (script, text, expected) => {
    expect(made(script, text)).toEqual([expected])
  })

  it.each([
    ['git log', '[main abc1234] Mend\n'],
    ['cat commit.log', '[main abc1234] Mend\n'],
    ['echo commit', '[main abc1234] Mend\n'],
    ['git status; echo commit', '[main abc1234] Mend\n'],
    ['git commit-tree HEAD', '[main abc1234] Mend\n'],
    ['git commit -m x', 'remote: [main abc1234] Mend\n'],
    ['git commit -m x', '[main ABC1234] Mend\n'],
    ['git commit -m x', '[main abc123] too short\n'],
    ['git commit -m x', '[abc1234] no branch\n'],
    ['git push', 'To example.com:a/b\n   abc1234..def5678  main -> main\n'],
  ])('is not found in %j with %j', (script, text) => {
    expect(made(script, text)).toEqual([])
  })

  it.each(['failed', 'declined', 'interrupted', 'running', 'unknown'] as const)(
    'is not taken from a command that is %s',
    (status) => {
      expect(made('git commit -m x', '[main abc1234] x\n', { status })).toEqual([])
    },
  )
})

describe('a pull request', () => {
  it.each([
    [
      'gh pr create --fill',
      '\nhttps://git.example.com/garden/gate/pull/12\n',
      'pullRequest https://git.example.com/garden/gate/pull/12 garden/gate#12',
    ],
    [
      'git push -u origin fix && gh pr new -t "Mend"',
      'remote: https://git.example.com/garden/gate/pull/new/fix\nhttps://git.example.com/garden/gate/pull/7',
      'pullRequest https://git.example.com/garden/gate/pull/7 garden/gate#7',
    ],
    [
      'glab mr create --fill --yes',
      '!4 Mend (fix)\n https://lab.example.com/group/sub/gate/-/merge_requests/4\n',
      'pullRequest https://lab.example.com/group/sub/gate/-/merge_requests/4 group/sub/gate!4',
    ],
  ])('is found: %j', (script, text, expected) => {
    expect(made(script, text)).toEqual([expected])
  })

  it.each([
    ['gh pr view 12', 'https://git.example.com/garden/gate/pull/12\n'],
    ['gh pr list', 'https://git.example.com/garden/gate/pull/12\n'],
    ['git push', 'remote: https://git.example.com/garden/gate/pull/new/fix\n'],
    ['git push', 'remote:   https://lab.example.com/garden/gate/-/merge_requests/4\n'],
    ['gh pr create --fill', 'remote: https://git.example.com/garden/gate/pull/12\n'],
    ['gh pr create --fill', 'see https://git.example.com/garden/gate/pull/12\n'],
    ['gh pr create --fill', 'javascript://git.example.com/garden/gate/pull/12\n'],
    ['gh pr create --fill', 'https://git.example.com/garden/gate/pull/12?x=<script>\n'],
    ['gh pr create --fill', 'https://kim:secret@git.example.com/garden/gate/pull/12\n'],
    ['gh pr create --fill', 'https://git.example.com/pull/12\n'],
  ])('is not found in %j with %j', (script, text) => {
    expect(made(script, text)).toEqual([])
  })
})

describe('references', () => {
  it('come after the output, and have ids of their command', async () => {
    const [call, output] = command('call_1', 'git commit -m Mend', 0, '[main abc1234] Mend\n')
    const { tree: session } = await run([started('turn-1'), userEvent('Commit.'), call, output, complete('turn-1')])
    const node = only(session, 'command')
    expect(node.children.map(({ type, id }) => `${type} ${id}`)).toEqual([
      `output ${node.id}.1`,
      `reference ${node.id}.2`,
    ])
    expect(session.stats.commits).toEqual(['abc1234'])
  })

  it('stay the same when the plugin runs again', () => {
    const session = tree.session([tree.turn([tree.command('git commit', [tree.output('[main abc1234] x')])])])
    processor.runSync(session as never)
    const once = structuredClone(session)
    processor.runSync(session as never)
    expect(session).toEqual(once)
  })

  it('name each commit of a command once, and at most a hundred', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `[main ${String(index).padStart(7, '0')}] x`)
    expect(made('git commit', [...lines, ...lines].join('\n'))).toHaveLength(100)
    expect(made('git commit', '[main abc1234] x\n[main abc1234] x\n')).toHaveLength(1)
  })

  it('are found in time that grows only with the text, whatever it is', () => {
    const size = 200_000
    const hostile = ['[a '.repeat(size), `[${'a '.repeat(size)}`, '/a'.repeat(size), `https://a${'/a'.repeat(size)}`]
    for (const text of [...hostile, 'git '.repeat(size), `gh ${' '.repeat(size)}`, 'gh pr '.repeat(size)]) {
      expect(made('git commit; gh pr create', text)).toEqual([])
      expect(made(text, '[main abc1234] x')).toEqual([])
    }
  })

  it('are web addresses or hashes, whatever a command prints', () => {
    const bit = fc.constantFrom(
      '[main ',
      'abc1234',
      '] ',
      'https://',
      'a.b',
      '/x',
      '/pull/',
      '1',
      '\n',
      '<b>',
      '"',
      '\0',
    )
    const text = fc.array(fc.oneof(bit, fc.string()), { maxLength: 30 }).map((bits) => bits.join(''))
    fc.assert(
      fc.property(text, (value) => {
        for (const found of made('git commit; gh pr create', value)) {
          expect(found).toMatch(/^(?:commit [0-9a-f]{7,64}|pullRequest https?:\/\/[\w.:~+/-]+) /)
        }
      }),
    )
  })
})
