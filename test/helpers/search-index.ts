/** Indexes of invented pages, made by the search stage of a build. */
import { join } from 'node:path'
import { loadSearchScript } from '../../src/render/assets-fs.ts'
import type { SearchFacts, SearchRecord } from '../../src/render/output.ts'
import { buildCache } from '../../src/site/cache/build-cache.ts'
import { openCache } from '../../src/site/cache/cache-fs.ts'
import { stageSearch } from '../../src/site/index-search.ts'
import { openStagingArea } from '../../src/site/output/staging-fs.ts'
import { sha256 } from '../../src/util/hash.ts'

/** A page with one prompt; `size` is its length for the plan of the shards. */
export interface MadePage {
  path: string
  day: string
  size: number
  title: string
  text: string
}

/** A session without any facts. */
export const plainFacts: SearchFacts = { project: 'shop', models: [], isAgent: false, failed: false }

/** Writes a site with an empty start page and the index of some pages. */
export async function buildIndex(site: string, pages: readonly MadePage[]): Promise<void> {
  const cache = buildCache(openCache(join(site, '..', 'cache'), site))
  const stage = await openStagingArea(site)
  const records: SearchRecord[] = pages.map(({ path, day, size, title, text }) => {
    const date = `<meta data-pagefind-meta="date[content]" content="${day}">`
    const head = `<title>${title}</title>${date}`
    const html = `<html><head>${head}</head><body data-pagefind-body><x-prompt id="l1"></x-prompt> ${text}</body></html>`
    cache.setPage(path, html)
    return {
      path,
      day,
      hash: sha256(html),
      size,
      facts: { ...plainFacts, branch: day.slice(0, 7), startedAt: `${day.slice(0, 10)}T12:00:00.000Z` },
    }
  })
  stage.put({ path: 'index.html', content: '<!doctype html><html lang="en"><title>Start</title></html>' })
  await stageSearch({
    pages: records,
    ...{ timeZone: 'UTC', outputs: false, generator: 'codex-export 1.0.0', script: await loadSearchScript() },
    ...{ stage, cache, signal: new AbortController().signal, dryRun: false },
  })
  await stage.commit()
}
