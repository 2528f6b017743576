/** `publish`: audits a built site and puts it on a host. Only this and `share` send anything from this machine. */

import { quoted } from '../../cli/called-as-fs.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { defaultCacheDir } from '../../site/cache/cache-folder-fs.ts'
import { isLocked } from '../../site/output/site-fs.ts'
import { settleOutput } from '../../site/output/staging-fs.ts'
import type { Host } from '../../site/types.ts'
import { publicUrl, sessionFolders } from '../../transcript/urls.ts'
import { yieldToEventLoop } from '../../util/event-loop.ts'
import { isObject, parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { isAbsolute } from '../../util/paths.ts'
import { formatAmount } from '../../util/time.ts'
import { auditSite } from '../audit/site-fs.ts'
import { openFolder } from './folder-fs.ts'
import { publishToBranch } from './git-fs.ts'
import { isPasswordOpen, settingVariables, withoutPassword } from './git-texts.ts'
import {
  type PublicSession,
  type PublishedFiles,
  type PublishOptions,
  type PublishPlan,
  type PublishResult,
  refuseFewer,
  refuseWithdrawal,
  type SiteFile,
} from './plan.ts'
import { openBucket, readS3Target } from './s3-fs.ts'
import { type BuiltSite, openBuiltSite, readPublished, savePublished, siteFiles, siteText } from './site-fs.ts'
import { type Store, syncSite } from './sync.ts'
import { loginSettings, originOf, planWorkflow, type WorkflowPlan, writeWorkflow } from './workflow-fs.ts'

/**
 * Publishes a site. Throws a `UsageError` or `ConfigError` if the folder is not a complete site of ours, if the site may
 * contain unredacted secrets, if the target does not fit, or if the host refuses; what is public then stays intact.
 */
export async function publish(options: PublishOptions, host: Host): Promise<PublishResult> {
  // A dry run changes nothing, so it does not complete an interrupted build either.
  if (!options.dryRun) settleOutput(options.out)
  const site = openBuiltSite(options.out)
  const isSealed = isLocked(site.root)
  if (!isSealed && !options.allowUnredacted) refuseUnredacted(site, options.out)
  // File names of a locked site do not show which sessions it has, so locking a public site would look as if all were
  // removed.
  const allowRemoval = options.allowRemoval || isSealed
  const destination = await openers[options.target](site, options, host)
  try {
    return await publishChecked(site, destination, { ...options, allowRemoval }, host)
  } finally {
    await destination.close?.()
  }
}

/** Publishes at a target that is open, unless the check of the site finds something. */
async function publishChecked(
  site: BuiltSite,
  destination: Destination,
  options: PublishOptions,
  host: Host,
): Promise<PublishResult> {
  const { findings } = await auditSite(site.root, host, { waivers: options.waivers, scanners: options.scanners })
  const isClean = findings.every(({ level }) => level === 'info')
  const refused = !isClean && !options.allowFindings
  const result: PublishResult = {
    target: options.target,
    place: destination.name,
    dryRun: options.dryRun,
    refused,
    findings,
    sessions: { total: sessionPages(site.hashes.keys()).length, added: [], changed: 0, removed: [] },
    ...defined({ address: options.siteUrl }),
    done: [],
    next: [],
  }
  if (refused && !options.dryRun) return result
  const outcome = await publishAt(destination, site, options, host)
  const { plan, commit, done = [], next = [] } = outcome
  const sessions = sessionsOf(site, outcome, options.siteUrl)
  return { ...result, sessions, done, next, ...defined({ files: plan && filesOf(plan), commit }) }
}

/** Publishes, unless that would remove so many published sessions that it looks like an accident. */
async function publishAt(
  destination: Destination,
  site: BuiltSite,
  options: PublishOptions,
  host: Host,
): Promise<PublishOutcome> {
  const { allowRemoval, dryRun, out } = options
  const { name, published } = destination
  const check = (plan: PublishPlan): void => {
    if (!allowRemoval) refuseWithdrawal(plan, name)
  }
  if (published === 'listed') return destination.publish(check)
  const memory = defaultCacheDir(out, host)
  const folders = sessionFolders(site.hashes.keys())
  if (!allowRemoval) refuseFewer(readPublished(memory, name), folders, name)
  const outcome = await destination.publish()
  if (!dryRun) savePublished(memory, name, folders)
  return outcome
}

function refuseUnredacted(site: BuiltSite, out: string): void {
  const report = parseJson(siteText(site, 'build-report.json') ?? '')
  if (isObject(report) && report['redacted'] === true) return
  const hint = 'Build it again without `--no-redact`, or publish it as it is with `--allow-unredacted`.'
  throw new UsageError(
    `The site in \`${out}\` may contain secrets: its build report does not say that they were redacted. ${hint}`,
  )
}

function filesOf({ added, changed, removed, kept }: PublishPlan): PublishedFiles {
  const sent = (files: PublishPlan['added']) => files.map(({ path, size }) => ({ path, size }))
  return { added: sent(added), changed: sent(changed), removed, kept: kept.length }
}

function sessionsOf(site: BuiltSite, { plan }: PublishOutcome, siteUrl: string | undefined): PublishResult['sessions'] {
  const all = sessionPages(site.hashes.keys())
  const pathsOf = (files: PublishPlan['added']) => sessionPages(files.map(({ path }) => path))
  const siteTitle = titleOf(siteText(site, 'index.html') ?? '')
  const describe = (path: string): PublicSession => ({
    title: titleOf(siteText(site, path) ?? '', siteTitle),
    path,
    ...defined({ url: siteUrl === undefined ? undefined : publicUrl(siteUrl, path) }),
  })
  return {
    total: all.length,
    // If the user commits the site, this command does not know which sessions are new.
    added: pathsOf(plan?.added ?? []).map(describe),
    changed: pathsOf(plan?.changed ?? []).length,
    removed: sessionPages(plan?.removed ?? []),
  }
}

// Titles of sessions, read from the pages themselves.

/** Matches the path of a session's first page. */
const sessionPage = /^sessions\/[^/]+\/index\.html$/

/** The first pages of sessions among the paths of a site. */
export function sessionPages(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => sessionPage.test(path))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The title of a page without the site's title at its end; empty if it has none. */
export function titleOf(html: string, siteTitle = ''): string {
  const [, written = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? []
  const title = written.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
  const end = siteTitle === '' ? '' : ` · ${siteTitle}`
  return end !== '' && title.endsWith(end) ? title.slice(0, -end.length) : title
}

// The targets that a site can be published to.

/** What publishing did at a target. */
interface PublishOutcome {
  /** Absent if this command itself sends no file of the site. */
  plan?: PublishPlan
  commit?: string
  done?: string[]
  next?: string[]
}

/**
 * A target that was checked and can receive the site; nothing was sent to it yet. There are two ways to know which sessions
 * are already public there. A `listed` target can list its files, so `check` gets the plan before anything is sent. A
 * `remembered` target cannot be asked, because its files are published by the user's own push; the cache keeps the
 * sessions of the last publish instead.
 */
type Destination = {
  /** For people, without credentials. */
  name: string
  /** Closes what was opened for it. */
  close?: () => Promise<void>
} & (
  | { published: 'listed'; publish: (check: (plan: PublishPlan) => void) => Promise<PublishOutcome> }
  | { published: 'remembered'; publish: () => Promise<PublishOutcome> }
)

/**
 * Opens the target that the options name. Throws a `UsageError` or `ConfigError` for problems that show before anything
 * is sent.
 */
type Opener = (site: BuiltSite, options: PublishOptions, host: Host) => Promise<Destination>

const openers: Readonly<Record<PublishOptions['target'], Opener>> = {
  dir: folderDestination,
  git: branchDestination,
  'github-pages': workflowDestination,
  s3: bucketDestination,
}

async function folderDestination(site: BuiltSite, options: PublishOptions, host: Host): Promise<Destination> {
  if (options.to === undefined) throw new UsageError('`publish dir` needs a folder: name it with `--to DIR`.')
  // Only an address is not absolute by now.
  if (!isAbsolute(options.to))
    throw new UsageError(
      `\`publish dir\` needs a folder, and \`${options.to}\` is an address: \`publish s3\` takes buckets, \`publish git\` repositories.`,
    )
  return storeDestination(openFolder(options.to, site.root), site, options, host)
}

async function bucketDestination(site: BuiltSite, options: PublishOptions, host: Host): Promise<Destination> {
  const { to, endpoint, region, pathStyle } = options
  const destination = to === undefined ? undefined : readS3Target(to)
  if (destination === undefined) {
    throw new UsageError('`publish s3` needs a bucket: name it with `--to s3://bucket` or `--to s3://bucket/prefix`.')
  }
  const store = await openBucket(destination, { ...defined({ endpoint, region }), pathStyle, signal: host.signal })
  return storeDestination(store, site, options, host)
}

function storeDestination(store: Store, site: BuiltSite, options: PublishOptions, host: Host): Destination {
  const { signal, progress } = host
  const publish = async (check: (plan: PublishPlan) => void): Promise<PublishOutcome> => {
    const files = await readFiles(site, store.markKind, host)
    const plan = await syncSite(files, store, {
      sourceOf: (path) => `${site.root}/${path}`,
      dryRun: options.dryRun,
      check,
      signal,
      onPlan: (steps) => progress.stage('Publishing files', steps),
      onStep: () => progress.tick(),
    })
    return { plan }
  }
  return { name: store.name.replaceAll('`', ''), published: 'listed', publish, close: () => store.close() }
}

/** Reads the files of a site and computes their marks. */
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

async function branchDestination(site: BuiltSite, options: PublishOptions, host: Host): Promise<Destination> {
  const { history, dryRun, branch = 'gh-pages', author = neutralAuthor } = options
  const { env, signal, progress, now } = host
  const remote = options.to ?? (await originOf(options.cwd, { env, signal }))
  if (isPasswordOpen(remote))
    throw new UsageError(
      'The address of the repository contains a user name or password with `/`, `?`, `#` or `@`, which git would ' +
        'read as a part of the address: write them as `%2F`, `%3F`, `%23`, `%40`, or leave the login to git.',
    )
  const login = settingVariables(await loginSettings(options.cwd, { env, signal }), env)
  const publish = async (check: (plan: PublishPlan) => void): Promise<PublishOutcome> => {
    const files = await readFiles(site, 'git', host)
    const message = `Publish ${formatAmount(files.length, 'file')}`
    progress.stage('Publishing files')
    const { commit, ...plan } = await publishToBranch(
      files,
      { remote, branch, history, author, message, now: now() },
      { root: site.root, dryRun, check, env: { ...env, ...login }, signal },
    )
    return { plan, ...defined({ commit }) }
  }
  return { name: `${withoutPassword(remote)}, branch ${branch}`, published: 'listed', publish }
}

/** Writes the workflow that makes GitHub Pages serve the site as it was committed. */
async function workflowDestination(site: BuiltSite, options: PublishOptions, host: Host): Promise<Destination> {
  const { cwd, name, branch } = options
  const plan = await planWorkflow({ cwd, root: site.root, ...defined({ name, branch }) }, host)
  const publish = (): Promise<PublishOutcome> => putWorkflow(plan, options)
  return { name: `GitHub Pages, from pushes to ${plan.branch}`, published: 'remembered', publish }
}

async function putWorkflow(plan: WorkflowPlan, options: PublishOptions): Promise<PublishOutcome> {
  const next = commitSteps(plan)
  if (plan.state === 'same') return { done: [`\`${plan.file}\` is up to date.`], next }
  if (options.dryRun) return { done: [`Would write \`${plan.file}\`.`], next }
  if (plan.state === 'foreign' && !options.replace) await askFirst(plan, options)
  writeWorkflow(plan)
  return { done: [`Wrote \`${plan.file}\`.`], next }
}

async function askFirst({ file }: WorkflowPlan, { confirm }: PublishOptions): Promise<void> {
  const what = `\`${file}\` was not written by this command, or was changed since`
  if (confirm === undefined)
    throw new UsageError(`${what}. Replace it with \`--replace\`, or choose another \`--site-name\`.`)
  if (!(await confirm(`${what}. Replace it?`)))
    throw new UsageError(`\`${file}\` was left as it is. Nothing was published.`)
}

function commitSteps({ file, folder, ignored }: WorkflowPlan): string[] {
  return [
    `git add ${ignored ? '--force ' : ''}${quoted(folder)} && git add ${quoted(file)} && git commit -m "Publish sessions" && git push`,
    'In the settings of the repository, under Pages, select GitHub Actions as the source. Everybody who can read the repository can read the site in it.',
  ]
}
