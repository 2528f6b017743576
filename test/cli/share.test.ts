/** `share` as a process, with a `gh` that records its arguments. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { answerEvent, envelopes, type Json, meta, userEvent } from '../helpers/records.ts'
import { startObjectStore } from '../helpers/s3-server.ts'
import { useTempDir } from '../helpers/temp.ts'

const id = '01990000-0000-7000-8000-00000000000a'
const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

beforeAll(requireBuild)

/** A folder with a rollout, and a `gh` at the front of PATH. */
function bench(words: string, gh = 'echo "https://gist.github.com/ada/0123"') {
  const cwd = useTempDir()
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  const note = join(cwd, 'called.txt')
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${JSON.stringify(note)}\n${gh}\n`)
  chmodSync(join(bin, 'gh'), 0o755)
  const records: Json[] = [meta({ id, cwd: '/home/ada/garden' }), userEvent(words), answerEvent('It is done.')]
  const text = envelopes(records).map((record) => `${JSON.stringify(record)}\n`)
  writeFileSync(join(cwd, 'rollout.jsonl'), text.join(''))
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` }
  return {
    cwd,
    pages: () => readdirSync(cwd).filter((name) => name.endsWith('.html')),
    called: () => (existsSync(note) ? readFileSync(note, 'utf8').trimEnd().split('\n') : undefined),
    share: (args: string[], more = {}) =>
      runCli(['share', 'rollout.jsonl', ...args], { cwd, env: { ...env, ...more } }),
  }
}

describe('without a destination', () => {
  test('one page is written, named after the title, with a title, a description and a preview', async () => {
    const { share, pages, cwd, called } = bench('Oil the gate & sing')
    const run = await share([])
    expect(run.status, run.stderr).toBe(0)
    expect(pages()).toEqual(['oil-the-gate-sing-01990000.html'])
    expect(run.stdout).toBe(`${join(cwd, 'oil-the-gate-sing-01990000.html')}\n`)
    const page = readFileSync(run.stdout.trimEnd(), 'utf8')
    expect(page).toContain('<meta property="og:title" content="Oil the gate &amp; sing">')
    expect(page).toContain('<meta property="og:description" content="Oil the gate &amp; sing">')
    expect(page).toMatch(/<meta name="description" content="[^"]+">/)
    expect(page).toMatch(/<title>Oil the gate &amp; sing/)
    expect(called()).toBeUndefined()
  })

  test('the preset `public` is suggested unless the page has it', async () => {
    const next = 'leave out what a stranger need not see'
    expect((await bench('Oil the gate').share([])).stderr).toContain(next)
    expect((await bench('Oil the gate').share(['--preset', 'public'])).stderr).not.toContain(next)
  })

  test('the output says what was redacted and omitted, and what to do next', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const run = await bench(`Use ${token} in /home/ada/garden`).share(['--omit', 'prompts'])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stderr).toContain('Left out  1 prompt')
    expect(run.stderr).not.toContain(token)
    expect(run.stderr.split('\n').length).toBeLessThan(24)
    expect(run.stderr).toMatch(/file:\/\/\S+\.html[\s\S]*share rollout\.jsonl --omit prompts --gist\n/)
    expect(run.stderr).toContain('share rollout.jsonl --omit prompts --preset public\n')
    const plain = await bench(`Use ${token} in /home/ada/garden`).share([])
    expect(plain.stderr).toMatch(
      /Redacted {2}(\d) secrets \(github-token \1\)[\s\S]*home-folder[\s\S]*Left out {2}nothing/,
    )
    expect(readFileSync(plain.stdout.trimEnd(), 'utf8')).not.toContain(token)
  })

  test('a long session is not a finding, because one file contains all of it', async () => {
    const { share, called } = bench('Oil the gate. '.repeat(100_000))
    const run = await share(['--gist', '--yes'])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stderr).toContain('nothing was found that should not be published')
    expect(called()).toBeDefined()
  })

  test('--output names the file, and an unwritable one is wrong use', async () => {
    const { share, pages } = bench('Oil the gate')
    expect((await share(['--output', 'page.html'])).status).toBe(0)
    expect(pages()).toEqual(['page.html'])
    const failed = await share(['--output', 'no/such/page.html'])
    expect(failed.status).toBe(2)
    expect(failed.stderr).toContain('its folder does not exist')
  })

  test('an unknown session is wrong use, and nothing is written', async () => {
    const cwd = useTempDir()
    const run = await runCli(['share', 'ffffffff', '--codex-home', sample], { cwd })
    expect(run.status).toBe(2)
    expect(readdirSync(cwd)).toEqual([])
  })
})

