// Replaces `search/load-index.js` on a standalone page: searches its items, with answers in the form of the index.
import { readingsOf } from '../search/grammar.js'
import { isOfKind, placesOf, turnsWith } from '../search/places.js'
import { readQuery, termsOf } from '../search/query.js'

/** Kinds of items by their classes; an item with none of these is a notice. */
const kindOfClass = {
  ...{ prompt: 'prompt', answer: 'answer', commentary: 'commentary', thought: 'thought', command: 'command' },
  ...{ request: 'question', aside: 'question', patch: 'edit', error: 'error', context: 'context', image: 'context' },
  ...{ tool: 'tool', planned: 'plan', search: 'search', card: 'agent' },
}

/** The items of the page, in order. */
function readPage() {
  return [...document.querySelectorAll('.flow .item[id]')].map((item) => {
    const name = [...item.classList].find((one) => Object.hasOwn(kindOfClass, one))
    const turn = item.closest('.turn')?.id
    return { id: item.id, kind: kindOfClass[name] ?? 'notice', turn, text: textOf(item) }
  })
}

/** Elements whose text is separate from the text around them, so that words do not run together. */
const apart = 'p, li, td, th, pre, ins, del, div, h2, h3, h4, h5, h6, summary > *'

/** The text of an item, without its time and heading, and without the items inside it. */
function textOf(item) {
  let [all, last] = ['', undefined]
  const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement
    if (parent.closest('.item') !== item || parent.closest('.at, .item > header')) continue
    const block = parent.closest(apart)
    all += (block === last ? '' : ' ') + text.data
    last = block
  }
  return all.replace(/\s+/gu, ' ').trim()
}

function search(items, text, options) {
  for (const { asked, isPasted } of readingsOf(text)) {
    const found = searchAsTyped(items, asked, options)
    if (found.total > 0) return { ...found, isPasted }
  }
  return searchAsTyped(items, text, options)
}

function searchAsTyped(items, text, { kinds, sort } = {}) {
  const query = readQuery(text, kinds)
  // Terms of three or more characters also match inside words: there is no index that could say whether they begin one.
  const all = query.all.map((terms) =>
    terms.map((term) => ({ ...term, isInside: termsOf(term.text).join('').length > 2 })),
  )
  const without = turnsWith(items, query.none, query.kinds)
  const places = items
    .filter((item) => isOfKind(item, query.kinds))
    .flatMap((item) => placesOf([item], { all }, { without }) ?? [])
  if (sort === 'date') places.reverse()
  const results = places.map((place) => ({
    data: async () => ({ path: '', meta: { title: '' }, places: [place], left: 0 }),
  }))
  return { results, filters: {}, total: results.length, unit: 'place', isSure: true, query }
}

let items

/** Resolves with the search of this page, whose text is read on first use. */
export async function openSearch() {
  items ??= readPage()
  const none = async () => ({})
  return { search: async (text, options) => search(items, text, options), filters: none, names: none }
}
