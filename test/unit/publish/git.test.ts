import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type GitTarget, publishToBranch } from '../../../src/features/publish/git-fs.ts'
import { settingVariables } from '../../../src/features/publish/git-texts.ts'
import { type PublishPlan, refuseWithdrawal } from '../../../src/features/publish/plan.ts'
import { openBuiltSite, siteFiles } from '../../../src/features/publish/site-fs.ts'

import { loginSettings, originOf } from '../../../src/features/publish/workflow-fs.ts'
import { writeFolder } from '../../helpers/folder.ts'
import { bareRepository, commitAsOther, filesAt, git, reachableContents } from '../../helpers/git.ts'
import { missedByReaders, smallSite, writeSite } from '../../helpers/small-site.ts'
import { useTempDir } from '../../helpers/temp.ts'
import { tracesOf } from '../../helpers/traces.ts'

const before = smallSite({ sessions: { alder: 'the word quokka', birch: 'two' } })
const after = smallSite({ sessions: { birch: 'two, mended', cedar: 'three' }, css: 'p{margin:0}' })

const usual = {
  branch: 'gh-pages',
  history: false,
  author: 'Codex sites <sites@example.org>',
  message: 'Publish',
  now: 0,
}

/** Publishes the folder of a site; `env` is the user's environment. */
async function publish(site: string, place: Partial<GitTarget> & { remote: string }, env = {}, dryRun = false) {
  const { root } = openBuiltSite(site)
  const files = [...siteFiles(openBuiltSite(site), 'git')]
  const signal = new AbortController().signal
  const check = (plan: PublishPlan): void => refuseWithdrawal(plan, place.remote)
  const home = { PATH: process.env['PATH'], HOME: site, GIT_CONFIG_NOSYSTEM: '1', ...env }
  return await publishToBranch(files, { ...usual, ...place }, { root, dryRun, check, env: home, signal })
}

function commits(remote: string, branch = 'gh-pages'): number {
  return Number(git(remote, 'rev-list', '--count', branch))
}

test('a branch holds the site in one commit by the given author', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  const { commit } = await publish(site, { remote })
  expect(filesAt(remote, 'gh-pages')).toEqual(before)
  expect(git(remote, 'log', '-1', '--format=%H %an %ae %cn %at %s', 'gh-pages')).toBe(
    `${commit} Codex sites sites@example.org Codex sites 0 Publish\n`,
  )
  expect(await publish(site, { remote })).not.toHaveProperty('commit')
  expect(commits(remote)).toBe(1)
})

test('removed files are reachable from the branch with history, and not without it', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote, history: true })
  writeSite(parent, after)
  await publish(site, { remote, history: true })
  expect(commits(remote)).toBe(2)
  expect(Object.values(filesAt(remote, 'gh-pages')).join()).not.toContain('quokka')
  expect(tracesOf('quokka', reachableContents(remote))).not.toEqual([])
  const again = await publish(site, { remote })
  expect(again).toMatchObject({ added: [], changed: [], removed: [] })
  expect(commits(remote)).toBe(1)
  expect(tracesOf('quokka', reachableContents(remote))).toEqual([])
  expect(filesAt(remote, 'gh-pages')).toEqual(after)
})

test('a remote that supports partial clones gets the changed site, and no object is missing', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  git(remote, 'config', 'uploadpack.allowFilter', 'true')
  const site = writeSite(parent, before)
  await publish(site, { remote: `file://${remote}` })
  writeSite(parent, after)
  await publish(site, { remote: `file://${remote}` })
  expect(filesAt(remote, 'gh-pages')).toEqual(after)
  expect(git(remote, 'fsck', '--connectivity-only')).not.toContain('missing')
})

test('a CNAME file that the host keeps in the branch stays', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote })
  const tree = git(remote, 'ls-tree', 'gh-pages')
  const name = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: remote,
    input: 'logs.example.org',
    encoding: 'utf8',
  })
  const input = `${tree}100644 blob ${name.trim()}\tCNAME\n`
  const withName = execFileSync('git', ['mktree'], { cwd: remote, input, encoding: 'utf8' }).trim()
  git(remote, 'update-ref', 'refs/heads/gh-pages', git(remote, 'commit-tree', withName, '-m', 'Name').trim())
  writeSite(parent, after)
  await publish(site, { remote })
  expect(filesAt(remote, 'gh-pages')).toEqual({ ...after, CNAME: 'logs.example.org' })
})

test('a branch with other content is refused and not changed', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  const commit = commitAsOther(remote, 'main', { 'thesis.md': 'mine' })
  await expect(publish(site, { remote, branch: 'main' })).rejects.toThrow('contains other files, such as `thesis.md`')
  expect(git(remote, 'rev-parse', 'main').trim()).toBe(commit)
})

