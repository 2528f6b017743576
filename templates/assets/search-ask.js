// One question to all shards of the index, and their answers as one list.
import { beginningOf, holds, holdsWord, placesOf } from './search-places.js'

/** Pages that are read at most to find a phrase that the index cannot look up by itself. */
const mostRead = 60

/** Pages that a reader sees at once. */
const seenFirst = 10

/** Nothing was found. */
export const nothing = { results: [], filters: {}, total: 0 }

/** Options of Pagefind for filters, a name with a value or a list of values of which any will do, and an order. */
export function optionsOf({ filters = {}, sort } = {}) {
  const chosen = Object.entries(filters).filter(([, values]) => values !== undefined && values.length > 0)
  const any = Object.fromEntries(chosen.map(([name, values]) => [name, { any: [values].flat() }]))
  return { filters: any, sort: sort === 'date' ? { date: 'desc' } : {} }
}

/** Pages that hold every word of a query, as far as it stands anywhere: the best first, or the newest. */
export async function ask(shards, query, options = optionsOf()) {
  const term = query.term === '' ? null : query.term
  const found = await Promise.all(shards.map((shard) => shard.search(term, options)))
  // Their pages are on the way while it is found out which shards have all words; where one fails, so does its result.
  for (const { page } of inOrder(found, options).slice(0, seenFirst)) page().catch(() => {})
  const whole = await withAllWords(shards, found, query)
  const results = await holding(
    inOrder(whole, options).map((hit) => result(hit, query)),
    query,
  )
  return { results, filters: merged(whole.map(({ filters }) => filters)), total: results.length }
}

/** Hits of all shards, the best first, or the newest: shards follow each other in time, the newest first. */
function inOrder(found, { sort }) {
  const hits = found.flatMap(({ results }) => results)
  return sort.date === undefined ? hits.sort((a, b) => b.score - a.score) : hits
}

/** Pages that hold any word of a query, those with most of them first. */
export async function askAny(shards, query, options) {
  const found = await Promise.all(
    query.words.map((word) => ask(shards, { term: word, words: [word], phrases: [] }, options)),
  )
  const pages = new Map()
  for (const hit of found.flatMap(({ results }) => results)) {
    const { words = [], score = 0, count = 0 } = pages.get(hit.id) ?? {}
    pages.set(hit.id, { ...hit, words: [...words, ...hit.words], score: score + hit.score, count: count + 1 })
  }
  const sorted = [...pages.values()].sort((a, b) => b.count - a.count || b.score - a.score)
  return { results: sorted.map((hit) => result(hit, query)), filters: {}, total: sorted.length }
}

/**
 * Answers of the shards that know every word. A shard that does not know a word answers without it, which one index
 * for all would not do as long as the word stands anywhere.
 */
async function withAllWords(shards, found, query) {
  if (found.length === 1 || query.words.length === 0) return found
  const whole = await Promise.all(
    found.map(async ({ results: [best] }, index) => {
      if (best === undefined) return true
      return (await missingWords([shards[index]], query.words, best)).length === 0
    }),
  )
  const isAnswered = found.some(({ results }, index) => whole[index] && results.length > 0)
  return isAnswered ? found.filter((_, index) => whole[index]) : found
}

/** Words, as the index has them, that a result does not hold. */
export async function missingWords(shards, words, result) {
  if (result === undefined) return words
  const page = await result.page()
  const unlike = words.filter((word) => !holdsWord(page, word, result.words))
  const known = await Promise.all(unlike.map((word) => isInflected(shards, word, result)))
  return unlike.filter((_, index) => !known[index])
}

/** Whether a result holds another form of a word: Pagefind compares stems where it looks for a phrase. */
async function isInflected(shards, word, { id }) {
  const found = await Promise.all(shards.map((shard) => shard.search(`"${word}"`)))
  return found.some(({ results }) => results.some((other) => other.id === id))
}

/** One result: `page` loads the text of its page, `data` tells the places in it that answer the query. */
function result({ id, score, words, page }, query) {
  const data = async () => {
    const { path, meta, filters, ...text } = await page()
    return { path, meta, filters, places: placesOf(text, query, words), excerpt: beginningOf(text) }
  }
  return { id, score, words, page, data }
}

/** Results that hold the phrases, where the index could not see to that. */
async function holding(results, { phrases, check }) {
  if (!check) return results
  const first = results.slice(0, mostRead)
  const held = await Promise.all(first.map(async ({ page }) => holds(await page(), phrases)))
  return first.filter((_, index) => held[index])
}

/** Numbers of pages by filter and value, over all shards. */
export function merged(parts) {
  const sums = {}
  for (const part of parts) {
    for (const [name, values] of Object.entries(part)) {
      sums[name] ??= {}
      for (const [value, count] of Object.entries(values)) sums[name][value] = (sums[name][value] ?? 0) + count
    }
  }
  return sums
}
