/** `publish`: puts a built site on a host, after an audit. The only use case that reaches beyond this machine. */
import { UsageError } from '../diagnostics/errors.ts'
import { publicUrl, sessionFolders } from '../model/urls.ts'
import type { PublishPlan } from '../publish/plan.ts'
import { readPublished, savePublished } from '../publish/published-fs.ts'
import { type BuiltSite, openBuiltSite, siteText } from '../publish/site-fs.ts'
import { isLocked, sessionPages, titleOf } from '../publish/titles.ts'
import { refuseFewer } from '../publish/withdrawal.ts'
import { defined } from '../util/defined.ts'
import { defaultCacheDir } from '../write/cache-dir-fs.ts'
import { settleOutput } from '../write/stage-fs.ts'
import { auditSite } from './audit-site.ts'
import { openPlace, type Place, type PlaceResult } from './publish-places.ts'
import type { PublicSession, PublishedFiles, PublishOptions, PublishResult } from './publish-types.ts'
import type { Host } from './types.ts'

/**
 * Publishes a site. Throws `UsageError` or `ConfigError` for a folder that is no whole site of ours, a site that holds
 * secrets as they were, a place that does not fit, and for what the host refuses; what is public then stays whole.
 */
export async function publish(options: PublishOptions, host: Host): Promise<PublishResult> {
  // A plan changes nothing, not even this.
  if (!options.dryRun) settleOutput(options.out)
  const site = openBuiltSite(options.out)
  const isSealed = isLocked(siteText(site, 'index.html') ?? '')
  if (!isSealed && !options.allowUnredacted) refuseUnredacted(site, options.out)
  const place = await openPlace(site, options, host)
  const { findings } = await auditSite(site.root, host, { waivers: options.waivers, scanners: options.scanners })
  const isClean = findings.every(({ level }) => level === 'info')
  const refused = !isClean && !options.allowFindings
  const result: PublishResult = {
    target: options.target,
    place: place.name,
    dryRun: options.dryRun,
    refused,
    findings,
    sessions: { total: sessionPages(site.hashes.keys()).length, added: [], changed: 0, removed: [] },
    ...defined({ address: options.siteUrl }),
    done: [],
    next: [],
  }
  if (refused && !options.dryRun) return result
  const outcome = await publishAt(place, site, options, host)
  const { plan, commit, done = [], next = [] } = outcome
  const sessions = sessionsOf(site, outcome, options.siteUrl)
  return { ...result, sessions, done, next, ...defined({ files: plan && filesOf(plan), commit }) }
}

/** Places with files of ours are compared by these; for those that cannot be asked, the sessions of last time are remembered. */
async function publishAt(place: Place, site: BuiltSite, options: PublishOptions, host: Host): Promise<PlaceResult> {
  const memory = defaultCacheDir(options.out, host)
  const folders = sessionFolders(site.hashes.keys())
  if (!options.allowRemoval) refuseFewer(readPublished(memory, place.name), folders, place.name)
  const outcome = await place.publish()
  if (outcome.plan === undefined && !options.dryRun) savePublished(memory, place.name, folders)
  return outcome
}

function refuseUnredacted(site: BuiltSite, out: string): void {
  if (saysRedacted(siteText(site, 'build-report.json'))) return
  const hint = 'Build it again without `--no-redact`, or publish it as it is by `--allow-unredacted`.'
  throw new UsageError(
    `The site in \`${out}\` may hold secrets: its build report does not say that they were taken out. ${hint}`,
  )
}

function saysRedacted(report: string | undefined): boolean {
  try {
    const value: unknown = JSON.parse(report ?? 'null')
    return typeof value === 'object' && value !== null && 'redacted' in value && value.redacted === true
  } catch {
    return false
  }
}

function filesOf({ added, changed, removed, kept }: PublishPlan): PublishedFiles {
  const sent = (files: PublishPlan['added']) => files.map(({ path, size }) => ({ path, size }))
  return { added: sent(added), changed: sent(changed), removed, kept: kept.length }
}

function sessionsOf(site: BuiltSite, { plan }: PlaceResult, siteUrl: string | undefined): PublishResult['sessions'] {
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
    // Where the site is committed by hand, nobody here knows which of them are new.
    added: pathsOf(plan?.added ?? []).map(describe),
    changed: pathsOf(plan?.changed ?? []).length,
    removed: sessionPages(plan?.removed ?? []),
  }
}