test('files of others in the branch keep their history', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote, history: true })
  const listing = git(remote, 'ls-tree', 'gh-pages').split('\n')
  const [manifest = ''] = listing.filter((line) => line.endsWith('\tmanifest.json'))
  const input = `${listing.filter((line) => line !== '').join('\n')}\n${manifest.replace('manifest.json', 'thesis.json')}\n`
  const tree = execFileSync('git', ['mktree'], { cwd: remote, input, encoding: 'utf8' }).trim()
  git(remote, 'update-ref', 'refs/heads/gh-pages', git(remote, 'commit-tree', tree, '-m', 'Thesis').trim())
  writeSite(parent, after)
  await expect(publish(site, { remote })).rejects.toThrow('such as `thesis.json`, and would lose their history')
  await publish(site, { remote, history: true })
  expect(Object.keys(filesAt(remote, 'gh-pages'))).toContain('thesis.json')
})

test.each([
  ['a link where the site has a folder', 'assets', 'assets'],
  ['a folder where the site has a file', 'index.html', 'index.html/notes.txt'],
])('%s is refused, also with history', async (_, path, named) => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote })
  const kept = git(remote, 'ls-tree', 'gh-pages')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(`\t${path}`))
  const blob = git(remote, 'hash-object', '-w', '--', join(site, 'index.html')).trim()
  const mktree = (input: string): string =>
    execFileSync('git', ['mktree'], { cwd: remote, input, encoding: 'utf8' }).trim()
  const folder = mktree(`100644 blob ${blob}\tnotes.txt\n`)
  const entry = path === 'assets' ? `120000 blob ${blob}\tassets` : `040000 tree ${folder}\tindex.html`
  const commit = git(remote, 'commit-tree', mktree(`${[...kept, entry].join('\n')}\n`), '-m', 'Mine').trim()
  git(remote, 'update-ref', 'refs/heads/gh-pages', commit)
  writeSite(parent, after)
  await expect(publish(site, { remote, history: true })).rejects.toThrow(
    `contains \`${named}\`, which was not published`,
  )
  expect(git(remote, 'rev-parse', 'gh-pages').trim()).toBe(commit)
})

test('nothing is published over a commit that was pushed in the meantime', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote })
  writeSite(parent, after)
  const bin = join(parent, 'bin')
  // A git that lets somebody else push just before we do.
  const other = git(remote, 'commit-tree', git(remote, 'mktree', '--missing').trim() || '', '-m', 'Other').trim()
  writeFolder(bin, {
    git: `#!/bin/sh\ncase " $* " in *" push "*) ${whichGit()} -C '${remote}' update-ref refs/heads/gh-pages ${other};; esac\nexec ${whichGit()} "$@"\n`,
  })
  chmodSync(join(bin, 'git'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  await expect(publish(site, { remote }, env)).rejects.toThrow(/git says: .*(?:stale info|rejected).*publish again/)
  expect(git(remote, 'rev-parse', 'gh-pages').trim()).toBe(other)
})

