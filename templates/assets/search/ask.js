// One question to the indexes of a site: which pages hold its terms, and what is looked for where a term stands nowhere.
import { holds } from './places.js'
import { inSmallLetters, isUnspaced, termOf } from './query.js'
import { formsOf, othersOf } from './words.js'

/** No page. */
const none = new Map()

/**
 * Pages of an index that hold one of its words, by their ids: `score`, `exact`, whether they hold the word itself and
 * not only one that begins like it, and `page`, which loads their text.
 */
function pagesWith(index, { text, isWhole }) {
  return isWhole ? index.exactly(text) : index.beginning(text)
}

/** Pages that are in all of some maps, with the sum of their scores; exact where they are in all of them. */
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

/** Words of a page, the hidden ones behind a text included, within which those of a question stand together. */
const reach = 40

/** Whether the words of some hits of one page stand near each other somewhere; each tells the places of its words in their order. */
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

/** Pages that are in any of some maps, the best of their hits. */
function inAny(maps) {
  const found = new Map()
  for (const [id, hit] of maps.flatMap((map) => [...map])) {
    const known = found.get(id)
    if (known === undefined || hit.exact > known.exact || (hit.exact === known.exact && hit.score > known.score))
      found.set(id, hit)
  }
  return found
}

/**
 * Words of one term up to which an index is asked at a time, and pages at which that ends: nearly each word lies in a file of its
 * own, and the texts of pages tell whether they hold the whole.
 */
const steps = [1, 3, 6]
const fewPages = 2

/** Pages that hold a term, or may where the index is not sure. */
async function pagesOf(indexes, term) {
  return new Map((await Promise.all(indexes.map((index) => pagesIn(index, term)))).flatMap((pages) => [...pages]))
}

/** The same of one index: a word that it does not know spares the files of the others. */
async function pagesIn(index, term) {
  const { terms, isSure } = term
  let found
  for (const [at, end] of steps.entries()) {
    const next = terms.slice(steps[at - 1] ?? 0, end)
    const isKnown = found && (found.size === 0 || (!isSure && found.size <= fewPages))
    if (next.length === 0 || isKnown) break
    const hits = await Promise.all(next.map((word) => pagesWith(index, word)))
    found = inAll(found ? [found, ...hits] : hits)
  }
  return found ? standingAlone(index, term, found) : none
}

/**
 * Pages that hold the words of a phrase or a path; exact are those where the index knows it as it stands. The others may hold it
 * in compound words, or behind a folder: their texts tell.
 */
async function standingAlone(index, { row, isPhrase }, found) {
  // The words of a phrase are loaded by now; a path as a whole is one more.
  if (row === undefined || found.size <= (isPhrase ? fewPages : maxRead)) return found
  const rows = await pagesWith(index, { text: row, isWhole: true })
  if (rows.size === 0 && !isPhrase) return found
  return new Map([...found].map(([id, hit]) => [id, { ...hit, exact: rows.has(id) }]))
}

/** Pages of which the texts tell at most whether a term stands anywhere. */
const maxRead = 8

/** Whether any of the pages that may hold a term does; of many it is taken for granted. */
async function anyHolds(pages, term) {
  // Of pairs the index knows not whether they follow each other; it takes `left.over` for a word that begins like `lefto`, too.
  const isKnown = term.isSure && term.terms.length < 2 && [...pages.values()].some(({ exact }) => exact)
  if (pages.size > maxRead || pages.size === 0 || isKnown || term.isPhrase || term.field !== 'text')
    return pages.size > 0
  for (const { page } of [...pages.values()].sort((a, b) => b.score - a.score))
    if (holds(await page(), term)) return true
  return false
}

/**
 * What is looked for in place of a term that stands nowhere: terms of which any will do, and the `text` to tell of; nothing
 * where there is none.
 */
async function othersFor(indexes, term) {
  if (term.isPhrase || term.isWhole || term.terms.length === 0) return undefined
  const [first, second] = term.terms
  const word = term.text.toLowerCase()
  const isWord = /^\p{L}+$/u.test(term.text)
  if (!isWord && (second !== undefined || /[⁀⁔︳︴﹍﹎﹏‿]/u.test(first.text))) return endOf(indexes, term)
  if (/\p{N}/u.test(term.text)) return undefined
  const forms = formsOf(
    word,
    indexes.flatMap((index) => index.known()),
  )
  if (forms.length > 0) return { terms: [...new Set(forms)].map((form) => termOf(form, { ...term, isWhole: true })) }
  const all = new Set((await Promise.all(indexes.map((index) => index.words()))).flat())
  const { words, isInside = false } = othersOf(word, [...all])
  if (words.length === 0) return undefined
  if (!isInside) return { terms: words.map((word) => termOf(word, { ...term, isWhole: true })), text: words[0] }
  // The words hold what was typed, and that is what is marked.
  return { terms: words.map((word) => ({ ...term, isInside, terms: [{ text: word, isWhole: true }] })) }
}

/** Ends of a pasted path that are tried. */
const maxEnds = 12

