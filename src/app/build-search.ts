/** The search stage of a build: keeps the old index where no pruned page changed, else builds it anew. */
import { type Diagnostic, diagnostic } from '../diagnostics/codes.ts'
import type { FileRecord, SearchPage } from '../model/output.ts'
import { searchKey } from '../search/key.ts'
import { buildSearchIndex } from '../search/pagefind-fs.ts'
import { SearchError } from '../search/search-error.ts'
import type { Stage } from '../write/site-stage-fs.ts'
import type { BuildCache } from './build-cache.ts'

export interface SearchInput {
  /** Pruned pages by path and hash; the cache holds their text. */
  pages: readonly FileRecord[]
  language: string
  generator: string
  stage: Stage
  cache: BuildCache
  signal: AbortSignal
  dryRun: boolean
}

/** Puts the index into the stage. A failure keeps the old index, where there is one, and says so. */
export async function stageSearch(input: SearchInput): Promise<{ searched: number; diagnostics: Diagnostic[] }> {
  const { pages, language, generator, stage, cache, signal, dryRun } = input
  const key = searchKey(pages, { language, generator })
  const old = cache.search()
  if (old?.key === key && old.files.every(({ path, hash }) => stage.keep(path, hash)))
    return { searched: old.pages, diagnostics: [] }
  if (dryRun) {
    keepOld(old?.files ?? [], stage)
    return { searched: pages.length, diagnostics: [] }
  }
  try {
    const index = await buildSearchIndex(searchPages(pages, cache), { language, signal })
    const files = index.files.map((file) => stage.put(file))
    cache.setSearch({ key, files, pages: index.pages })
    return { searched: index.pages, diagnostics: [] }
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    keepOld(old?.files ?? [], stage)
    return { searched: 0, diagnostics: [diagnostic('search-failed', {}, error.message)] }
  }
}

function keepOld(files: readonly FileRecord[], stage: Stage): void {
  for (const { path, hash } of files) stage.keep(path, hash)
}

function* searchPages(pages: readonly FileRecord[], cache: BuildCache): Generator<SearchPage> {
  for (const { path } of pages) {
    const html = cache.page(path)
    if (html === undefined) throw new SearchError(`The text of \`${path}\` is gone from the cache. Build again.`)
    yield { path, html }
  }
}
