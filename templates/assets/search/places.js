// From a page that the index found to places in it: items with a line of their text, hits marked.
import { folded, isAsTyped, spansOf, termOf } from './query.js'

/** Stands around words that are in the index but not in the text: see `search/entry-text.ts`. */
const hiddenMark = '~^~'

/** Which kind counts more where two items answer equally well. */
const ranks = ['prompt', 'answer', 'error', 'edit', 'command']

/** UTF-16 units of a line of text. */
const lineLength = 180

/**
 * Items of a page: `id`, `kind`, `turn`, its number, `text`, without the hidden words, of edits the `folder` from which paths go on,
 * and `head`, the length of the paths or the name that the text begins with, where more follows.
 */
export function itemsOf({ content, anchors }) {
  const tokens = content.split(/[^\S\uFEFF]+/u)
  const starts = anchors.filter(({ element }) => element.startsWith('x-')).sort((a, b) => a.location - b.location)
  const folder = decodeURIComponent(starts.find(({ element }) => element === 'x-folder')?.id ?? '')
  const items = []
  let turn = 0
  for (const [index, { id, element, location }] of starts.entries()) {
    const kind = element.slice(2)
    if (kind === 'turn') turn = Number(id)
    if (kind === 'turn' || kind === 'folder') continue
    const text = shownText(tokens.slice(location, starts[index + 1]?.location ?? tokens.length))
    const last = items.at(-1)
    if (kind !== 'rest') items.push({ id, kind, turn, text, ...(kind === 'edit' && folder && { folder }) })
    else if (last) Object.assign(last, { text: `${last.text} ${text}`, head: last.text.length })
  }
  return items
}

function shownText(tokens) {
  return byMarks(tokens).shown.join(' ')
}

/** Words of a text that a page shows, and those between marks, of which `last` are those of the last pair. */
function byMarks(tokens) {
  let isHidden = false
  let last = []
  const shown = tokens.filter((token) => {
    const isMark = token === hiddenMark
    if (isMark) isHidden = !isHidden
    if (isMark && isHidden) last = []
    if (!isMark && isHidden) last.push(token)
    return !isMark && !isHidden
  })
  return { shown, last }
}

/** What a page is found by beside its items: its title, and behind all of them the id of its session, tags and words of plugins. */
export function aboutOf({ content, meta = {} }) {
  return [meta.title ?? '', ...byMarks(content.split(/[^\S\uFEFF]+/u)).last].join(' ')
}

/** Whether an item is of a kind that is asked for; calls of servers are tools. */
export function isOfKind({ kind }, kinds) {
  return kinds.length === 0 || kinds.includes(kind) || (kind === 'mcp' && kinds.includes('tool'))
}

/** Where an item answers a term. */
function spansIn({ kind, text, folder, head = text.length }, term, plain) {
  if (term.field === 'file' && kind !== 'edit') return []
  if (term.field === 'tool' && kind !== 'tool' && kind !== 'mcp') return []
  const within = term.field === 'text' ? text.length : head
  const spans = spansOf(text, term, plain).filter(([, to]) => to <= within)
  return spans.length > 0 || folder === undefined ? spans : spansBelow(text.slice(0, within), term, folder)
}

/**
 * Where a text has the end of a path that is asked for, of which the rest is the end of a folder; its first word where all of it lies in
 * the folder itself.
 */
