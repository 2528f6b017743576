// The search of the site: Pagefind over one or several indexes, with the same answers wherever a site is read from. Loaded on
// first use as `pagefind/search.js`; the page calls `codexSearch`.
import { ask, askSome } from './ask.js'
import { readingsOf } from './grammar.js'
import { fileLoader } from './index-files.js'
import { latestAnswers } from './latest.js'
import { pageStore, unpacked } from './pagefind-files.js'
import { aboutOf, anyAsTyped, beginningOf, itemsOf, placesOf, turnsWith } from './places.js'
import { folded, readQuery } from './query.js'
import { counted, passing, rowsOf, withOwnTags } from './sessions.js'
import { firstTexts } from './words.js'

/** How much words of the title, project and date count, tuned with the queries of the tests. */
const ranking = { metaWeights: { title: 8, project: 1, date: 1 } }

/** Loads what every search needs up front, because Pagefind would not report the failure of one of these files. */
async function loadFirst(indexes, load) {
  const names = indexes.flatMap(({ hash, wasm }) => [tableOf(hash), `wasm.${wasm ?? 'unknown'}.pagefind`])
  return new Map(await Promise.all([...new Set(names)].map(async (name) => [name, await unpacked(await load(name))])))
}

const tableOf = (hash) => `pagefind.${hash}.pf_meta`

/**
 * Answers Pagefind's requests: each index appears to it as its own index below `/<number>/`. Pagefind ignores a file that fails,
 * as if it were empty, so errors are collected in `failures`. `loadedWords` collects the words of the files that are loaded.
 */
function fetcher(index, { first, load, store, failures, loadedWords }) {
  return async (address) => {
    const [, number, name] = /^\/(\d+)\/([^?]*)/.exec(address)
    const { rows: _, ...entry } = index.indexes[number]
    if (name === 'pagefind-entry.json')
      return { ok: true, json: async () => ({ ...index.entry, languages: { [index.language]: entry } }) }
    try {
      const bytes = first.get(name) ?? (await unpacked(await load(name)))
      const page = /^fragment\/(.+)\.pf_fragment$/.exec(name)?.[1]
      if (name.startsWith('index/')) loadedWords[number].push(...firstTexts(bytes))
      const content = page === undefined ? bytes : store.strip(page, bytes)
      return { ok: true, arrayBuffer: async () => content }
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
}

/**
 * Reads the tables of the indexes. `numberOf`: the session of each page by the id of the page, because `rows` has the sessions in
 * the order of the pages; `files`: the beginning of the first word of each file.
 */
function readTables({ indexes }, first) {
  const texts = indexes.map(({ hash }) => firstTexts(first.get(tableOf(hash))))
  return {
    numberOf: new Map(indexes.flatMap(({ rows }, number) => rows.map((row, at) => [texts[number][at], row]))),
    files: indexes.map(({ rows }, number) => texts[number].slice(rows.length)),
  }
}

/** The note for a search that found nothing; the command follows it. */
const unsearchedBy = ({ outputs }) =>
  `Not searched here: ${outputs ? '' : 'what commands and tools printed (the option “searchOutputs” adds it), '}` +
  'instructions to the model, turns that were rolled back, and lines that an edit did not change. ' +
  'In a terminal, this searches everything:'

/** Opens the index; rejects with a sentence for the reader if that is impossible. */
async function open(index, createPagefind) {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly, which the search needs')
  const load = fileLoader()
  const failures = []
  const store = pageStore()
  const loadedWords = index.indexes.map(() => [])
  const first = await loadFirst(index.indexes, load)
  const { numberOf, files } = readTables(index, first)
  const fetch = fetcher(index, { first, load, store, failures, loadedWords })
  // Each index has its own engine: Pagefind's module contains one index, and a second one would replace it.
  const indexes = index.indexes.map((entry, number) => {
    const create = createPagefind(fetch)
    const engine = create({ basePath: `/${number}/`, baseUrl: '/', noWorker: true, ranking, metaCacheTag: '' })
    const words = async () => new TextDecoder().decode(await unpacked(await load(entry.words))).split('\n')
    return openIndex(engine, { store, loadedWords: loadedWords[number], words, rows: entry.rows, files: files[number] })
  })
  // `init` does not wait; an empty search does.
  await Promise.all(indexes.map((one) => one.exactly('')))
  const sessions = { rows: rowsOf(index), numberOf, timeZone: index.timeZone }
  const unsearched = unsearchedBy(index)
  const whole = async (answer) => {
    const before = failures.length
    const answered = await answer
    if (failures.length === before) return answered
    // An answer that lacks a file is not an answer.
    for (const one of indexes) one.forget()
    throw failures.at(-1)
  }
  const searchIn = async (opened, text, options) => {
    const { rest, ...answer } = await whole(search(opened, text, options))
    return rest === undefined ? answer : { ...answer, rest: () => whole(rest()) }
  }
  return {
    search: (text, options) => searchIn({ indexes, sessions, unsearched }, text, options),
    filters: async (ownTags) => counted(withOwnTags(sessions.rows, ownTags)),
    names: namesLoader(index, load),
    fields: Object.fromEntries((index.fields ?? []).map(([name, ...words]) => [`x-${name}`, words])),
  }
}

/** Returns a function that loads, once, the names for completion by operator, each with its number of sessions. */
function namesLoader({ names: file }, load) {
  let names
  return () => {
    names ??= load(file)
      .then(unpacked)
      .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)))
      .catch((error) => {
        names = undefined
        throw error
      })
    return names
  }
}

