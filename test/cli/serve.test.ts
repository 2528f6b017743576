import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { requireBuild, runProcess } from '../helpers/cli.ts'
import { writeFolder } from '../helpers/folder.ts'
import { useTempDir } from '../helpers/temp.ts'

const sample = fileURLToPath(new URL('../../fixtures/home', import.meta.url))

beforeAll(requireBuild)

test('serve builds the site, answers on 127.0.0.1, and ends with exit code 0 on Ctrl-C', async () => {
  const cwd = useTempDir()
  let answer: Promise<[number, string]> | undefined
  const run = await runProcess(['serve', '--port', '0', '--codex-home', sample, '--no-search'], {
    cwd,
    env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    onStderr: (text, kill) => {
      const url = text.match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0]
      if (url === undefined || answer !== undefined || !text.includes('Built ')) return
      answer = fetch(url).then(async (response) => [response.status, await response.text()])
      answer.finally(() => kill('SIGINT'))
    },
  })
  expect(run.status, run.stderr).toBe(0)
  expect(run.stdout).toBe('')
  expect(run.stderr).toMatch(/Stopped\.\n$/)
  const [status, page] = (await answer) ?? [0, '']
  expect(status).toBe(200)
  expect(page).toContain('<title>Codex sessions')
})

test('serve announces no address if the site cannot be written', async () => {
  const cwd = useTempDir()
  const out = join(cwd, 'site')
  writeFolder(out, { 'notes.txt': 'not a site' })
  const run = await runProcess(['serve', '--port', '0', '--codex-home', sample], {
    cwd,
    env: { XDG_CACHE_HOME: join(cwd, 'cache') },
  })
  expect(run.status).toBe(2)
  expect(run.stderr).toMatch(/`notes\.txt` but no site/)
  expect(run.stderr).not.toContain('http://')
})

test('serve announces no address if a home is missing', async () => {
  const cwd = useTempDir()
  const run = await runProcess(['serve', '--port', '0', '--codex-home', 'nope'], { cwd })
  expect(run).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^codex-export: Cannot look for sessions in .*\n$/),
  })
})

test('Ctrl-C while the site is being built is an interrupt', async () => {
  const cwd = useTempDir()
  let asked = false
  const run = await runProcess(['serve', '--port', '0', '--codex-home', sample], {
    cwd,
    env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    onStderr: (text, kill) => {
      if (!asked && text.includes('Rendering')) {
        asked = true
        kill('SIGINT')
      }
    },
  })
  expect(run.status, run.stderr).toBe(130)
})

test('serve answers while it builds: with the list of sessions, or with the old site', async () => {
  const cwd = useTempDir()
  const args = ['serve', '--port', '0', '--codex-home', sample, '--no-search']
  const answers: Promise<{ status: number; text: string }>[] = []
  const visit = (text: string, kill: (signal: NodeJS.Signals) => void): void => {
    const url = text.match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0]
    if (url === undefined || answers.length > 0) return
    answers.push(fetch(url).then(async (response) => ({ status: response.status, text: await response.text() })))
    answers[0]?.finally(() => kill('SIGINT'))
  }
  const options = { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } }
  await runProcess(args, { ...options, onStderr: visit })
  const first = await answers.pop()
  expect(first?.status).toBe(200)
  expect(first?.text).toContain('The site is being built.')
  expect((await runProcess(['build', ...args.slice(3)], options)).status).toBe(0)
  // With other options, the site is built again while the old one is served.
  await runProcess([...args, '--redact-emails'], { ...options, onStderr: visit })
  const second = await answers.pop()
  expect(second?.status).toBe(200)
  expect(second?.text).toContain('<title>Codex sessions')
})

/** A connection to a port of this machine with the answer to one request; `undefined` if the server closed it. */
async function ask(
  port: number,
  method: string,
  socket = connect(port, '127.0.0.1'),
): Promise<[Socket, string] | undefined> {
  const answer = new Promise<string | undefined>((resolve) => {
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined))
  })
  socket.write(`${method} / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  const text = await answer
  return text === undefined ? undefined : [socket, text]
}

test.skipIf(process.platform === 'win32')(
  'a page is available again after too many files were open, and is never called missing',
  async () => {
    const cwd = useTempDir()
    const answers: string[] = []
    const visit = async (port: number): Promise<void> => {
      const open: Socket[] = []
      // A refused request opens no file: only connections use up the open files of the process.
      for (let next = await ask(port, 'POST'); next !== undefined; next = await ask(port, 'POST')) open.push(next[0])
      answers.push((await ask(port, 'GET', open[0]))?.[1] ?? '')
      for (const socket of open) socket.destroy()
      for (let isBack = false; !isBack; ) isBack = (await ask(port, 'GET'))?.[1].startsWith('HTTP/1.1 200 ') === true
      answers.push('back')
    }
    let hasBegun = false
    const run = await runProcess(['serve', '--port', '0', '--codex-home', sample, '--no-search'], {
      ...{ cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') }, maxOpenFiles: 128 },
      onStderr: (text, kill) => {
        const port = text.match(/http:\/\/127\.0\.0\.1:(\d+)\//)?.[1]
        if (port === undefined || hasBegun || !text.includes('Built ')) return
        hasBegun = true
        visit(Number(port)).finally(() => kill('SIGINT'))
      },
    })
    expect(run.status, run.stderr).toBe(0)
    expect(answers[0]).toMatch(/^HTTP\/1\.1 503 .*\nRetry-After: 1\r\n.*Too many files are open at once; ask again\./s)
    expect(answers[1]).toBe('back')
  },
)
