import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { programOf } from '../../../src/rollout/shell/program.ts'

describe('the program of a script', () => {
  it('is read in the language of its shell, even if the same text was just read in another', () => {
    const script = 'echo ok; cat a.txt'
    expect(programOf({ script, argv: ['bash', '-c', script] })).toBe('cat')
    expect(programOf({ script, argv: ['pwsh', '-c', script] })).toBe('Get-Content')
    expect(programOf({ script, argv: ['bash', '-c', script] })).toBe('cat')
  })

  it.each([
    ['npm test', 'npm'],
    ['/usr/bin/python3.11 -m pytest', 'python3.11'],
    ['./gradlew build', 'gradlew'],
    ['C:/tools/rg.exe --files', 'rg'],
    ["'my tool' --x", 'my tool'],
    ['ls\\ la', 'ls la'],
    ['git status # make', 'git'],
    ['a#b', 'a#b'],
  ])('is its first word without folder and extension: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each([
    ['cd /p && npm test', 'npm'],
    ['cd /p; npm test', 'npm'],
    ['cd /p\nnpm test', 'npm'],
    ['set -euo pipefail\n\n# first\nsource venv/bin/activate\nexport A="b c"\npytest -q', 'pytest'],
    ['echo "--- tests" && cargo test', 'cargo'],
    ['echo done > log.txt && make', 'make'],
    ['cd /p 2>/dev/null && make', 'make'],
    ['cd /p &> log; make', 'make'],
    ['sleep 5 && curl localhost', 'curl'],
    ['[ -f a ] && rm a', 'rm'],
    ['if [ -f a ]; then cat a; fi', 'cat'],
    ['for f in a b; do wc -l "$f"; done', 'wc'],
    ['while ! nc -z localhost 80; do sleep 1; done', 'nc'],
    ['(cd x && make)', 'make'],
    ['{ git diff; }', 'git'],
  ])('is the first that does real work: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each([
    ['check() { curl -s "$1"; }; check a; check b', 'curl'],
    ['function check {\n  echo "$1"\n  rg -n x "$1"\n}\ncheck src && npm test', 'rg'],
    ['log() { echo "$@"; }; log start; npm test', 'npm'],
    ['a() { b; }; b() { sudo make; }; a', 'make'],
    ['make() { command make -j8; }; make all', 'make'],
    ['function Find-All($t) { foreach ($n in $t) { Find-All $n.next } }; $x = Find-All $y; git log', 'git'],
    ['check() { rg x; }; npm test', 'npm'],
    ["bash -lc 'check() { rg x; }; check'", 'rg'],
    [
      "$u='http://a.example'; function Get-Gear($n) { param($x) Invoke-WebRequest $u }; get-gear 1",
      'Invoke-WebRequest',
    ],
    ['function script:Find-Gear { $n = $args[0]; rg $n }\nFind-Gear a | Select-Object -First 3', 'rg'],
    ['filter Show-Gear { Write-Host $_ }\nGet-Content a | Show-Gear', 'Get-Content'],
  ])('is what a function of the script runs, at the place where it is called: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each([
    ['A=1 B="x y" node a.js', 'node'],
    ['VERSION=$(git describe) make', 'make'],
    ['AT=`date` make', 'make'],
    ['sudo -u build -E make', 'make'],
    ['env -i PATH=/bin make', 'make'],
    ['timeout --foreground -k 5 60 npm test', 'npm'],
    ['time nice -n 5 make', 'make'],
    ['stdbuf -oL ./run', 'run'],
    ['nohup env A=1 sudo ./serve &', 'serve'],
    ["bash -lc 'cd x && npm test'", 'npm'],
    ['/bin/sh -c "sudo make"', 'make'],
    ['bash build.sh', 'bash'],
    ['bash', 'bash'],
    ['sudo', 'sudo'],
    ['env', 'env'],
  ])('is not a wrapper around it: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each([
    ['cat a | jq .', 'cat'],
    ["python - <<'PY'\nimport os\nPY", 'python'],
    ['npm test 2>&1 | tail -5', 'npm'],
  ])('is the first of a pipe: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each([
    ['cd /p', 'cd'],
    ['echo a; sleep 1', 'echo'],
    ['echo "typed"; exit 3', 'echo'],
  ])('is the first preparation if nothing follows: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })

  it.each(['', '  \n', '# only a comment', '&&', 'A=1'])('is unknown if there is no command: %j', (script) => {
    expect(programOf(script)).toBeUndefined()
  })

  it('has at most 60 characters, and any text can be read', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'a$(`)\'"\\ ;&|<>#\n-='), maxLength: 80 })),
        (text) => {
          const name = programOf(text)
          if (name !== undefined) expect(name.length).toBeLessThanOrEqual(60)
        },
      ),
    )
  })
})