/**
 * Further files may have words that begin with a term. None is loaded if there are more than `maxNext`, as for few letters, or if
 * the term itself is on `manyPages` or more.
 */
const maxNext = 2
const manyPages = 50

/** The maximum number of answers that an index keeps: each letter that is typed may add some, with thousands of pages each. */
const maxAnswers = 100

/** An index with its latest answers kept. `newest` is the number of its newest session; the lower, the newer. */
function openIndex(engine, { store, loadedWords, words, rows, files }) {
  const answers = latestAnswers(maxAnswers)
  const pagesFor = async (term, exact) => {
    const { results } = await engine.search(term, {})
    const page = (id, data) => async () => {
      await data()
      return store.pages.get(id)
    }
    return new Map(
      results.map(({ id, score, words, data }) => [id, { id, score, exact, near: false, words, page: page(id, data) }]),
    )
  }
  const answer = (term, exact) => answers.get(`${exact} ${term}`, () => pagesFor(term, exact))
  let all
  return {
    newest: Math.min(...rows),
    loadedWords: () => loadedWords,
    forget: () => answers.clear(),
    all: () => answer(null, true),
    words: () => {
      all ??= words()
      return all
    },
    exactly: (text) => answer(text === '' ? '' : `"${text}"`, true),
    async beginning(text) {
      // Pagefind keeps words without accents, and without vowel signs.
      const plain = folded(text).replace(/\p{M}+/gu, '')
      const exact = await answer(`"${text}"`, true)
      // Pagefind loads only the file that would contain the word, but answers from all files that are loaded.
      const next = exact.size < manyPages ? files.filter((word) => word !== plain && word.startsWith(plain)) : []
      if (next.length <= maxNext) await Promise.all(next.map((word) => answer(`"${word}"`, true)))
      const found = await answer(text, false)
      // If no word begins with the text, Pagefind uses the longest word with which the text begins.
      if (!loadedWords.some((word) => word.startsWith(plain) || word.startsWith(text))) return new Map()
      return new Map([...found].map(([id, hit]) => [id, { ...hit, exact: exact.has(id) }]))
    },
  }
}

/**
 * Sessions that answer a text, the best first, or the newest first if `sort` is `date`. Of the options, `filters` maps a name to
 * a value or a list of values of which one must match; `kinds` are kinds of items; `ownTags` returns the reader's own tags of a
 * session.
 *
 * In the answer, `data()` of a result loads texts and returns its best page, or `undefined` if none answers; only if `isSure` is
 * `total` exact without that. `instead`: the text that was looked for because a word occurs nowhere. `some`: no page has all
 * words, these have some of them. `filters`: the number of sessions by filter and value. `isPasted`: words after `-` are not
 * excluded, because these pages have the text verbatim.
 *
 * If the index of the newest sessions alone gives `minSessions` sessions with the words themselves, these are a provisional
 * answer, whose `rest` asks all indexes for the complete one.
 */
async function search(opened, text, options) {
  const readings = readingsOf(text)
  if (readings.length === 1) return searchAsTyped(opened, text, options)
  for (const { asked, isPasted } of readings) {
    const found = await searchAsTyped(opened, asked, options)
    const isChanged = found.some || found.instead !== undefined
    if (!isChanged && (await isAnswered(found))) return { ...found, isPasted }
  }
  return searchAsTyped(opened, text, options)
}

/** How many results are read at a time to see whether one of them answers. */
const together = 5

/** Whether some result really answers, judging by the texts of its pages. */
async function isAnswered({ results, rest }) {
  for (let at = 0; at < results.length; at += together) {
    const read = await Promise.all(results.slice(at, at + together).map((result) => result.data()))
    if (read.some((page) => page !== undefined)) return true
  }
  return rest !== undefined && isAnswered(await rest())
}

