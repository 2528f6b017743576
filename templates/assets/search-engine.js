// The search of the site: Pagefind over one index or several, with the same answers from every place that a site is
// read from. Loaded on first use as `pagefind/search.js`; the page talks to `codexSearch`.
import { ask, askAny, merged, missingWords, nothing, optionsOf } from './search-ask.js'
import { corrected } from './search-correct.js'
import { fileLoader } from './search-load.js'
import { pageStore, unpacked } from './search-pages.js'
import { readQuery } from './search-query.js'

/** What a word of the title counts, and how much less a long page: tried against the queries of the tests. */
const ranking = { metaWeights: { title: 8, project: 1, date: 1 } }

/** Path of a file that Pagefind asks for, below the folder of the index: the engine lies there once for all shards. */
function placeOf({ path }, name) {
  return name.startsWith('wasm.') ? name : path + name
}

/** What every search needs, loaded at once: where one of these files fails, Pagefind would not say so. */
async function loadFirst({ shards }, load) {
  const names = shards.flatMap((shard) => [
    `wasm.${shard.wasm ?? 'unknown'}.pagefind`,
    placeOf(shard, `pagefind.${shard.hash}.pf_meta`),
  ])
  return new Map(await Promise.all([...new Set(names)].map(async (name) => [name, await unpacked(await load(name))])))
}

/**
 * What Pagefind's own requests get: each shard looks to it like an index of its own below `/<number>/`. It passes over
 * a file that fails, as if it held nothing, so that `failures` takes the errors.
 */
function fetcher(index, { first, load, store, failures }) {
  return async (address) => {
    const [, number, name] = /^\/(\d+)\/([^?]*)/.exec(address)
    const { path: _, ...entry } = index.shards[number]
    if (name === 'pagefind-entry.json')
      return { ok: true, json: async () => ({ ...index.entry, languages: { [index.language]: entry } }) }
    try {
      const place = placeOf(index.shards[number], name)
      const bytes = first.get(place) ?? (await unpacked(await load(place)))
      const page = /^fragment\/(.+)\.pf_fragment$/.exec(name)?.[1]
      const given = page === undefined ? bytes : store.strip(page, bytes)
      return { ok: true, arrayBuffer: async () => given }
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
}

/** Opens the index; rejects with a sentence for the reader where that cannot be done. */
async function open(index, createPagefind) {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly, which the search needs')
  const load = fileLoader()
  const failures = []
  const store = pageStore()
  const fetch = fetcher(index, { first: await loadFirst(index, load), load, store, failures })
  // Each in an engine of its own: Pagefind's module holds one, and with a second index the first would be lost.
  const shards = index.shards.map((_, number) => {
    const create = createPagefind(fetch)
    const engine = create({ basePath: `/${number}/`, baseUrl: '/', noWorker: true, ranking, metaCacheTag: '' })
    return withPages(engine, store)
  })
  // `init` does not wait; an empty search does.
  await Promise.all(shards.map((shard) => shard.search('')))
  const whole = async (answer) => {
    const before = failures.length
    const answered = await answer
    if (failures.length > before) throw failures.at(-1)
    return answered
  }
  return { search: (text, options) => whole(search(shards, text, options)), filters: () => whole(filters(shards)) }
}

/** An engine whose results give their pages as they stand in the index. */
function withPages(engine, { pages }) {
  return {
    filters: () => engine.filters(),
    async search(term, options) {
      const answer = await engine.search(term, options)
      const results = answer.results.map(({ id, score, words, data }) => ({
        ...{ id, score, words },
        page: async () => {
          await data()
          return pages.get(id)
        },
      }))
      return { results, filters: answer.filters }
    },
  }
}

/** All filters with their values and the number of pages of each. */
async function filters(shards) {
  return merged(await Promise.all(shards.map((shard) => shard.filters())))
}

/**
 * Pages that answer a text, the best first, or the newest first where `sort` is `date`. `filters` pairs a name with a
 * value or a list of values of which any will do. Each result gives its places by `data()`, which loads the page's
 * text. `instead` is the text that was looked for where a word stands nowhere, without it or with a similar one.
 * `some`: no page holds all of its words, these hold some of them. `filters` counts the pages by filter and value, once
 * `filters()` was asked for: they are files of their own.
 */
async function search(shards, text, wanted) {
  const options = optionsOf(wanted)
  const query = readQuery(text)
  if (query.term === '' && Object.keys(options.filters).length === 0) return nothing
  const found = await ask(shards, query, options)
  const missing = await missingIn(shards, text, found.results[0])
  if (missing.length === 0) return found
  const instead = await correctedText(shards, text, missing)
  const other = readQuery(instead)
  if (other.term === '') return nothing
  const changed = instead === text ? {} : { instead }
  // All words are known, and yet the best page lacks one: no page has them together.
  const better = instead === text ? nothing : await ask(shards, other, options)
  const isWhole = better.total > 0 && (await missingIn(shards, instead, better.results[0])).length === 0
  if (isWhole || other.phrases.length > 0) return { ...better, ...changed }
  return { ...(await askAny(shards, other, options)), ...changed, some: true }
}

/** Words of a text, as they were typed, that the best page does not hold. */
async function missingIn(shards, text, best) {
  const words = [...new Set(text.match(/[^\s"]+/gu))]
  const missing = await Promise.all(words.map((word) => missingWords(shards, readQuery(word).words, best)))
  return words.filter((_, index) => missing[index].length > 0)
}

/** The text with similar words in place of those that stand nowhere, or without them. */
async function correctedText(shards, text, missing) {
  const resultsOf = async (word) => (await ask(shards, readQuery(word))).results
  const others = new Map()
  for (const word of missing) {
    const [best] = await resultsOf(word)
    if ((await missingIn(shards, word, best)).length > 0) others.set(word, (await corrected(word, resultsOf)) ?? '')
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
