import { beforeAll, describe, expect, it } from 'vitest'
import { type LockShell, lockShell } from '../../../src/features/lock/build-lock.ts'
import { loadLockAssets } from '../../../src/render/assets-fs.ts'
import { loadTemplates } from '../../../src/render/templates-fs.ts'
import { htmlFaults } from '../../helpers/html-faults.ts'

const facts = { salt: 'c2FsdA==', rounds: 1_000_000, check: '0123456789abcdef0123456789abcdef' }
const part = { name: 'ab'.repeat(16), sealed: 'c2VhbGVk' }
let shell: LockShell
let other: LockShell

beforeAll(async () => {
  const [templates, assets] = await Promise.all([loadTemplates(), loadLockAssets()])
  shell = lockShell(templates, assets, { ...facts, search: true })
  other = lockShell(templates, assets, { ...facts, search: false })
})

describe('the login page', () => {
  it('is valid HTML, and finds its files and the root of the site', async () => {
    for (const [at, root] of [
      ['index.html', ''],
      ['pages/x.html', '../'],
    ] as const) {
      const html = shell.page(at, part)
      expect(await htmlFaults(html)).toEqual([])
      expect(html).toContain(`data-root="${root}"`)
      for (const kind of ['css', 'js'])
        expect(html).toMatch(new RegExp(`"${root}assets/lock\\.[0-9a-f]{10}\\.${kind}"`))
    }
  })

  it('has no inline script, style or handler, and its policy allows none', () => {
    const html = shell.page('index.html', part)
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=)/)
    expect(html).not.toMatch(/unsafe-inline|'unsafe-eval'|data:|https?:/)
  })

  it('allows WebAssembly only if there is a search, and the headers for hosts do the same', () => {
    const headers = (of: LockShell): string => String(of.files.find(({ path }) => path === '_headers')?.content)
    for (const text of [shell.page('index.html', part), headers(shell)]) expect(text).toContain('wasm-unsafe-eval')
    for (const text of [other.page('index.html', part), headers(other)]) expect(text).not.toContain('wasm-unsafe-eval')
    expect(headers(shell)).toContain("frame-ancestors 'none'")
    expect(headers(shell)).not.toContain('immutable')
  })

  it('has a key that differs if its text differs', () => {
    expect(shell.key).not.toBe(other.key)
    expect(shell.page('index.html', part)).not.toBe(other.page('index.html', part))
  })

  it('has its own style sheet and script, which write no markup', () => {
    const assets = shell.files.filter(({ path }) => path.startsWith('assets/'))
    expect(assets.map(({ path }) => path.replace(/\.[0-9a-f]+\./, '.'))).toEqual(['assets/lock.css', 'assets/lock.js'])
    for (const { content } of assets) expect(String(content)).not.toMatch(/innerHTML|outerHTML|document\.write|eval\(/)
  })
})
