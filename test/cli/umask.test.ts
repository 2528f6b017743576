/** What a build stores in the cache folder is for its owner alone, whatever the umask. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { turnOf, writeSession } from '../helpers/site-build.ts'
import { threadNumber } from '../helpers/summary.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const open = ['--import', 'data:text/javascript,process.umask(0)']

test.skipIf(process.platform === 'win32')('folders of the cache are private under umask 000', async () => {
  const folder = useTempDir()
  writeSession(folder, threadNumber(1), turnOf('oil'))
  const env = { XDG_CACHE_HOME: join(folder, 'caches/mine'), HOME: folder }
  const args = ['build', '--codex-home', join(folder, 'home'), '--out', join(folder, 'site'), '--no-search']
  const run = await runProcess(args, { cwd: folder, env, node: open })
  expect(run.stderr).not.toContain('Error')
  expect(run.status).toBe(0)
  const modeOf = (path: string): number => statSync(join(folder, path)).mode & 0o777
  const made = ['caches', 'caches/mine', 'caches/mine/codex-export']
  for (const path of made) expect(modeOf(path) & 0o022, path).toBe(0)
  const inside = readdirSync(join(folder, 'caches/mine/codex-export'))
  expect(inside).toHaveLength(1)
  for (const name of inside) expect(modeOf(`caches/mine/codex-export/${name}`)).toBe(0o700)
})
