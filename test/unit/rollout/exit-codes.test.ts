import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EndedCommand, endingOf } from '../../../src/rollout/shell/exit-codes.ts'

function ending(script: string, exitCode = 1, more: Partial<EndedCommand> = {}): string {
  return endingOf({ script, exitCode, output: '', ...more })
}

describe('a search without a hit', () => {
  it.each([
    'rg needle src',
    'grep -rn needle .',
    'egrep x a',
    'git grep needle',
    'git -C sub --no-pager grep -n needle',
    'ag needle',
    'findstr /s needle *.ts',
    'where.exe nothing',
    'which nothing',
    'command -v nothing',
    'type nothing',
    'pgrep -f server',
    'pkill server',
    'pidof server',
    'kill -0 123',
    'lsof -i :3000',
    'diff a b',
    'cmp a b',
    'test -f a',
    '[ -f a ]',
    '[[ -f a ]]',
    '(( 0 ))',
    'git diff --exit-code',
    'git diff --quiet HEAD -- a',
    'git merge-base --is-ancestor a b',
    'git check-ignore a',
    'git config --get user.name',
    'jq -e .a b.json',
    'systemctl is-enabled x',
  ])('is no failure: %s', (script) => {
    expect(ending(script)).toBe('noMatch')
  })

  it.each<[string, number]>([
    ['rg needle src', 2],
    ['grep x missing', 2],
    ['diff a missing', 2],
    ['test -f', 2],
    ['git grep x', 128],
    ['git diff', 1],
    ['git diff --exit-code', 128],
    ['where nothing', 2],
    ['pgrep -z', 2],
    ['jq . b.json', 1],
    ['fd x', 1],
    ['npm test', 1],
    ['ls missing', 1],
    ['kill 123', 1],
    ['nosuchprogram', 127],
  ])('is not assumed for other commands and codes: %s, %i', (script, exitCode) => {
    expect(ending(script, exitCode)).toBe('failed')
  })

  it.each<[string, number]>([
    ['getent passwd nobody', 2],
    ['systemctl is-active x', 3],
    ['git ls-remote --exit-code origin x', 2],
    ['command -v nothing', 127],
  ])('ends with the code that its program documents: %s, %i', (script, exitCode) => {
    expect(ending(script, exitCode)).toBe('noMatch')
  })
})

describe('the program that sets the exit code of a script', () => {
  it.each([
    'cd x && rg y',
    'cd x; rg y',
    'cd x\nrg y',
    'cat a | rg y',
    'npm test | rg y',
    'npm test; rg y',
    'echo "--- hits"; rg y src',
    'rg x && rg y',
    'rg x | rg y',
    'test -f a && cat a',
    'LC_ALL=C grep x a',
    'env A=b rg y',
    'timeout 5 rg y',
    'timeout --signal=KILL -k 1 5 rg y',
    'sudo -u me grep x a',
    'command grep x a',
    '\\grep x a',
    '/usr/bin/grep x a',
    'nice -n 5 rg y',
    'bash -lc "rg y"',
    "bash -lc 'cd x && rg y'",
    "sh -c 'exec grep y a'",
    'set -o pipefail; rg y | head',
    'set -euo pipefail\ncd x\nrg y | sort | uniq -c',
    'bash -o pipefail -c "rg y | head"',
    'if [ -f a ]; then rg y a; fi',
    'for f in a b; do rg y "$f"; done',
    '(cd x && rg y)',
    'look() { grep -q x a; }; look',
    'look() { ls; rg y; }; cd x; look',
    '{ rg y; }',
    '{ rg y; } > hits.txt',
    'for f in a b; do rg y "$f"; done 2>/dev/null',
    'rg y; exit $?',
    'rg y 2>/dev/null',
    'ls || rg y',
    'git log --oneline | rg y',
    'git status --short && rg y',
  ])('found nothing: %s', (script) => {
    expect(ending(script)).toBe('noMatch')
  })

  it.each([
    'rg y | head',
    'rg y | npm test',
    'rg y; ls missing',
    'npm test && rg y',
    'npm run lint && grep x a',
    'rg y && npm test',
    'rg y || npm test',
    'rg y || exit 1',
    'test -f a || exit 1; rg y',
    'check() { npm test; }; check',
    'check() { npm test || return 1; rg y; }; check',
    'check() { rg y && npm test; }; check',
    'again() { again; }; again',
    '! rg y',
    'set -o pipefail; npm test | rg y',
    'set -e\nnpm test\nrg y',
    'bash -ec "npm test; rg y"',
    'cat a 2>/dev/null && rg y',
    'bash check.sh',
    'rg y; exit 1',
    '',
  ])('may have failed: %s', (script) => {
    expect(ending(script)).toBe('failed')
  })

  it.each<[string, number]>([
    ['find . -name "*.ts" | xargs grep x', 123],
    ['git ls-files -z | xargs -0 rg x', 123],
    ['find . -exec grep x {} +', 1],
  ])('may be run by another program for each file: %s', (script, exitCode) => {
    expect(ending(script, exitCode)).toBe('noMatch')
  })
})