function spansBelow(text, term, folder) {
  const [whole, asked] = [`/${plainPath(folder)}/`, plainPath(term.text)]
  const at = whole.indexOf(asked)
  const isInFolder = asked.includes('/')
    ? at > 0 && !/[\p{L}\p{N}]/u.test(whole[at - 1])
    : spansOf(folder, term).length > 0
  if (isInFolder) return [[0, text.split(' ', 1)[0].length]]
  for (const { index } of asked.matchAll(/\//g)) {
    const head = asked.slice(0, index + 1)
    if (!whole.endsWith(head) || /[\p{L}\p{N}]/u.test(whole.at(-1 - head.length) ?? '')) continue
    const rest = termOf(asked.slice(index + 1), term)
    return spansOf(text, rest).filter(([from]) => from === 0 || text[from - 1] === ' ')
  }
  return []
}

/** A path in small letters, with `/` between its parts alone. */
function plainPath(path) {
  const parts = folded(path)
    .toLowerCase()
    .split(/[/\\]+/u)
  return parts.filter(Boolean).join('/')
}

/** Whether a page holds a term, in an item or in what it is about. */
export function holds(page, term) {
  return itemsOf(page).some((item) => spansIn(item, term).length > 0) || spansOf(aboutOf(page), term).length > 0
}

/** Whether an item has a term as it was typed, of those that find more than that. */
function hasAsTyped(item, { all }) {
  const terms = all.flat().filter(({ exact }) => exact)
  return terms.some((term) => spansIn(item, term).some(([from, to]) => isAsTyped(item.text.slice(from, to), term)))
}

/** Whether some item of a wanted kind has it so. */
export function anyAsTyped(items, query, kinds) {
  return items.some((item) => isOfKind(item, kinds) && hasAsTyped(item, query))
}

/** Turns in which items of the wanted kinds hold a term that is not wanted. */
export function turnsWith(items, terms, kinds = []) {
  const isUnwanted = (item) => isOfKind(item, kinds) && terms.some((term) => spansIn(item, term).length > 0)
  return new Set(items.filter(isUnwanted).map(({ turn }) => turn))
}

/**
 * Places of a page that answer a query, the best first: `id` of the item, `kind`, `turn`, `answered`, the number of terms
 * that it answers, and `excerpt`, a list of `[text, marked]`. Turns in `without` are left out. `undefined` where the page does not
 * answer the query as a whole: not every list of terms has an answer in the items that are left or in what the page is `about`.
 * `some`: any list will do.
 */
export function placesOf(items, { all, row }, { kinds = [], about = '', some = false, without = new Set() } = {}) {
  const found = items
    .filter((item) => isOfKind(item, kinds))
    .flatMap(({ text, ...item }) => {
      const plain = folded(text)
      const lists = all.map((terms) => terms.flatMap((term) => spansIn({ ...item, text }, term, plain)))
      const answered = lists.filter((spans) => spans.length > 0).length
      const inRow = row && answered === all.length ? spansOf(text, row, plain) : []
      const isTyped = answered > 0 && hasAsTyped({ ...item, text }, { all })
      return answered === 0 && all.length > 0 ? [] : [{ ...item, text, answered, lists, inRow, isTyped }]
    })
  const places = found.filter(({ turn }) => !without.has(turn))
  const missing = (among) => all.filter((_, at) => !among.some(({ lists }) => lists[at].length > 0))
  const isAbout = (terms) => terms.some((term) => term.field === 'text' && spansOf(about, term).length > 0)
  const elsewhere = some ? all : missing(found).filter(isAbout)
  if (missing(places).some((terms) => !elsewhere.includes(terms))) return undefined
  if (places.length === 0 && (kinds.length > 0 || found.length > 0)) return undefined
  const hasRow = ({ inRow }) => Number(inRow.length > 0)
  const rank = ({ kind }) => (ranks.indexOf(kind) + ranks.length + 1) % (ranks.length + 1)
  return places
    .sort((a, b) => b.answered - a.answered || hasRow(b) - hasRow(a) || b.isTyped - a.isTyped || rank(a) - rank(b))
    .map(({ lists, text, inRow, isTyped: _, folder: __, head: ___, ...place }) => ({
      ...place,
      excerpt: excerptOf(text, lists.flat(), inRow[0]?.[0]),
    }))
}

/** The beginning of a page's text, for a hit in its title. */
export function beginningOf({ content }) {
  return excerptOf(shownText(content.split(/[^\S\uFEFF]+/u).slice(0, lineLength)), [])
}

/** The line of a text that holds a place, or else most marks, as a list of `[text, marked]`. */
function excerptOf(text, marks, place) {
  const all = joined(marks)
  const start = lineStart(text, place === undefined ? all : [[place, place + 1]])
  const end = lineEnd(text, start)
  const parts = start > 0 ? [['… ', false]] : []
  let at = start
  for (const [from, to] of all) {
    if (to <= start || from >= end) continue
    if (from > at) parts.push([text.slice(at, from), false])
    parts.push([text.slice(Math.max(from, start), Math.min(to, end)), true])
    at = to
  }
  if (at < end) parts.push([text.slice(at, end), false])
  return end < text.length ? [...parts, [' …', false]] : parts
}

/** Marks in order, those that touch or overlap as one. */
function joined(marks) {
  const result = []
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** Where a line begins that shows as many marks as possible, a little before the first of them. */
function lineStart(text, marks) {
  let best = 0
  let longest = 0
  let end = 0
  for (const [at, [from]] of marks.entries()) {
    while (end < marks.length && marks[end][1] <= from + lineLength) end++
    if (end - at <= longest) continue
    longest = end - at
    best = from
  }
  if (best + 60 < lineLength || text.length <= lineLength) return 0
  const start = Math.min(best - 40, text.length - lineLength)
  const blank = text.indexOf(' ', start)
  return blank >= 0 && blank < best ? blank + 1 : start
}

function lineEnd(text, start) {
  const end = start + lineLength
  if (end >= text.length) return text.length
  const blank = text.lastIndexOf(' ', end)
  return blank > start + lineLength / 2 ? blank : end
}
