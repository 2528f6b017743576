/** The places that a site can be put on. */
import { UsageError } from '../diagnostics/errors.ts'
import { openFolder } from '../publish/folder-fs.ts'
import { loginSettings, originOf } from '../publish/git-origin-fs.ts'
import { publishToBranch } from '../publish/git-publish-fs.ts'
import { isPasswordOpen, settingVariables, withoutPassword } from '../publish/git-words.ts'
import type { PublishPlan, SiteFile } from '../publish/plan.ts'
import { readS3Place } from '../publish/s3-place.ts'
import { openBucket } from '../publish/s3-store-fs.ts'
import { type BuiltSite, siteFiles } from '../publish/site-fs.ts'
import type { Store } from '../publish/store.ts'
import { syncSite } from '../publish/sync.ts'
import { planWorkflow, type WorkflowPlan, writeWorkflow } from '../publish/workflow-fs.ts'
import { contentType } from '../serve/content-type.ts'
import { defined } from '../util/defined.ts'
import { yieldToEventLoop } from '../util/event-loop.ts'
import { formatAmount } from '../util/time.ts'
import type { PublishOptions } from './publish-types.ts'
import type { Host } from './types.ts'

/** What became of a site at a place. */
export interface PlaceResult {
  /** Absent where this command sends no file of the site. */
  plan?: PublishPlan
  commit?: string
  done?: string[]
  next?: string[]
}

/** A place that was found to fit; nothing was sent to it yet. */
export interface Place {
  /** In words, without credentials. */
  name: string
  publish: () => Promise<PlaceResult>
}

type Opener = (site: BuiltSite, options: PublishOptions, host: Host) => Promise<Place>

const openers: Readonly<Record<PublishOptions['target'], Opener>> = {
  dir: folderPlace,
  git: branchPlace,
  'github-pages': workflowPlace,
  s3: bucketPlace,
}

/** Opens the place that the options name. Throws `UsageError` and `ConfigError` for what can be told without sending. */
export function openPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  return openers[options.target](site, options, host)
}

async function folderPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  if (options.to === undefined) throw new UsageError('`publish dir` needs a folder: name it by `--to DIR`.')
  return storePlace(openFolder(options.to, site.root), site, { options, host })
}

async function bucketPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  const { to, endpoint, region, pathStyle } = options
  const place = to === undefined ? undefined : readS3Place(to)
  if (place === undefined) {
    throw new UsageError('`publish s3` needs a bucket: name it by `--to s3://bucket` or `--to s3://bucket/prefix`.')
  }
  const store = await openBucket(place, { ...defined({ endpoint, region }), pathStyle, contentType })
  return storePlace(store, site, { options, host })
}

function storePlace(store: Store, site: BuiltSite, { options, host }: Context): Place {
  const { signal, progress } = host
  const publish = async (): Promise<PlaceResult> => {
    try {
      const files = await readFiles(site, store.markKind, host)
      const plan = await syncSite(files, store, {
        sourceOf: (path) => `${site.root}/${path}`,
        dryRun: options.dryRun,
        allowRemoval: options.allowRemoval,
        signal,
        onPlan: (steps) => progress.stage('Publishing files', steps),
        onStep: () => progress.tick(),
      })
      return { plan }
    } finally {
      await store.close()
    }
  }
  return { name: store.name.replaceAll('`', ''), publish }
}

interface Context {
  options: PublishOptions
  host: Host
}

/** The files of a site with their marks. */
async function readFiles(site: BuiltSite, kind: Store['markKind'], { signal, progress }: Host): Promise<SiteFile[]> {
  progress.stage('Comparing files', site.hashes.size)
  const files: SiteFile[] = []
  for (const file of siteFiles(site, kind)) {
    files.push(file)
    progress.tick()
    await yieldToEventLoop()
    signal.throwIfAborted()
  }
  return files
}

const neutralAuthor = 'codex-export <codex-export@localhost>'

async function branchPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  const { history, dryRun, allowRemoval, branch = 'gh-pages', author = neutralAuthor } = options
  const { env, signal, progress, now } = host
  const remote = options.to ?? (await originOf(options.cwd, { env, signal }))
  if (isPasswordOpen(remote))
    throw new UsageError(
      'The address of the repository holds a user name or password with `/`, `?`, `#` or `@` in it, which git would ' +
        'take for a part of the address: write them as `%2F`, `%3F`, `%23`, `%40`, or leave the login to git.',
    )
  const login = settingVariables(await loginSettings(options.cwd, { env, signal }), env)
  const publish = async (): Promise<PlaceResult> => {
    const files = await readFiles(site, 'git', host)
    const message = `Publish ${formatAmount(files.length, 'file')}`
    progress.stage('Publishing files')
    const { commit, ...plan } = await publishToBranch(
      files,
      { remote, branch, history, author, message, now: now() },
      { root: site.root, dryRun, allowRemoval, env: { ...env, ...login }, signal },
    )
    return { plan, ...defined({ commit }) }
  }
  return { name: `${withoutPassword(remote)}, branch ${branch}`, publish }
}

/** Writes the workflow that makes GitHub Pages serve the site as it is committed. */
async function workflowPlace(site: BuiltSite, options: PublishOptions, host: Host): Promise<Place> {
  const { cwd, name, branch } = options
  const plan = await planWorkflow({ cwd, root: site.root, ...defined({ name, branch }) }, host)
  return { name: `GitHub Pages, from pushes to ${plan.branch}`, publish: () => putWorkflow(plan, options) }
}

async function putWorkflow(plan: WorkflowPlan, options: PublishOptions): Promise<PlaceResult> {
  const next = commitSteps(plan)
  if (plan.state === 'same') return { done: [`\`${plan.file}\` is as it should be.`], next }
  if (options.dryRun) return { done: [`Would write \`${plan.file}\`.`], next }
  if (plan.state === 'foreign' && !options.replace) await askFirst(plan, options)
  writeWorkflow(plan)
  return { done: [`Wrote \`${plan.file}\`.`], next }
}

async function askFirst({ file }: WorkflowPlan, { confirm }: PublishOptions): Promise<void> {
  const what = `\`${file}\` was not written by this command, or was changed since`
  if (confirm === undefined)
    throw new UsageError(`${what}. Replace it by \`--replace\`, or choose another \`--site-name\`.`)
  if (!(await confirm(`${what}. Replace it?`)))
    throw new UsageError(`\`${file}\` was left as it is. Nothing was published.`)
}

function commitSteps({ file, folder, ignored }: WorkflowPlan): string[] {
  return [
    `git add ${ignored ? '--force ' : ''}${folder} && git add ${file} && git commit -m "Publish sessions" && git push`,
    'In the settings of the repository, under Pages, let the source be GitHub Actions. Everybody who can read the repository can read the site in it.',
  ]
}
