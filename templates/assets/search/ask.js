// Asks the indexes of a site one question: which pages have its terms, and what to look for if a term occurs nowhere.
import { hasTerm } from './places.js'
import { inSmallLetters, isUnspaced, termOf } from './query.js'
import { formsOf, othersOf } from './words.js'

/** No page. */
const none = new Map()

/**
 * The pages of an index that have a word, by their ids: `score`, `exact` (they have the word itself and not only one that begins
 * with it), and `page`, which loads their text.
 */
function pagesWith(index, { text, isWholeWord }) {
  return isWholeWord ? index.exactly(text) : index.beginning(text)
}

/** The pages that are in all of the maps, with the sum of their scores; exact if they are exact in all of them. */
function inAll(maps) {
  const [first, ...others] = [...maps].sort((a, b) => a.size - b.size)
  const found = new Map()
  for (const [id, hit] of first ?? none) {
    const rest = others.map((map) => map.get(id))
    if (rest.includes(undefined)) continue
    const all = [hit, ...rest]
    const score = all.reduce((sum, one) => sum + one.score, 0)
    found.set(id, { ...hit, score, exact: all.every(({ exact }) => exact), near: isNear(all) })
  }
  return found
}

/** The words of a question are near each other if they are within so many words of a page, including its hidden words. */
const reach = 40

/** Whether hits of one page have words near each other somewhere; `words` are the positions of a hit's words, in order. */
function isNear(hits) {
  const [few, ...others] = hits.map(({ words = [] }) => words).sort((a, b) => a.length - b.length)
  const next = others.map(() => 0)
  return few.some((at) =>
    others.every((words, which) => {
      while (words[next[which]] < at - reach) next[which]++
      return words[next[which]] <= at + reach
    }),
  )
}

/** The pages that are in any of the maps, each with the best of its hits. */
function inAny(maps) {
  const found = new Map()
  for (const [id, hit] of maps.flatMap((map) => [...map])) {
    const best = found.get(id)
    if (best === undefined || hit.exact > best.exact || (hit.exact === best.exact && hit.score > best.score))
      found.set(id, hit)
  }
  return found
}

/**
 * An index is asked for the words of a term in steps, up to these counts, until no more than `fewPages` pages remain: nearly
 * each word is in another file, and the texts of so few pages can decide whether they have the whole term.
 */
const steps = [1, 3, 5]
const fewPages = 2

/** The pages that have a term, or may have it if the index is not sure. */
async function pagesOf(indexes, term) {
  return new Map((await Promise.all(indexes.map((index) => pagesIn(index, term)))).flatMap((pages) => [...pages]))
}

/** The same for one index. If it does not know a word, the files of the other words are not loaded. */
async function pagesIn(index, term) {
  const { terms, isSure } = term
  let found
  for (const [at, end] of steps.entries()) {
    const next = terms.slice(steps[at - 1] ?? 0, end)
    const isDecided = found && (found.size === 0 || (!isSure && found.size <= fewPages))
    if (next.length === 0 || isDecided) break
    const hits = await Promise.all(next.map((word) => pagesWith(index, word)))
    found = inAll(found ? [found, ...hits] : hits)
  }
  return found ? markExact(index, term, found) : none
}

/**
 * The pages that have the words of a phrase or a path; exact are those in which, as the index knows, nothing adjoins it. The
 * others may have it in compound words, or after a folder: their texts decide.
 */
async function markExact(index, { row, isPhrase }, found) {
  // The words of a phrase are already loaded; a path as a whole is another word.
  if (row === undefined || found.size <= (isPhrase ? fewPages : maxRead)) return found
  const rows = await pagesWith(index, { text: row, isWholeWord: true })
  if (rows.size === 0 && !isPhrase) return found
  return new Map([...found].map(([id, hit]) => [id, { ...hit, exact: rows.has(id) }]))
}

/** The maximum number of pages whose texts are read to find out whether a term occurs anywhere. */
const maxRead = 8

