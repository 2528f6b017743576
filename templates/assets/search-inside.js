// The search of a page that stands alone: over its own items, with answers of the form that the index gives.
import { placesOf } from './search-places.js'
import { isUnspaced, plain, readQuery } from './search-query.js'

/** The index's headings for kinds of items. */
const headings = { prompt: 'h2', answer: 'h3', command: 'h4', patch: 'h5', error: 'h6' }

/** Words of the whole page in its order, and where each item begins. */
function readPage() {
  const words = []
  const anchors = []
  for (const item of document.querySelectorAll('.flow .item[id]')) {
    const kind = Object.keys(headings).find((name) => item.classList.contains(name))
    anchors.push({ id: item.id, element: headings[kind] ?? 'p', text: '', location: words.length })
    words.push(...textOf(item).split(/\s+/u).filter(Boolean))
  }
  return { content: words.join(' '), words, anchors }
}

/** What stands apart from the text around it: its words do not run into the next ones. */
const apart = 'p, li, td, th, pre, ins, del, div, h2, h3, h4, h5, h6, summary > *'

/** Text of an item without its time and that of items inside it. */
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
  return all
}

/** Whether a word of the page holds one that was asked for: short ones begin it. */
function holds(known, asked) {
  return asked.length < 3 && !isUnspaced(asked) ? known.startsWith(asked) : known.includes(asked)
}

function search(page, text, { sort } = {}) {
  const query = readQuery(text)
  const hits = page.plain.flatMap((known, at) => (query.words.some((word) => holds(known, word)) ? [at] : []))
  const places = placesOf(page, query, hits)
  const most = places.reduce((count, { answered }) => Math.max(count, answered), 0)
  const best = places.filter(({ answered, quoted }) => answered === most && quoted === query.phrases.length)
  const order = new Map(page.anchors.map(({ id }, at) => [id, at]))
  if (sort === 'date') best.sort((a, b) => order.get(b.id) - order.get(a.id))
  const results = best.map((place) => ({ data: async () => ({ path: '', meta: { title: '' }, places: [place] }) }))
  return { results, filters: {}, total: results.length, unit: 'place' }
}

let page

/** Resolves with the search of this page; its words are read on first use. */
export async function openSearch() {
  if (page === undefined) {
    page = readPage()
    page.plain = page.words.map(plain)
  }
  return { search: async (text, options) => search(page, text, options), filters: async () => ({}) }
}
