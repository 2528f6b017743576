import { describe, expect, it } from 'vitest'
import type { ChangeFact } from '../../../src/rollout/parse/facts.ts'
import { findPatch, parsePatch, structuredChanges } from '../../../src/rollout/parse/patch-text.ts'

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

/** Patch texts and their files (rollout-format 8.1); `undefined` means that the grammar is broken. */
const rows: [name: string, text: string, expected: ChangeFact[] | undefined][] = [
  ['no file', patch(), []],
  [
    'a new file',
    patch('*** Add File: src/a.ts', '+one', '+', '+three'),
    [{ path: 'src/a.ts', operation: 'add', hunks: [{ value: '+one\n+\n+three' }] }],
  ],
  ['an empty new file', patch('*** Add File: a'), [{ path: 'a', operation: 'add', hunks: [] }]],
  ['a new file with a line without plus', patch('*** Add File: a', '+one', 'two'), undefined],
  ['a removed file', patch('*** Delete File: a b.txt'), [{ path: 'a b.txt', operation: 'delete', hunks: [] }]],
  ['a removed file with text', patch('*** Delete File: a', 'text'), undefined],
  [
    'a changed file',
    patch('*** Update File: a', '@@ class A', ' kept', '-old', '+new'),
    [{ path: 'a', operation: 'update', hunks: [{ header: 'class A', value: ' kept\n-old\n+new' }] }],
  ],
  [
    'a first chunk without its mark',
    patch('*** Update File: a', ' kept', '+new'),
    [{ path: 'a', operation: 'update', hunks: [{ value: ' kept\n+new' }] }],
  ],
  [
    'several chunks, blank lines between and inside',
    patch('*** Update File: a', '@@', '-a', '', ' b', '@@ f()', '+c', '*** End of File'),
    [{ path: 'a', operation: 'update', hunks: [{ value: '-a\n \n b' }, { header: 'f()', value: '+c' }] }],
  ],
  [
    'a moved file without a chunk',
    patch('*** Update File: a', '*** Move to: b'),
    [{ path: 'a', operation: 'move', movedTo: 'b', hunks: [] }],
  ],
  [
    'a moved and changed file',
    patch('*** Update File: a', '*** Move to: b', '@@', '-x', '+y'),
    [{ path: 'a', operation: 'move', movedTo: 'b', hunks: [{ value: '-x\n+y' }] }],
  ],
  ['a changed file without a chunk', patch('*** Update File: a'), undefined],
  ['free text in a chunk', patch('*** Update File: a', '@@', 'oops'), undefined],
  ['text before the first file', patch('oops', '*** Delete File: a'), undefined],
  [
    'several files',
    patch('*** Add File: a', '+1', '*** Delete File: b', '*** Update File: c', '@@', '+2'),
    [
      { path: 'a', operation: 'add', hunks: [{ value: '+1' }] },
      { path: 'b', operation: 'delete', hunks: [] },
      { path: 'c', operation: 'update', hunks: [{ value: '+2' }] },
    ],
  ],
  [
    'padded markers and an environment',
    '\n  *** Begin Patch  \n*** Environment ID: local\n  *** Delete File: a  \n *** End Patch\n\n',
    [{ path: 'a', operation: 'delete', hunks: [] }],
  ],
  [
    'Windows line ends',
    '*** Begin Patch\r\n*** Add File: a\r\n+one\r\n*** End Patch\r\n',
    [{ path: 'a', operation: 'add', hunks: [{ value: '+one' }] }],
  ],
  [
    'lines of a patch as kept and added lines',
    patch(
      '*** Update File: a',
      '@@',
      ' *** Begin Patch',
      ' *** Add File: x',
      '-*** End Patch',
      '+*** End Patch',
      ' *** End Patch',
    ),
    [
      {
        path: 'a',
        operation: 'update',
        hunks: [{ value: ' *** Begin Patch\n *** Add File: x\n-*** End Patch\n+*** End Patch\n *** End Patch' }],
      },
    ],
  ],
  ['no end', '*** Begin Patch\n*** Delete File: a', undefined],
  ['no begin', '*** Delete File: a\n*** End Patch', undefined],
  ['nothing', '', undefined],
]

describe('a patch text', () => {
  it.each(rows)('with %s', (_name, text, expected) => {
    expect(parsePatch(text)).toStrictEqual(expected)
  })
})

