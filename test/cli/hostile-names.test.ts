/** Ids, folders and branches that could be paths, devices or collide: nothing leaves the site or collides. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { pathProblem } from '../../src/site/output/paths.ts'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import * as r from '../helpers/records.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const names = [
  ...['../../canary', '/etc/canary', '..', '.', '...', 'C:\\canary', '\\\\host\\canary', 'a/../../b', '~/canary'],
  ...['nul\u0000canary', 'new\nline', 'con', 'CON', 'con.txt', 'nul', 'lpt1', 'COM9.log', 'aux ', 'dots...', 'blank '],
  ...[
    'x'.repeat(3000),
    'ü'.repeat(300),
    '検索',
    '\u202Ecanary',
    '%2e%2e%2fcanary',
    'a:b',
    'a|b?c*d',
    '<b>',
    '-rf',
    '--out',
  ],
  ...['Foo', 'foo', 'FOO', 'fo\u006F\u0301', 'fo\u00F3', 'ß', 'SS', 'K', '\u212A'],
  ...[
    'assets',
    'index',
    'index.html',
    'manifest.json',
    '.staging-1-0-000000000000',
    'sessions',
    'projects',
    '_headers',
  ],
  ...['0198C0DE-0000-7000-8000-0000000000AB', '0198c0de-0000-7000-8000-0000000000cd', '__proto__', 'constructor'],
]

/** A home with a session for each name: as its id, its folder and its branch. */
function writeNames(cwd: string): void {
  const day = join(cwd, 'home/sessions/2026/03/14')
  mkdirSync(day, { recursive: true })
  for (const [index, name] of names.entries()) {
    const meta = r.meta({ id: name, timestamp: r.instant(index), cwd: `/srv/${name}`, git: { branch: name } })
    const patch = r.event('patch_apply_end', {
      call_id: 'c',
      success: true,
      changes: { [name]: { type: 'add', content: 'x' } },
    })
    const records = r.envelopes([meta, r.userItem(`Prompt ${index}.`), r.customCall('c', 'apply_patch', ''), patch])
    writeFileSync(join(day, `rollout-${index}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }
}

test('every name gives a separate page within the site, on any file system', async () => {
  const cwd = useTempDir()
  writeNames(cwd)
  const args = ['build', '--codex-home', 'home', '--no-search', '--format', 'html,md,json', '--json']
  const run = await runProcess(args, { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } })
  expect(run.stderr).not.toContain('page-failed')
  expect(run.status).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ sessions: names.length, failed: 0 })
  expect(readdirSync(cwd).sort()).toEqual(['cache', 'home', 'site'])

  const site = join(cwd, 'site')
  const entries = readdirSync(site, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(site.length + 1)
      .replaceAll('\\', '/'),
  )
  const problems = paths.flatMap((path) => (path === 'manifest.json' ? [] : (pathProblem(path) ?? [])))
  expect(problems).toEqual([])
  // Some file systems ignore case or the form of a letter.
  expect(new Set(paths.map((path) => path.normalize('NFKC').toLowerCase())).size).toBe(paths.length)
  expect(Math.max(...paths.map((path) => path.length))).toBeLessThan(160)

  const pages = paths.filter((path) => /^sessions\/[^/]+\/index\.html$/.test(path))
  const texts = pages.map((path) => readFileSync(join(site, path), 'utf8'))
  const prompts = names.map((_, index) => texts.filter((text) => text.includes(`Prompt ${index}.`)).length)
  expect(prompts).toEqual(names.map(() => 1))
})
