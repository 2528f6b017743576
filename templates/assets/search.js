// Search as you type, over the index that Pagefind made when the site was built. Loaded on first use.

import { openSearch } from './search-open.js'

const kinds = { prompt: 'Prompt', answer: 'Answer', command: 'Command', edit: 'Edit', error: 'Error' }
const pageSize = 12
const root = document.documentElement.dataset.root ?? ''
const form = document.querySelector('form[role="search"]')
const input = form?.querySelector('input')

/** State of the results: the panel, the query it answers. */
const search = { panel: undefined, status: undefined, list: undefined, query: '', timer: 0 }

/** Nodes of an excerpt: what was looked for is marked, everything is text. */
function excerptNodes(parts) {
  return parts.map(([text, marked]) => (marked ? make('mark', {}, text) : text))
}

/** An element with attributes and children; strings become text. */
function make(name, attributes, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** The panel below the box, made when it is first needed. */
function openPanel() {
  if (!search.panel) {
    search.status = make('p', { role: 'status' })
    search.list = make('ol', {})
    search.panel = make(
      'div',
      { class: 'found', role: 'region', 'aria-label': 'Search results' },
      search.status,
      search.list,
    )
    form.append(search.panel)
  }
  search.panel.hidden = false
}

function closePanel() {
  if (search.panel) search.panel.hidden = true
}

function say(text) {
  openPanel()
  search.status.textContent = text
}

/** Answers the box's text; a newer text wins over an older one that is still being answered. */
async function run() {
  const query = input.value.trim()
  if (query === search.query && search.panel && !search.panel.hidden) return
  search.query = query
  if (query === '') {
    closePanel()
    return
  }
  try {
    if (!search.list?.hasChildNodes()) say('Searching…')
    const engine = await openSearch()
    const found = await engine.search(query)
    const first = await Promise.all(found.results.slice(0, pageSize).map((result) => result.data()))
    if (search.query === query) show(found.results, first)
  } catch (error) {
    if (search.query === query) fail(error)
  }
}

function show(results, first) {
  openPanel()
  search.list.replaceChildren()
  const pages = results.length === 1 ? '1 page' : `${results.length} pages`
  say(results.length === 0 ? 'Nothing was found. Try fewer or other words.' : `${pages} found.`)
  append(results, first)
}

/** Adds results below those shown, and a button for more. */
function append(results, data) {
  for (const [folder, pages] of bySession(data)) search.list.append(sessionItem(folder, pages))
  search.panel.querySelector('button')?.remove()
  const rest = results.slice(data.length)
  if (rest.length === 0) return
  const more = make('button', { type: 'button' }, `Show more (${rest.length} left)`)
  more.addEventListener('click', async () => {
    const next = await Promise.all(rest.slice(0, pageSize).map((result) => result.data()))
    append(rest, next)
  })
  search.panel.append(more)
}

/** Pages of one session together, in the order of the best of them. */
function bySession(data) {
  const sessions = new Map()
  for (const page of data) {
    const folder = page.path.replace(/[^/]*$/, '')
    sessions.set(folder, [...(sessions.get(folder) ?? []), page])
  }
  return sessions
}

function sessionItem(_folder, pages) {
  const [best] = pages
  const facts = [best.meta.date, best.meta.project].filter(Boolean).join(' · ')
  const title = make('span', { class: 't' }, best.meta.title ?? 'Session')
  const link = make('a', { href: root + best.path }, title, make('span', { class: 'p' }, facts))
  const places = pages.flatMap(placesOf).slice(0, 3)
  if (places.length === 0) link.append(make('span', { class: 'e' }, ...excerptNodes(best.excerpt)))
  return make('li', {}, link, ...(places.length === 0 ? [] : [make('ol', {}, ...places)]))
}

/** Items of a page that hold what was looked for, each a link to its anchor. */
function placesOf(page) {
  return page.places.map(({ id, kind, excerpt }) => {
    const label = make('span', { class: 'k' }, kinds[kind] ?? 'Part')
    const href = `${root}${page.path}#${encodeURIComponent(id)}`
    return make('li', {}, make('a', { href }, make('span', { class: 'e' }, label, ...excerptNodes(excerpt))))
  })
}

function fail(error) {
  openPanel()
  search.list.replaceChildren()
  say(`The search index could not be loaded (${error instanceof Error ? error.message : error}).`)
}

/** Arrow keys walk from the box through the results and back. */
function walk(event) {
  const links = [...(search.panel?.querySelectorAll('a, button') ?? [])]
  if (links.length === 0 || search.panel.hidden) return
  const at = links.indexOf(document.activeElement)
  const next = event.key === 'ArrowDown' ? at + 1 : at - 1
  const target = next < 0 ? input : links[Math.min(next, links.length - 1)]
  event.preventDefault()
  target.focus()
}

function onKey(event) {
  if (event.key === 'Escape' && search.panel && !search.panel.hidden) {
    closePanel()
    input.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    walk(event)
  }
}

function isTyping(target) {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

function startSearch() {
  form.addEventListener('keydown', onKey)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    run().then(() => search.panel?.querySelector('a')?.focus())
  })
  input.addEventListener('focus', () => input.value.trim() !== '' && run())
  input.addEventListener('input', () => {
    clearTimeout(search.timer)
    search.timer = setTimeout(run, 120)
  })
  addEventListener('click', (event) => form.contains(event.target) || closePanel())
  addEventListener('focusin', (event) => form.contains(event.target) || closePanel())
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  const query = new URLSearchParams(location.search).get('q')
  if (query) {
    input.value = query
    run()
  }
}

if (form && input) startSearch()
