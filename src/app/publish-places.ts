/** The places that a site can be put on. */
import { UsageError } from '../diagnostics/errors.ts'
import { openFolder } from '../publish/folder-fs.ts'
import { loginSettings, originOf } from '../publish/git-origin-fs.ts'
import { publishToBranch } from '../publish/git-publish-fs.ts'
import { settingVariables, withoutPassword } from '../publish/git-words.ts'
import type { PublishPlan } from '../publish/plan.ts'
import { readS3Place } from '../publish/s3-place.ts'
import { openBucket } from '../publish/s3-store-fs.ts'
import { type BuiltSite, siteFiles } from '../publish/site-fs.ts'
import type { Store } from '../publish/store.ts'
import { syncSite } from '../publish/sync.ts'
import { contentType } from '../serve/content-type.ts'
import { defined } from '../util/defined.ts'
import { formatAmount } from '../util/time.ts'
import { toHosted, toWorkflow } from './publish-beside.ts'
import type { PublishOptions } from './publish-types.ts'
import type { Host } from './types.ts'

/** What became of a site at a place. */
export interface PlaceResult {
  /** In words, without credentials. */
  place: string
  /** Absent where the host compares the files by itself. */
  plan?: PublishPlan
  commit?: string
  done?: string[]
  next?: string[]
}

type Publisher = (site: BuiltSite, options: PublishOptions, host: Host) => Promise<PlaceResult>

const publishers: Readonly<Record<PublishOptions['target'], Publisher>> = {
  dir: toFolder,
  git: toBranch,
  'github-pages': toWorkflow,
  s3: toBucket,
  netlify: toHosted,
  cloudflare: toHosted,
}

/** Puts a site where the options say. Throws `UsageError` and `ConfigError`. */
export function publishTo(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  return publishers[options.target](site, options, host)
}

async function toFolder(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  if (options.to === undefined) throw new UsageError('`publish dir` needs a folder: name it by `--to DIR`.')
  return await toStore(openFolder(options.to, site.root), site, { options, host })
}

async function toBucket(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  const { to, endpoint, region, pathStyle } = options
  const place = to === undefined ? undefined : readS3Place(to)
  if (place === undefined) {
    throw new UsageError('`publish s3` needs a bucket: name it by `--to s3://bucket` or `--to s3://bucket/prefix`.')
  }
  const store = await openBucket(place, { ...defined({ endpoint, region }), pathStyle, contentType })
  return await toStore(store, site, { options, host })
}

async function toStore(
  store: Store,
  site: BuiltSite,
  { options, host }: { options: PublishOptions; host: Host },
): Promise<PlaceResult> {
  const { signal, progress } = host
  try {
    progress.stage('Comparing files')
    const plan = await syncSite([...siteFiles(site, store.markKind)], store, {
      sourceOf: (path) => `${site.root}/${path}`,
      dryRun: options.dryRun,
      signal,
      onPlan: (steps) => progress.stage('Publishing files', steps),
      onStep: () => progress.tick(),
    })
    return { place: store.name.replaceAll('`', ''), plan }
  } finally {
    await store.close()
  }
}

const neutralAuthor = 'codex-export <codex-export@localhost>'

async function toBranch(site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  const { history, dryRun, branch = 'gh-pages', author = neutralAuthor } = options
  const { env, signal, progress, now } = host
  const remote = options.to ?? (await originOf(options.cwd, { env, signal }))
  const login = settingVariables(await loginSettings(options.cwd, { env, signal }), env)
  progress.stage('Comparing files')
  const files = [...siteFiles(site, 'git')]
  const message = `Publish ${formatAmount(files.length, 'file')}`
  progress.stage('Publishing files')
  const { commit, ...plan } = await publishToBranch(
    files,
    { remote, branch, history, author, message, now: now() },
    { root: site.root, dryRun, env: { ...env, ...login }, signal },
  )
  return { place: `${withoutPassword(remote)}, branch ${branch}`, plan, ...defined({ commit }) }
}
