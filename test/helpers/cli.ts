/** Runs the command line: from its sources in this process, or as users do, built and in a separate process. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from '../../src/cli/main.ts'
import { fakeWorld } from './world.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const bin = join(project, 'dist/cli.js')

/** The result of a run. */
export interface Run {
  /** `null` after a signal. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/**
 * Settings of a run. The environment contains only these, `PATH` with the program on it, a home that does not exist,
 * and the demo's configuration.
 */
export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
}

/** Settings of a run in a separate process. */
export interface ProcessOptions extends RunOptions {
  /** Arguments for Node itself. */
  node?: string[]
  /** User id that it runs as, if we may choose. */
  uid?: number
  /** How many files it may have open, set by the shell's `ulimit`. */
  maxOpenFiles?: number
  /** Can end the run, for example by Ctrl-C. Called with all text on stderr so far, after each piece of it. */
  onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void
}

/** A folder on `PATH` in which a shell finds `codex-export`, as after a global installation. */
const commands = join(project, 'node_modules/.codex-export')

/**
 * Puts the program there once for all test runs: a folder of a single worker would be left over if the worker is
 * killed.
 */
function install(): void {
  mkdirSync(commands, { recursive: true })
  if (process.platform === 'win32')
    writeFileSync(join(commands, 'codex-export.cmd'), `@node "%~dp0\\${relative(commands, bin)}" %*\r\n`)
  else if (!existsSync(join(commands, 'codex-export'))) linkOnce(join(commands, 'codex-export'))
}

function linkOnce(path: string): void {
  try {
    symlinkSync(relative(commands, bin), path)
  } catch (error) {
    // Another worker was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

install()

/** Time of the newest change below a folder, in milliseconds since the epoch. */
function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Math.max(...entries.filter((e) => e.isFile()).map((e) => statSync(join(e.parentPath, e.name)).mtimeMs))
}

/** Throws if `dist` is missing or older than the sources: a test of old code proves nothing. */
export function requireBuild(): void {
  const built = statSync(bin, { throwIfNoEntry: false }) ? newest(join(project, 'dist')) : 0
  if (built < newest(join(project, 'src')))
    throw new Error('`dist` is missing or older than `src`: run `npm run build`')
}

/** The folder in which a run works, and its complete environment. */
function surroundings({ cwd = project, env = {} }: RunOptions): { cwd: string; env: Record<string, string> } {
  // A run in the project's folder uses its configuration; in any other folder the configuration is what is tested.
  const config = cwd === project ? { CODEX_EXPORT_CONFIG: join(project, 'site.config.ts') } : {}
  const path = [commands, process.env['PATH']].join(delimiter)
  return { cwd, env: { PATH: path, TZ: 'UTC', HOME: join(project, 'no-such-home'), ...config, ...env } }
}

/**
 * Runs `codex-export` with arguments to its end, in this process: a third of the cost of a new one, which loads and
 * compiles everything again. `process.test.ts` shows that both do the same. Not for signals, threads, or what
 * libraries read from the environment of the process; and a configuration file is loaded only once, so another
 * configuration needs another file.
 */
export async function runCli(args: string[], options: RunOptions = {}): Promise<Run> {
  const { cwd, env } = surroundings(options)
  const world = fakeWorld(args, { cwd, env, homeDir: env['HOME'] ?? '', now: Date.now })
  const status = await main(world, () => import('../../src/program.ts'))
  return { status, signal: null, stdout: world.out(), stderr: world.err() }
}

/** Runs the built `codex-export` with arguments to its end, in a separate process. */
export function runProcess(args: string[], options: ProcessOptions = {}): Promise<Run> {
  const { node = [], uid, maxOpenFiles } = options
  const { cwd, env } = surroundings(options)
  const limit = maxOpenFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${maxOpenFiles}; exec "$@"`, 'sh']
  const [program = '', ...rest] = [...limit, process.execPath, ...node, bin, ...args]
  const child = spawn(program, rest, { cwd, env, ...(uid === undefined ? {} : { uid }) })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    options.onStderr?.(stderr, (signal) => child.kill(signal))
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => resolve({ status, signal, stdout, stderr }))
  })
}