describe('the output of a search', () => {
  it.each([
    ['rg y', 'rg: src: IO error\n'],
    ['rg y', 'bwrap: cannot mount /\n'],
    ['rg y src', 'src/a.ts: is not a directory'],
    ['cd x && rg y', 'bash: line 1: cd: x: No such file or directory\n'],
    ['cat a && rg y', 'cat: a: No such file or directory\n'],
    ['ls | rg y *.c', 'zsh:1: no matches found: *.c\n'],
    ['find . -exec grep x {} +', 'find: ./x: Permission denied\n'],
    ['git log | grep x', 'fatal: not a git repository\n'],
  ])('reports an error: %s', (script, output) => {
    expect(ending(script, 1, { output })).toBe('failed')
  })

  it.each([
    ['rg y', 'bash: warning: setlocale: LC_ALL: cannot change locale\n'],
    ['rg y', 'rg: No files were searched, which means a filter hid them.\nRunning with --debug will show why.\n'],
    ['grep -c y a', '0\n'],
    ['echo hits; rg y', 'hits\n'],
    ['rg x; rg y', 'a.ts:x\n'],
    ['diff a b', '1c1\n< a\n---\n> b\n'],
    ['which nothing', 'which: no nothing in (/usr/bin)\n'],
    ['where.exe nothing', 'INFO: Could not find files for the given pattern(s).\n'],
  ])('reports no error: %s', (script, output) => {
    expect(ending(script, 1, { output })).toBe('noMatch')
  })
})

describe('a search on Windows', () => {
  it.each([
    ['Get-Command nothing -ErrorAction SilentlyContinue | Select-Object Source', ''],
    ['Get-Command nothing', 'Get-Command : not recognised\n    + CategoryInfo : ObjectNotFound\n'],
    ['gcm nothing', ''],
    ['Select-String -Path a.txt -Pattern x', ''],
    ["Get-Content a.txt | sls 'x' | Select-Object -First 3", ''],
    ['Get-NetTCPConnection -LocalPort 80 -ErrorAction SilentlyContinue', ''],
    ['$hits = rg -n needle C:\\work', ''],
    ["Set-Location C:\\work; rg -n 'a|b' | Select-Object -First 9", ''],
    ['powershell -NoProfile -Command "rg needle"', ''],
    ['cmd /c "findstr needle a.txt"', ''],
    ['cmd.exe /c "type a.txt | findstr needle"', ''],
    ["wsl bash -lc 'grep needle a'", ''],
    ['if (Test-Path a) { rg needle a }', ''],
  ])('is no failure: %s', (script, output) => {
    expect(ending(script, 1, { output, cwd: 'C:\\work' })).toBe('noMatch')
  })

  it.each([
    // PowerShell ends with 1 whatever the program's own code was.
    ['rg needle *.ts', 'rg: *.ts: (os error 123)\n'],
    [
      'Select-String -Path missing -Pattern x',
      'Select-String : Cannot find path\n    + CategoryInfo : ObjectNotFound\n',
    ],
    ['Get-Content missing', 'Get-Content : Cannot find path\n'],
    ['npm test; Get-ChildItem missing', ''],
    ['rg needle; npm test', ''],
  ])('is a failure: %s', (script, output) => {
    expect(ending(script, 1, { output, cwd: 'C:\\work' })).toBe('failed')
  })
})

