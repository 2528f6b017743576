/** A real Codex with a separate home, which uses a model on this machine. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenCodex, openCodex } from './app-server.ts'

/** A home and what can be done with it. */
export interface CodexHome {
  /** `CODEX_HOME`. */
  path: string
  /** Runs `codex exec` with a prompt, on a thread if one is given; returns what it printed, or throws if it fails. */
  exec(prompt: string, threadId?: string): Promise<string>
  /** Starts a Codex that stays open, with a new or a resumed thread. Close it. */
  open(threadId?: string): Promise<OpenCodex>
  /** Writes the configuration again, with further lines at its head. */
  configure(lines?: readonly string[]): void
  /** Absolute paths of rollouts, oldest first. */
  rollouts(): string[]
  /** Sets the time of a file to yesterday. */
  age(path: string): void
}

/** Creates a home in a folder. */
export function codexHome(bin: string, folder: string, modelUrl: string): CodexHome {
  const path = join(folder, '.codex')
  const project = join(folder, 'project')
  mkdirSync(join(path, 'sessions'), { recursive: true })
  mkdirSync(project, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    CODEX_HOME: path,
    MOCK_API_KEY: 'unused',
    NO_PROXY: '127.0.0.1',
  }
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
  const configure = (lines: readonly string[] = []): void =>
    writeFileSync(join(path, 'config.toml'), [...lines, ...configuration(modelUrl), ''].join('\n'))
  configure()
  return {
    path,
    configure,
    exec: (prompt, threadId) => {
      const resume = threadId === undefined ? [] : ['resume']
      const target = threadId === undefined ? [] : [threadId]
      return run(bin, ['exec', ...flags, ...resume, ...target, '--', prompt], { cwd: project, env })
    },
    open: (threadId) => openCodex(bin, { cwd: project, env }, threadId),
    rollouts: () =>
      readdirSync(join(path, 'sessions'), { recursive: true, encoding: 'utf8' })
        .filter((name) => /rollout-[^/\\]+\.jsonl$/.test(name))
        .sort()
        .map((name) => join(path, 'sessions', name)),
    age(file) {
      const yesterday = Date.now() / 1000 - 86_400
      utimesSync(file, yesterday, yesterday)
    },
  }
}

function configuration(modelUrl: string): string[] {
  return [
    'model = "gpt-5.4"',
    'model_provider = "mock"',
    'check_for_update_on_startup = false',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    '[model_providers.mock]',
    'name = "Mock"',
    `base_url = "${modelUrl}"`,
    'wire_api = "responses"',
    'env_key = "MOCK_API_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    '[analytics]',
    'enabled = false',
  ]
}

/** The thread id in the head of a rollout. */
export function threadOf(rollout: string): string {
  const [head = ''] = readFileSync(rollout, 'utf8').split('\n', 1)
  return String(JSON.parse(head).payload.id)
}

function run(bin: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<string> {
  // A separate process group, because the program that npm installs starts the real one, which would outlive it.
  const child = spawn(bin, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 60_000)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(limit)
      if (code === 0) resolve(printed)
      else reject(new Error(`codex ${args.slice(0, 2).join(' ')} ended with ${code}:\n${printed.slice(-2000)}`))
    })
  })
}