/** Whether any of the pages that may have a term does; if there are more than `maxRead`, that is assumed. */
async function anyHasTerm(pages, term) {
  // The index does not know whether pairs follow each other, and to it, `left.over` is a word that begins with `lefto`.
  const isDecided = term.isSure && term.terms.length < 2 && [...pages.values()].some(({ exact }) => exact)
  if (pages.size > maxRead || pages.size === 0 || isDecided || term.isPhrase || term.field !== 'text')
    return pages.size > 0
  for (const { page } of [...pages.values()].sort((a, b) => b.score - a.score))
    if (hasTerm(await page(), term)) return true
  return false
}

/**
 * What to look for instead of a term that occurs nowhere: `terms`, of which any will do, and the `text` to mention, if any.
 * `undefined` if there is no replacement.
 */
async function othersFor(indexes, term) {
  if (term.isPhrase || term.isWholeWord || term.terms.length === 0) return undefined
  const [first, second] = term.terms
  const word = term.text.toLowerCase()
  const isWord = /^\p{L}+$/u.test(term.text)
  if (!isWord && (second !== undefined || /[⁀⁔︳︴﹍﹎﹏‿]/u.test(first.text))) return endOf(indexes, term)
  if (/\p{N}/u.test(term.text)) return undefined
  const forms = formsOf(
    word,
    indexes.flatMap((index) => index.loadedWords()),
  )
  if (forms.length > 0)
    return { terms: [...new Set(forms)].map((form) => termOf(form, { ...term, isWholeWord: true })) }
  const all = new Set((await Promise.all(indexes.map((index) => index.words()))).flat())
  const { words, isInside = false } = othersOf(word, [...all])
  if (words.length === 0) return undefined
  if (!isInside) return { terms: words.map((word) => termOf(word, { ...term, isWholeWord: true })), text: words[0] }
  // The words contain what was typed, and only that is marked.
  return { terms: words.map((word) => ({ ...term, isInside, terms: [{ text: word, isWholeWord: true }] })) }
}

/** The maximum number of endings of a pasted path that are tried. */
const maxEnds = 12

