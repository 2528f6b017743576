import { describe, expect, it } from 'vitest'
import { taskOf } from '../../../src/rollout/shell/task.ts'

const of = (script: string) => taskOf({ script })

describe('the task of a command line', () => {
  it.each([
    ['npm test', 'npm test'],
    ['npm run build -- --watch', 'npm build'],
    ['cd app && npm test -- cart', 'npm test'],
    ['cargo clippy --all', 'cargo clippy'],
    ['git -C ../shop commit -m x', 'git commit'],
    ['python3 -m pytest -q', 'python3 pytest'],
    ['node scripts/make.mjs', 'node scripts/make.mjs'],
    ['pytest tests/test_cart.py', 'pytest'],
    ['make', 'make'],
    ['./run.sh 5', 'run.sh'],
    ["sed -n '1,5p' src/Gate.ts || true", 'sed Gate.ts'],
    ['cat docs/Gate.md 2>/dev/null || echo none', 'cat Gate.md'],
    ["rg 'Gate|Oil' src | head", 'rg Gate|Oil'],
    ['rg find src', 'rg find'],
    ['cat Gate.md Oil.md || true', 'cat Gate.md Oil.md'],
    ['head -n 5 docs/Gate.md docs/Oil.md; true', 'head Gate.md Oil.md'],
    ["jq '.a' a.json b.json", 'jq a.json b.json'],
    ['git branch --show-current', 'git branch --show-current'],
    ['git branch -a', 'git branch -a'],
    ['git -C ../shop log --oneline -5 src/gate.ts', 'git log src/gate.ts'],
    ['git log --oneline -3', 'git log'],
    ['git show HEAD:src/gate.ts 2>/dev/null', 'git show HEAD:src/gate.ts'],
    ['git worktree add ../paint', 'git worktree add'],
    ['gh pr view 12 --json title', 'gh pr view 12'],
    ['gh pr create --title x', 'gh pr create'],
    ['pip show gate-hinge', 'pip show gate-hinge'],
    ['python -m pip show gate-hinge', 'python pip show gate-hinge'],
    ['python -m pip install gate-hinge', 'python pip install'],
    ['rospack find gate 2>/dev/null', 'rospack find gate'],
    ['systemctl status gate', 'systemctl status gate'],
    ['ip -4 addr show dev eth0', 'ip addr show dev'],
    ['pip show --files gate-hinge', 'pip show'],
    ['sudo ip addr replace 192.0.2.1/24 dev eth0', 'ip addr replace'],
    ['npm list', 'npm list'],
    ['gh pr list', 'gh pr list'],
    ['docker compose up -d', 'docker compose up'],
    ['docker build .', 'docker build'],
    ["python3 - <<'PY'\nimport json\n\npaint(gate)\noil(hinge)\nPY", 'python3 paint(gate)'],
    ['FOO=1 node <<EOF\nconst fs = require("fs")\nfs.statSync("a")\nEOF', 'node fs.statSync("a")'],
    ['python3 --version', 'python3'],
    ["curl -sS -X POST -H 'Accept: */*' 'https://gate.example/oil/?day=5#top' -o oil.json", 'curl gate.example/oil'],
    ['curl localhost:3000', 'curl localhost:3000'],
    ['curl -s 127.0.0.1/hinge | jq .', 'curl 127.0.0.1/hinge'],
    ['wget --version', 'wget'],
  ])('%s is %s', (script, task) => {
    expect(of(script)).toBe(task)
  })

  it('differs if the same program does something else', () => {
    expect(of('npm install')).not.toBe(of('npm test'))
    expect(of('node a.mjs')).not.toBe(of('node b.mjs'))
    const pwsh = (script: string) => taskOf({ script, argv: ['powershell.exe', '-Command', script] })
    expect(pwsh('gc C:/a/Gate.md -TotalCount 5 | measure')).toBe(pwsh('Get-Content -Path b/Gate.md'))
    expect(pwsh("iwr -Uri 'http://gate.example/a'")).not.toBe(pwsh("iwr -Uri 'http://gate.example/b'"))
    expect(pwsh('gc Gate.md | measure')).not.toBe(pwsh('gc Oil.md | measure'))
  })

  it('is unknown if there is no program', () => {
    expect(of('')).toBeUndefined()
  })
})
