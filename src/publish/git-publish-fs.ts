/** A branch of a git repository as a place to publish to: one commit, pushed in one step. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../diagnostics/errors.ts'
import { manifestName } from '../model/paths.ts'
import { type Git, type GitHost, initGit } from './git-fs.ts'
import { indexLines, readAuthor, readTree, removalLines, withoutPassword } from './git-words.ts'
import { ownedPaths } from './journal.ts'
import { isIdle, type PublishPlan, planPublish, type SiteFile } from './plan.ts'
import { refuseWithdrawal } from './withdrawal.ts'

/** A branch, and how its commits are made. */
export interface GitPlace {
  /** Address or absolute path of the repository. */
  remote: string
  branch: string
  /** Keep the commits before; without it the branch holds one commit. */
  history: boolean
  /** `Name <mail>` */
  author: string
  message: string
  /** Milliseconds since the epoch. */
  now: number
}

/** How a publish to a branch is run. */
export interface GitRun extends GitHost {
  /** Absolute folder of the site. */
  root: string
  dryRun: boolean
  /** Go on although most sessions of the branch would go. */
  allowRemoval: boolean
}

/** The branch as it stands. */
interface Tip {
  commit: string
  marks: ReadonlyMap<string, string>
  owned: ReadonlySet<string>
  hasParents: boolean
}

/**
 * Makes a branch hold the files of a site, beside what others put there. Nothing of the user's own repository is read or
 * changed. Throws a `UsageError` where files or commits of somebody else are in the way, and with what git says.
 */
export async function publishToBranch(
  files: readonly SiteFile[],
  place: GitPlace,
  run: GitRun,
): Promise<PublishPlan & { commit?: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'codex-export-'))
  try {
    const git = await initGit(folder, run)
    await git.run(['remote', 'add', '--', 'origin', place.remote])
    const tip = await fetchTip(git, place.branch)
    const plan = planPublish(files, tip ?? { marks: new Map(), owned: new Set() })
    refuseForeign(plan, tip, place)
    if (!run.allowRemoval) refuseWithdrawal(plan, `${withoutPassword(place.remote)}, branch ${place.branch}`)
    const isDone = isIdle(plan) && tip !== undefined && (place.history || !tip.hasParents)
    if (run.dryRun || isDone) return plan
    const tree = await writeTree(git, { plan, tip, root: run.root })
    const commit = await writeCommit(git, tree, { tip, place })
    await push(git, commit, { tip, place })
    return { ...plan, commit }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

const oldRef = 'refs/publish/old'

/** The newest commit of the branch, without the contents of its files; `undefined` where there is no such branch. */
async function fetchTip(git: Git, branch: string): Promise<Tip | undefined> {
  const ref = `refs/heads/${branch}`
  const listing = await git.run(['ls-remote', '--', 'origin', ref])
  if (!listing.split('\n').some((line) => line.endsWith(`\t${ref}`))) return undefined
  const lean = ['--quiet', '--no-tags', '--depth=1', '--filter=blob:none', '--no-write-fetch-head']
  await git.run(['fetch', ...lean, '--', 'origin', `+${ref}:${oldRef}`])
  const commit = (await git.run(['rev-parse', '--verify', oldRef])).trim()
  const marks = readTree(await git.run(['ls-tree', '-r', '-z', '--full-tree', oldRef]))
  const manifest = marks.has(manifestName)
    ? await git.run(['cat-file', 'blob', `${oldRef}:${manifestName}`])
    : undefined
  const [head = ''] = (await git.run(['cat-file', 'commit', oldRef])).split('\n\n')
  return { commit, marks, owned: ownedPaths(manifest, undefined), hasParents: /^parent /m.test(head) }
}

/** What a host itself puts into a branch that it serves. */
const hostFiles: ReadonlySet<string> = new Set(['CNAME'])

function refuseForeign({ foreign }: PublishPlan, tip: Tip | undefined, { branch, remote, history }: GitPlace): void {
  const where = `The branch \`${branch}\` of \`${withoutPassword(remote)}\``
  const hint = 'Choose another branch by `--to-branch`. Nothing was changed.'
  const [first] = foreign
  if (first !== undefined) {
    throw new UsageError(`${where} holds \`${first}\`, which was not published from here and is in the way. ${hint}`)
  }
  const others = [...(tip?.marks.keys() ?? [])].filter((path) => tip?.owned.has(path) !== true && !hostFiles.has(path))
  if (others[0] === undefined) return
  if (tip?.owned.size === 0) throw new UsageError(`${where} holds other files, such as \`${others[0]}\`. ${hint}`)
  if (history) return
  throw new UsageError(
    `${where} holds other files too, such as \`${others[0]}\`, and would lose their history. Publish with \`--history\`, or choose another branch by \`--to-branch\`. Nothing was changed.`,
  )
}

/** The tree of the new commit: the one before without what is removed and with what is new. Gives its id. */
async function writeTree(
  git: Git,
  { plan, tip, root }: { plan: PublishPlan; tip: Tip | undefined; root: string },
): Promise<string> {
  const written = [...plan.added, ...plan.changed]
  const stdin = written.map(({ path }) => `${path}\n`).join('')
  const ids = (await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { cwd: root, stdin })).split('\n')
  const other = written.find(({ mark }, index) => ids[index] !== mark)
  if (other !== undefined) throw new UsageError(`\`${other.path}\` changed while it was published. Publish again.`)
  if (tip !== undefined) await git.run(['read-tree', oldRef])
  const blobs = written.map(({ path, mark }) => [path, mark] as const)
  await git.run(['update-index', '-z', '--index-info'], { stdin: removalLines(plan.removed) + indexLines(blobs) })
  // Contents that did not change are known to the other side only.
  return (await git.run(['write-tree', '--missing-ok'])).trim()
}

async function writeCommit(
  git: Git,
  tree: string,
  { tip, place }: { tip: Tip | undefined; place: GitPlace },
): Promise<string> {
  const { name, mail } = readAuthor(place.author)
  const date = `@${Math.floor(place.now / 1000)} +0000`
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, name],
      [`GIT_${role}_EMAIL`, mail],
      [`GIT_${role}_DATE`, date],
    ]),
  )
  const parents = place.history && tip !== undefined ? ['-p', tip.commit] : []
  const stdin = `${place.message}\n`
  return (await git.run(['commit-tree', tree, ...parents, '-F', '-'], { env, stdin })).trim()
}

/** Moves the branch, unless somebody else moved it since it was looked at. */
async function push(
  git: Git,
  commit: string,
  { tip, place }: { tip: Tip | undefined; place: GitPlace },
): Promise<void> {
  const ref = `refs/heads/${place.branch}`
  const lease = `--force-with-lease=${ref}:${tip?.commit ?? ''}`
  const quiet = ['--quiet', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']
  await git.run(['push', ...quiet, lease, '--', 'origin', `${commit}:${ref}`])
}
