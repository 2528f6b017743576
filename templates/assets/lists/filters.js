// The filters of the start page. The address contains what is chosen, so that it can be linked and Back works.

import { address, written } from '../page/address.js'
import { make } from '../page/make.js'
import { loadCatalog } from './catalog.js'
import { appendRows } from './rows.js'

const root = document.documentElement.dataset.root ?? ''
const form = document.querySelector('form.filters[data-parts]')
const chunk = 100

/** The functions for the reader's stars, tags and notes, if this browser has any. */
const own = () => globalThis.codexCuration

/** The tags of a row: those that the build wrote, and the reader's own. */
const tagsOf = ({ id, tags }) => [...new Set([...tags, ...(own()?.wordsOf(id) ?? [])])]

/** The text of a row in which words are looked for, without tags, which the reader may change. */
const textOf = ({ title, gist, name, person, branch, fields, id }) =>
  [title, gist, name, person, branch, ...Object.values(fields).flat(), id].join('\n').toLowerCase()

/** The fields of plugins for which the page has a filter. */
const fieldNames = [...form.querySelectorAll('select[name^="x-"]')].map(({ name }) => name)

/** The test of each filter: whether a row matches the chosen value. */
const tests = {
  text: (row, value) => {
    row.text ??= textOf(row)
    const tags = tagsOf(row).join('\n').toLowerCase()
    return value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => row.text.includes(word) || tags.includes(word))
  },
  person: (row, value) => row.person === value,
  tag: (row, value) => tagsOf(row).includes(value),
  project: (row, value) => row.project === value,
  model: (row, value) => row.models.includes(value),
  branch: (row, value) => row.branch === value,
  month: (row, value) => row.month === value,
  status: (row, value) => row.status === value,
  errors: (row) => row.trouble,
  edits: (row) => row.edits,
  ...Object.fromEntries(fieldNames.map((name) => [name, (row, value) => row.fields[name]?.includes(value)])),
}
/** What the list can be sorted by; otherwise the newest come first, as in the catalog. */
const sizes = {
  active: (row) => row.active,
  changes: (row) => row.added + row.removed,
  tokens: (row) => row.tokens,
}
const names = [...Object.keys(tests), 'sort']

/** What a row adds to the choices of a filter: value and text. The page already has all choices of the other filters. */
const offers = {
  project: (row) => [[row.project, row.name]],
  person: (row) => (row.person ? [[row.person, row.person]] : []),
  tag: (row) => tagsOf(row).map((tag) => [tag, tag === '★' ? '★ Starred' : tag]),
  model: (row) => row.models.map((model) => [model, model]),
  branch: (row) => (row.branch ? [[row.branch, row.branch]] : []),
  month: (row) => [[row.month, row.heading.replace(/^.*, \d+ /, '')]],
  ...Object.fromEntries(
    fieldNames.map((name) => [name, (row) => (row.fields[name] ?? []).map((text) => [text, text])]),
  ),
}

/** The name and value of each filter that is set. */
function chosen() {
  return [...new FormData(form)].filter(([name, value]) => value.trim() !== '' && names.includes(name))
}

/** Adds choices that the page does not have: the build writes only those of the newest sessions. */
function offer(name, choices) {
  const select = form.elements[name]
  if (!select) return
  const known = new Set([...select.options].map(({ value }) => value))
  for (const [value, text] of choices) {
    if (!known.has(value)) select.append(new Option(text, value))
    known.add(value)
  }
}

let catalog

/** All rows; the first call loads them and completes the choices. After a failure, the next call tries again. */
function allRows() {
  catalog ??= loadCatalog(form.dataset.parts.split(' ').filter(Boolean)).then(
    (rows) => {
      for (const [name, of] of Object.entries(offers)) offer(name, rows.flatMap(of))
      return rows
    },
    (error) => {
      catalog = undefined
      throw error
    },
  )
  return catalog
}

/** Sets the form to what the address says. */
function readAddress() {
  const query = address().searchParams
  for (const name of names) {
    const field = form.elements[name]
    if (!field) continue
    const value = query.get(name) ?? ''
    if (field.type === 'checkbox') field.checked = value !== ''
    else {
      if (value !== '' && field.options && name !== 'sort') offer(name, [[value, value]])
      field.value = value
    }
  }
}

