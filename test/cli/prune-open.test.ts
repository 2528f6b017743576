/** Rollouts that another program has open, or may have open. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasWriters, thisSystem } from '../../src/features/memory/open/probe-fs.ts'
import { type ProcessOptions, requireBuild, runProcess } from '../helpers/cli.ts'
import { age, type PruneHome, pruneHome } from '../helpers/prune.ts'
import { useTempDir } from '../helpers/temp.ts'
import { startWriter, type Writer } from '../helpers/writer.ts'

beforeAll(requireBuild)

const lines = Array.from({ length: 50 }, (_, index) => `{"type":"typed","payload":{"text":"${index}"}}`)

interface Session extends PruneHome {
  folder: string
  writer: Writer
  run: (args: string[], options?: ProcessOptions) => ReturnType<typeof runProcess>
}

/** A session, a program that may have it open, and commands about it. */
function session(): Session {
  const folder = useTempDir()
  const home = pruneHome(folder)
  const options = { cwd: folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } }
  return {
    ...home,
    folder,
    writer: startWriter(folder),
    run: ([command = '', ...args], more = {}) => {
      const env = { ...options.env, ...more.env }
      return runProcess([command, home.id, '--codex-home', home.home, ...args], { ...options, ...more, env })
    },
  }
}

const prune = ['prune', '--exclude', '3', '--in-place']

describe.skipIf(process.platform !== 'linux')('while a program has the rollout open', () => {
  test.each([
    ['prune', prune],
    ['prune with every flag', [...prune, '--force', '--assume-closed']],
    ['restore', ['restore', '--force', '--assume-closed']],
    ['undo', ['restore', '--undo', '--assume-closed']],
  ])('%s is refused, and nothing that is typed later is lost', async (_, args) => {
    const { run, writer, path, read, home } = session()
    if (args[0] === 'restore') expect((await run(prune)).status).toBe(0)
    const before = read()
    writer.open(path)
    age(path)
    const { status, stderr } = await run(args)
    expect(status).toBe(2)
    expect(stderr).toContain(`\`node\` (process ${writer.pid}) has \`rollout-`)
    for (const line of lines) writer.write(line)
    expect(read()).toBe(`${before}${lines.join('\n')}\n`)
    writer.close()
    age(path)
    expect((await run([...args, ...(args[0] === 'prune' ? ['--force'] : [])])).status).toBe(0)
    // A forced restore keeps them in the backup of what it replaced.
    const all = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:jsonl|bak)$/.test(name))
    expect(all.some((name) => readFileSync(join(home, name), 'utf8').includes(lines.join('\n')))).toBe(true)
  })

  test('a copy and a plan are made anyway', async () => {
    const { run, writer, path, folder } = session()
    writer.open(path)
    expect((await run(['prune', '--exclude', '3'])).status).toBe(0)
    expect((await run(['prune', '--exclude', '3', '--output', join(folder, 'copy.jsonl')])).status).toBe(0)
  })
})

const user = 4711
const cli = join(import.meta.dirname, '../../dist/cli.js')

/** Only root may run a command as another user, who cannot read a clone in a private folder. */
const canBeOther =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(cli)})`], { uid: user, cwd: '/' }).status === 0

/** Gives everything in a folder to a user who is not root. */
function giveAway(folder: string): void {
  chmodSync(folder, 0o755)
  chownSync(folder, user, user)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (!name.endsWith('.fifo')) chownSync(join(folder, name), user, user)
}

describe.skipIf(!canBeOther)('for a user who cannot inspect all processes', () => {
  test('the kernel reports whether there is a writer', async ({ skip }) => {
    const { run, writer, path, folder, read } = session()
    skip(hasWriters(thisSystem, path) === undefined, 'there is neither Perl nor Python, or the disk tells nothing')
    giveAway(folder)
    writer.open(path)
    age(path)
    const before = read()
    const { status, stderr } = await run(prune, { uid: user })
    expect([status, read()]).toEqual([2, before])
    expect(stderr).toMatch(/(?:Another program|A program that cannot be inspected.*) has `rollout-[^`]+` open/)
    writer.close()
    expect((await run(prune, { uid: user })).status).toBe(0)
    expect(read()).not.toBe(before)
  })

  test('a rollout counts as open if the kernel cannot be asked, unless --assume-closed is given', async () => {
    const { run, folder, read } = session()
    giveAway(folder)
    const options = { uid: user, env: { PATH: '/nowhere' } }
    const before = read()
    for (const args of [prune, [...prune, '--force']]) {
      const { status, stderr } = await run(args, options)
      expect([status, read()]).toEqual([2, before])
      expect(stderr).toMatch(/Cannot tell whether `rollout-[^`]+` is open in Codex: .*is lost\. .*`--assume-closed`/)
    }
    expect((await run([...prune, '--assume-closed'], options)).status).toBe(0)
    expect(read()).not.toBe(before)
  })

  const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

  test.skipIf(!hasScript).each([
    ['y', true],
    ['n', false],
    ['', false],
  ])('on a terminal the user is asked and answers "%s"', async (answer, isWritten) => {
    const { folder, id, home, read, path } = session()
    giveAway(folder)
    const before = readFileSync(path, 'utf8')
    const args = `prune ${id} --codex-home '${home}' --exclude 3 --in-place`
    const command = `PATH=/nowhere XDG_CACHE_HOME='${folder}/cache' '${process.execPath}' '${cli}' ${args}`
    const env = { PATH: process.env['PATH'], TERM: 'xterm', HOME: folder }
    const child = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: folder, uid: user })
    let shown = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const wasAsked = shown.includes('[y/N]')
      shown += text
      if (!wasAsked && shown.includes('[y/N]')) child.stdin.write(`${answer}\r`)
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(shown).toContain('Is the session closed? [y/N]')
    expect(read() !== before).toBe(isWritten)
  })
})
