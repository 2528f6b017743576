// The search of the site: Pagefind over one index or several, with the same answers from every place that a site is
// read from. Loaded on first use as `pagefind/search.js`; the page talks to `codexSearch`.
import { ask, askAny, merged, nothing, optionsOf } from './search-ask.js'
import { corrected } from './search-correct.js'
import { fileLoader } from './search-load.js'
import { answersAll } from './search-places.js'
import { readQuery } from './search-query.js'

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
 * value or a list of values of which any will do. Each result gives its places by `data()`, which loads the page's
 * text. `instead` is the text that was looked for where a word stands nowhere, without it or with a similar one.
 * `some`: no page holds all of its words, these hold some of them.
 */
async function search(shards, text, wanted) {
  const options = optionsOf(wanted)
  const query = readQuery(text)
  if (query.term === '' && Object.keys(options.filters).length === 0) return nothing
  const found = await ask(shards, query, options)
  const missing = await missingWords(text, found.results[0])
  if (missing.length === 0) return found
  const instead = await correctedText(shards, text, missing)
  const other = readQuery(instead)
  if (other.term === '') return nothing
  const changed = instead === text ? {} : { instead }
  const better = instead === text ? found : await ask(shards, other, options)
  if (better.total > 0 || other.phrase !== undefined) return { ...better, ...changed }
  return { ...(await askAny(shards, other, options)), ...changed, some: true }
}

/** Words of a text as they were typed, without those that the index cannot know. */
function wordsIn(text) {
  return [...new Set(text.match(/[^\s"]+/gu))].filter((word) => readQuery(word).term !== '')
}

/** Words that the best page does not hold. */
async function missingWords(text, best) {
  const page = await best?.page()
  return wordsIn(text).filter((word) => page === undefined || !answersAll(page, readQuery(word), best.words))
}

/** The text with similar words in place of those that stand nowhere, or without them. */
async function correctedText(shards, text, missing) {
  const resultsOf = async (word) => (await ask(shards, readQuery(word))).results
  const others = new Map()
  for (const word of missing) {
    const [best] = await resultsOf(word)
    if ((await missingWords(word, best)).length > 0) others.set(word, (await corrected(word, resultsOf)) ?? '')
  }
  return text
    .replace(/[^\s"]+/gu, (word) => others.get(word) ?? word)
    .replace(/\s+/gu, ' ')
    .trim()
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
