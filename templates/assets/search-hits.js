// Results of a search as a list: pages of one session together, with their places. Everything is text.
import { make } from './make.js'

const kindWords = { prompt: 'Prompt', answer: 'Answer', command: 'Command', edit: 'Edit', error: 'Error' }
/** Places of a session that stand open. */
const placesShown = 4

/** Folder of a page: one a session. */
export function folderOf({ path }) {
  return path.replace(/[^/]*$/, '')
}

/**
 * Adds pages below what `list` shows; those of a session that is the last one there join it. `href` makes the
 * address of a page, or of a place in it.
 */
export function addHits(list, pages, href) {
  for (const page of pages) {
    const last = list.lastElementChild
    if (last === null || last.dataset.folder !== folderOf(page)) list.append(session(page, href))
    const item = list.lastElementChild
    addPlaces(item, page, href)
  }
}

function session(page, href) {
  const { meta, filters = {} } = page
  const branch = filters.branch?.[0]
  const facts = [meta.date, meta.project, branch].filter(Boolean).join(' · ')
  // A page that stands alone is one session, whose title needs no link.
  if (page.path === '') return make('li', { 'data-folder': '' }, make('ol'))
  const link = make('a', { href: href(page.path) }, make('span', { class: 't' }, meta.title ?? 'Session'))
  if (facts !== '') link.append(make('span', { class: 'p' }, facts))
  if (page.places.length === 0) link.append(excerpt(page.excerpt))
  return make('li', { 'data-folder': folderOf(page) }, link, make('ol'))
}

function addPlaces(item, page, href) {
  const list = item.querySelector('ol')
  const places = page.places.map((place) => make('li', {}, placeLink(page, place, href)))
  list.append(...places)
  const folded = page.path === '' ? [] : [...list.children].slice(placesShown)
  item.querySelector(':scope > button')?.remove()
  if (folded.length === 0) return
  for (const place of folded) place.hidden = true
  const more = make('button', { type: 'button' }, `${folded.length} more in this session`)
  more.addEventListener('click', () => {
    for (const place of folded) place.hidden = false
    more.remove()
    folded[0].querySelector('a').focus()
  })
  item.append(more)
}

function placeLink({ path }, { id, kind, excerpt: parts }, href) {
  const label = make('span', { class: 'k' }, kindWords[kind] ?? 'Other')
  return make('a', { href: href(path, id) }, label, excerpt(parts))
}

/** A line of text in which what was looked for is marked. */
function excerpt(parts) {
  return make('span', { class: 'e' }, ...parts.map(([text, marked]) => (marked ? make('mark', {}, text) : text)))
}
