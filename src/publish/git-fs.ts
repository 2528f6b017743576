/** The git program, run without a shell, without hooks and apart from any repository of the user. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { errorCode } from '../util/reason.ts'
import { withoutPassword } from './git-words.ts'

/** A bare repository of our own, in a folder that is removed afterwards. */
export interface Git {
  /** Runs a command and gives what it wrote. Throws a `UsageError` with what git said. */
  run(args: readonly string[], input?: GitInput): Promise<string>
}

/** What a command is given beside its arguments. */
export interface GitInput {
  stdin?: string
  /** Working folder; the repository itself without it. */
  cwd?: string
  env?: Readonly<Record<string, string>>
}

/** Surroundings of git. */
export interface GitHost {
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/** Variables that say where a repository is or what a commit holds: set, they would lead git to the user's own. */
const leading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|AUTHOR_\w+|COMMITTER_\w+|TEMPLATE_DIR|EXEC_PATH|EXTERNAL_DIFF|DEFAULT_HASH)$/

/** Makes a bare repository in an empty folder. Throws a `UsageError` where there is no git. */
export async function initGit(folder: string, host: GitHost): Promise<Git> {
  const repository = join(folder, 'repository')
  const settings = Object.entries({
    // An empty folder: the user's own hooks stay out.
    'core.hooksPath': join(folder, 'no-hooks'),
    'core.autocrlf': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'push.gpgSign': 'false',
    'init.defaultObjectFormat': 'sha1',
  }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const git: Git = {
    run: (args, input = {}) =>
      runGit([`--git-dir=${repository}`, ...settings, ...args], { host, cwd: input.cwd ?? repository, input }),
  }
  await runGit([...settings, 'init', '--quiet', '--bare', '--template=', '--', repository], {
    host,
    cwd: folder,
    input: {},
  })
  return git
}

/** Runs git in a folder of the user, to ask for something. `undefined` where it fails or says nothing. */
export async function askGit(cwd: string, args: readonly string[], host: GitHost): Promise<string | undefined> {
  try {
    const answer = (await runGit(args, { host, cwd, input: {} })).trimEnd()
    return answer === '' ? undefined : answer
  } catch (error) {
    host.signal.throwIfAborted()
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function runGit(
  args: readonly string[],
  { host, cwd, input }: { host: GitHost; cwd: string; input: GitInput },
): Promise<string> {
  const kept = Object.entries(host.env).filter(([name]) => !leading.test(name))
  const env = { ...Object.fromEntries(kept), ...input.env, LC_ALL: 'C' }
  const child = spawn('git', args, { cwd, env, signal: host.signal, stdio: ['pipe', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  let complaint = ''
  child.stdout.on('data', (piece: Buffer) => output.push(piece))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000)
  })
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  child.stdin.end(input.stdin ?? '')
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(host.signal.aborted ? error : explainStart(error)))
    child.once('close', (status) => {
      if (status === 0) return resolve(Buffer.concat(output).toString('utf8'))
      reject(new UsageError(`git says: ${withoutPassword(lastWords(complaint))}`))
    })
  })
}

function explainStart(error: Error): Error {
  if (errorCode(error) !== 'ENOENT') return error
  return new UsageError('`publish git` runs the program `git`, which was not found: install it.', { cause: error })
}

/** Lines of a complaint that tell what is wrong, without hints and progress. */
function lastWords(complaint: string): string {
  const lines = complaint
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('hint:'))
  return lines.slice(-3).join(' ')
}