/** The longest ending of a path, or of another compound word, that occurs somewhere. */
async function endOf(indexes, term) {
  const starts = [...term.text.matchAll(/[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu)].map(
    ({ index, 0: gap }) => index + gap.length,
  )
  for (const start of starts.slice(0, maxEnds)) {
    const end = termOf(term.text.slice(start), term)
    // A single word of a path says too little: nearly every archive has a `json`. The word of a flag is enough.
    const isWord = !/[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(end.text)
    // Short endings say nothing, such as the `t` of `don't`.
    const isShort = !isUnspaced(end.text) && !/[\p{L}\p{N}]{3}/u.test(end.text)
    if ((isWord && term.terms.length > 1) || isShort || !/\p{L}/u.test(end.text)) continue
    if (await anyHasTerm(await pagesOf(indexes, end), end)) return { terms: [end], text: end.text }
  }
  return undefined
}

/** The maximum number of words of a long query that the index is asked about first: nearly each is in another file. */
const maxAsked = 5
/** The number of terms that are asked for at a time, until no more than `maxChecked` pages have all of them. */
const termsAtOnce = 2
/** The maximum number of pages whose texts are then read to check the whole query. */
const maxChecked = 5

/**
 * The pages that have all terms of a long query, found by its most selective words and the texts of the pages. Empty if the query
 * is not long, or if too many pages may have them.
 */
async function pagesByFew(indexes, lists) {
  if (!isLong(lists)) return none
  const lengthOf = (terms) => Math.min(...terms.map(({ text }) => text.length))
  const longest = [...lists].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxAsked)
  const ofEach = Math.floor(maxAsked / longest.length)
  const some = longest.map((terms) => terms.map((term) => firstOf(term, ofEach)))
  const found = []
  for (let at = 0; at < some.length && (at === 0 || inAll(found).size > maxChecked); at += termsAtOnce) {
    const next = some.slice(at, at + termsAtOnce).map((terms) => pagesOfAny(indexes, terms))
    found.push(...(await Promise.all(next)))
  }
  const pages = inAll(found)
  if (pages.size > maxChecked) return none
  const hasAllTerms = async ({ page }) => {
    const text = await page()
    return lists.every((terms) => terms.some((term) => hasTerm(text, term)))
  }
  const checked = await Promise.all([...pages].map(async ([id, hit]) => ((await hasAllTerms(hit)) ? [[id, hit]] : [])))
  return new Map(checked.flat())
}

/** Whether a query of several terms has so many words that the texts of pages should decide. */
function isLong(lists) {
  const words = lists.flat().flatMap(({ terms }) => terms)
  return lists.length > 1 && words.length > maxAsked
}

/** The first words of a term, which the index has wherever it has the term. */
function firstOf(term, count) {
  return term.terms.length <= count ? term : { ...term, terms: term.terms.slice(0, count), row: undefined }
}

/**
 * Answers a query: `pages` by their ids; the `query` that they answer; `changed`, pairs of a typed text and the one that was
 * looked for instead; `unwanted`, pages that may have an excluded term; `some`, if no page has all terms and these have some.
 */
export async function ask(indexes, query) {
  const [unwanted, few] = await Promise.all([unwantedOf(indexes, query), pagesByFew(indexes, query.all)])
  if (few.size > 0) return { pages: few, unwanted, query, changed: [] }
  const changed = []
  const lists = await Promise.all(
    query.all.map(async (terms) => {
      const pagesHaving = async (term) => {
        const pages = await pagesOf(indexes, term)
        return (await anyHasTerm(pages, term)) ? pages : none
      }
      const pagesInAnyCase = async (term) => {
        const pages = await pagesHaving(term)
        const [other] = pages.size === 0 ? inSmallLetters(term) : []
        return other === undefined ? pages : pagesHaving(other)
      }
      const pages = inAny(await Promise.all(terms.map(pagesInAnyCase)))
      if (pages.size > 0) return { terms, pages }
      const others = (await Promise.all(terms.map((term) => othersFor(indexes, term)))).filter(Boolean)
      for (const [at, { text }] of others.entries()) if (text !== undefined) changed.push([terms[at].text, text])
      const found = others.flatMap((other) => other.terms)
      if (found.length === 0) changed.push([terms[0].text, ''])
      return { terms: found, pages: inAny(await Promise.all(found.map((term) => pagesOf(indexes, term)))) }
    }),
  )
  const matched = lists.filter(({ pages }) => pages.size > 0)
  const answered = { ...query, all: matched.map(({ terms }) => terms) }
  if (query.all.length === 0) return { pages: await all(indexes), unwanted, query, changed }
  const together = inAll(matched.map(({ pages }) => pages))
  if (together.size > 0 || matched.length < 2)
    return {
      pages: together,
      unwanted,
      query: answered,
      changed,
      some: matched.length > 0 && matched.length < lists.length && changed.length === 0,
    }
  const counts = new Map()
  for (const { pages } of matched)
    for (const [id, hit] of pages) counts.set(id, { ...hit, score: hit.score + 1000 + (counts.get(id)?.score ?? 0) })
  return { pages: counts, unwanted, query: answered, changed, some: true }
}

/** The answer of some of the indexes, in the form of `ask`, but without replacements for terms that they do not have. */
export async function askSome(indexes, query) {
  const [unwanted, few] = await Promise.all([unwantedOf(indexes, query), pagesByFew(indexes, query.all)])
  if (isLong(query.all)) return { pages: few, unwanted, query, changed: [] }
  const lists = await Promise.all(query.all.map((terms) => pagesOfAny(indexes, terms)))
  return { pages: inAll(lists), unwanted, query, changed: [] }
}

/** The pages that may have an excluded term: their texts decide. */
function unwantedOf(indexes, { none: terms }) {
  return pagesOfAny(indexes, [...terms, ...terms.flatMap(inSmallLetters)])
}

async function pagesOfAny(indexes, terms) {
  return inAny(await Promise.all(terms.map((term) => pagesOf(indexes, term))))
}

async function all(indexes) {
  return new Map((await Promise.all(indexes.map((index) => index.all()))).flatMap((pages) => [...pages]))
}
