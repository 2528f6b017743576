import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { readFolder, writeFolder } from '../helpers/folder.ts'
import { threadId } from '../helpers/rollout.ts'
import { useTempDir } from '../helpers/temp.ts'

beforeAll(requireBuild)

const time = '2026-03-14T09:26:10.000Z'

function lineOf(type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: time, type, payload })}\n`
}

function metaOf(id: string): string {
  return lineOf('session_meta', { id, timestamp: time, cwd: '/home/sam/shop' })
}

/** A folder with one rollout of very many very short records. */
function manyRecords() {
  const cwd = useTempDir()
  const id = threadId(1)
  const path = join(cwd, `logs/rollout-2026-03-14T09-26-10-${id}.jsonl`)
  mkdirSync(join(cwd, 'logs'))
  const records = lineOf('event_msg', { type: 'agent_message', message: 'x' }).repeat(150_000)
  writeFileSync(path, metaOf(id) + records)
  return { cwd, path, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
}

const commands: [name: string, args: (path: string) => string[], until: string][] = [
  ['build while it reads', () => ['build', '--codex-home', 'logs'], 'Reading sessions'],
  ['build while it renders', () => ['build', '--codex-home', 'logs'], 'Rendering sessions'],
  ['list', () => ['list', '--codex-home', 'logs'], 'Reading sessions'],
  ['check', () => ['check', '--codex-home', 'logs'], 'Checking sessions'],
  ['show', (path) => ['show', path, '--format', 'html', '--output', 'page.html'], 'Looking for sessions'],
  ['context', (path) => ['context', path], 'Reading the session'],
]

test.each(commands)('%s stops on SIGTERM while it reads very many records', async (_, args, until) => {
  const { cwd, path, env } = manyRecords()
  let isAsked = false
  let after = ''
  const run = await runProcess(args(path), {
    cwd,
    env,
    onStderr(text, kill) {
      if (isAsked) after = text.slice(text.indexOf(until))
      if (isAsked || !text.includes(until)) return
      isAsked = true
      kill('SIGTERM')
    },
  })
  expect(run.status, run.stderr).toBe(143)
  expect(after).toContain('Stopping. Press Ctrl-C again to stop at once.\n')
  expect(after).not.toContain('Indexing')
  expect(run.stdout).toBe('')
  expect(existsSync(join(cwd, 'site'))).toBe(false)
  expect(existsSync(join(cwd, 'page.html'))).toBe(false)
})

test('a killed build is continued by the next one, and the old site is unchanged until then', async () => {
  const cwd = useTempDir()
  const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
  for (let number = 1; number <= 40; number++) {
    const id = threadId(number)
    const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Mend ${number}` }] }
    const text = metaOf(id) + lineOf('response_item', prompt).repeat(number % 8 === 0 ? 300 : 1)
    writeFolder(cwd, { [`logs/rollout-2026-03-14T09-26-10-${id}.jsonl`]: text })
  }
  const plain = ['build', '--codex-home', 'logs', '--no-search', '--json']
  const build = [...plain, '--cache', 'kept']
  expect((await runProcess([...build, '--id', threadId(1)], { cwd, env })).status).toBe(0)
  const site = readFolder(join(cwd, 'site'))
  let timer: NodeJS.Timeout | undefined
  const killed = await runProcess(build, {
    cwd,
    env,
    onStderr(_, kill) {
      timer ??= setInterval(() => {
        if (keptSessions(join(cwd, 'kept')) >= 10) kill('SIGKILL')
      }, 1)
    },
  })
  clearInterval(timer)
  expect(killed.signal).toBe('SIGKILL')
  const found = Object.entries(readFolder(join(cwd, 'site'))).filter(([path]) => !path.startsWith('.staging-'))
  expect(Object.fromEntries(found)).toEqual(site)
  const next = await runProcess(build, { cwd, env })
  const { sessions, rendered } = JSON.parse(next.stdout) as { sessions: number; rendered: number }
  expect(sessions).toBe(40)
  expect(rendered).toBeLessThanOrEqual(30)
  await runProcess([...plain, '--out', 'whole'], { cwd, env })
  expect(readFolder(join(cwd, 'site'))).toEqual(readFolder(join(cwd, 'whole')))
})

/** The number of sessions that a build has logged so far. */
function keptSessions(cache: string): number {
  const name = existsSync(cache) ? readdirSync(cache).find((entry) => entry.startsWith('unsaved-')) : undefined
  const text = name === undefined ? '' : readFileSync(join(cache, name), 'utf8')
  // A session is logged again when more is known about it.
  return new Set(text.match(/(?<=^\w+ )\["session [^"]+"/gm)).size
}
