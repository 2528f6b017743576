import { describe, expect, it } from 'vitest'
import { exploreActions, recordedActions, scriptOf } from '../../../src/rollout/parse/shell.ts'
import type { CommandAction } from '../../../src/transcript/trast.ts'

describe('the script of an argv', () => {
  it.each<[string[], string]>([
    [['bash', '-lc', 'ls | wc'], 'ls | wc'],
    [['/usr/bin/zsh', '-c', 'ls'], 'ls'],
    [['sh', '-ic', 'ls'], 'ls'],
    [['C:\\Program Files\\Git\\bash.exe', '-lc', 'ls'], 'ls'],
    [['bash', '-lc', 'ls', 'extra'], 'bash -lc ls extra'],
    [['bash', 'script.sh', 'a b'], "bash script.sh 'a b'"],
    [['powershell.exe', '-NoProfile', '-Command', 'Get-Content a'], 'Get-Content a'],
    [['pwsh', '-c', 'dir'], 'dir'],
    [['git', 'commit', '-m', "it's"], "git commit -m 'it'\\''s'"],
    [['echo', ''], "echo ''"],
    [['bash', '-lc', ''], "bash -lc ''"],
    [[], ''],
  ])('%j', (argv, expected) => {
    expect(scriptOf(argv)).toBe(expected)
  })
})

const read = (path: string): CommandAction => ({ kind: 'read', path })
const list = (path?: string): CommandAction => (path === undefined ? { kind: 'list' } : { kind: 'list', path })
const search = (query: string, path?: string): CommandAction => ({
  kind: 'search',
  query,
  ...(path === undefined ? {} : { path }),
})
const other: CommandAction[] = [{ kind: 'other' }]

describe('what a script explores', () => {
  it.each<[string, CommandAction[]]>([
    ['cat a.txt', [read('a.txt')]],
    ["cat 'a b.txt'", [read('a b.txt')]],
    ['sed -n 1,20p src/a.ts', [read('src/a.ts')]],
    ["sed -n '1,20p' src/a.ts", [read('src/a.ts')]],
    ['head -n 20 a', [read('a')]],
    ['tail -20 a', [read('a')]],
    ['nl -ba a | sed -n 1,5p', [read('a')]],
    ['ls', [list()]],
    ['ls -la src', [list('src')]],
    ['rg --files src', [list('src')]],
    ["find . -name '*.ts'", [list('.')]],
    ['git ls-files', [list()]],
    ['rg engine src', [search('engine', 'src')]],
    ['grep -rn "two words" src | head -5', [search('two words', 'src')]],
    ['git grep main', [search('main')]],
    ['type a | more', [read('a')]],
    ['rg engine src | cat', [search('engine', 'src')]],
    ['cd src && ls && cat a', [list(), read('a')]],
    ['pwd; ls', [list()]],
    ['cat a 2>/dev/null', [read('a')]],
    ['rg engine src 2>/dev/null | sort | uniq', [search('engine', 'src')]],
    ['cat a || true', [read('a')]],
    // Every file that is read counts.
    ['cat a src/b', [read('a'), read('src/b')]],
    ["sed -n '1,5p' a b | head", [read('a'), read('b')]],
    ['tail -n +5 a', [read('a')]],
    ['bat -r 1:5 a', [read('a')]],
    ['Get-Content a', [read('a')]],
    ['Select-String x', [search('x')]],
    // The value of an option is no operand.
    ["rg -n --glob '*.md' 'a|b' docs", [search('a|b', 'docs')]],
    ["rg -nC 2 -g '!dist/**' -t ts engine src", [search('engine', 'src')]],
    ['rg -C2 -tmd engine src', [search('engine', 'src')]],
    ['rg -n -e one -e two src', [search('one', 'src')]],
    ['rg --regexp=one src', [search('one', 'src')]],
    ["rg --files -g '*.ts' src", [list('src')]],
    ['rg -- -x src', [search('-x', 'src')]],
    ['grep -rnE -A 3 "a|b" src', [search('a|b', 'src')]],
    ["grep -r --include '*.ts' a src", [search('a', 'src')]],
    ['git grep -n -e a', [search('a')]],
    ["find src -path './a' -prune", [list('src')]],
    ["find -name '*.ts'", [list()]],
    ['Get-Content -LiteralPath a.lua -Encoding UTF8', [read('a.lua')]],
    ['Get-Content a.lua -Unknown UTF8', [read('a.lua')]],
    ['Get-Content a.lua -TotalCount 80 | Select-Object -First 20', [read('a.lua')]],
    ['gc a.lua | select -First 20', [read('a.lua')]],
    ['Get-Content a.lua | Select-Object -Skip 10 -First 5 | Out-String -Width 200', [read('a.lua')]],
    ['Get-Content a.lua | Select-Object -Index (3..9)', [read('a.lua')]],
    ['type a.lua | Measure -Line', [read('a.lua')]],
    ['gc a.lua | sls one', [read('a.lua'), search('one')]],
    ['sls one a.lua | select -Last 3 | fl', [search('one', 'a.lua')]],
    ['gci -Recurse src | ft Name, Length', [list('src')]],
    ["Get-ChildItem -Recurse -Filter '*.lua' -Path src", [list('src')]],
    ['Select-String -Path a.lua -Pattern one -Context 2', [search('one', 'a.lua')]],
    // The shell opens the file that is the input.
    ['cat < a', [read('a')]],
    ['head -n 5 <src/a.ts | sort', [read('src/a.ts')]],
    ['wc -l < "a b.txt"', [read('a b.txt')]],
    ['< a sort | uniq', [read('a')]],
    ["sed -n '1,5p' < a && ls", [read('a'), list()]],
    ['grep -n engine < a', [search('engine', 'a')]],
    ['cat a < b', [read('a')]],
    ['grep -n engine src < a', [search('engine', 'src')]],
    ["rg '<T>' src", [search('<T>', 'src')]],
    // PowerShell lists.
    ['Get-Content a, b', [read('a'), read('b')]],
    ['gc a,b -Tail 3', [read('a'), read('b')]],
    [`Get-Content -Path "a, b" , 'c' -Encoding UTF8`, [read('a, b'), read('c')]],
    ['Get-Content "a","b"', [read('a'), read('b')]],
    [`Select-String -Pattern 'one',"two" -Path a, b`, [search('one, two', 'a')]],
    ['gci -Include *.ts, *.js src', [list('src')]],
    ['cat a,b', [read('a,b')]],
    // Programs of Windows.
    ['findstr /n /i engine src/a.ts', [search('engine', 'src/a.ts')]],
    ['findstr /s /c:"two words" *.ts', [search('two words', '*.ts')]],
    ['findstr /c:engine a.ts', [search('engine', 'a.ts')]],
    ['dir /s /b /a-d src | findstr /i engine', [list('src'), search('engine')]],
    ['dir', [list()]],
    ['dir -Filter *.ts -Path src', [list('src')]],
  ])('%s', (script, expected) => {
    expect(exploreActions(script)).toStrictEqual(expected)
  })

  it.each([
    '',
    'make',
    'npm test',
    'cd src',
    'cat a && rm b',
    'cat a > b',
    'cat << a',
    'cat <<< a',
    'cat <(make)',
    'cat <&3',
    'cat <',
    'cat < a > b',
    'cat < a < b',
    'make < a',
    'cat 2>a',
    'cat $(which a)',
    'cat `which a`',
    'cat a\nrm b',
    'cat a & rm b',
    'sed -i s/a/b/ c',
    'sed -n -i 1,5p c',
    'sed -n -i.bak 1,5p c',
    'sed s/a/b/ c',
    'find . -delete',
    'find . -exec rm {} +',
    'fd -x rm',
    'fd --exec-batch rm',
    'sort a',
    'ls | xargs rm',
    'rg a | tee b',
    'Get-Content a | Select-Object @{n="a";e={Remove-Item b}}',
    'gc a | select @{n="a";e={Remove-Item b}}',
    'gci src | Remove-Item',
    'select -First 5',
    'findstr /g:words.txt a.ts',
    'git commit',
    'FOO=1 cat a',
    'cat',
    `cat ${'a'.repeat(3000)}`,
  ])('is more than exploring: %j', (script) => {
    expect(exploreActions(script)).toStrictEqual(other)
  })

  it('takes time that grows only with the length of the script', () => {
    for (const script of ['"\''.repeat(900), '; '.repeat(900), "'".repeat(1900), 'a|'.repeat(900)]) {
      expect(exploreActions(script)).toStrictEqual(other)
    }
  })
})

