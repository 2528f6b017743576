// The search of the site: Pagefind over one index or several, with the same answers from every place that a site is
// read from. Loaded on first use as `pagefind/search.js`; the page talks to `codexSearch`.
import { fileLoader } from './search-load.js'
import { answersAll, beginningOf, holds, placesOf } from './search-places.js'
import { readQuery } from './search-query.js'

/** Pages that are read at most to find a phrase that the index cannot look up by itself. */
const mostRead = 60

/** What a word of the title counts, and how much less a long page: tried against the queries of the tests. */
const ranking = { metaWeights: { title: 8, project: 1, date: 1 } }

/** Where this script lies: the folder of the index. */
const base = new URL('.', document.currentScript.src).href

/** What Pagefind's own requests get: each shard looks to it like an index of its own below `/<number>/`. */
function fetcher(index, load) {
  const engines = new Map()
  const engine = (name) => {
    if (!engines.has(name)) engines.set(name, load(name))
    return engines.get(name)
  }
  return async (address) => {
    const [, number, name] = /^\/(\d+)\/([^?]*)/.exec(address)
    const { path, ...entry } = index.shards[number]
    if (name === 'pagefind-entry.json')
      return { ok: true, json: async () => ({ ...index.entry, languages: { [index.language]: entry } }) }
    const bytes = await (name.startsWith('wasm.') ? engine(name) : load(path + name))
    return { ok: true, arrayBuffer: async () => bytes }
  }
}

/** Opens the index; rejects with a sentence for the reader where that cannot be done. */
async function open(index, createPagefind) {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly, which the search needs')
  const fetch = fetcher(index, fileLoader(base))
  // Each in an engine of its own: Pagefind's module holds one, and with a second index the first would be lost.
  const shards = index.shards.map((_, number) => {
    const create = createPagefind(fetch)
    return create({ basePath: `/${number}/`, baseUrl: '/', noWorker: true, ranking, metaCacheTag: '' })
  })
  // `init` does not wait for the files, and without them the index would never answer; an empty search does, or fails.
  await Promise.all(shards.map((shard) => shard.search('')))
  return { search: (text, options) => search(shards, text, options), filters: () => filters(shards) }
}

/** All filters with their values and the number of pages of each. */
async function filters(shards) {
  return merged(await Promise.all(shards.map((shard) => shard.filters())))
}

/**
 * Pages that answer a text, the best first, or the newest first where `sort` is `date`. `filters` pairs a name with a
 * value or a list of values of which any will do. Each result gives its places by `data()`, which loads the page's text.
 */
async function search(shards, text, { filters: wanted = {}, sort } = {}) {
  const query = readQuery(text)
  const options = { filters: anyOf(wanted), sort: sort === 'date' ? { date: 'desc' } : {} }
  if (query.term === '' && Object.keys(options.filters).length === 0) return { results: [], filters: {}, total: 0 }
  const found = await Promise.all(shards.map((shard) => shard.search(query.term === '' ? null : query.term, options)))
  const whole = await withAllWords(found, query)
  // Shards follow each other in time, the newest first.
  const hits = whole.flatMap(({ results }) => results)
  if (sort !== 'date') hits.sort((a, b) => b.score - a.score)
  const results = await holding(
    hits.map((hit) => result(hit, query)),
    query,
  )
  return { results, filters: merged(whole.map((part) => part.filters)), total: results.length }
}

function anyOf(wanted) {
  const chosen = Object.entries(wanted).filter(([, values]) => values !== undefined && values.length > 0)
  return Object.fromEntries(chosen.map(([name, values]) => [name, { any: [values].flat() }]))
}

/**
 * Answers of the shards that know every word. A shard that does not know a word answers without it, which one index
 * for all would not do as long as the word stands anywhere.
 */
async function withAllWords(found, query) {
  if (found.length === 1 || query.words.length < 1) return found
  const whole = await Promise.all(
    found.map(async ({ results }) => {
      if (results.length === 0) return true
      const [{ words, data }] = results
      return answersAll(await data(), query, words)
    }),
  )
  return found.some(({ results }, index) => whole[index] && results.length > 0)
    ? found.filter((_, index) => whole[index])
    : found
}

/** One result; what it loads is read at once, for Pagefind gives the same object to every search. */
function result({ id, score, words, data }, query) {
  const read = async () => {
    const { raw_url: path, url, content, anchors, meta, filters: facts } = await data()
    return { path: path ?? url, content, anchors, meta, filters: facts }
  }
  return {
    id,
    score,
    page: read,
    data: async () => {
      const page = await read()
      const { path, meta, filters: facts } = page
      return { path, meta, filters: facts, places: placesOf(page, query, words), excerpt: beginningOf(page) }
    },
  }
}

/** Results that hold the phrase, where the index could not see to that. */
async function holding(results, { phrase, check }) {
  if (!check) return results
  const first = results.slice(0, mostRead)
  const held = await Promise.all(first.map(async ({ page }) => holds(await page(), phrase)))
  return first.filter((_, index) => held[index])
}

/** Numbers of pages by filter and value, over all shards. */
function merged(parts) {
  const sums = {}
  for (const part of parts) {
    for (const [name, values] of Object.entries(part)) {
      sums[name] ??= {}
      for (const [value, count] of Object.entries(values)) sums[name][value] = (sums[name][value] ?? 0) + count
    }
  }
  return sums
}

/** Takes the index and its engine; the page then calls `codexSearch.open()`. */
globalThis.codexSearchIndex = (index, createPagefind) => {
  let opened
  const begin = () => {
    opened ??= open(index, createPagefind).catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  globalThis.codexSearch = { open: begin }
}