describe('a pipeline whose reader stopped early', () => {
  const lines = (count: number): string => 'src/a.ts:1:x\n'.repeat(count)

  it.each<[string, number, string]>([
    ['set -o pipefail; rg x | head -n 20', 141, lines(20)],
    ['set -euo pipefail\ncd a\nrg x | head\ncat b', 141, lines(10)],
    ['bash -o pipefail -c "git log | head -20"', 141, lines(20)],
    ['set -o pipefail; rg x | head --lines=20 | cut -c1-80', 141, lines(20)],
    ['set -o pipefail; cat a | head -c 100', 141, 'x'],
    ['set -o pipefail; cat a | sed 20q', 141, lines(20)],
    ["set -o pipefail; cat a | sed -n '11,20p;20q'", 141, lines(10)],
    ['set -o pipefail; npm ls | grep -q x', 141, ''],
    ['set -o pipefail; rg x | head -n 20', 2, `${lines(20)}rg: Broken pipe (os error 32)\n`],
    ['set -o pipefail; cat a | head -n 2', 1, `cat: write error: Broken pipe\n${lines(2)}`],
    ['set -o pipefail; git log | head -n 2', 128, `${lines(2)}fatal: write failure on 'stdout': Broken pipe\n`],
    ['set -o pipefail; python a.py | head -n 2', 1, `${lines(2)}BrokenPipeError: [Errno 32] Broken pipe\n`],
    [
      'set -o pipefail; cargo tree | head -n 2',
      101,
      `${lines(2)}\nthread 'main' panicked at library/std/src/io/stdio.rs:1:9:\nfailed printing to stdout: Broken pipe (os error 32)\n`,
    ],
  ])('did not fail: %s, %i', (script, exitCode, output) => {
    expect(ending(script, exitCode, { output })).toBe('cutOff')
  })

  it.each([
    ['rg -n x C:\\a | Select-Object -First 250', lines(250)],
    ['Set-Location C:\\a; rg x | select -First 20', lines(20)],
    ["Write-Output '--- hits'; rg x | Select-Object -First 20", `--- hits\n${lines(20)}`],
    ['rg x | Select-Object -Skip 5 -First:20 | Out-String', lines(20)],
    ['7z l a.7z | Select-Object -First 20; exit $LASTEXITCODE', lines(20)],
    // What is assigned to a variable is not printed.
    ["$n = rg -l x | Measure-Object; 'Files: ' + $n.Count; rg x | Select-Object -First 20", `Files: 3\n${lines(20)}`],
    ['$all = npm test; rg x | Select-Object -First 20', lines(20)],
  ])('did not fail in PowerShell, which stops the program: %s', (script, output) => {
    expect(ending(script, 1, { output, cwd: 'C:\\work' })).toBe('cutOff')
  })

  it('may have printed more than Codex kept', () => {
    const script = 'rg x | Select-Object -First 250'
    const cwd = 'C:\\work'
    const output = `${lines(9)}…99 tokens truncated…${lines(9)}`
    expect(ending(script, 1, { output, cwd, truncated: true })).toBe('cutOff')
    expect(ending(script, 1, { output: `Total output lines: 250\n\n${output}`, cwd, truncated: true })).toBe('cutOff')
    expect(ending(script, 1, { output: `Total output lines: 249\n\n${output}`, cwd, truncated: true })).not.toBe(
      'cutOff',
    )
  })

  it.each<[string, number, string]>([
    // Fewer lines than the reader takes: it did not end the pipeline.
    ['set -o pipefail; npm test | head -n 20', 141, lines(19)],
    ['set -o pipefail; npm test | head -n 20', 1, lines(20)],
    ['set -o pipefail; npm test | head -n 20', 141, `${lines(19)}bash: line 1: npm: command not found\n`],
    ['set -o pipefail; make | head -n 20', 141, `${lines(19)}a.c:1:2: error: no such thing\n`],
    ['set -o pipefail; cat a b | head -n 2', 1, `${lines(2)}cat: b: No such file\ncat: write error: Broken pipe\n`],
    ['set -o pipefail; npm test | head -n 2', 1, `${lines(2)}src/a.ts:1: Broken pipe\n`],
    ['cat a | head -n 2', 1, `${lines(2)}cat: write error: Broken pipe\n`],
    ['set -o pipefail; npm test | head -n -2', 141, lines(20)],
    ['set -o pipefail; npm test | head -n 2 a', 141, lines(20)],
    ["set -o pipefail; npm test | sed -n '1,20p'", 141, lines(20)],
    ['set -o pipefail; npm test | tail -n 2', 141, lines(20)],
    ['set -o pipefail; rg x | head -n 2 | npm test', 141, lines(20)],
    ['npm test', 141, lines(20)],
  ])('does not explain another failure: %s, %i', (script, exitCode, output) => {
    expect(ending(script, exitCode, { output })).toBe('failed')
  })

  it.each([
    ['npm test | Select-Object -First 20', lines(19)],
    ['npm test | Select-Object -Last 20', lines(20)],
    ['npm test | Select-Object -First 20; npm run build', lines(20)],
    ['Get-Content a; npm test | Select-Object -First 20', lines(20)],
    ['$all = Get-Content a; $all | Out-Host; Get-Content b; npm test | Select-Object -First 20', lines(20)],
    ['Get-Content a | Select-Object -First 20', lines(20)],
    ['npx tsc | Select-Object -First 20', 'src/a.ts(1,2): error TS2304: Cannot find name\n'.repeat(20)],
    ['npm test | Select-Object -First 1', 'npm : The term was not found\n    + CategoryInfo : ObjectNotFound\n'],
    ['foreach ($i in 1..3) { npm test | Select-Object -First 5 }', lines(15)],
  ])('does not explain another failure in PowerShell: %s', (script, output) => {
    expect(ending(script, 1, { output, cwd: 'C:\\work' })).toBe('failed')
  })
})