test('a kill at any call of git leaves the old or the new site, and the next publish completes it', async () => {
  const parent = useTempDir()
  const bin = join(parent, 'bin')
  const callsLeft = join(parent, 'left')
  writeFolder(bin, {
    git: `#!/bin/sh\nn=$(cat '${callsLeft}')\n[ "$n" -le 0 ] && exit 137\necho $((n - 1)) > '${callsLeft}'\nexec ${whichGit()} "$@"\n`,
  })
  chmodSync(join(bin, 'git'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  await publish(site, { remote })
  writeSite(parent, after)
  for (let calls = 0; ; calls++) {
    writeFileSync(callsLeft, String(calls))
    const isDone = await publish(site, { remote }, env).then(
      () => true,
      () => false,
    )
    const files = filesAt(remote, 'gh-pages')
    expect(missedByReaders(files)).toEqual([])
    expect([before, after]).toContainEqual(files)
    if (isDone) break
    expect(calls).toBeLessThan(40)
  }
  expect(filesAt(remote, 'gh-pages')).toEqual(after)
})

test('hooks, settings and repositories of the user have no effect', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  const own = join(parent, 'own')
  git(parent, 'init', '--quiet', own)
  const trace = join(parent, 'trace')
  const hook = `#!/bin/sh\necho ran >> '${trace}'\nexit 1\n`
  writeFolder(parent, {
    'hooks/pre-push': hook,
    'hooks/post-index-change': hook,
    '.gitconfig': `[core]\n\thooksPath = ${parent}/hooks\n\tautocrlf = true\n[commit]\n\tgpgSign = true\n[init]\n\ttemplateDir = ${parent}\n`,
  })
  for (const name of readdirSync(join(parent, 'hooks'))) chmodSync(join(parent, 'hooks', name), 0o755)
  const env = { HOME: parent, GIT_DIR: join(own, '.git'), GIT_WORK_TREE: own, GIT_INDEX_FILE: join(own, 'index') }
  await publish(site, { remote }, env)
  expect(filesAt(remote, 'gh-pages')).toEqual(before)
  expect(existsSync(trace)).toBe(false)
  expect(existsSync(join(own, 'index'))).toBe(false)
})

test('neither a plan nor a failure leaves a temporary folder, and a plan pushes nothing', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  const site = writeSite(parent, before)
  const temp = useTempDir()
  vi.stubEnv('TMPDIR', temp)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const [bin, seen] = [join(parent, 'bin'), join(parent, 'seen')]
  writeFolder(bin, { git: `#!/bin/sh\nls '${temp}' >> '${seen}'\nexec ${whichGit()} "$@"\n` })
  chmodSync(join(bin, 'git'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  /** Names of the temporary folders that were there when git ran. */
  const foldersSeen = (): string[] => {
    const names = new Set(readFileSync(seen, 'utf8').trim().split('\n'))
    rmSync(seen)
    return [...names]
  }
  const plan = await publish(site, { remote }, env, true)
  expect(plan.added).toHaveLength(Object.keys(before).length)
  expect(git(remote, 'for-each-ref')).toBe('')
  expect(foldersSeen()).toEqual([expect.stringMatching(/^codex-export-/)])
  expect(readdirSync(temp)).toEqual([])
  await expect(publish(site, { remote: join(parent, 'absent.git') }, env)).rejects.toThrow('git says: ')
  expect(foldersSeen()).toEqual([expect.stringMatching(/^codex-export-/)])
  expect(readdirSync(temp)).toEqual([])
})

test('the error names git if it is not installed', async () => {
  const parent = useTempDir()
  const site = writeSite(parent, before)
  await expect(publish(site, { remote: parent }, { PATH: parent })).rejects.toThrow('`git`, which was not found')
})

test('a password in the address of a repository is not repeated in the error', async () => {
  const site = writeSite(useTempDir(), before)
  const remote = 'https://sam:hunter2@127.0.0.1:1/sessions.git'
  const failure = await publish(site, { remote }).catch((error: unknown) => String(error))
  expect(failure).toContain('127.0.0.1')
  expect(failure).not.toContain('hunter2')
})

test('the remote `origin` of the working folder is found, also if its path is relative', async () => {
  const parent = useTempDir()
  const host = { env: { PATH: process.env['PATH'], HOME: parent }, signal: new AbortController().signal }
  await expect(originOf(parent, host)).rejects.toThrow('needs a repository')
  git(parent, 'init', '--quiet', 'own')
  git(join(parent, 'own'), 'remote', 'add', 'origin', '../remote.git')
  writeFolder(join(parent, 'own'), { 'deep/file': '' })
  expect(await originOf(join(parent, 'own/deep'), host)).toBe(join(parent, 'remote.git'))
})

test("only the HTTP login is taken from the settings of the working folder's repository", async () => {
  const parent = useTempDir()
  const env = {
    PATH: process.env['PATH'],
    HOME: parent,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'a.b',
    GIT_CONFIG_VALUE_0: 'c',
  }
  const host = { env, signal: new AbortController().signal }
  writeFolder(parent, { '.gitconfig': '[http]\n\tproxy = http://127.0.0.1:1\n' })
  expect(await loginSettings(parent, host)).toEqual([])
  git(parent, 'init', '--quiet', 'own')
  const own = join(parent, 'own')
  git(own, 'config', 'http.https://git.example.org/.extraheader', 'Authorization: basic abc')
  git(own, 'config', 'core.editor', 'touch')
  const settings = await loginSettings(own, host)
  expect(settings).toEqual([['http.https://git.example.org/.extraheader', 'Authorization: basic abc']])
  expect(settingVariables(settings, env)).toEqual({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: 'http.https://git.example.org/.extraheader',
    GIT_CONFIG_VALUE_1: 'Authorization: basic abc',
  })
  expect(settingVariables([], {})).toEqual({})
})

function whichGit(): string {
  return execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
}

test('a branch does not lose most of its sessions unless that is allowed', async () => {
  const parent = useTempDir()
  const remote = bareRepository(parent)
  await publish(writeSite(parent, smallSite({ sessions: { alder: 'one', birch: 'two' } })), { remote })
  const files = filesAt(remote, 'gh-pages')
  const site = writeSite(parent, smallSite({ sessions: {} }))
  await expect(publish(site, { remote })).rejects.toMatchObject({ losses: [{ had: 2, has: 0, lost: 2 }] })
  expect(filesAt(remote, 'gh-pages')).toEqual(files)
})
