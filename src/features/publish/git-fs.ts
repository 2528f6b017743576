/** Runs git without a shell, without hooks and apart from any repository of the user, and publishes to a branch with it. */

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../diagnostics/errors.ts'
import { manifestName, obstaclesTo } from '../../site/output/paths.ts'
import { makeTempFolder } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { errorCode } from '../../util/reason.ts'
import { gitMessage, indexLines, readAuthor, readTree, removalLines, withoutPassword } from './git-texts.ts'
import { isIdle, type PublishPlan, planPublish, type SiteFile } from './plan.ts'
import { ownedPaths } from './sync.ts'

/**
 * Runs a command in a bare repository of ours, in a folder that is removed afterwards, and returns its output. Throws a
 * `UsageError` with what git said.
 */
type Git = (args: readonly string[], input?: GitInput) => Promise<string>

/** What a command gets besides its arguments. */
interface GitInput {
  stdin?: string
  /** Working folder; default: the repository itself. */
  cwd?: string
  env?: Readonly<Record<string, string>>
}

/** What running git needs of the host. */
export type GitHost = Pick<Host, 'env' | 'signal'>

/**
 * Variables that say where a repository is or what a commit contains. They are removed, because they would point git to
 * the user's repository.
 */
const leading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|AUTHOR_\w+|COMMITTER_\w+|TEMPLATE_DIR|EXEC_PATH|EXTERNAL_DIFF|DEFAULT_HASH)$/

/** Makes a bare repository in an empty folder. Throws a `UsageError` if git is not installed. */
async function initGit(folder: string, host: GitHost): Promise<Git> {
  const repository = join(folder, 'repository')
  const settings = Object.entries({
    // This folder does not exist, so none of the user's hooks run.
    'core.hooksPath': join(folder, 'no-hooks'),
    'core.autocrlf': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
    'push.gpgSign': 'false',
    'init.defaultObjectFormat': 'sha1',
  }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const init = [...settings, 'init', '--quiet', '--bare', '--template=', '--', repository]
  await runGit(init, { host, cwd: folder, input: {} })
  return (args, input = {}) =>
    runGit([`--git-dir=${repository}`, ...settings, ...args], { host, cwd: input.cwd ?? repository, input })
}

/** Asks git something in a folder of the user. `undefined` if it fails or prints nothing. */
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
  // git may end before it has read all input.
  child.stdin.on('error', () => {})
  child.stdin.end(input.stdin ?? '')
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(host.signal.aborted ? error : explainStart(error)))
    child.once('close', (status) => {
      if (status === 0) return resolve(Buffer.concat(output).toString('utf8'))
      reject(new UsageError(gitMessage(complaint)))
    })
  })
}

function explainStart(error: Error): Error {
  if (errorCode(error) !== 'ENOENT') return error
  return new UsageError('`publish git` needs the program `git`, which was not found: install it.', { cause: error })
}

// A branch of a git repository as a target of `publish`: one commit, pushed in one step.

/** A branch, and how its commits are made. */
export interface GitTarget {
  /** Address or absolute path of the repository. */
  remote: string
  branch: string
  /** Keep the commits before; otherwise the branch has a single commit. */
  history: boolean
  /** `Name <mail>` */
  author: string
  message: string
  /** Milliseconds since the epoch. */
  now: number
}

/** How a publish to a branch is run. */
interface GitRun extends GitHost {
  /** Absolute folder of the site. */
  root: string
  dryRun: boolean
  /** Called with the plan before anything changes; throws to prevent it. */
  check: (plan: PublishPlan) => void
}

/** The newest commit of the branch. */
interface Tip {
  commit: string
  marks: ReadonlyMap<string, string>
  owned: ReadonlySet<string>
  hasParents: boolean
}

/**
 * Makes a branch contain the files of a site, next to files that others put there. The user's own repository is neither read
 * nor changed. Throws a `UsageError` if somebody else's files or commits are in the way, and with what git says.
 */
