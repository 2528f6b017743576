/** The sessions of a standing site that changed, without the pages around them: what a watch does between two builds. */

import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { loadWorker } from '../render/assets-fs.ts'
import { type BuildContext, type BuildInput, closeBuild, openBuild } from './context.ts'
import { type Discovery, discover, jobOf, sessionKey } from './discover.ts'
import { findFamilies } from './known/families.ts'
import { manifestName } from './output/paths.ts'
import { renderSessions } from './render.ts'

/** More changed sessions than that are worth a whole build. */
const maxUpdated = 100

/**
 * Renders the sessions that changed and puts their pages in place; all other files stay as they are until the next build, though
 * they tell of the sessions. Gives the number of sessions that it rendered. Throws as `build` does.
 */
export async function update(input: BuildInput): Promise<number> {
  const context = await openBuild({ ...input, isUpdate: true })
  try {
    return await updateSessions(context)
  } finally {
    await closeBuild(context)
  }
}

async function updateSessions(context: BuildContext): Promise<number> {
  const { host, options, outcomes, site, staging } = context
  const found = await discover(context)
  const wanted = changedFamilies(found, context)
  if (wanted.length === 0 || wanted.length > maxUpdated) return 0
  await renderSessions(context, { ...found, wanted })
  const rendered = [...outcomes.values()].filter(({ isKept, session }) => !isKept && session !== undefined).length
  if (rendered === 0) return 0
  staging.keepFolder('')
  staging.retract(['sw.js'])
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.signal.throwIfAborted()
  const manifest = join(options.out, manifestName)
  const { atime, mtime } = statSync(manifest)
  await staging.commit()
  // The next build finds out by this time which files somebody else changed: it has not looked at them since.
  utimesSync(manifest, atime, mtime)
  return rendered
}

/** Sessions that would be rendered anew, with all of their families: what one of them tells as a secret is replaced in all. */
function changedFamilies(found: Discovery, { cache }: BuildContext): Discovery['wanted'] {
  const { catalog, wanted, unwanted } = found
  const changed = wanted.filter((item) => cache.session(item.thread.id, sessionKey(jobOf(item, found))) === undefined)
  if (changed.length === 0) return []
  const families = findFamilies(catalog.threads, [...wanted.map(({ raw }) => raw), ...unwanted])
  const ids = new Set(changed.flatMap(({ thread: { id } }) => [id, ...(families.get(id) ?? []).map((one) => one.id)]))
  return wanted.filter(({ thread }) => ids.has(thread.id))
}