let writtenAt = Number.NEGATIVE_INFINITY

/**
 * Writes what is chosen into the address; other parameters stay. Choices that follow each other within a second, as with arrow
 * keys in a closed list, are one step of the history.
 */
function writeAddress(choices) {
  const url = address()
  for (const name of names) url.searchParams.delete(name)
  for (const [name, value] of choices) url.searchParams.set(name, value)
  url.hash = ''
  const text = written(url)
  if (text === written(address())) return
  try {
    if (performance.now() - writtenAt < 1000) history.replaceState(null, '', text)
    else history.pushState(null, '', text)
    writtenAt = performance.now()
  } catch {
    // Some browsers do not allow changing the address of a file; the filters work without it.
  }
}

const status = document.querySelector('.matches')
const results = document.querySelector('.results')
const newest = document.querySelector('.newest')

/** What the page passes to `startFilters`: the function that shows local times. */
let page

/** Adds the next rows to the list, and a button for more. */
function show(rows, from, sort) {
  results.querySelector('button')?.remove()
  const to = Math.min(rows.length, from + chunk)
  appendRows(results, rows.slice(from, to), root, sort)
  page.showLocalTimes(results)
  own()?.showInRows()
  if (to === rows.length) return
  const more = make('button', { type: 'button' }, `Show more (${(rows.length - to).toLocaleString('en')} left)`)
  more.addEventListener('click', () => {
    show(rows, to, sort)
    results.querySelectorAll('li > a')[to].focus()
  })
  results.append(more)
}

/** Switches between the newest sessions, which the build wrote, and the empty list of results. */
function swap(found) {
  results.replaceChildren()
  results.hidden = !found
  newest.hidden = found
}

const amount = (number) => `${number.toLocaleString('en')} ${number === 1 ? 'session' : 'sessions'}`

/** Shows the sessions that match the choices; newer choices replace those that still wait for the catalog. */
async function apply() {
  const choices = chosen()
  if (choices.length === 0) {
    status.textContent = ''
    swap(false)
    return
  }
  try {
    if (results.hidden) status.textContent = 'Loading the list of all sessions…'
    const rows = await allRows()
    if (JSON.stringify(chosen()) !== JSON.stringify(choices)) return
    const { sort, ...wanted } = Object.fromEntries(choices)
    const found = rows.filter((row) => Object.entries(wanted).every(([name, value]) => tests[name](row, value)))
    const size = sizes[sort]
    if (size) found.sort((a, b) => size(b) - size(a))
    swap(true)
    show(found, 0, size && sort)
    const none = 'No session matches all of these filters. Remove one, or clear them.'
    status.textContent = found.length === 0 ? none : `${amount(found.length)} of ${rows.length.toLocaleString('en')}`
  } catch {
    swap(false)
    status.textContent = 'The list of all sessions could not be loaded. Choose again to try once more.'
  }
}

/** Offers and applies what the reader decided about sessions on another page. */
async function applyOwn() {
  own().addChoice(form)
  offer('tag', (await allRows()).flatMap(offers.tag))
  if (chosen().some(([name]) => name === 'tag' || name === 'text')) apply()
}

/** Starts the filters: `showLocalTimes` shows times in the reader's zone. */
export function startFilters(given) {
  page = given
  own()?.addChoice(form)
  const choose = () => {
    writeAddress(chosen())
    apply()
  }
  // The text field has its own event: when it loses the focus to a click on a row, the rows must stay.
  form.addEventListener('change', ({ target }) => target !== form.elements.text && choose())
  form.elements.text?.addEventListener('input', choose)
  // The event is fired before the fields are reset.
  form.addEventListener('reset', () => setTimeout(choose))
  addEventListener('popstate', () => {
    readAddress()
    apply()
  })
  document.addEventListener('codex-curated', () => applyOwn().catch(() => {}))
  // Loads all rows in advance, so that lists of choices are complete before they are opened.
  allRows().catch(() => {})
  const isAsked = names.some((name) => address().searchParams.has(name))
  // What was chosen while this script was loading counts.
  if (!isAsked && chosen().length > 0) {
    choose()
    return
  }
  readAddress()
  apply()
}
