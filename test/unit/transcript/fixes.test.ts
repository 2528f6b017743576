import { describe, expect, it } from 'vitest'
import { failuresAmong } from '../../../src/transcript/fixes.ts'
import type { Command } from '../../../src/transcript/trast.ts'
import { command, fileChange, group, output, patch, toolCall } from '../../helpers/tree.ts'

const failed = (script: string, id: string, fields: Partial<Command> = {}) =>
  command(script, [], { id, status: 'failed', exitCode: 1, ...fields })

/** Whether a failed `npm test` was fixed by a script that ended with 0 and printed a text. */
function isFixedBy(script: string, text: string): boolean {
  const node = command(script, [output(text)], { id: 'l2', exitCode: 0 })
  return failuresAmong([failed('npm test', 'l1'), node]).fixes.has('l1')
}

describe('what fixed a failure', () => {
  it('is the first later command with the same task that succeeded', () => {
    const items = [
      failed('npm test', 'l1'),
      command('npm run lint', [], { id: 'l2' }),
      failed('npm test -- cart', 'l3'),
      command('npm test', [], { id: 'l4' }),
      command('npm test', [], { id: 'l5' }),
    ]
    const { fixes, unfixed: left } = failuresAmong(items)
    expect([...fixes].map(([id, { id: by }]) => [id, by])).toEqual([
      ['l1', 'l4'],
      ['l3', 'l4'],
    ])
    expect(left).toEqual([])
  })

  it('is nothing that ran before, found nothing, or did something else', () => {
    const items = [
      command('npm test', [], { id: 'l1' }),
      failed('npm test', 'l2'),
      command('npm install', [], { id: 'l3' }),
      failed('rg --bad', 'l4'),
      command('rg gate', [], { id: 'l5', outcome: 'noMatch' }),
    ]
    const { fixes, unfixed: left } = failuresAmong(items)
    expect(fixes.size).toBe(0)
    expect(left.map(({ id }) => id)).toEqual(['l2', 'l4'])
  })

  it('is no command that was called before the failure was recorded', () => {
    const from = (line: number, end: number) => ({
      data: { sources: [line, end].map((each) => ({ line: each, kind: 'response_item/function_call' })) },
    })
    const items = [
      failed('npm test', 'l1', from(1, 4)),
      command('npm test -- cart', [], { id: 'l2', ...from(2, 3) }),
      command('npm test -- gate', [], { id: 'l5', ...from(5, 6) }),
    ]
    expect(failuresAmong(items.slice(0, 2)).unfixed.map(({ id }) => id)).toEqual(['l1'])
    expect(failuresAmong(items).fixes.get('l1')?.id).toBe('l5')
  })

  it("is no command whose output reports a failure that another program's exit code hides", () => {
    expect(isFixedBy('npm test 2>&1 | tail -5', 'Tests  2 failed | 3 passed')).toBe(false)
    expect(isFixedBy('npm test || true', 'FAIL test/gate.test.ts')).toBe(false)
    expect(isFixedBy('npm test; echo done', '# fail 1\ndone')).toBe(false)
    expect(isFixedBy('npm test | tail -1', 'gate.errors.HingeError: no oil')).toBe(false)
    expect(isFixedBy('npm test | tail -1 && npm run lint', 'HingeError: no oil')).toBe(false)
    expect(isFixedBy('npm test 2>&1 | tail -5', 'Tests  5 passed, 0 failed')).toBe(true)
    // Its own code says more than its output.
    expect(isFixedBy('npm test', 'caught Error: expected')).toBe(true)
    expect(isFixedBy('set -o pipefail; npm test | tail -5', 'caught Error: expected')).toBe(true)
  })

  it.each([
    'Tests:       1 failed, 12 passed, 13 total',
    '  1 test failed',
    ' 1 fail\n 3 pass',
    'ℹ pass 3\nℹ fail 1',
    '5 examples, 1 failure',
    'FAILED (failures=1)',
    'Failed!  - Failed:     1, Passed:     5',
    '67% tests passed, 1 tests failed out of 3',
    '✖ 3 problems (2 errors, 1 warning)',
    'src/a.ts(1,7): error TS2322: Type',
    "a.c:1:5: error: expected ';'",
    'make: *** [Makefile:2: all] Error 1',
    'make[1]: *** [all] Error 2',
    'npm error code ELIFECYCLE',
    ' ELIFECYCLE  Command failed with exit code 1.',
    'error Command failed with exit code 1.',
    "Error: Cannot find module './gate'",
    '│ Error: Unsupported argument',
    'ERROR: failed to solve: process did not complete',
    'ERROR:  relation "gates" does not exist',
    'Error from server (NotFound): pods "gate" not found',
    'fatal: not a git repository',
    'bash: gate: command not found',
    'Exception in thread "main" java.lang.IllegalStateException',
    'panic: runtime error: index out of range',
    'exit status 2',
    "gate.rb:1:in 'open': undefined method 'oil' (NoMethodError)",
    '# example.com/gate\n./gate.go:5:2: undefined: oil',
    'ERROR in ./src/gate.js',
    'error during build:\nRollupError',
    'Failed to compile.',
    '\u001B[31m\u001B[1mError: \u001B[22mno oil\u001B[39m',
    '[ERROR] Failed to execute goal',
    '[warn] Code style issues found in 2 files.',
  ])('is no command whose program printed %j before another one ended with 0', (text) => {
    expect(isFixedBy('npm test 2>&1 | tail -20', text)).toBe(false)
  })

  it.each([
    'Tests:       13 passed, 13 total',
    '# fail 0',
    'ℹ fail 0',
    ' 3 pass\n 0 fail',
    'test result: ok. 5 passed; 0 failed; 0 ignored',
    '5 examples, 0 failures',
    'Failures: 0, Errors: 0',
    'Passed!  - Failed:     0, Passed:     6',
    '✔ reports errors of hinges (2 ms)',
    '0 errors, 10 warnings',
    'exited with code 0',
    'handles an error and goes on',
    'BUILD SUCCESSFUL in 1s',
  ])('may be a command whose program printed %j', (text) => {
    expect(isFixedBy('npm test 2>&1 | tail -20', text)).toBe(true)
  })

  it('is, for a lookup, one for the same words, in the same folder or for the same file name', () => {
    const look = (kind: 'read' | 'search' | 'list', path: string, query?: string) => ({
      actions: [query === undefined ? { kind, path } : { kind, path, query }],
    })
    const both = { actions: [...look('read', 'a.ts').actions, ...look('read', 'b.ts').actions] }
    const items = [
      failed('cat old/a.ts', 'read', look('read', 'old/a.ts')),
      failed('ls lib/', 'list', look('list', 'lib/')),
      failed('rg gate lib', 'words', look('search', 'lib', 'gate')),
      failed('rg "(" src', 'place', look('search', 'src', '(')),
      failed('rg oil docs', 'other', look('search', 'docs', 'oil')),
      failed('cat a.ts b.ts', 'several', both),
      command('cat c.ts', [], { id: 'l1', ...look('read', 'c.ts') }),
      command('ls src', [], { id: 'l2', ...look('list', 'src') }),
      command('rg gate src', [], { id: 'l3', ...look('search', 'src', 'gate') }),
      command('rg gate lib', [], { id: 'l4', ...look('search', 'lib', 'gate') }),
      command('cat a.ts', [], { id: 'l5', ...look('read', 'a.ts') }),
      command('ls lib', [], { id: 'l6', ...look('list', './lib') }),
    ]
    const { fixes, unfixed: left, open } = failuresAmong(items)
    expect(Object.fromEntries([...fixes].map(([id, by]) => [id, by.id]))).toEqual({
      ...{ read: 'l5', list: 'l6', words: 'l3', place: 'l3' },
    })
    expect(left.map(({ id }) => id)).toEqual(['other', 'several'])
    expect([...open.values()].map((failures) => failures.map(({ id }) => id))).toEqual([
      ['other'],
      ['other'],
      ['several'],
    ])
  })

  it('is, for a lookup in several places, one in all of them, because any of them may be missing', () => {
    const search = (script: string, id: string, query: string, path: string, status: 'failed' | 'completed') =>
      command(script, [], { id, status, actions: [{ kind: 'search', query, path }] })
    const items = [
      search('rg gate src lib', 'both', 'gate', 'src', 'failed'),
      search('rg oil src docs | head', 'same', 'oil', 'src', 'failed'),
      search('rg hinge src', 'l1', 'hinge', 'src', 'completed'),
      search('rg paint docs src', 'l2', 'paint', 'docs', 'completed'),
    ]
    const { fixes, unfixed: left } = failuresAmong(items)
    expect([...fixes].map(([id, by]) => [id, by.id])).toEqual([['same', 'l2']])
    expect(left.map(({ id }) => id)).toEqual(['both'])
  })

  it('is, for a question to git, the same question', () => {
    const items = [
      failed('git branch --show-current', 'now'),
      command('git branch -a', [], { id: 'l1' }),
      failed('git show HEAD:a.ts', 'a'),
      command('git show HEAD:b.ts', [], { id: 'l2' }),
      command('git branch --show-current', [], { id: 'l3' }),
    ]
    expect([...failuresAmong(items).fixes].map(([id, by]) => [id, by.id])).toEqual([['now', 'l3']])
  })

  it('is, for a patch, the later one that changed the last of its files, wherever paths begin', () => {
    const edit = (id: string, status: 'failed' | 'completed', ...paths: string[]) =>
      patch(
        paths.map((path) => fileChange(path, [])),
        { id, status },
      )
    const items = [
      edit('both', 'failed', 'src\\A.ts', 'src\\b.ts'),
      edit('one', 'failed', 'src/c.ts'),
      edit('other', 'failed', 'lib/c.ts'),
      edit('l1', 'completed', 'C:\\shop\\src\\a.ts'),
      edit('l2', 'completed', '/shop/src/c.ts'),
      edit('l3', 'completed', 'C:\\shop\\src\\b.ts', 'old.ts'),
      edit('late', 'failed', 'old.ts'),
      edit('none', 'failed'),
    ]
    const { fixes, repairs, unfixed: left } = failuresAmong(items)
    expect([...repairs].map(([id, by]) => [id, by.id])).toEqual([
      ['one', 'l2'],
      ['both', 'l3'],
    ])
    expect([fixes.size, left]).toEqual([0, []])
  })

  it('is, for a patch, also the command that wrote its files, and no other', () => {
    const edit = patch([fileChange('/shop/src/a.ts', []), fileChange('/shop/b.ts', [])], {
      id: 'edit',
      status: 'failed',
    })
    const cwd = '/shop'
    const python =
      "python - <<'PY'\nfrom pathlib import Path\npath = Path('src/a.ts')\npath.write_text(path.read_text())\nPY"
    const first = command(python, [], { id: 'l1', cwd })
    const fixedBy = (...scripts: Command[]) => failuresAmong([edit, first, ...scripts]).repairs.get('edit')?.id
    expect(fixedBy(command("sed -i 's/a/b/' b.ts", [], { id: 'l2', cwd }))).toBe('l2')
    expect(fixedBy()).toBeUndefined()
    expect(fixedBy(command('cat b.ts', [], { id: 'l2', cwd }))).toBeUndefined()
    expect(fixedBy(command('rm b.ts', [], { id: 'l2', cwd }))).toBeUndefined()
    expect(fixedBy(command('echo x > lib/b.ts', [], { id: 'l2', cwd }))).toBeUndefined()
    expect(fixedBy(failed('echo x > b.ts', 'l2', { cwd }))).toBeUndefined()
    expect(failuresAmong([first, edit]).unfixedEdits.map(({ id }) => id)).toEqual(['edit'])
  })

  it('is found in groups and scripts, but never in hidden items', () => {
    const inside = toolCall('exec', '', [failed('make', 'l1')])
    const seen = group('exploration', 'x', [command('make', [], { id: 'l2' })])
    expect(failuresAmong([inside, seen]).fixes.get('l1')?.id).toBe('l2')
    const hidden = command('make', [], { id: 'l3', data: { visibility: 'hidden' } })
    expect(failuresAmong([inside, hidden]).unfixed.map(({ id }) => id)).toEqual(['l1'])
  })
})