describe('a command that was stopped', () => {
  it.each<[string, number, string, string]>([
    ['npm test', 124, 'command timed out after 1000 milliseconds\n', 'timedOut'],
    ['timeout 5 npm test', 124, '', 'timedOut'],
    ['npm test', 137, '', 'killed'],
    ['npm test', 143, '', 'killed'],
    ['npm test', 130, '', 'killed'],
    ['./crash', 139, '', 'failed'],
    ['git branch --no-such', 129, 'usage: git branch\n', 'failed'],
    ['ls | xargs -n1 npm', 124, '', 'failed'],
  ])('%s, %i', (script, exitCode, output, expected) => {
    expect(ending(script, exitCode, { output })).toBe(expected)
  })
})

it('every text gets an answer, in time that grows with its length', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'rg $(){}`\'"|;&<>#\n-=!@'), maxLength: 200 })
  fc.assert(
    fc.property(fc.oneof(fc.string(), signs), fc.boolean(), (script, windows) => {
      expect(typeof ending(script, 1, { cwd: windows ? 'C:\\x' : '/x' })).toBe('string')
    }),
  )
  for (const unit of ['(', '{', '$(', '"$(', '@"\n', '|', 'if ', '`', '<<E\n', 'a;', 'a&&', 'bash -c ', 'x=']) {
    for (const cwd of ['/x', 'C:\\x']) expect(typeof ending(unit.repeat(8000 / unit.length), 1, { cwd })).toBe('string')
  }
})

it.each(['a() {', 'coproc '])('a script that nests %j without end counts as failed', (piece) => {
  expect(ending(piece.repeat(3000))).toBe('failed')
})
