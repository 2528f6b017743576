/** Last stage of a build: the report, and the swap of the new site for the old one. */

import { loadWorker } from '../render/assets-fs.ts'
import { saveLastHomes } from './cache/cache-folder-fs.ts'
import type { BuildContext } from './context.ts'
import type { Discovery } from './discover.ts'
import { builtHomes, withdrawn } from './losses.ts'
import { countLevel, reportText } from './report.ts'
import type { Transcribed } from './transcribe.ts'
import type { BuildResult } from './types.ts'

/** Puts the site in place, and tells what the build did. */
export async function write(
  context: BuildContext,
  { found, transcribed, searched }: { found: Discovery; transcribed: Transcribed; searched: number },
): Promise<BuildResult> {
  const { catalog, places, sources } = found
  const { sessions } = transcribed
  const { options, host, site, staging, cache, diagnostics } = context
  const { out, dryRun } = options
  const failed = found.unreadable + transcribed.failed
  const pages = sessions.reduce((sum, { summary }) => sum + summary.pages, 0)
  const homes = builtHomes(sources, sessions)
  const content = reportText({ options, catalog, sessions, failed, pages, diagnostics, homes })
  staging.put({ path: 'build-report.json', content })
  // Last, for it bears the hash of all the rest.
  if (site.offline) staging.put(await loadWorker(staging.digest(), options.templatesDir))
  host.progress.stage(dryRun ? 'Planning the site' : 'Writing the site')
  host.signal.throwIfAborted()
  const plan = await staging.commit()
  if (!dryRun) {
    cache.save()
    // A part says nothing of what homes have lost.
    if (!found.isPart) saveLastHomes(context.cacheDir, sources.homes)
  }
  return {
    out,
    sessions: sessions.length,
    rendered: transcribed.rendered,
    pages: [...plan.written, ...plan.kept].filter((path) => path.endsWith('.html')).length,
    failed,
    warnings: countLevel(diagnostics, 'warning'),
    written: plan.written.length,
    kept: plan.kept.length,
    removed: plan.removed.length,
    withdrawn: withdrawn(plan, sources),
    searched,
    places,
    diagnostics,
  }
}
