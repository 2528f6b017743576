/** `--scanner`: other programs that scan the texts of a site, which never leave the machine. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { page, writeSite } from '../helpers/audited.ts'
import { requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

/** A value that only the stand-in knows. */
const value = ['maria', 'grew', 'tulips'].join('-')

/** What a stand-in recorded of its call. */
interface Call {
  args: string[]
  cwd: string
  env: Record<string, string>
  /** The texts that it was given, by name. */
  texts: Record<string, string>
  config: string
  online: boolean
}

const standIn = (name: string, record: string): string => `#!${process.execPath}
const fs = require('node:fs'), path = require('node:path'), net = require('node:net')
const args = process.argv.slice(2)
const after = (flag) => args[args.indexOf(flag) + 1]
const folder = ${JSON.stringify(name)} === 'gitleaks' ? after('--source') : args[1]
const texts = Object.fromEntries(fs.readdirSync(folder).map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]))
const config = args.includes('--config') ? fs.readFileSync(after('--config'), 'utf8') : ''
const hits = Object.keys(texts).filter((file) => texts[file].includes(${JSON.stringify(value)})).map((file) => path.join(folder, file))
if (${JSON.stringify(name)} === 'gitleaks') {
  fs.writeFileSync(after('--report-path'), JSON.stringify(hits.map((File) => ({ File, RuleID: 'flower rule', Secret: ${JSON.stringify(value)} }))))
} else {
  for (const file of hits) console.log(JSON.stringify({ SourceMetadata: { Data: { Filesystem: { file, line: 1 } } }, DetectorName: 'Flower', Raw: ${JSON.stringify(value)}, Verified: false }))
}
console.error('found ' + ${JSON.stringify(value)})
const online = Object.values(require('node:os').networkInterfaces()).flat().some((one) => !one.internal)
fs.writeFileSync(${JSON.stringify(record)}, JSON.stringify({ args, cwd: process.cwd(), env: process.env, texts, config, online }))
`

interface Stage {
  site: string
  env: Record<string, string>
  call(): Call
  temp: string
}

/** A site with the value in it, and a stand-in in the PATH; \`script\` replaces what it does. */
function stage(name: string, script?: string): Stage {
  const root = realpathSync(useTempDir())
  const [site, bin, temp, record] = ['site', 'bin', 'temp', 'record.json'].map((part) => join(root, part)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [site, bin, temp]) mkdirSync(folder)
  writeSite(site, {
    'index.html': page(`<p id="l7">She said <b>maria-grew</b>-tulips. gitleaks:allow trufflehog:ignore</p>`),
    'a.md': `one\n${Buffer.from(`some words before ${value} and behind`).toString('base64')}\n`,
    '.gitleaks.toml': 'title = "theirs"',
    '.gitleaksignore': 'everything',
    '.secretlintrc.json': '{"rules":[]}',
    'build-report.json': '{"redacted":true}',
  })
  writeFileSync(join(bin, name), script ?? standIn(name, record))
  chmodSync(join(bin, name), 0o755)
  const secrets = { AWS_SECRET_ACCESS_KEY: 'x', GITLEAKS_CONFIG: join(site, '.gitleaks.toml'), GH_TOKEN: 'y' }
  return {
    site,
    temp,
    env: { PATH: `${bin}:${process.env['PATH']}`, TMPDIR: temp, ...secrets },
    call: () => JSON.parse(readFileSync(record, 'utf8')) as Call,
  }
}

/** Whether this system lets every user run a program without a network. */
const hasNamespaces =
  spawnSync('/usr/bin/unshare', ['--user', '--map-root-user', '--net', '--', '/usr/bin/true']).status === 0