/** The longest end of a path, or of another compound word, that stands somewhere. */
async function endOf(indexes, term) {
  const starts = [...term.text.matchAll(/[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu)].map(
    ({ index, 0: gap }) => index + gap.length,
  )
  for (const start of starts.slice(0, maxEnds)) {
    const end = termOf(term.text.slice(start), term)
    // A single word of a path is no path any more: nearly every archive has a `json`. A flag is its word.
    const isWord = !/[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(end.text)
    // The `t` of `don't` stands for nothing.
    const isShort = !isUnspaced(end.text) && !/[\p{L}\p{N}]{3}/u.test(end.text)
    if ((isWord && term.terms.length > 1) || isShort || !/\p{L}/u.test(end.text)) continue
    if (await anyHolds(await pagesOf(indexes, end), end)) return { terms: [end], text: end.text }
  }
  return undefined
}

/** Lists of terms of a query that an index is asked about at once, of one that is pasted: nearly each loads a file of its own. */
const maxAsked = 5
/** Pages of which the texts tell whether they hold the others. */
const maxChecked = 5

/** Pages that hold all of many lists of terms, by the longest of them and by the texts of the pages: none of few lists, and none where many pages may hold them. */
async function pagesByFew(indexes, lists) {
  if (lists.length <= maxAsked) return none
  const lengthOf = (terms) => Math.min(...terms.map(({ text }) => text.length))
  const longest = [...lists].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, maxAsked)
  const pages = inAll(await Promise.all(longest.map((terms) => pagesOfAny(indexes, terms))))
  if (pages.size > maxChecked) return none
  const isHeld = async ({ page }) => {
    const text = await page()
    return lists.every((terms) => terms.some((term) => holds(text, term)))
  }
  const checked = await Promise.all([...pages].map(async ([id, hit]) => ((await isHeld(hit)) ? [[id, hit]] : [])))
  return new Map(checked.flat())
}

/**
 * Answers a query: `pages` by their ids, the `query` that they answer, `changed`, pairs of a text that was typed and the
 * one that was looked for instead, `unwanted`, pages that may hold an excluded term, and `some` where no page has all that is asked for and these have some of it.
 */
export async function ask(indexes, query) {
  const [unwanted, few] = await Promise.all([unwantedOf(indexes, query), pagesByFew(indexes, query.all)])
  if (few.size > 0) return { pages: few, unwanted, query, changed: [] }
  const changed = []
  const lists = await Promise.all(
    query.all.map(async (terms) => {
      const holding = async (term) => {
        const pages = await pagesOf(indexes, term)
        return (await anyHolds(pages, term)) ? pages : none
      }
      const known = async (term) => {
        const pages = await holding(term)
        const [other] = pages.size === 0 ? inSmallLetters(term) : []
        return other === undefined ? pages : holding(other)
      }
      const pages = inAny(await Promise.all(terms.map(known)))
      if (pages.size > 0) return { terms, pages }
      const others = (await Promise.all(terms.map((term) => othersFor(indexes, term)))).filter(Boolean)
      for (const [at, { text }] of others.entries()) if (text !== undefined) changed.push([terms[at].text, text])
      const found = others.flatMap((other) => other.terms)
      if (found.length === 0) changed.push([terms[0].text, ''])
      return { terms: found, pages: inAny(await Promise.all(found.map((term) => pagesOf(indexes, term)))) }
    }),
  )
  const known = lists.filter(({ pages }) => pages.size > 0)
  const answered = { ...query, all: known.map(({ terms }) => terms) }
  if (query.all.length === 0) return { pages: await all(indexes), unwanted, query, changed }
  const together = inAll(known.map(({ pages }) => pages))
  if (together.size > 0 || known.length < 2)
    return {
      pages: together,
      unwanted,
      query: answered,
      changed,
      some: known.length > 0 && known.length < lists.length && changed.length === 0,
    }
  const counts = new Map()
  for (const { pages } of known)
    for (const [id, hit] of pages) counts.set(id, { ...hit, score: hit.score + 1000 + (counts.get(id)?.score ?? 0) })
  return { pages: counts, unwanted, query: answered, changed, some: true }
}

/** What some of the indexes answer, in the form of `ask`: no other words are looked for where one stands in none of them. */
export async function askSome(indexes, query) {
  const [unwanted, few] = await Promise.all([unwantedOf(indexes, query), pagesByFew(indexes, query.all)])
  if (query.all.length > maxAsked) return { pages: few, unwanted, query, changed: [] }
  const lists = await Promise.all(query.all.map((terms) => pagesOfAny(indexes, terms)))
  return { pages: inAll(lists), unwanted, query, changed: [] }
}

/** Pages that may hold what is left out: their texts tell. */
function unwantedOf(indexes, { none: terms }) {
  return pagesOfAny(indexes, [...terms, ...terms.flatMap(inSmallLetters)])
}

async function pagesOfAny(indexes, terms) {
  return inAny(await Promise.all(terms.map((term) => pagesOf(indexes, term))))
}

async function all(indexes) {
  return new Map((await Promise.all(indexes.map((index) => index.all()))).flatMap((pages) => [...pages]))
}
