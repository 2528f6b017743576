/** `build --shard` and `merge`: one site from several machines. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ProcessOptions, requireBuild, runCli, runProcess } from '../helpers/cli.ts'
import { readFolder } from '../helpers/folder.ts'
import { goldenHomes } from '../helpers/golden-homes.ts'
import { noise } from '../helpers/planted.ts'
import * as r from '../helpers/records.ts'
import { writeSecretFamily, writeSession } from '../helpers/site-build.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const [first, second, third] = [threadNumber(1), threadNumber(2), threadNumber(3)]
const secret = `${noise(5, 7)}x4Q${noise(6, 7)}`
const others = goldenHomes().flatMap(({ path }) => ['--codex-home', path])

/** A home in which the last session of a family reveals a secret of all its sessions. */
function home(): string {
  const cwd = useTempDir()
  writeSecretFamily(cwd, [first, second, third], secret)
  return cwd
}

function call(cwd: string, args: string[], change: ProcessOptions = {}) {
  const run = change.onStderr === undefined ? runCli : runProcess
  return run([...args, '--codex-home', 'home', '--json'], { cwd, env: { HOME: cwd }, ...change })
}

async function shard(cwd: string, part: string, args: string[] = [], change: ProcessOptions = {}) {
  const run = await call(cwd, ['build', '--shard', part, ...args], change)
  return { ...run, result: run.stdout === '' ? {} : JSON.parse(run.stdout) }
}

