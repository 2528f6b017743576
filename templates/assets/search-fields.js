// The controls of a search: filters with their counts, kinds of places, the order.
import { make } from './make.js'
import { filterNames, kinds } from './search-state.js'

const anyWord = {
  project: 'Any project',
  tag: 'Any tag',
  model: 'Any model',
  branch: 'Any branch',
  month: 'Any month',
  label: 'Any person',
}
const wide = matchMedia('(width >= 40rem)')
const orders = [
  ['', 'Best first'],
  ['date', 'Newest first'],
]

/**
 * A form of all controls; `onChange` is called when the reader changes one. `read` gives the chosen `filters`, `kinds`
 * and `sort`, `write` sets them, `offer` tells the values that there are and how many pages each would leave.
 */
export function searchFields(onChange) {
  const selects = Object.fromEntries(Object.entries(anyWord).map(([name, any]) => [name, choice(any)]))
  const errors = box('Something failed', 'errors')
  const boxes = Object.fromEntries(Object.entries(kinds).map(([kind, text]) => [kind, box(text, 'chip')]))
  const order = make('select', { 'aria-label': 'Order' }, ...orders.map(([value, text]) => new Option(text, value)))
  const places = make('div', { class: 'kinds', role: 'group', 'aria-label': 'Kinds of places' })
  places.append(...Object.values(boxes).map(({ label }) => label))
  const all = [...Object.values(selects), errors.label, order]
  const summary = make('summary', {}, 'Filters')
  const fold = make('details', {}, summary, make('div', {}, ...all, places))
  const form = make('form', { class: 'narrow', 'aria-label': 'Narrow the search' }, fold)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', () => {
    count()
    onChange()
  })
  // On a narrow screen answers come first; the style sheet has no summary where there is room.
  const openWhereWide = () => {
    fold.open = wide.matches
  }
  wide.addEventListener('change', openWhereWide)
  openWhereWide()
  for (const select of Object.values(selects)) select.hidden = true

  const read = () => {
    const chosen = Object.entries(selects).flatMap(([name, { value }]) => (value === '' ? [] : [[name, value]]))
    if (errors.input.checked) chosen.push(['errors', 'yes'])
    const wanted = Object.entries(boxes).flatMap(([kind, { input }]) => (input.checked ? [kind] : []))
    return { filters: Object.fromEntries(chosen), kinds: wanted, sort: order.value }
  }
  const count = () => {
    const { filters, kinds: wanted, sort } = read()
    const chosen = Object.keys(filters).length + wanted.length + (sort === '' ? 0 : 1)
    summary.textContent = chosen === 0 ? 'Filters' : `Filters (${chosen})`
  }
  const write = ({ filters, kinds: wanted, sort }) => {
    for (const [name, select] of Object.entries(selects)) pick(select, filters[name] ?? '')
    errors.input.checked = filters.errors !== undefined
    for (const [kind, { input }] of Object.entries(boxes)) input.checked = wanted.includes(kind)
    order.value = sort
    count()
  }
  const offer = (all, left) => {
    for (const name of filterNames) {
      const select = selects[name]
      if (select) fill(select, name, all[name] ?? {}, left[name] ?? {})
    }
    errors.label.hidden = all.errors === undefined
  }
  return { form, read, write, offer }
}

function choice(any) {
  return make(
    'select',
    { 'aria-label': any.replace('Any p', 'P').replace('Any t', 'T').replace('Any ', '') },
    new Option(any, ''),
  )
}

function box(text, name) {
  const input = make('input', { type: 'checkbox' })
  return { input, label: make('label', { class: name }, input, ` ${text}`) }
}

/** Chooses a value, also one that is not offered yet. */
function pick(select, value) {
  if (![...select.options].some((option) => option.value === value)) select.append(new Option(value, value))
  select.value = value
  if (value !== '') select.hidden = false
}

/** Offers the values of a filter: months newest first, others most frequent first. What is chosen stays. */
function fill(select, name, all, left) {
  const chosen = select.value
  const byCount = ([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)
  const byName = ([a], [b]) => (a < b ? 1 : -1)
  const values = Object.entries(all).sort(name === 'month' ? byName : byCount)
  const option = ([value]) => new Option(`${value} (${left[value] ?? 0})`, value, false, value === chosen)
  select.replaceChildren(select.options[0], ...values.map(option))
  select.hidden = values.length < 2 && chosen === ''
  if (select.value !== chosen) pick(select, chosen)
}
