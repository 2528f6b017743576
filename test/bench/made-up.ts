/** An archive of generated pages: words by Zipf's law, spread over months, the same for the same numbers. */

import { loadSearchScript } from '../../src/render/assets-fs.ts'
import type { SearchRecord } from '../../src/render/output.ts'
import { buildCache } from '../../src/site/cache/build-cache.ts'
import { openCache } from '../../src/site/cache/cache-fs.ts'
import { stageSearch } from '../../src/site/index-search.ts'
import { openStagingArea } from '../../src/site/output/staging-fs.ts'
import { sha256 } from '../../src/util/hash.ts'
import { plainFacts } from '../helpers/search-index.ts'

/** Measures of an archive. */
export interface Measures {
  pages: number
  wordsOfPage: number
  months: number
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')
const vocabulary = 60_000

/** The n-th most frequent word, 0 for the first. */
export function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length] ?? ''
  }
  return word
}

/** Numbers between 0 and 1 that look random and are always the same. */
function* noise(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 0x1_0000_0000
  }
}

function pageText(number: number, words: number): string {
  const random = noise(number * 7919 + 1)
  const next = (): number => random.next().value ?? 0
  const items: string[] = []
  for (let written = 0, item = 0; written < words; item++) {
    const length = 10 + Math.floor(next() * 60)
    const text = Array.from({ length }, () => wordOf(Math.floor(vocabulary ** next()) - 1)).join(' ')
    items.push(
      `<x-${['prompt', 'answer', 'command'][item % 3]} id="l${item}"></x-${['prompt', 'answer', 'command'][item % 3]}> ${text} `,
    )
    written += length
  }
  return items.join('')
}

/** Builds the index of such an archive into `site`; returns the length of its text. */
export async function indexMadeUp(site: string, cacheDir: string, measures: Measures): Promise<number> {
  const cache = buildCache(openCache(cacheDir, 'bench'))
  const stage = await openStagingArea(site)
  const records: SearchRecord[] = []
  for (let number = 0; number < measures.pages; number++) {
    const month = Math.floor((number * measures.months) / measures.pages)
    const day = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-${String((number % 28) + 1).padStart(2, '0')}`
    const path = `sessions/${String(number).padStart(6, '0')}/index.html`
    const head = `<title>Page ${number}</title>`
    const html = `<html lang="en"><head>${head}</head><body data-pagefind-body>${pageText(number, measures.wordsOfPage)}</body></html>`
    cache.setPage(path, html)
    records.push({
      path,
      day,
      hash: sha256(html),
      size: html.length,
      facts: { ...plainFacts, startedAt: `${day}T12:00:00.000Z` },
    })
  }
  stage.put({ path: '404.html', content: '<!doctype html><title>Nothing</title>' })
  await stageSearch({
    pages: records,
    ...{ timeZone: 'UTC', outputs: false, generator: 'codex-export bench', script: await loadSearchScript() },
    ...{ stage, cache, signal: new AbortController().signal, dryRun: false },
  })
  await stage.commit()
  return records.reduce((sum, { size }) => sum + size, 0)
}