describe('shards', () => {
  it('give the bytes of a whole build, for any number of them', async () => {
    const cwd = home()
    const args = [...others, '--format', 'html,md,json']
    expect((await call(cwd, ['build', '--out', 'whole', '--cache', 'cache', ...args])).status).toBe(0)
    const whole = readFolder(join(cwd, 'whole'))
    expect(whole[`sessions/${first}/index.md`]).not.toContain(secret)
    for (const total of [1, 7]) {
      const folder = `shards-${total}`
      const parts = Array.from({ length: total }, (_, at) => `${at + 1}/${total}`)
      let sessions = 0
      for (const part of parts) sessions += (await shard(cwd, part, ['--shards', folder, ...args])).result.sessions
      const merged = await call(cwd, [
        'merge',
        '--shards',
        folder,
        '--out',
        folder.replace('shards', 'site'),
        '--cache',
        `${folder}-cache`,
        ...args,
      ])
      expect(JSON.parse(merged.stdout), merged.stderr).toMatchObject({ sessions, rendered: 0, failed: 0 })
      expect(readFolder(join(cwd, `site-${total}`))).toEqual(whole)
    }
  })

  it('may be killed, run again, lost and made again', async () => {
    const cwd = home()
    const whole = await call(cwd, ['build', '--out', 'whole', '--cache', 'cache', ...others])
    expect(whole.status, whole.stderr).toBe(0)
    let isKilled = false
    const killed = await shard(cwd, '1/2', others, {
      onStderr: (text, kill) => {
        if (isKilled || !text.includes('Rendering sessions')) return
        isKilled = true
        kill('SIGKILL')
      },
    })
    expect(killed.signal).toBe('SIGKILL')
    expect((await shard(cwd, '2/2', others)).status).toBe(0)
    const early = await call(cwd, ['merge', ...others])
    expect([early.status, early.stdout]).toEqual([2, ''])
    expect(early.stderr).toContain('Shards are missing in')
    expect(early.stderr).toContain('1/2')
    const again = await shard(cwd, '1/2', others)
    expect(again.result.sessions, again.stderr).toBeGreaterThan(0)
    expect((await shard(cwd, '1/2', others)).result).toMatchObject({ sessions: again.result.sessions, rendered: 0 })
    rmSync(join(cwd, 'shards/2-of-2'), { recursive: true })
    expect((await shard(cwd, '2/2', others)).status).toBe(0)
    const mark = join(cwd, 'shards/1-of-2/shard.json')
    const complete = readFileSync(mark, 'utf8')
    writeFileSync(mark, complete.slice(0, 20))
    expect((await call(cwd, ['merge', ...others])).stderr).toContain('Shards are missing in')
    writeFileSync(mark, complete)
    const merged = await call(cwd, ['merge', ...others])
    expect(JSON.parse(merged.stdout), merged.stderr).toMatchObject({ rendered: 0 })
    expect(readFolder(join(cwd, 'site'))).toEqual(readFolder(join(cwd, 'whole')))
  })

  it('keep a family together, and sessions that changed since are read from their rollouts', async () => {
    const cwd = home()
    const parts = ['1/7', '2/7', '3/7', '4/7', '5/7', '6/7', '7/7']
    const sizes: number[] = []
    for (const part of parts) sizes.push((await shard(cwd, part)).result.sessions)
    expect(sizes.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 3])
    writeSession(cwd, threadNumber(4), [r.userItem('One more'), r.userEvent('One more')])
    expect(JSON.parse((await call(cwd, ['merge'])).stdout)).toMatchObject({ sessions: 4, rendered: 1 })
    expect(readdirSync(join(cwd, 'shards'))).toHaveLength(7)
  })

  it('replace what an earlier merge kept of a session, also in the index and the pages around it', async () => {
    const cwd = useTempDir()
    const merged = async (): Promise<void> => {
      await shard(cwd, '1/1', ['--shards', 'shards'])
      expect((await call(cwd, ['merge', '--shards', 'shards', '--out', 'site', '--cache', 'kept'])).status).toBe(0)
    }
    writeSession(cwd, first, [r.userItem('What was it?'), r.answerItem(`It was ${secret}.`)])
    await merged()
    // It grows, and only now reveals that its first answer was a secret.
    const revealing = r.command('tells', 'cat .env', 2, `DB_PASSWORD=${secret}\n`)
    writeSession(cwd, first, [r.userItem('What was it?'), r.answerItem(`It was ${secret}.`), ...revealing])
    await merged()
    expect((await call(cwd, ['build', '--out', 'whole', '--cache', 'other'])).status).toBe(0)
    expect(readFolder(join(cwd, 'site'))).toEqual(readFolder(join(cwd, 'whole')))
  })

  it('are refused if they were made with other options, or if there are none', async () => {
    const cwd = home()
    expect((await call(cwd, ['merge'])).stderr).toContain('There are no shards in')
    await shard(cwd, '1/1')
    const other = await call(cwd, ['merge', '--no-search'])
    expect([other.status, other.stdout]).toEqual([2, ''])
    expect(other.stderr).toContain('Shard 1/1 was built by another version, or with other options or templates')
    await shard(cwd, '1/2')
    expect((await call(cwd, ['merge'])).stderr).toContain('holds shards of 1, 2')
  })

  it('contain what plugins with a cache key add, and are refused for other plugins', async () => {
    const cwd = home()
    const configured = (name: string, key: string): string[] => {
      writeFileSync(
        join(cwd, name),
        `const session = () => ({ end: ({ turns }) => ({ fields: { turns: String(turns) }, panel: { heading: 'Turns', body: 'Counted.' } }) })
        export default { plugins: [{ name: 'turns', ${key} fields: { turns: { label: 'Turns', column: true, search: true } }, session }] }\n`,
      )
      return ['--config', name]
    }
    const refused = await shard(cwd, '1/2', configured('refused.mjs', ''))
    expect([refused.status, refused.stderr.includes('`cacheKey`')]).toEqual([2, true])
    const args = configured('site.config.mjs', "cacheKey: '1',")
    for (const part of ['1/2', '2/2']) await shard(cwd, part, args)
    const merged = await call(cwd, ['merge', ...args])
    expect(JSON.parse(merged.stdout), merged.stderr).toMatchObject({ sessions: 3, rendered: 0 })
    await call(cwd, ['build', '--out', 'whole', '--cache', 'cache', ...args])
    expect(readFolder(join(cwd, 'site'))).toEqual(readFolder(join(cwd, 'whole')))
    expect(readFolder(join(cwd, 'site'))[`sessions/${first}/index.html`]).toContain('Counted.')
  })

  it.each([
    ['3/2', [], 'I/N with I from 1 to N'],
    ['0/2', [], 'I/N with I from 1 to N'],
    ['1/2', ['--dry-run'], '`--dry-run` cannot be used with shards'],
    ['1/2', ['--password-file', 'password'], 'A locked site cannot be built in shards'],
  ])('are refused as %s with %j', async (part, args, message) => {
    const run = await shard(home(), part, args)
    expect([run.status, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toContain(message)
  })

  it('take their numbers from the environment with `auto`', async () => {
    const cwd = home()
    const env = { HOME: cwd, JOB_COMPLETION_INDEX: '1', JOB_COMPLETIONS: '2' }
    expect((await shard(cwd, 'auto', [], { env })).result).toMatchObject({ index: 2, total: 2 })
    const lacking = await shard(cwd, 'auto', [], { env: { HOME: cwd, JOB_COMPLETION_INDEX: '1' } })
    expect([lacking.status, lacking.stderr.includes('`JOB_COMPLETIONS`')]).toEqual([2, true])
  })
})