describe('the program of a PowerShell script', () => {
  it.each([
    ['$i=1; Get-Content a.ts | ForEach-Object { "{0}: {1}" -f $i, $_; $i++ }', 'Get-Content'],
    ["$page = Invoke-WebRequest -Uri 'https://example.com/a'; $page.StatusCode", 'Invoke-WebRequest'],
    ['(gc a.txt -Raw).Length', 'Get-Content'],
    ["Set-Location C:\\work; $env:CI = '1'; npm test", 'npm'],
    ['& "C:\\Program Files\\Tool\\tool.exe" run', 'tool'],
    ["$text = @'\n\"> <button onClick={go\n'@\n$text | Set-Content a.tsx", 'Set-Content'],
    ["$headers = @{Accept='application/json, text/plain'; Size=1}; irm http://127.0.0.1:8080/x", 'Invoke-RestMethod'],
    ["foreach ($path in '/a','/b') { try { iwr \"http://127.0.0.1:80$path\" } catch { $_ } }", 'Invoke-WebRequest'],
    ['if (Test-Path a) { rg needle a } else { Write-Host "none" }', 'rg'],
    ['where.exe lua; Write-Output done', 'where'],
    ['Get-ChildItem -Recurse | ? { $_.Name -eq "x" } | % { $_.FullName }', 'Get-ChildItem'],
    ['powershell -NoProfile -Command "rg needle"', 'rg'],
    ['cmd /c "dir /b && npm test"', 'dir'],
    ['$x = 1 # note\n<# long\nnote #>\npnpm build', 'pnpm'],
    ['function f($x) { rg $x }\nnpm test', 'npm'],
    ['.\\gradlew.bat test', 'gradlew.bat'],
    ['[System.IO.File]::ReadAllText("a").Length', 'PowerShell'],
    ['$sum = 1 + 2; $sum', 'PowerShell'],
  ])('%s', (script, name) => {
    expect(programOf({ script, cwd: 'C:\\work' })).toBe(name)
  })

  it('is read in the language of the shell that got it', () => {
    expect(programOf({ script: 'ls', argv: ['pwsh', '-Command', 'ls'] })).toBe('Get-ChildItem')
    expect(programOf({ script: 'ls', argv: ['bash', '-lc', 'ls'], cwd: 'C:\\work' })).toBe('ls')
    expect(programOf({ script: 'dir /b & npm test', argv: ['cmd.exe', '/c', 'dir /b & npm test'] })).toBe('dir')
  })
})

describe('a word that is no name of a program', () => {
  it.each([
    ['"$PYTHON" -m pytest', undefined],
    ['$(which node) a.js', undefined],
    ['cd x; "$TOOL" run; npm test', 'npm'],
    ['"$HOME/bin/tool" run', 'tool'],
    ["python3 - <<'PY'\nimport os\n$x = {'a': 1}\nPY", 'python3'],
    ["cd x\ncat > a.tsx <<'EOF'\n\"> <button onClick={go\nEOF\nnpm test", 'cat'],
    ['https://example.com/a', undefined],
    ['127.0.0.1:8080', undefined],
    ['42', undefined],
    ['--help', undefined],
  ])('is not used as one: %s', (script, name) => {
    expect(programOf(script)).toBe(name)
  })
})