describe('--gist', () => {
  test('uploads a secret gist through `gh` after a yes, and prints its address', async () => {
    const { share, called, cwd } = bench('Oil $(touch x) & gate; rm "me"')
    const run = await share(['--gist', '--yes', '--output', 'page.html'])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stdout).toBe('https://gist.github.com/ada/0123\n')
    const [gist, create, about, ...rest] = called() ?? []
    expect([gist, create, ...rest]).toEqual(['gist', 'create', '--', join(cwd, 'page.html')])
    expect(about).toBe('--desc=Oil $(touch x) & gate; rm "me"')
  })

  test('asks if nobody said yes, and uploads nothing without an answer', async () => {
    const { share, called, pages } = bench('Oil the gate')
    const run = await share(['--gist'])
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('`--yes`')
    expect([called(), pages()]).toEqual([undefined, []])
  })

  test('uploads nothing if the check found a secret', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const { share, called, pages } = bench(`Use ${token}`)
    const run = await share(['--gist', '--yes', '--no-redact'])
    expect(run.status).toBe(1)
    expect(run.stderr).toMatch(/Redacted {2}nothing[\s\S]*Check {5}\d+ findings?/)
    expect(run.stderr).toContain('Nothing was uploaded: the check found something.')
    expect(run.stderr).not.toContain(token)
    expect(called()).toBeUndefined()
    expect(pages()).toHaveLength(1)
  })

  test('repeats the error of `gh`, and says that nothing was uploaded', async () => {
    const { share } = bench('Oil the gate', 'echo "HTTP 401: Bad credentials" >&2; exit 4')
    const run = await share(['--gist', '--yes'])
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('gh says: HTTP 401: Bad credentials. Nothing was uploaded.')
  })

  test('says how to get `gh` if it is missing', async () => {
    const { share, pages } = bench('Oil the gate')
    const run = await share(['--gist', '--yes'], { PATH: useTempDir() })
    expect(run.status).toBe(2)
    expect(run.stderr).toContain('`gh` was not found')
    expect(pages()).toHaveLength(1)
  })

  test('ends with 130 on Ctrl-C while `gh` runs', async () => {
    const { cwd } = bench('Oil the gate', 'exec sleep 60')
    let isStopped = false
    const run = await runProcess(['share', 'rollout.jsonl', '--gist', '--yes'], {
      cwd,
      env: { PATH: `${join(cwd, 'bin')}${delimiter}${process.env['PATH']}` },
      onStderr: (text, kill) => {
        if (isStopped || !text.includes('Uploading')) return
        isStopped = true
        kill('SIGINT')
      },
    })
    expect(run.status).toBe(130)
  })
})

