import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type ProcessOptions, requireBuild, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { goldenHomes } from '../helpers/golden-homes.ts'
import { noise } from '../helpers/planted.ts'
import * as r from '../helpers/records.ts'
import { writeSecretFamily, writeSession } from '../helpers/site-build.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const [first, second, third] = [threadNumber(1), threadNumber(2), threadNumber(3)]

/** Builds `home` in a folder with some jobs to `site-N`. */
function build(cwd: string, jobs: number, args: string[] = [], onStderr?: ProcessOptions['onStderr']) {
  const place = ['--codex-home', 'home', '--out', `site-${jobs}`, '--cache', `cache-${jobs}`, '--jobs', String(jobs)]
  const options = { cwd, env: { HOME: cwd } }
  return runProcess(['build', ...place, ...args], onStderr === undefined ? options : { ...options, onStderr })
}

test('a site has the same bytes for any number of jobs, and a later build uses the cache', async () => {
  const cwd = useTempDir()
  // A secret that the last session of a family reveals is redacted in the others too, which are rendered again.
  const secret = `${noise(5, 7)}x4Q${noise(6, 7)}`
  writeSecretFamily(cwd, [first, second, third], secret)
  const homes = goldenHomes().flatMap(({ path }) => ['--codex-home', path])
  const args = [...homes, '--format', 'html,md,json', '--json']
  for (const jobs of [1, 2, 4]) {
    const run = await build(cwd, jobs, args)
    expect(run.status, run.stderr).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ failed: 0, kept: 0 })
  }
  const site = readFolder(join(cwd, 'site-1'))
  const page = site[`sessions/${first}/index.md`]
  expect(page).toContain('[redacted:named-secret]')
  expect(page).not.toContain(secret)
  expect(readFolder(join(cwd, 'site-2'))).toEqual(site)
  expect(readFolder(join(cwd, 'site-4'))).toEqual(site)
  writeSession(cwd, threadNumber(4), [r.userItem('One more')])
  const next = await build(cwd, 4, args)
  expect(JSON.parse(next.stdout)).toMatchObject({ rendered: 1 })
})

/** A home with three sessions, and a template that runs `code` when it renders the second. */
function homeWhere(code: string): string {
  const cwd = useTempDir()
  for (const [id, prompt] of [
    [first, 'Mend the gate'],
    [second, 'Break the gate'],
    [third, 'Paint the gate'],
  ] as const)
    writeSession(cwd, id, [r.userItem(prompt), r.userEvent(prompt)])
  const template = `<% if (it.title.includes('Break the gate')) { ${code} } %><p><%= it.title %></p>\n`
  writeFolder(cwd, { 'theme/html/session.eta': template })
  writeFileSync(join(cwd, 'site.config.mjs'), "export default { templatesDir: 'theme', search: false }\n")
  return cwd
}

test.each([
  ['ends', 'process.exit(3)', 'its thread ended with code 3'],
  ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))', 'it needs more memory'],
])('a thread that %s fails only its session', async (_, code, reason) => {
  const cwd = homeWhere(code)
  const run = await build(cwd, 2)
  expect(run.stderr).toMatch(new RegExp(`page-failed .*${reason}`))
  expect(run.stderr.match(/page-failed/g)).toHaveLength(1)
  expect(run.status).toBe(1)
  expect(readdirSync(join(cwd, 'site-2/sessions')).sort()).toEqual([first, third])
  const { files } = JSON.parse(readFolder(join(cwd, 'site-2'))['manifest.json'] ?? '') as { files: object }
  const known = [...Object.keys(files), 'manifest.json'].sort()
  expect(Object.keys(readFolder(join(cwd, 'site-2'))).sort()).toEqual(known)
})

test('Ctrl-C ends a build whose thread would never end', async () => {
  const cwd = homeWhere('for (;;);')
  let isAsked = false
  const run = await build(cwd, 2, [], (text, kill) => {
    if (isAsked || !text.includes('Rendering sessions')) return
    isAsked = true
    kill('SIGINT')
  })
  expect(run.status, run.stderr).toBe(130)
  expect(existsSync(join(cwd, 'site-2'))).toBe(false)
})
