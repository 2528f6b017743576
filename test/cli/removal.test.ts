import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { threadId } from '../helpers/rollout.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

/** A built site of a home with twelve sessions. */
async function builtSite() {
  const cwd = useTempDir()
  const home = join(cwd, 'home')
  for (let number = 1; number <= 12; number++) {
    const id = threadId(number)
    const meta = { id, timestamp: '2026-03-14T09:26:10.000Z', cwd: '/home/sam/shop' }
    const line = JSON.stringify({ timestamp: meta.timestamp, type: 'session_meta', payload: meta })
    writeFolder(home, { [`sessions/2026/03/14/rollout-2026-03-14T09-26-10-${id}.jsonl`]: `${line}\n` })
  }
  const options = { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
  const build = (...flags: string[]) => runCli(['build', '--no-search', '--codex-home', home, ...flags], options)
  expect((await build()).status).toBe(0)
  return { cwd, home, options, build, site: readFolder(join(cwd, 'site')) }
}

test('an emptied home ends a build with exit code 2, in text and JSON, unless removal is allowed', async () => {
  const { cwd, home, build, site } = await builtSite()
  rmSync(join(home, 'sessions'), { recursive: true })
  const strict = await build('--strict')
  expect(strict).toMatchObject({ status: 2, stdout: '' })
  expect(strict.stderr).toContain(`\`${home}\` had 12 sessions and has none now`)
  expect(strict.stderr).toContain('allow it with `--allow-removal`')
  const json = await build('--json')
  expect(json.status).toBe(2)
  expect(JSON.parse(json.stdout)).toMatchObject({
    schema: 'codex-export/build-result',
    refused: true,
    losses: [{ source: home, had: 12, has: 0, lost: 12 }],
  })
  expect(readFolder(join(cwd, 'site'))).toEqual(site)
  const allowed = await build('--allow-removal')
  expect(allowed.status, allowed.stderr).toBe(0)
  expect(allowed.stderr).toContain('12 sessions leave the site: their files are gone.')
})

test('`serve` serves the old site if a home disappeared', async () => {
  const { cwd, home, options, site } = await builtSite()
  rmSync(home, { recursive: true })
  let page: Promise<string> | undefined
  const run = await runProcess(['serve', '--port', '0', '--no-search', '--codex-home', home], {
    ...options,
    onStderr: (text, kill) => {
      const url = text.match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0]
      if (url === undefined || page !== undefined || !text.includes('Serving the site of')) return
      page = fetch(url).then((response) => response.text())
      page.finally(() => kill('SIGINT'))
    },
  })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('had 12 sessions and has none now')
  expect(await page).toBe(site['index.html'])
  expect(readFolder(join(cwd, 'site'))).toEqual(site)
})

test('sessions that a filter excludes are named, and the build continues', async () => {
  const { build } = await builtSite()
  const run = await build('--id', threadId(3))
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('11 sessions leave the site: filters, configuration or curation omit them.')
  expect(run.stderr).toContain(`  ${threadId(4)}\n`)
})

test('`publish` stops if most of what it published would be removed, unless removal is allowed', async () => {
  const { cwd, options, build } = await builtSite()
  const publish = (...flags: string[]) => runCli(['publish', 'dir', '--to', 'public', ...flags], options)
  expect((await publish()).status).toBe(0)
  const published = readFolder(join(cwd, 'public'))
  await build('--id', threadId(3))
  const refused = await publish('--json')
  expect(refused.status, refused.stderr).toBe(2)
  expect(JSON.parse(refused.stdout)).toMatchObject({ refused: true, losses: [{ had: 12, has: 1, lost: 11 }] })
  expect(refused.stderr).toContain('Nothing was published.')
  expect(readFolder(join(cwd, 'public'))).toEqual(published)
  expect((await publish('--allow-removal')).status).toBe(0)
})

test.each([
  ['git', ['--to', 'remote.git', '--to-branch', 'pages']],
  ['github-pages', []],
])('`publish %s` stops in the same way, whether or not the host can be asked', async (target, flags) => {
  const { cwd, options, build } = await builtSite()
  for (const args of [
    ['init', '--quiet', '--bare', 'remote.git'],
    ['init', '--quiet', '.'],
  ])
    expect(spawnSync('git', args, { cwd }).status).toBe(0)
  const publish = (...more: string[]) => runCli(['publish', target, ...flags, ...more], options)
  const first = await publish()
  expect(first.status, first.stderr).toBe(0)
  await build('--id', threadId(3))
  const refused = await publish('--json')
  expect(refused.status, refused.stderr).toBe(2)
  expect(JSON.parse(refused.stdout)).toMatchObject({ refused: true, losses: [{ had: 12, has: 1, lost: 11 }] })
  expect((await publish('--allow-removal')).status).toBe(0)
})

test('a missing default home is named as missing, and a first build makes an empty site', async () => {
  const cwd = useTempDir()
  mkdirSync(join(cwd, 'user'))
  writeFileSync(join(cwd, 'user/notes'), '')
  const run = await runCli(['build', '--no-search'], {
    cwd,
    env: { HOME: join(cwd, 'user'), XDG_CACHE_HOME: join(cwd, 'cache') },
  })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain(`${join('~', '.codex')} (it does not exist)`)
})
