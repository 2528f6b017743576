/** `check SITE` and the secrets that `check` finds in sessions, from the command line. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SiteAudit } from '../../src/features/audit/site-fs.ts'
import { runCli } from '../helpers/cli.ts'
import { planted } from '../helpers/planted.ts'
import * as r from '../helpers/records.ts'
import { sarifFaults } from '../helpers/sarif.ts'
import { writeHome } from '../helpers/show.ts'
import { threadNumber } from '../helpers/summary.ts'
import { shareTempDir, useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))
const folder = shareTempDir()
const site = join(folder, 'site')
const token = planted().find(({ kind }) => kind === 'GitHub personal')?.secret ?? ''
const id = threadNumber(1)

beforeAll(async () => {
  const args = [
    'build',
    '--codex-home',
    sample,
    '--out',
    site,
    '--cache',
    join(folder, 'cache'),
    '--format',
    'html,md,json',
  ]
  const run = await runCli(args, { cwd: folder })
  expect(run.status, run.stderr).toBe(0)
})

/** Expects that no eight characters of a value occur, in upper or lower case. */
function expectNothingOf(value: string, text: string): void {
  for (let at = 4; at + 8 <= value.length; at++)
    expect(text.toLowerCase()).not.toContain(value.slice(at, at + 8).toLowerCase())
}

describe('an unchanged site', () => {
  test('has no findings and ends with exit code 0', async () => {
    const run = await runCli(['check', site, '--json'], { cwd: folder })
    expect(run.status, run.stdout.slice(0, 2000)).toBe(0)
    const { findings, files, bytes, webLinks } = JSON.parse(run.stdout) as SiteAudit
    expect(findings).toEqual([])
    expect(files).toBe(
      readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
    )
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(webLinks).toBeGreaterThan(0)
  })

  test('is summed up in two lines', async () => {
    const run = await runCli(['check', 'site'], { cwd: folder })
    expect(run.stdout).toMatch(/^Nothing was found\.\n[\d,]+ files, [\d.]+ MiB; \d+ links to other sites/)
  })
})

