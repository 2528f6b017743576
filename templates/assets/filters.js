// The filters of the start page. What is chosen stands in the address, so that it can be linked and gone back to.

import { address, written as textOf } from './address.js'
import { loadCatalog } from './catalog.js'
import { make } from './make.js'
import { appendRows } from './rows.js'
import { showLocalTimes } from './times.js'

const root = document.documentElement.dataset.root ?? ''
const form = document.querySelector('form.filters')
const chunk = 100

/** Whether a row fits what is chosen. */
const tests = {
  project: (row, value) => row.project === value,
  model: (row, value) => row.models.includes(value),
  branch: (row, value) => row.branch === value,
  month: (row, value) => row.month === value,
  status: (row, value) => row.status === value,
  errors: (row) => row.trouble,
  edits: (row) => row.edits,
}
const names = Object.keys(tests)

/** What a row adds to the choices: value and text. The other choices are whole in the page. */
const offers = {
  project: (row) => [[row.project, row.name]],
  model: (row) => row.models.map((model) => [model, model]),
  branch: (row) => (row.branch ? [[row.branch, row.branch]] : []),
  month: (row) => [[row.month, row.heading.replace(/^.*, \d+ /, '')]],
}

/** Name and value of everything that is chosen. */
function chosen() {
  return [...new FormData(form)].filter(([name, value]) => value !== '' && names.includes(name))
}

/** Adds choices that the page does not have: it holds those of the newest sessions only. */
function offer(name, choices) {
  const select = form.elements[name]
  const known = new Set([...select.options].map(({ value }) => value))
  for (const [value, text] of choices) {
    if (!known.has(value)) select.append(new Option(text, value))
    known.add(value)
  }
}

let catalog

/** All rows; the first call loads them and completes the choices. A failure may be tried again. */
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
    const value = query.get(name) ?? ''
    if (field.type === 'checkbox') field.checked = value !== ''
    else {
      if (value !== '') offer(name, [[value, value]])
      field.value = value
    }
  }
}

let written = Number.NEGATIVE_INFINITY

/**
 * Writes what is chosen into the address; other words of the query stay. Choices within a second, as arrow keys make
 * them in a closed list, are one step of the history.
 */
function writeAddress(choices) {
  const url = address()
  for (const name of names) url.searchParams.delete(name)
  for (const [name, value] of choices) url.searchParams.set(name, value)
  url.hash = ''
  try {
    if (performance.now() - written < 1000) history.replaceState(null, '', textOf(url))
    else history.pushState(null, '', textOf(url))
    written = performance.now()
  } catch {
    // Some browsers keep the address of a file as it is; the filters work all the same.
  }
}

const status = document.querySelector('.matches')
const results = document.querySelector('.results')
const newest = document.querySelector('.newest')

/** Shows rows below those that are shown, and a button for more. */
function show(rows, from) {
  results.querySelector('button')?.remove()
  const to = Math.min(rows.length, from + chunk)
  appendRows(results, rows.slice(from, to), root)
  showLocalTimes(results)
  if (to === rows.length) return
  const more = make('button', { type: 'button' }, `Show more (${(rows.length - to).toLocaleString('en')} left)`)
  more.addEventListener('click', () => {
    show(rows, to)
    results.querySelectorAll('li > a')[to].focus()
  })
  results.append(more)
}

/** Swaps between the newest sessions, which the build wrote, and what was found. */
function swap(found) {
  results.replaceChildren()
  results.hidden = !found
  newest.hidden = found
}

const amount = (number) => `${number.toLocaleString('en')} ${number === 1 ? 'session' : 'sessions'}`

/** Shows what fits the choices; a newer choice wins over one that still waits for the catalog. */
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
    const found = rows.filter((row) => choices.every(([name, value]) => tests[name](row, value)))
    swap(true)
    show(found, 0)
    const none = 'No session matches all of these filters. Remove one, or clear them.'
    status.textContent = found.length === 0 ? none : `${amount(found.length)} of ${rows.length.toLocaleString('en')}`
  } catch {
    swap(false)
    status.textContent = 'The list of all sessions could not be loaded. Choose again to try once more.'
  }
}

function start() {
  const choose = () => {
    writeAddress(chosen())
    apply()
  }
  form.addEventListener('change', choose)
  form.addEventListener('submit', (event) => event.preventDefault())
  // The event comes before the fields are empty.
  form.addEventListener('reset', () => setTimeout(choose))
  // The lists are complete before they are needed, as far as the network allows.
  const prepare = () => allRows().catch(() => {})
  form.addEventListener('pointerenter', prepare, { once: true })
  form.addEventListener('focusin', prepare, { once: true })
  addEventListener('popstate', () => {
    readAddress()
    apply()
  })
  readAddress()
  apply()
}

if (form) start()
