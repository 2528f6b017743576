import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../../src/rollout/shell/effects.ts'

const cwd = '/home/ada/shop'
const windows = 'C:\\Work\\shop'

const writtenBy = (command: Parameters<typeof effectsOf>[0]): string[] => [
  ...new Set(
    effectsOf(command).flatMap(({ path, movedTo, isDeleted }) => ((movedTo ?? isDeleted) === undefined ? [path] : [])),
  ),
]

describe('the files that a command line writes', () => {
  it.each<[string, string[]]>([
    ['echo x > notes.md', ['notes.md']],
    ['echo x >> ./docs/a.md; npm test 2> err.log', ['docs/a.md', 'err.log']],
    ["cat > 'src/a b.ts' <<'EOF'\nexport {}\nEOF", ['src/a b.ts']],
    ['npm run build &> build.log', ['build.log']],
    ['npm run build > build.log 2>&1', ['build.log']],
    ['make | tee -a out/make.log more.log | tail -3', ['out/make.log', 'more.log']],
    ["sed -i 's/a/b/' src/a.ts src/b.ts", ['src/a.ts', 'src/b.ts']],
    ["sed -i '' -e 's/a/b/' src/a.ts", ['src/a.ts']],
    ["perl -pi -e 's/a/b/' README.md", ['README.md']],
    ['bash -lc "cd web && echo x > index.html"', ['web/index.html']],
    [`cd src && printf x > a.ts && printf y > ${cwd}/b.ts`, ['src/a.ts', 'b.ts']],
    [`out=dist/a.txt; echo x > "$out" && echo y >> \${out}`, ['dist/a.txt']],
    ["python - <<'EOF' > report.csv\nprint(1)\nEOF", ['report.csv']],
    [
      "python - <<'PY'\nfrom pathlib import Path\npath = Path('src/a.ts')\ntext = path.read_text()\nif 'x' not in text:\n    raise SystemExit('no x')\npath.write_text(text.replace('x', 'y'))\nPY",
      ['src/a.ts'],
    ],
    [
      "python3 <<'PY'\nimport json\nwith open('a.json', 'w') as out:\n    json.dump({}, out)\nopen(\"b.txt\", \"a\").write('x')\nPY\nnpm test",
      ['a.json', 'b.txt'],
    ],
    [`python -c "from pathlib import Path; Path('a.md').write_text('x')"`, ['a.md']],
    [
      "node - <<'NODE'\nconst fs = require('fs')\nconst path = 'ui/a.ts';\nlet src = fs.readFileSync(path, 'utf8')\nconst more = `\nfs.writeFileSync('none.ts', '')\n`\nfs.writeFileSync(path, src + more)\nNODE",
      ['ui/a.ts'],
    ],
    [
      `node -e 'const fs=require("fs"); const path="a.rs"; let src=fs.readFileSync(path,"utf8"); if(!src) throw new Error("none"); fs.writeFileSync(path,src)'`,
      ['a.rs'],
    ],
    ['{ echo a; echo b; } > a.md', ['a.md']],
    ['( cd src && cat a ) >> out/a.md 2> err.txt', ['out/a.md', 'err.txt']],
    ['for f in *.ts; do cat "$f"; done > all.md', ['all.md']],
    ['while read -r line; do echo "$line"; done < in.txt > out.txt', ['out.txt']],
    ['if test -f a; then cat a; fi > b.md', ['b.md']],
  ])('posix: %s', (script, paths) => {
    expect(writtenBy({ script, cwd })).toEqual(paths.map((path) => `${cwd}/${path}`))
  })

  it.each<[string]>([
    ['npm test > /dev/null 2>&1'],
    ['npm test 2>&1'],
    ['{ npm test; } > /dev/null 2>&1'],
    ['if test -f a; then { echo x; } > a.md; fi'],
    ['cat a.txt | grep b'],
    ["sed -n '1,9p' src/a.ts"],
    ['echo x > "$TARGET"'],
    ['echo x > /tmp/probe.txt'],
    ['echo x > ../other/a.ts'],
    ['if test -f a; then echo x > a.ts; fi'],
    ['test -f a.ts || echo x > a.ts'],
    ['cd "$HOME" && echo x > a.ts'],
    ['out=a.txt; out=b.txt; echo x > "$out"'],
    ['cmp <(sort a) <(sort b)'],
    ["python - <<'PY'\nfor name in names:\n    Path('a.ts').write_text('x')\nif x: Path('b.ts').write_text('x')\nPY"],
    [
      "python - <<'PY'\nprint(\"open('a.ts', 'w')\")\ntext = '''\nopen('b.ts', 'w')\n'''\nopen('c.ts')\nopen('/tmp/d.ts', 'w')\nPY",
    ],
    ["python - <<'PY'\nimport sys\nif done:\n    sys.exit(0)\nopen('a.ts', 'w').write('x')\nPY"],
    ["python - <<'PY'\npath = 'a.ts'\npath = 'b.ts'\nopen(path, 'w').write('x')\nPY"],
    ["python make.py <<'PY'\nopen('a.ts', 'w').write('x')\nPY"],
    ["cat <<'PY'\nopen('a.ts', 'w').write('x')\nPY"],
    ["node -e 'const fs = require(`fs`); if (a) fs.writeFileSync(`a.ts`, b)'"],
  ])('there are none: %s', (script) => {
    expect(writtenBy({ script, cwd })).toEqual([])
  })

  it.each<[string, string[]]>([
    ["@'\nline > other.md\n'@ | Set-Content -Path .dedan\\report.md -Encoding utf8", ['.dedan\\report.md']],
    ["Set-Content notes.md 'x'; Add-Content -LiteralPath 'a b.txt' -Value y", ['notes.md', 'a b.txt']],
    ['Get-Process | Out-File -Append -FilePath proc.txt', ['proc.txt']],
    ['Get-ChildItem > "list of files.txt"', ['list of files.txt']],
    ['npm test 2>$null; Get-Date *> now.txt', ['now.txt']],
    ["$p = 'web/App.tsx'; $c = Get-Content -Path $p -Raw; $c | Set-Content -Path $p", ['web\\App.tsx']],
    ['Set-Content -Path $target -Value x', []],
    ['npm test 2> errors.log; Get-Date > $null', ['errors.log']],
    ['$x = Get-Content a.txt; $x | sc sub\\b.txt', ['sub\\b.txt']],
  ])('PowerShell: %s', (script, paths) => {
    expect(writtenBy({ script, argv: ['powershell'], cwd: windows })).toEqual(
      paths.map((path) => `${windows}\\${path}`),
    )
  })

  it.each<[string, string[]]>([
    ['echo x > a.txt & dir >> "b c.txt"', ['a.txt', 'b c.txt']],
    ['npm test > nul 2>&1', []],
    ['npm test 2> err.txt < in.txt', ['err.txt']],
    ['(echo a & echo b) > a.md', ['a.md']],
  ])('cmd: %s', (script, paths) => {
    expect(writtenBy({ script, argv: ['cmd'], cwd: windows })).toEqual(paths.map((path) => `${windows}\\${path}`))
  })

  it.each<[string, string[], string?]>([
    ['exit 0\necho x > a.md', []],
    ['test -d src || exit 1; echo x > a.md', ['a.md']],
    ['grep -q x b.md && exit 0; echo x > a.md', []],
    ['test -f b.md && echo x > a.md; ls', []],
    ['npm test && echo x > a.md; ls', []],
    ['mkdir -p src && echo x > src/a.md; ls', ['src/a.md']],
    ['mkdir src && echo x > src/a.md; ls', [], 'mkdir: src: File exists'],
    ["sed -i 's/a/b/' a.md; ls", ['a.md']],
    ["sed -i 's/a/b/' a.md; ls", [], "sed: can't read a.md: No such file or directory"],
    ["sed -i 's/a/b/' a.md 2>/dev/null; ls", []],
    ["perl -pi -e 's/a/b/' a.md", [], "Can't open a.md: No such file or directory."],
    ['echo x > lib/a.md; ls', [], 'bash: line 1: lib/a.md: No such file or directory'],
    ['! echo x > a.md', []],
    ["python - <<'PY'\nopen('a.md', 'w').write(x)\nPY\nls", ['a.md']],
    [
      "python - <<'PY'\nopen('a.md', 'w').write(x)\nPY\nls",
      [],
      "Traceback (most recent call last):\nNameError: name 'x'",
    ],
    ['(cd web && npm test); echo x > a.md', ['a.md']],
    ['bash -c "cd web && npm test"; echo x > a.md', ['a.md']],
    ['cd web | cat; echo x > a.md', ['a.md']],
    ['cd web; echo x > a.md', ['web/a.md']],
    ['cd web; echo x > a.md', ['a.md'], 'bash: line 1: cd: web: No such file or directory'],
    ['cd web || cd app; echo x > a.md', []],
    ['if test -d web; then cd web; fi; echo x > a.md', []],
  ])('only as far as it ran: %s', (script, paths, printed = '') => {
    expect(effectsOf({ script, cwd }, () => printed).map(({ path }) => path)).toEqual(
      paths.map((path) => `${cwd}/${path}`),
    )
  })

  it('keep the paths of the script if the working folder is unknown', () => {
    expect(writtenBy({ script: 'echo x > a.ts; echo y > ../b.ts; echo z > /etc/c; cd web; echo w > d.ts' })).toEqual([
      'a.ts',
    ])
  })

  it.each<[string, (string | [from: string, to?: string])[]]>([
    ['cat x > a.tmp && mv a.tmp a.json', ['a.tmp', ['a.tmp', 'a.json']]],
    [
      'mv -f a.ts b.ts lib',
      [
        ['a.ts', 'lib/a.ts'],
        ['b.ts', 'lib/b.ts'],
      ],
    ],
    ['mv a.ts lib/', [['a.ts', 'lib/a.ts']]],
    ['git mv src/a.ts src/b.ts', [['src/a.ts', 'src/b.ts']]],
    ['cd src && rm -rf a.ts old', [['src/a.ts'], ['src/old']]],
    ['git rm a.ts; git rm --cached b.ts', [['a.ts']]],
    // The target may be a folder or a file.
    ['mv a.ts lib', []],
    ['mv -t lib a.ts', []],
    ['mv a.ts ../b.ts; rm *.tmp; rm "$TMP"', []],
    ['if test -f a; then rm a; fi', []],
    ['mv -n a.ts b.ts; rm -i a.ts; git rm -n a.ts; mv a.ts a.ts', []],
    ['rm a.ts || true', [['a.ts']]],
    ["cat > /tmp/new.md <<'EOF'\nx\nEOF\ncp /tmp/new.md docs/a.md", ['docs/a.md']],
    ['cp -f a.ts b.ts lib; cp c.ts old/', ['lib/a.ts', 'lib/b.ts', 'old/c.ts']],
    ['cp a.ts lib; cp -R src old/; cp -a src b.d/; cp -n a.ts b.ts; cp a.ts a.ts; cp a.ts ../b.ts', []],
    ['cp a.ts b.ts 2>/dev/null; echo done', []],
  ])('are moved, copied and removed: %s', (script, effects) => {
    expect(effectsOf({ script, cwd })).toEqual(effects.map((effect) => effectOf(effect, (name) => `${cwd}/${name}`)))
  })

  it.each<[string, string, (string | [from: string, to?: string])[]]>([
    ['powershell', 'Set-Content a.tmp x; Move-Item -Path a.tmp -Destination a.md -Force', ['a.tmp', ['a.tmp', 'a.md']]],
    ['powershell', 'Move-Item -LiteralPath a.md b.md', [['a.md', 'b.md']]],
    ['powershell', 'ren sub\\a.md b.md; rm -Recurse sub', [['sub\\a.md', 'sub\\b.md'], ['sub']]],
    [
      'cmd',
      'move /y a.txt b.txt & del /q c.txt & ren d.txt e.txt',
      [['a.txt', 'b.txt'], ['c.txt'], ['d.txt', 'e.txt']],
    ],
    ['powershell', 'Copy-Item a.md sub\\ -Force; cp b.md c.md; Copy-Item -Recurse d e.md', ['sub\\a.md', 'c.md']],
    ['cmd', 'copy /y a.txt b.txt & del c.txt', ['b.txt', ['c.txt']]],
    ['cmd', 'del a.txt >nul & echo b', [['a.txt']]],
    ['cmd', 'del a.txt 2>nul & echo b', []],
    ['cmd', 'del a.txt >nul 2>&1 & echo b', []],
    ['bash', '{ rm a.txt; } 2>/dev/null; echo b', []],
    ['bash', '{ rm a.txt; } >/dev/null; echo b', [['a.txt']]],
  ])('are moved, copied and removed in %s: %s', (shell, script, effects) => {
    expect(effectsOf({ script, argv: [shell], cwd: windows })).toEqual(
      effects.map((effect) => effectOf(effect, (name) => `${windows}\\${name}`)),
    )
  })
})

function effectOf(effect: string | [from: string, to?: string], whole: (name: string) => string) {
  if (typeof effect === 'string') return { path: whole(effect) }
  const [from, to] = effect
  return { path: whole(from), ...(to === undefined ? { isDeleted: true } : { movedTo: whole(to) }) }
}
