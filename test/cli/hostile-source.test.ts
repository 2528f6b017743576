/** A home is only ever read: every command leaves it unchanged, byte for byte and entry for entry. */
import { chmodSync, cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { fingerprint } from '../helpers/fingerprint.ts'
import { shareTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const folder = shareTempDir()
const home = join(folder, 'home')
/** A user who may not write to the home, because root may write everywhere; only if others can read the project. */
let nobody: { uid?: number } = {}

/** Everything in a folder, files and folders. */
function everything(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return [root, ...entries.map((entry) => join(entry.parentPath, entry.name))]
}

let rollout: string
beforeAll(async () => {
  requireBuild()
  const uid = 65_534
  if (process.getuid?.() === 0 && (await runProcess(['--version'], { cwd: '/', uid })).status === 0) nobody = { uid }
  // A quarter of the uncompressed rollouts, which are alike, and all other files.
  let plain = 0
  const filter = (path: string): boolean => !/[/\\]sessions[/\\].*\.jsonl$/.test(path) || plain++ % 4 === 0
  cpSync(sample, home, { recursive: true, filter })
  rollout = everything(home).find((path) => path.endsWith('.jsonl') && path.includes('rollout-')) ?? ''
  mkdirSync(join(folder, 'work'))
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'work'), 0o777)
})

/** Arguments of every command that reads a home, in an order in which each can use what earlier ones made. */
const commands: [string, () => string[]][] = [
  ['build', () => ['build', '--codex-home', home, '--no-search']],
  ['build again', () => ['build', '--codex-home', home, '--no-search']],
  ['list', () => ['list', '--codex-home', home]],
  ['show', () => ['show', rollout, '--format', 'html', '--output', 'one.html']],
  ['show in Markdown', () => ['show', rollout]],
  ['check', () => ['check', '--codex-home', home]],
  ['scrub', () => ['scrub', rollout, '--output', 'fixture.jsonl']],
]

async function runAll(): Promise<unknown[]> {
  const results: unknown[] = []
  for (const [name, args] of commands) {
    const cwd = join(folder, 'work')
    const run = await runProcess(args(), { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') }, ...nobody })
    // `check` ends with 1 if it has findings.
    const isFine = run.status === 0 || (name === 'check' && run.status === 1)
    if (!isFine) results.push([name, run.status, run.stderr])
  }
  return results
}

async function serveOnce(): Promise<string> {
  const cwd = join(folder, 'work')
  let page: Promise<string> | undefined
  await runProcess(['serve', '--port', '0', '--codex-home', home, '--no-search'], {
    cwd,
    env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    ...nobody,
    onStderr: (text, kill) => {
      const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(text)?.[0]
      if (url === undefined || page !== undefined || !text.includes('Built ')) return
      page = fetch(url).then((response) => response.text())
      page.finally(() => kill('SIGINT'))
    },
  })
  return page ?? ''
}

describe('a home', () => {
  test('is unchanged after every command', async () => {
    const before = fingerprint(home)
    expect(before.length).toBeGreaterThan(20)
    expect(await runAll()).toEqual([])
    expect(await serveOnce()).toContain('<title>')
    expect(fingerprint(home)).toEqual(before)
  }, 180_000)

  describe.skipIf(process.platform === 'win32')('that nobody may write to', () => {
    beforeAll(() => {
      for (const path of everything(home).reverse()) chmodSync(path, path.endsWith('.jsonl') ? 0o444 : 0o555)
    })
    afterAll(() => {
      for (const path of everything(home)) chmodSync(path, 0o755)
    })

    test('is read anyway', async () => {
      const before = fingerprint(home)
      expect(await runAll()).toEqual([])
      expect(fingerprint(home)).toEqual(before)
    }, 180_000)
  })
})