async function searchAsTyped(opened, text, { minSessions, ...how } = {}) {
  const { indexes, sessions } = opened
  const query = readQuery(text, how.kinds)
  const whole = async () => typedFirst(answerOf(opened, { text, query, found: await ask(indexes, query) }, how), how)
  const [newest, ...others] = indexes
  if (minSessions === undefined || query.all.length === 0 || others.length === 0) return whole()
  const found = await askSome([newest], query)
  // The final order is known only for sessions that are newer than all of the other indexes.
  const border = Math.min(...others.map((one) => one.newest))
  const pages = new Map([...found.pages].filter(([id]) => sessions.numberOf.get(id) < border))
  const answer = answerOf(opened, { text, query, found: { ...found, pages } }, how)
  const exact = answer.results.filter(({ isExact }) => isExact)
  return exact.length < minSessions ? whole() : { ...(await typedFirst(answer, how)), isSure: false, rest: whole }
}

/** The answer with those of its first results in front that have what was typed: `a_b` finds `a/b` too. They are read anyway. */
async function typedFirst(answer, { sort }) {
  const { results, query } = answer
  if (sort === 'date' || results.length < 2 || !query.all.flat().some(({ exact }) => exact)) return answer
  const read = results.slice(0, together).map(async (result) => [result, (await result.data())?.isTyped === true])
  const first = (await Promise.all(read)).sort(([, one], [, other]) => other - one).map(([result]) => result)
  return { ...answer, results: [...first, ...results.slice(together)] }
}

function answerOf({ sessions, unsearched }, { text, query, found }, { filters = {}, sort, ownTags }) {
  const hitsOf = (pages) => Map.groupBy([...pages.values()], ({ id }) => sessions.numberOf.get(id))
  const [bySession, unwanted] = [hitsOf(found.pages), hitsOf(found.unwanted)]
  const isBetter = (a, b) => b.exact - a.exact || b.near - a.near || b.score - a.score
  for (const pages of bySession.values()) pages.sort(isBetter)
  const rows = passing(
    withOwnTags(sessions.rows, ownTags).filter(({ number }) => bySession.has(number)),
    { filters, asked: query.filters, timeZone: sessions.timeZone },
  )
  const order =
    sort === 'date'
      ? (a, b) => a.number - b.number
      : (a, b) => isBetter(bySession.get(a.number)[0], bySession.get(b.number)[0])
  const sure = query.kinds.length === 0 && query.all.flat().every(({ isSure }) => isSure)
  const how = { query: found.query, kinds: query.kinds, some: found.some === true }
  const results = rows.shown
    .sort(order)
    .map((facts) => result(facts, bySession.get(facts.number), { ...how, unwanted: unwanted.get(facts.number) ?? [] }))
  const instead = found.changed
    .reduce((all, [typed, other]) => all.replace(typed, other), text)
    .replace(/\s+/g, ' ')
    .trim()
  return {
    ...{
      results,
      total: results.length,
      isSure: sure && query.none.length === 0,
      filters: rows.counts,
      query: found.query,
      unsearched,
    },
    ...(instead !== text && { instead }),
    ...(found.some && { some: true }),
  }
}

/** A session that may answer: `data` returns its best page that does, `rest` the others that do. */
function result(facts, pages, { query, kinds, some, unwanted }) {
  const turnsIn = async (hit) => [...turnsWith(itemsOf(await hit.page()), query.none, kinds)]
  const turnsLeftOut = async () => new Set((await Promise.all(unwanted.map(turnsIn))).flat())
  let without
  const read = async (hit) => {
    without ??= turnsLeftOut()
    const page = await hit.page()
    const items = itemsOf(page)
    const places = placesOf(items, query, { kinds, about: aboutOf(page), some, without: await without })
    const isTyped = places !== undefined && anyAsTyped(items, query, kinds)
    return places && { path: page.path, meta: page.meta, facts, places, isTyped, excerpt: beginningOf(page) }
  }
  let first = 0
  return {
    id: facts.number,
    pages: pages.length,
    isExact: pages[0].exact,
    async data() {
      for (first = 0; first < pages.length; first++) {
        const page = await read(pages[first])
        if (page !== undefined) return { ...page, left: pages.length - first - 1 }
      }
      return undefined
    },
    rest: async () => (await Promise.all(pages.slice(first + 1).map(read))).filter((page) => page !== undefined),
  }
}

/** Called with the index and the maker of Pagefind engines; the page then calls `codexSearch.open()`. */
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