describe('a patch in a script', () => {
  const inner = patch('*** Add File: a', '+one')
  it.each([
    ['alone', inner, inner],
    ['in a heredoc', `apply_patch <<'EOF'\n${inner}\nEOF`, inner],
    ['after a change of folder', `cd /tmp && apply_patch <<"EOF"\n${inner}\nEOF\n`, inner],
    ['on lines of its own', `applypatch <<EOF\n\n${inner}\nEOF && ls`, inner],
    ['without an end', 'apply_patch <<EOF\n*** Begin Patch\n*** Delete File: a', '*** Begin Patch\n*** Delete File: a'],
  ])('is found %s', (_name, script, expected) => {
    expect(findPatch(script)?.trim()).toBe(expected)
  })

  it('is not found if only its name occurs', () => {
    expect(findPatch('which apply_patch')).toBeUndefined()
    expect(findPatch('echo "*** Begin Patch of it"')).toBeUndefined()
  })

  it('is found even if it contains the lines of another patch', () => {
    const nested = patch('*** Update File: a', '@@', ' *** End Patch', '+x')
    expect(findPatch(`apply_patch <<'EOF'\n${nested}\nEOF`)?.trim()).toBe(nested)
  })
})

describe('structured changes', () => {
  it('are sorted by path, whichever version of Codex wrote them', () => {
    const diff = '@@ -1,2 +1,2 @@\n kept\n-old\n+new\n'
    expect(
      structuredChanges({
        '/p/z': { type: 'add', content: 'one\ntwo\n' },
        '/p/a': { type: 'delete', content: 'gone' },
        '/p/m': { type: 'update', unified_diff: diff, move_path: null },
        '/p/n': { type: 'update', unified_diff: diff, move_path: '/p/o' },
        '/p/b': { add: { content: 'x' } },
        '/p/c': { delete: {} },
        '/p/d': { update: { unified_diff: diff, move_path: null } },
      }),
    ).toStrictEqual([
      { path: '/p/a', operation: 'delete', hunks: [{ oldStart: 1, newStart: 0, value: '-gone' }] },
      { path: '/p/b', operation: 'add', hunks: [{ oldStart: 0, newStart: 1, value: '+x' }] },
      { path: '/p/c', operation: 'delete', hunks: [] },
      { path: '/p/d', operation: 'update', hunks: [{ oldStart: 1, newStart: 1, value: ' kept\n-old\n+new' }] },
      { path: '/p/m', operation: 'update', hunks: [{ oldStart: 1, newStart: 1, value: ' kept\n-old\n+new' }] },
      {
        path: '/p/n',
        operation: 'move',
        movedTo: '/p/o',
        hunks: [{ oldStart: 1, newStart: 1, value: ' kept\n-old\n+new' }],
      },
      { path: '/p/z', operation: 'add', hunks: [{ oldStart: 0, newStart: 1, value: '+one\n+two' }] },
    ])
  })

  it.each([[null], [[]], ['x'], [{ a: null }], [{ a: { type: 'update' } }]])(
    'have no hunks if they are malformed: %j',
    (value) => {
      expect(structuredChanges(value).every(({ hunks }) => hunks.length === 0)).toBe(true)
    },
  )
})

describe('a unified diff', () => {
  it.each<[string, string, ChangeFact['hunks']]>([
    ['nothing', '', []],
    ['text without a hunk', 'a\nb', []],
    ['one hunk', '@@ -3 +4 @@\n-a\n+b\n', [{ oldStart: 3, newStart: 4, value: '-a\n+b' }]],
    [
      'hunks with headers',
      '@@ -1,3 +1,4 @@ fn main()\n a\n+b\n@@ -10,2 +11,1 @@\n-c\n',
      [
        { oldStart: 1, newStart: 1, header: 'fn main()', value: ' a\n+b' },
        { oldStart: 10, newStart: 11, value: '-c' },
      ],
    ],
    ['an empty kept line', '@@ -1,3 +1,3 @@\n a\n\n+b', [{ oldStart: 1, newStart: 1, value: ' a\n \n+b' }]],
    [
      'a note on the last line end',
      '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n',
      [{ oldStart: 1, newStart: 1, value: '-a\n\\ No newline at end of file\n+b' }],
    ],
  ])('of %s', (_name, text, expected) => {
    const changes = structuredChanges({ 'a.ts': { update: { unified_diff: text } } })
    expect(changes).toStrictEqual([{ path: 'a.ts', operation: 'update', hunks: expected }])
  })
})