export async function publishToBranch(
  files: readonly SiteFile[],
  target: GitTarget,
  run: GitRun,
): Promise<PublishPlan & { commit?: string }> {
  const folder = makeTempFolder()
  try {
    const git = await initGit(folder, run)
    await git(['remote', 'add', '--', 'origin', target.remote])
    const tip = await fetchTip(git, target.branch)
    const plan = planPublish(files, tip ?? { marks: new Map(), owned: new Set() })
    refuseForeign(plan, tip, target)
    run.check(plan)
    const isDone = isIdle(plan) && tip !== undefined && (target.history || !tip.hasParents)
    if (run.dryRun || isDone) return plan
    const tree = await writeTree(git, { plan, tip, root: run.root })
    const commit = await writeCommit(git, tree, { tip, target })
    await push(git, commit, { tip, target })
    return { ...plan, commit }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const oldRef = 'refs/publish/old'

/** Fetches the newest commit of the branch without the contents of its files; `undefined` if there is no such branch. */
async function fetchTip(git: Git, branch: string): Promise<Tip | undefined> {
  const ref = `refs/heads/${branch}`
  const listing = await git(['ls-remote', '--', 'origin', ref])
  if (!listing.split('\n').some((line) => line.endsWith(`\t${ref}`))) return undefined
  const lean = ['--quiet', '--no-tags', '--depth=1', '--filter=blob:none', '--no-write-fetch-head']
  await git(['fetch', ...lean, '--', 'origin', `+${ref}:${oldRef}`])
  const commit = (await git(['rev-parse', '--verify', oldRef])).trim()
  const marks = readTree(await git(['ls-tree', '-r', '-z', '--full-tree', oldRef]))
  const manifest = marks.has(manifestName) ? await git(['cat-file', 'blob', `${oldRef}:${manifestName}`]) : undefined
  const [head = ''] = (await git(['cat-file', 'commit', oldRef])).split('\n\n')
  return { commit, marks, owned: ownedPaths(manifest, undefined), hasParents: /^parent /m.test(head) }
}

/** Files that a host itself puts into a branch that it serves. */
const hostFiles: ReadonlySet<string> = new Set(['CNAME'])

function refuseForeign(
  { foreign, added, changed, kept }: PublishPlan,
  tip: Tip | undefined,
  { branch, remote, history }: GitTarget,
): void {
  const where = `The branch \`${branch}\` of \`${withoutPassword(remote)}\``
  const hint = 'Choose another branch with `--to-branch`. Nothing was changed.'
  const others = [...(tip?.marks.keys() ?? [])].filter((path) => tip?.owned.has(path) !== true && !hostFiles.has(path))
  // git would replace a file by a folder, and a folder by a file, without a word.
  const [first] = [...foreign, ...others.filter(obstaclesTo([...added, ...changed, ...kept].map(({ path }) => path)))]
  if (first !== undefined) {
    throw new UsageError(`${where} contains \`${first}\`, which was not published from here and is in the way. ${hint}`)
  }
  if (others[0] === undefined) return
  if (tip?.owned.size === 0) throw new UsageError(`${where} contains other files, such as \`${others[0]}\`. ${hint}`)
  if (history) return
  throw new UsageError(
    `${where} also contains other files, such as \`${others[0]}\`, and would lose their history. Publish with \`--history\`, or choose another branch with \`--to-branch\`. Nothing was changed.`,
  )
}

/**
 * Writes the tree of the new commit: the tree before it, without what the plan removes and with what it adds or changes.
 * Returns its id.
 */
async function writeTree(
  git: Git,
  { plan, tip, root }: { plan: PublishPlan; tip: Tip | undefined; root: string },
): Promise<string> {
  const written = [...plan.added, ...plan.changed]
  const stdin = written.map(({ path }) => `${path}\n`).join('')
  const ids = (await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { cwd: root, stdin })).split('\n')
  const other = written.find(({ mark }, index) => ids[index] !== mark)
  if (other !== undefined)
    throw new UsageError(`\`${other.path}\` changed while it was being published. Publish again.`)
  if (tip !== undefined) await git(['read-tree', oldRef])
  const blobs = written.map(({ path, mark }) => [path, mark] as const)
  await git(['update-index', '-z', '--index-info'], { stdin: removalLines(plan.removed) + indexLines(blobs) })
  // Contents that did not change were not fetched; only the remote has them.
  return (await git(['write-tree', '--missing-ok'])).trim()
}

async function writeCommit(
  git: Git,
  tree: string,
  { tip, target }: { tip: Tip | undefined; target: GitTarget },
): Promise<string> {
  const { name, mail } = readAuthor(target.author)
  const date = `@${Math.floor(target.now / 1000)} +0000`
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, mail],
      [`GIT_${role}_DATE`, date],
    ]),
  )
  const parents = target.history && tip !== undefined ? ['-p', tip.commit] : []
  const stdin = `${target.message}\n`
  return (await git(['commit-tree', tree, ...parents, '-F', '-'], { env, stdin })).trim()
}

/** Moves the branch, unless somebody else has moved it since it was fetched. */
async function push(
  git: Git,
  commit: string,
  { tip, target }: { tip: Tip | undefined; target: GitTarget },
): Promise<void> {
  const ref = `refs/heads/${target.branch}`
  const lease = `--force-with-lease=${ref}:${tip?.commit ?? ''}`
  const quiet = ['--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']
  await git(['push', ...quiet, lease, '--', 'origin', `${commit}:${ref}`])
}