describe('a site with a key added by hand', () => {
  const copy = join(folder, 'planted')
  const session = join('sessions', 'x')
  const packed = gzipSync(Buffer.from(`pagefind_dcd${JSON.stringify({ content: token })}`))
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'text.html': `<p>${token}</p>`,
    'attribute.html': `<p title="${token}">x</p>`,
    'comment.html': `<!-- ${token} -->`,
    'a.md': token,
    'a.json': JSON.stringify({ a: token }),
    'a.txt': token,
    'a.js': `const a = "${token}"`,
    'a.css': `/* ${token} */`,
    'a.svg': `<svg xmlns="http://www.w3.org/2000/svg"><title>${token}</title></svg>`,
    'a.pf_fragment': packed,
    'wrapped.js': `codexSearchFile("a","${packed.toString('base64')}")`,
  }

  beforeAll(async () => {
    const args = [
      'build',
      '--codex-home',
      sample,
      '--out',
      copy,
      '--cache',
      join(folder, 'cache-2'),
      '--project',
      'shop',
    ]
    await runCli(args, { cwd: folder })
    mkdirSync(join(copy, session), { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(join(copy, session, name), content)
    // A text chunk before the end of a picture of the site.
    const picture = readdirSync(join(copy, 'assets')).find((name) => name.endsWith('.png')) ?? ''
    const bytes = readFileSync(join(copy, 'assets', picture))
    const text = Buffer.from(`Comment\0${token}`, 'latin1')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    const chunk = Buffer.concat([length, Buffer.from('tEXt'), text, Buffer.alloc(4)])
    writeFileSync(join(copy, 'assets', picture), Buffer.concat([bytes.subarray(0, -12), chunk, bytes.subarray(-12)]))
    appendFileSync(join(copy, 'index.html'), `<i>${token}</i>`)
  })

  test('reports each place and ends with exit code 1', async () => {
    const run = await runCli(['check', copy, '--json'], { cwd: folder })
    expect(run.status).toBe(1)
    const { findings } = JSON.parse(run.stdout) as SiteAudit
    const found = new Set(findings.filter(({ ruleId }) => ruleId === 'secret/github-token').map(({ file }) => file))
    const wanted = Object.keys(files).map((name) => `sessions/x/${name}`)
    expect([...found].filter((file) => file.startsWith('sessions/x/'))).toEqual(wanted.toSorted())
    expect(found).toContain('index.html')
    expect([...found].some((file) => /^assets\/.*\.png$/.test(file))).toBe(true)
    const rules = new Set(findings.map(({ ruleId }) => ruleId))
    expect([...rules].toSorted()).toEqual([
      'changed-file',
      'picture-metadata',
      'secret/github-token',
      'unlisted-file',
      'weak-policy',
      'weak-referrer',
    ])
  })

  test.each([
    ['text', []],
    ['JSON', ['--json']],
    ['SARIF', ['--sarif']],
  ])('is reported as %s without the value', async (_, flags) => {
    const run = await runCli(['check', copy, ...flags], { cwd: folder })
    expect(run.stdout.length).toBeGreaterThan(500)
    expectNothingOf(token, run.stdout + run.stderr)
  })

  test('gives a valid log for code scanning, in a file if one is named', async () => {
    const file = join(useTempDir(), 'site.sarif')
    const run = await runCli(['check', copy, '--sarif', '--output', file], { cwd: folder })
    expect(run.stdout).toBe('')
    expect(run.status).toBe(1)
    expect(sarifFaults(readFileSync(file, 'utf8'))).toEqual([])
  })
})

test('a key in a prompt is found in the texts and words of the real search index', async () => {
  const home = writeHome(useTempDir(), {
    [id]: [r.meta({ id, timestamp: r.instant(0) }), r.userItem(`Use ${token} please`), r.answerItem('Done.')],
  })
  const out = useTempDir()
  const args = ['build', '--codex-home', home, '--out', join(out, 'site'), '--cache', join(out, 'cache'), '--no-redact']
  await runCli(args, { cwd: out })
  const run = await runCli(['check', join(out, 'site'), '--json'], { cwd: out })
  const { findings } = JSON.parse(run.stdout) as SiteAudit
  const found = [...new Set(findings.filter(({ ruleId }) => ruleId === 'secret/github-token').map(({ file }) => file))]
  const index = found.filter((file) => file.startsWith('pagefind/'))
  for (const kind of ['pf_fragment', 'pf_fragment.js', 'pf_index', 'pf_index.js']) {
    expect(
      index.some((file) => file.endsWith(kind)),
      `${kind} in ${index.join(' ')}`,
    ).toBe(true)
  }
  const word = readdirSync(join(out, 'site/pagefind/index')).find((name) => name.endsWith('.pf_index')) ?? ''
  const bytes = gunzipSync(readFileSync(join(out, 'site/pagefind/index', word)))
  expect(bytes.toString('latin1')).toContain(token.toLowerCase())
})

test('a secret in a session ends with exit code 1 and says that a build replaces it', async () => {
  const home = writeHome(useTempDir(), { [id]: [r.meta({ id, timestamp: r.instant(0) }), r.userItem(`Use ${token}`)] })
  const run = await runCli(['check', '--codex-home', home], { cwd: folder })
  expect(run.status).toBe(1)
  expect(run.stdout).toMatch(
    /^secret\/github-token \(warning, \d+\): A text contains a secret\. A build replaces it\.$/m,
  )
  expectNothingOf(token, run.stdout)
  const open = await runCli(['check', '--codex-home', home, '--no-redact'], { cwd: folder })
  expect(open.stdout).toContain('A build with these options keeps it.')
})

describe('exit code 2', () => {
  test('is for a folder that contains no site', async () => {
    const run = await runCli(['check', useTempDir()], { cwd: folder })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('contains no site')
  })

  test('is for two formats at once', async () => {
    const run = await runCli(['check', site, '--json', '--sarif'], { cwd: folder })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('cannot be given together')
  })
})
