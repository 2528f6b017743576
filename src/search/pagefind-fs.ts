/** The search index of a site, by Pagefind over the pruned pages (design: search). */
import type { OutputFile, SearchPage } from '../model/output.ts'
import { neededNames } from './needed.ts'
import { SearchError } from './search-error.ts'
import { type SearchService, startService } from './service-fs.ts'

/** Options of `buildSearchIndex`. */
export interface SearchOptions {
  /** Language of the interface, for example `en`. All pages go to one index in it, whatever they are written in. */
  language: string
  /** Ends the work with the signal's reason. */
  signal?: AbortSignal
}

/** A built index. */
export interface SearchIndex {
  /** Files below `pagefind/`, in order of paths; none where there was no page. */
  files: OutputFile[]
  /** Number of pages in the index. */
  pages: number
}

/** Pages on their way to Pagefind's process at one time, by number and by length. */
const batchPages = 16
const batchLength = 4 << 20

/**
 * Builds the index of the pages, which it takes one batch at a time. Equal pages in equal order give equal bytes.
 * A result's `raw_url` is the page's path and `sub_results[].anchor.id` the id of the heading before the hit.
 * One index at a time in a process. Throws a `SearchError` that names the page or says what is wrong with Pagefind.
 */
export async function buildSearchIndex(
  pages: Iterable<SearchPage> | AsyncIterable<SearchPage>,
  { language, signal }: SearchOptions,
): Promise<SearchIndex> {
  let service: SearchService | undefined
  let count = 0
  try {
    for await (const batch of batches(pages)) {
      service ??= await startService(language, signal)
      await addAll(service, batch)
      count += batch.length
    }
    return { files: service === undefined ? [] : await readFiles(service), pages: count }
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    await service?.close()
  }
}

async function* batches(pages: Iterable<SearchPage> | AsyncIterable<SearchPage>): AsyncGenerator<SearchPage[]> {
  let batch: SearchPage[] = []
  let length = 0
  for await (const page of pages) {
    batch.push(page)
    length += page.html.length
    if (batch.length < batchPages && length < batchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

async function addAll({ index, wait }: SearchService, batch: readonly SearchPage[]): Promise<void> {
  const answers = batch.map(async ({ path, html }) => {
    try {
      return { path, errors: (await index.addHTMLFile({ url: path, content: html })).errors }
    } catch (cause) {
      throw new SearchError(`Pagefind failed at the page \`${path}\`: ${String(cause)}`, { cause })
    }
  })
  for (const { path, errors } of await wait(Promise.all(answers))) {
    if (errors.length > 0) throw new SearchError(`Pagefind refused the page \`${path}\`: ${errors.join('; ')}`)
  }
}

async function readFiles({ index, wait }: SearchService): Promise<OutputFile[]> {
  const { files, errors } = await wait(index.getFiles())
  if (errors.length > 0) throw new SearchError(`Pagefind could not finish the index: ${errors.join('; ')}`)
  const byName = new Map(files.map(({ path, content }) => [path, content]))
  const entry = Buffer.from(byName.get('pagefind-entry.json') ?? '').toString('utf8')
  const names = neededNames(byName.keys(), entry).sort()
  return names.map((name) => ({ path: `pagefind/${name}`, content: byName.get(name) ?? '' }))
}
