/** Pages of sessions that nothing but the output folder knows, because the cache was lost. */
import { diagnostic } from '../diagnostics/codes.ts'
import { publishAll } from '../model/presets.ts'
import { assetPath } from '../model/urls.ts'
import { assetsOf } from '../render/gone.ts'
import type { Stage } from '../write/site-stage-fs.ts'
import type { Curator } from './curation.ts'
import { siteFile, siteReport } from './kept-pages-fs.ts'
import type { BuildWork } from './session-outcome.ts'

interface Site {
  work: BuildWork
  curation: Curator
  stage: Stage
  /** Hashes of the old site's files by path. */
  standing: ReadonlyMap<string, string>
}

/**
 * Lets such pages stand where the old site says that it was made under the same rules, and tells of each session. `known`
 * are folders of sessions that are decided about elsewhere.
 */
export function keepUnlisted(known: ReadonlySet<string>, site: Site): void {
  const { work, curation, standing } = site
  const named = [...standing.keys()].map((path) => /^sessions\/([^/]+)\/index\.html$/.exec(path)?.[1])
  const folders = named.filter((folder) => folder !== undefined && !known.has(folder) && !curation.isHidden(folder))
  if (folders.length === 0) return
  const mayStay = isSameSite(work)
  for (const folder of folders) {
    const path = `sessions/${folder}/`
    if (mayStay) keepFolder(path, site)
    work.report(diagnostic(mayStay ? 'unlisted-session' : 'lost-session', {}, `Its pages are in \`${path}\`.`))
  }
}

function keepFolder(folder: string, { work, stage, standing }: Site): void {
  for (const [path, hash] of standing) {
    if (!path.startsWith(folder) || !stage.keep(path, hash) || !path.endsWith('.html')) continue
    keepAssets(siteFile(work.options.out, path)?.toString('utf8') ?? '', standing, stage)
  }
}

/** Keeps the files below `assets/` that a page loads. */
export function keepAssets(html: string, standing: ReadonlyMap<string, string>, stage: Stage): void {
  for (const name of assetsOf(html)) {
    const hash = standing.get(assetPath(name))
    if (hash !== undefined) stage.keep(assetPath(name), hash)
  }
}

/** Whether the old site shows and redacts what this one does, as far as its report tells. */
function isSameSite({ options, privacy }: BuildWork): boolean {
  const { visibility } = options.publication ?? publishAll
  const report = siteReport(options.out)
  const isRedacted = privacy !== undefined
  return report['redacted'] === isRedacted && JSON.stringify(report['visibility']) === JSON.stringify(visibility)
}