describe('the actions of a recorded command', () => {
  const script = 'Get-Content a | Select-Object -First 5'
  const unknown = [{ type: 'unknown', cmd: script }]

  it.each<[string, string[], unknown, CommandAction[]]>([
    [
      'are read by us if Codex did not understand PowerShell',
      ['powershell.exe', '-Command', script],
      unknown,
      [read('a')],
    ],
    [
      'are read by us if the path of PowerShell is given',
      ['C:\\Apps\\7\\pwsh.EXE', '-NoProfile', '-Command', script],
      unknown,
      [read('a')],
    ],
    ['are read by us if Codex recorded none for PowerShell', ['pwsh', '-c', script], undefined, [read('a')]],
    ['are more than exploring if we find more than that', ['pwsh', '-c', `${script}; make`], unknown, other],
    [
      'are those of Codex if it understood PowerShell',
      ['pwsh', '-c', script],
      [{ type: 'search', query: 'x' }],
      [search('x')],
    ],
    ['are those of Codex in other shells', ['bash', '-lc', 'cat a'], [{ type: 'unknown', cmd: 'cat a' }], other],
    ['are none if Codex recorded none in other shells', ['bash', '-lc', 'cat a'], undefined, []],
  ])('%s', (_, argv, recorded, expected) => {
    expect(recordedActions(recorded, argv)).toStrictEqual(expected)
  })

  it('keep kind, path and query', () => {
    expect(
      recordedActions(
        [
          { type: 'read', cmd: 'cat a', name: 'a', path: '/p/a' },
          { type: 'read', cmd: 'cat b', name: 'b' },
          { type: 'list_files', cmd: 'ls', path: 'src' },
          { type: 'search', cmd: 'rg x', query: 'x', path: null },
          { type: 'unknown', cmd: 'make' },
          { type: 'something_new' },
          null,
        ],
        [],
      ),
    ).toStrictEqual([
      read('/p/a'),
      read('b'),
      list('src'),
      search('x'),
      { kind: 'other' },
      { kind: 'other' },
      { kind: 'other' },
    ])
    expect(recordedActions('x', [])).toStrictEqual([])
  })
})