describe.skipIf(process.platform === 'win32').each(['gitleaks', 'trufflehog'])('%s', (name) => {
  it('gets only the decoded texts, in a separate folder', async () => {
    const { site, env, call, temp } = stage(name)
    await runProcess(['check', site, '--no-config', '--scanner', name], { cwd: useTempDir(), env })
    const { args, cwd, env: seen, texts, config } = call()
    for (const text of [cwd, ...args]) expect(text).not.toContain(site)
    expect(cwd).toContain(temp)
    expect(Object.keys(texts).every((file) => /^\d+-\d+\.txt(?:\.base64\.txt)?$/.test(file))).toBe(true)
    expect(Object.values(texts).filter((text) => text.includes(value))).toHaveLength(2)
    expect(Object.values(texts).join('')).not.toMatch(/gitleaks:allow|trufflehog:ignore/)
    expect(Object.keys(seen).filter((key) => /AWS|GH_|GITLEAKS/.test(key))).toEqual([])
    expect(seen['HOME']).toContain(temp)
    expect(seen['HTTPS_PROXY']).toBe('http://127.0.0.1:9')
    if (name === 'gitleaks') expect(config).toContain('useDefault = true')
    expect(args).toContain(name === 'gitleaks' ? '--ignore-gitleaks-allow' : '--no-verification')
    expect(readdirSync(temp)).toEqual([])
  })

  it('gets no marker that suppresses findings, also not across two windows of a long text', async () => {
    const { site, env, call } = stage(name)
    const order = `${name}:${name === 'gitleaks' ? 'allow' : 'ignore'}`
    const border = (1 << 20) - (32 << 10)
    const words = 'tulips and daffodils\n'.repeat(100_000)
    writeSite(site, { 'long.md': `${words.slice(0, border - 12)}${order}${words.slice(border, 1.2 * (1 << 20))}` })
    await runCli(['check', site, '--no-config', '--scanner', name], { cwd: useTempDir(), env })
    const texts = Object.values(call().texts).join('')
    expect(texts).toContain(order.replace(':', ' '))
    expect(texts).not.toContain(order)
  })

  it('is never taken from the site, whatever its folders are called', async () => {
    const { site, env } = stage(name)
    const folder = join(site, '..tools')
    mkdirSync(folder)
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
    const run = await runCli(['check', site, '--no-config', '--scanner', name], {
      cwd: useTempDir(),
      env: { ...env, PATH: folder },
    })
    expect(run.stderr).toContain(`\`${name}\` is not on the path`)
    expect(run.status).toBe(2)
  })

  it.skipIf(!hasNamespaces)('has no network', async () => {
    const { site, env, call } = stage(name)
    await runCli(['check', site, '--no-config', '--scanner', name], { cwd: useTempDir(), env })
    expect(call().online).toBe(false)
  })

  it('reports what it found with line, anchor and fingerprint, but never the value', async () => {
    const { site, env } = stage(name)
    const args = ['check', site, '--no-config', '--scanner', name]
    const run = await runCli([...args, '--json'], { cwd: useTempDir(), env })
    expect(run.status).toBe(1)
    const { findings } = JSON.parse(run.stdout) as { findings: Record<string, unknown>[] }
    const rule = `secret/${name}-${name === 'gitleaks' ? 'flower-rule' : 'flower'}`
    const own = findings.filter(({ ruleId }) => ruleId === rule)
    expect(own).toMatchObject([
      { file: 'a.md', line: 2, level: 'warning', fingerprint: expect.stringMatching(/^[\da-f]{16}$/) },
      { file: 'index.html', place: 'l7', level: 'warning' },
    ])
    expect(own[0]?.['fingerprint']).toBe(own[1]?.['fingerprint'])
    const text = await runCli(args, { cwd: useTempDir(), env })
    expect(`${run.stdout}${run.stderr}${text.stdout}${text.stderr}`).not.toContain(value)
  })

  it('stops `publish`, unless a waiver in the configuration accepts the finding', async () => {
    const { site, env } = stage(name)
    const cwd = useTempDir()
    const check = await runCli(['check', site, '--no-config', '--scanner', name, '--json'], { cwd, env })
    const { findings } = JSON.parse(check.stdout) as { findings: { ruleId: string; fingerprint?: string }[] }
    const fingerprint = findings.find(({ ruleId }) => ruleId.includes(name))?.fingerprint
    const publish = ['publish', 'dir', '--out', site, '--to', join(cwd, 'www'), '--scanner', name]
    const refused = await runCli(publish, { cwd, env })
    expect(refused.stderr).toContain(`secret/${name}-flower`)
    expect([refused.status, existsSync(join(cwd, 'www'))]).toEqual([1, false])
    writeFileSync(
      join(cwd, 'site.config.ts'),
      `export default { waivers: { '${fingerprint}': 'the name of a flower' } }`,
    )
    const passed = await runCli(publish, { cwd, env })
    expect(passed.stderr).not.toContain(`secret/${name}-flower`)
  })

  it('with an overlong report counts as failed', async () => {
    const report = `Buffer.concat([Buffer.alloc(65 << 20, ' '), Buffer.from('[]')])`
    const write = {
      gitleaks: `require('node:fs').writeFileSync(process.argv[process.argv.indexOf('--report-path') + 1], ${report})`,
      trufflehog: `process.stdout.write(${report})`,
    }[name]
    const { site, env } = stage(name, `#!${process.execPath}\n${write}`)
    const run = await runCli(['check', site, '--no-config', '--scanner', name], { cwd: useTempDir(), env })
    expect(run.stderr).toContain('gave no readable report; it checked nothing')
    expect(run.status).toBe(2)
  })

  it.each(['process.exit(3)', 'console.log("no report")', ''])(
    'that fails does not count as a clean site: %s',
    async (code) => {
      const { site, env, temp } = stage(
        name,
        `#!${process.execPath}\n${code}${name === 'trufflehog' ? '\nprocess.exit(1)' : ''}`,
      )
      const run = await runCli(['check', site, '--no-config', '--scanner', name], { cwd: useTempDir(), env })
      expect([run.status, run.stdout]).toEqual([2, ''])
      expect(run.stderr).toContain('it checked nothing')
      expect(readdirSync(temp)).toEqual([])
    },
  )
})