describe('--to', () => {
  const page = `shared/oil-the-gate-${id.replaceAll('-', '')}.html`

  test('puts the page next to a site, where later publishes keep it until it is withdrawn', async () => {
    const { share, cwd } = bench('Oil the gate')
    const home = join(cwd, 'home')
    const other = envelopes([meta({ id: id.replace(/a$/, 'b') }), userEvent('Paint the gate'), answerEvent('Done.')])
    const text = other.map((record) => `${JSON.stringify(record)}\n`).join('')
    writeFolder(home, { [`sessions/2026/03/14/rollout-2026-03-14T09-00-00-${id.replace(/a$/, 'b')}.jsonl`]: text })
    const publish = async (): Promise<void> => {
      await runCli(['build', '--codex-home', home, '--no-search', '--cache', 'cache'], { cwd, env: {} })
      const run = await runCli(['publish', 'dir', '--to', 'www'], { cwd, env: {} })
      expect(run.status, run.stderr).toBe(0)
    }
    await publish()
    const run = await share(['--to', 'www', '--yes'])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stdout).toBe(`${join(cwd, 'www', page)}\n`)
    const shared = readFileSync(join(cwd, 'www', page), 'utf8')
    expect(shared).toContain('<title>Oil the gate')
    writeFolder(cwd, { 'site.config.mjs': 'export default { title: "Gates" }' })
    await publish()
    expect(readFileSync(join(cwd, 'www', 'index.html'), 'utf8')).toContain('Gates')
    expect(readFileSync(join(cwd, 'www', page), 'utf8')).toBe(shared)
    const nothing = await runCli(['share', '.', '--to', 'www', '--withdraw'], { cwd, env: {} })
    expect(nothing.stderr).toContain('No page of a session whose id starts with `.`')
    expect(nothing.status).toBe(2)
    const back = await runCli(['share', '01990000', '--to', 'www', '--withdraw'], { cwd, env: {} })
    expect(back.status, back.stderr).toBe(0)
    expect(readFolder(join(cwd, 'www'))['shared/']).toBeUndefined()
    expect(Object.keys(readFolder(join(cwd, 'www'))).filter((path) => path.startsWith('shared'))).toEqual([])
  })

  test('withdraws the page of the rollout whose path is given', async () => {
    const { share, cwd } = bench('Oil the gate')
    await share(['--to', 'www', '--yes'])
    expect(existsSync(join(cwd, 'www', page))).toBe(true)
    const back = await share(['--to', 'www', '--withdraw'])
    expect(back.status, back.stderr).toBe(0)
    expect(existsSync(join(cwd, 'www', page))).toBe(false)
  })

  test('keeps the address of a session whose title changed, and the pages of others', async () => {
    const { share, cwd } = bench('Oil the gate')
    await share(['--to', 'www', '--yes'])
    const changed = bench('Paint the gate')
    const run = await changed.share(['--to', join(cwd, 'www'), '--yes'])
    expect(run.stdout).toBe(`${join(cwd, 'www', page)}\n`)
    expect(readFileSync(join(cwd, 'www', page), 'utf8')).toContain('<title>Paint the gate')
    await runCli(['share', '0199a434', '--codex-home', sample, '--to', 'www', '--yes'], { cwd, env: {} })
    const files = Object.keys(readFolder(join(cwd, 'www')))
    expect(files).toEqual([expect.stringMatching(/-0199a434\w{24}\.html$/), 'shared/manifest.json', page])
  })

  test('writes nothing if the check found a secret, and overwrites no file of somebody else', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const { share, cwd } = bench(`Use ${token}`)
    expect((await share(['--to', 'www', '--yes', '--no-redact'])).status).toBe(1)
    expect(existsSync(join(cwd, 'www'))).toBe(false)
    const gate = bench('Oil the gate')
    writeFolder(gate.cwd, { [`www/${page}`]: 'theirs' })
    const refused = await gate.share(['--to', 'www', '--yes'])
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('was not published from here')
    expect(readFileSync(join(gate.cwd, 'www', page), 'utf8')).toBe('theirs')
  })

  test('puts it into a bucket, and prints its address if that of the site is known', async () => {
    const store = await startObjectStore()
    const { cwd } = bench('Oil the gate')
    const env = {
      ...{ AWS_ACCESS_KEY_ID: 'key-of-test', AWS_SECRET_ACCESS_KEY: 'no-secret', AWS_EC2_METADATA_DISABLED: 'true' },
      CODEX_EXPORT_SITE_URL: 'https://gates.example/',
    }
    const to = ['--to', 's3://sessions/logs', '--endpoint', store.endpoint, '--region', 'us-east-1', '--path-style']
    // The library for buckets takes its keys from the process.
    const run = await runProcess(['share', 'rollout.jsonl', ...to, '--yes'], { cwd, env })
    expect(run.status, run.stderr).toBe(0)
    expect([...store.objects.keys()].sort()).toEqual(['logs/shared/manifest.json', `logs/${page}`])
    expect(store.objects.get(`logs/${page}`)?.headers).toMatchObject({ 'cache-control': 'no-cache' })
  })

  test.each([
    [['--to', 'www'], 'run it on a terminal, or give `--yes`'],
    [['--to', 'www', '--gist', '--yes'], 'share to one of them at a time'],
    [['--withdraw'], 'name it with `--to`'],
    [['--to', 'git@git.example.org:team/sessions.git', '--yes'], 'needs a folder or `s3://bucket/prefix`'],
  ])('is refused as wrong use: %s', async (args, problem) => {
    const { share, cwd } = bench('Oil the gate')
    const run = await share(args)
    expect(run.status).toBe(2)
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(problem)
    expect(existsSync(join(cwd, 'www'))).toBe(false)
  })
})
