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
  ])('%s is %s', (script, task) => {
    expect(of(script)).toBe(task)
  })

  it('differs where the same program does something else', () => {
    expect(of('npm install')).not.toBe(of('npm test'))
    expect(of('node a.mjs')).not.toBe(of('node b.mjs'))
    const pwsh = (script: string) => taskOf({ script, argv: ['powershell.exe', '-Command', script] })
    expect(pwsh('gc C:/a/Gate.md -TotalCount 5 | measure')).toBe(pwsh('Get-Content -Path b/Gate.md'))
    expect(pwsh('gc Gate.md | measure')).not.toBe(pwsh('gc Oil.md | measure'))
  })

  it('is unknown where no program is', () => {
    expect(of('')).toBeUndefined()
  })
})
