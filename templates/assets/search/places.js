// Finds the items that answer on a page that the index found, each with a line of its text in which the matches are marked.
import { folded, isAsTyped, spansOf, termOf } from './query.js'

/** Surrounds words that are in the index but not in the text: see `search/entry-text.ts`. */
const hiddenMark = '~^~'

/** The order of kinds if two items answer equally well; all other kinds come last. */
const ranks = ['prompt', 'answer', 'error', 'edit', 'command']

/** The length of an excerpt in UTF-16 units. */
const lineLength = 180

/**
 * The items of a page: `id`, `kind`, the number of the `turn`, and the `text` without hidden words. Edits have the `folder` to
 * which their paths are relative. `head`: the length of the paths or the name with which the text begins, if more follows.
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

/** The words that a page shows, `shown`, and the hidden words between the last pair of marks, `last`. */
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

/** What a page is found by in addition to its items: its title, and the id, tags and plugin words of its session. */
export function aboutOf({ content, meta = {} }) {
  return [meta.title ?? '', ...byMarks(content.split(/[^\S\uFEFF]+/u)).last].join(' ')
}

/** Whether an item is of one of the wanted kinds; calls of MCP servers are tools. */
export function isOfKind({ kind }, kinds) {
  return kinds.length === 0 || kinds.includes(kind) || (kind === 'mcp' && kinds.includes('tool'))
}

/** Where a term matches in an item. */
function spansIn({ kind, text, folder, head = text.length }, term, plain) {
  if (term.field === 'file' && kind !== 'edit') return []
  if (term.field === 'tool' && kind !== 'tool' && kind !== 'mcp') return []
  const within = term.field === 'text' ? text.length : head
  const spans = spansOf(text, term, plain).filter(([, to]) => to <= within)
  return spans.length > 0 || folder === undefined ? spans : spansBelow(text.slice(0, within), term, folder)
}

/**
 * Matches of a path whose beginning is the end of `folder`: where the text has the rest of the path. If all of the path is in the
 * folder, the first word of the text.
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

/** A path in lower case, with `/` between its parts and nowhere else. */
function plainPath(path) {
  const parts = folded(path)
    .toLowerCase()
    .split(/[/\\]+/u)
  return parts.filter(Boolean).join('/')
}

/** Whether a page has a term, in an item or in what else it is found by. */
export function hasTerm(page, term) {
  return itemsOf(page).some((item) => spansIn(item, term).length > 0) || spansOf(aboutOf(page), term).length > 0
}

/** Whether an item has a term exactly as typed, among the terms that also find other forms. */
function hasAsTyped(item, { all }) {
  const terms = all.flat().filter(({ exact }) => exact)
  return terms.some((term) => spansIn(item, term).some(([from, to]) => isAsTyped(item.text.slice(from, to), term)))
}

/** Whether some item of the wanted kinds has a term exactly as typed. */
export function anyAsTyped(items, query, kinds) {
  return items.some((item) => isOfKind(item, kinds) && hasAsTyped(item, query))
}

/** The turns in which an item of the wanted kinds has an excluded term. */
export function turnsWith(items, terms, kinds = []) {
  const isUnwanted = (item) => isOfKind(item, kinds) && terms.some((term) => spansIn(item, term).length > 0)
  return new Set(items.filter(isUnwanted).map(({ turn }) => turn))
}

/**
 * The items that answer a query, the best first: the `id` of the item, `kind`, `turn`, `answered`, the number of lists of terms
 * that it answers, and `excerpt`, a list of `[text, marked]`. Turns in `without` are omitted. `undefined` if the page does not
 * answer the query as a whole, because a list of terms matches neither in the remaining items nor in `about`. `some`: one list
 * is enough.
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

/** The beginning of a page's text, as the excerpt for a hit in its title. */
export function beginningOf({ content }) {
  return excerptOf(shownText(content.split(/[^\S\uFEFF]+/u).slice(0, lineLength)), [])
}

/** The line of a text that contains `offset`, if given, else the most marks, as a list of `[text, marked]`. */
function excerptOf(text, marks, offset) {
  const all = joined(marks)
  const start = lineStart(text, offset === undefined ? all : [[offset, offset + 1]])
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

/** The marks in order; those that touch or overlap are joined. */
function joined(marks) {
  const result = []
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** Where the line with the most marks begins, a little before the first of them. */
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
  return blank >= 0 && blank < best ? blank + 1 : wholeAt(text, start)
}

/** An offset, or the one before it if it would split a surrogate pair. */
function wholeAt(text, at) {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}

function lineEnd(text, start) {
  const end = start + lineLength
  if (end >= text.length) return text.length
  const blank = text.lastIndexOf(' ', end)
  return blank > start + lineLength / 2 ? blank : wholeAt(text, end)
}