it('the texts for a scanner are removed if the terminal is closed', async () => {
  const { site, env, temp } = stage('gitleaks', `#!${process.execPath}\nsetInterval(() => {}, 1000)\n`)
  let isClosed = false
  const run = await runProcess(['check', site, '--scanner', 'gitleaks'], {
    env,
    onStderr(text, kill) {
      if (isClosed || !text.includes('Reading the files')) return
      isClosed = true
      kill('SIGHUP')
    },
  })
  expect(run.signal, run.stderr).toBe('SIGHUP')
  expect(readdirSync(temp)).toEqual([])
})

it('a scanner that is missing, unknown or has no site is wrong use', async () => {
  const site = join(useTempDir(), 'site')
  mkdirSync(site)
  writeSite(site, { 'index.html': page('') })
  const cwd = useTempDir()
  const absent = await runCli(['check', site, '--scanner', 'gitleaks'], { cwd, env: { PATH: '/nowhere' } })
  expect(absent).toMatchObject({ status: 2, stderr: expect.stringContaining('`gitleaks` is not on the path') })
  const sessions = await runCli(['check', '--scanner', 'gitleaks'], { cwd })
  expect(sessions).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('`--scanner` reads the texts of a built site'),
  })
  expect((await runCli(['check', site, '--scanner', 'sh'], { cwd })).status).toBe(2)
})

it('`check` and `publish` stop if only secretlint or a random value indicates a secret', async () => {
  const shopify = ['shpat', '3f9a1c7e5b2d8046', 'f1a3c5e7092b4d6f'].join('_').replace(/_(?=f1)/, '')
  const site = join(useTempDir(), 'site')
  mkdirSync(site)
  writeSite(site, {
    'a.md': `Say ${shopify} to them.\n`,
    'build-report.json': '{"redacted":true}',
    'index.html': page(''),
  })
  const cwd = useTempDir()
  const check = await runCli(['check', site], { cwd })
  expect(check.status).toBe(1)
  expect(check.stdout).toMatch(/a\.md:1 .*Fingerprint: [\da-f]{16}/)
  const publish = await runCli(['publish', 'dir', '--out', site, '--to', join(cwd, 'www')], { cwd })
  expect([publish.status, existsSync(join(cwd, 'www'))]).toEqual([1, false])
  expect(`${check.stdout}${publish.stderr}`).not.toContain(shopify)
})
