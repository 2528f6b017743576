// The results of a search as a list: sessions with the items that answer. All content is set as text, never as markup.
import { make } from '../page/make.js'

const kindWords = {
  ...{ prompt: 'Prompt', answer: 'Answer', commentary: 'Commentary', thought: 'Thought', command: 'Command' },
  ...{ output: 'Output', edit: 'Edit' },
  ...{ tool: 'Tool', mcp: 'MCP', plan: 'Plan', search: 'Web search', agent: 'Agent', question: 'Question' },
  ...{ notice: 'Notice', error: 'Error', context: 'Context' },
}
/** How many items of a session are shown at first. */
const placesShown = 4

/** Adds sessions to `list`. `href` returns the address of a page, or of an item in it. */
export function addHits(list, sessions, href) {
  for (const found of sessions) {
    const item = session(found, href)
    list.append(item)
    addPlaces(item, found, href)
  }
}

function session({ path, meta, facts, places, excerpt: beginning }, href) {
  // A standalone page is one session, whose title needs no link.
  if (path === '') return make('li', {}, make('ol'))
  const { date, project, branch, model = [], label } = facts
  const details = [date, project, branch, model.join(', '), label].filter(Boolean).join(' · ')
  const link = make('a', { href: href(path) }, make('span', { class: 't', dir: 'auto' }, meta.title ?? 'Session'))
  if (details !== '') link.append(make('span', { class: 'p' }, details))
  if (places.length === 0) link.append(excerpt(beginning))
  return make('li', {}, link, make('ol'))
}

function addPlaces(item, found, href) {
  const list = item.querySelector('ol')
  list.append(...placesOf(found, href))
  const folded = found.path === '' ? [] : foldedOf([...list.children])
  for (const place of folded) place.hidden = true
  if (folded.length === 0 && !found.left) return
  const text = found.left ? 'More in this session' : `${folded.length} more in this session`
  const more = make('button', { type: 'button' }, text)
  more.addEventListener('click', async () => {
    more.disabled = true
    const shown = list.querySelectorAll('li:not([hidden])').length
    if (found.left) {
      const pages = await found.rest().catch(() => undefined)
      if (pages === undefined) {
        more.disabled = false
        more.textContent = 'The rest could not be loaded: try again'
        more.focus()
        return
      }
      list.append(...pages.flatMap((page) => placesOf(page, href)))
    }
    for (const place of folded) place.hidden = false
    more.remove()
    const first = folded[0] ?? list.children[shown]
    first?.querySelector('a').focus()
  })
  item.append(more)
}

/** The items to hide: all after the first `placesShown`, and those that repeat one above except for numbers. */
function foldedOf(places) {
  const seen = new Set()
  return places.filter(({ textContent }) => {
    const text = textContent.replace(/\d+/g, '0')
    const isOpen = !seen.has(text) && seen.size < placesShown
    if (isOpen) seen.add(text)
    return !isOpen
  })
}

function placesOf({ path, places }, href) {
  return places.map(({ id, kind, turn, excerpt: parts }) => {
    const label = make('span', { class: 'w' }, make('span', { class: 'k' }, kindWords[kind] ?? kind))
    // On a standalone page, turns are not named.
    if (path !== '' && turn > 0) label.append(' ', make('small', {}, `turn\u00A0${turn}`))
    return make('li', {}, make('a', { href: href(path, id) }, label, ' ', excerpt(parts)))
  })
}

/** A line of text in which the matches are marked. */
function excerpt(parts) {
  return make(
    'span',
    { class: 'e', dir: 'auto' },
    ...parts.map(([text, marked]) => (marked ? make('mark', {}, text) : text)),
  )
}
