// The controls of a search: filters with the number of sessions that each value would leave, kinds of items, the order.
import { make } from '../page/make.js'
import { kinds } from './state.js'

/** The filters with lists of values, with what one value is called, and several. */
const lists = {
  project: ['Project', 'projects'],
  tag: ['Tag', 'tags'],
  model: ['Model', 'models'],
  branch: ['Branch', 'branches'],
  label: ['Person', 'persons'],
  state: ['State', 'states'],
}
/** The names of the states of the last turn, as on the start page. */
const stateNames = {
  __proto__: null,
  ...{ completed: 'Completed', failed: 'Failed', declined: 'Declined', interrupted: 'Interrupted' },
  ...{ running: 'Still running', unfinished: 'Unfinished', unknown: 'End not known' },
}
/** The name of the tag that means a star. */
const tagNames = { __proto__: null, '★': '★ Starred' }
const wide = matchMedia('(width >= 40rem)')
const orders = [
  ['', 'Best first'],
  ['date', 'Newest first'],
]

/**
 * The `form` with all controls; `onChange` is called when the reader changes one. `read` returns the chosen `filters`, `kinds`
 * and `sort`, `write` sets them. `offer` receives the counts of all values, how many sessions each would leave, and the names of
 * plugin fields.
 */
export function searchFields(onChange) {
  const pickers = Object.entries(lists).map(([name, words]) => picker(name, words))
  /** Adds the missing pickers for fields of plugins; what the fields are called comes with the index. */
  const addFields = (names, words = {}) => {
    for (const name of names.filter((one) => one.startsWith('x-'))) {
      const labels = words[name] ?? [name.slice(2), name.slice(2)]
      const existing = pickers.find((one) => one.name === name)
      if (existing) existing.rename(labels)
      else {
        pickers.push(picker(name, labels))
        errors.label.before(pickers.at(-1).element)
      }
    }
  }
  const days = { from: dayField('From'), to: dayField('To') }
  const errors = box('Something failed', 'chip')
  const agents = { no: box('Without sub-agents', 'chip'), yes: box('Sub-agents only', 'chip') }
  const boxes = Object.fromEntries(Object.entries(kinds).map(([kind, text]) => [kind, box(text, 'chip')]))
  const order = make('select', { 'aria-label': 'Order' }, ...orders.map(([value, text]) => new Option(text, value)))
  const kindBoxes = make('div', { class: 'kinds', role: 'group', 'aria-label': 'Kinds of places' })
  kindBoxes.append(...Object.values(boxes).map(({ label }) => label))
  const range = make('span', { class: 'days', hidden: true }, days.from.label, days.to.label)
  const all = [
    ...pickers.map(({ element }) => element),
    errors.label,
    order,
    range,
    agents.no.label,
    agents.yes.label,
    kindBoxes,
  ]
  const summary = make('summary', {}, 'Filters')
  const fold = make('details', {}, summary, make('div', {}, ...all))
  // Which controls there are is known once the index is loaded: until then all are hidden, so that none has to move.
  const form = make('form', { class: 'narrow', 'aria-label': 'Narrow the search', 'data-waits': '' }, fold)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', ({ target }) => {
    // Each of the two unchecks the other.
    for (const { input } of Object.values(agents))
      if (input !== target && Object.values(agents).some((one) => one.input === target)) input.checked = false
    count()
    onChange()
  })
  // On a narrow screen, results come first; on a wide one, the style sheet hides the summary.
  const openWhereWide = () => {
    fold.open = wide.matches
  }
  wide.addEventListener('change', openWhereWide)
  openWhereWide()

  const read = () => {
    const chosen = pickers.map(({ name, chosen }) => [name, [...chosen]])
    for (const [name, { input }] of Object.entries(days)) chosen.push([name, input.value === '' ? [] : [input.value]])
    chosen.push(
      ['errors', errors.input.checked ? ['yes'] : []],
      ['agent', Object.keys(agents).filter((is) => agents[is].input.checked)],
    )
    const wanted = Object.entries(boxes).flatMap(([kind, { input }]) => (input.checked ? [kind] : []))
    const filters = Object.fromEntries(chosen.filter(([, values]) => values.length > 0))
    return { filters, kinds: wanted, sort: order.value }
  }
  const count = () => {
    const { filters, kinds: wanted, sort } = read()
    const chosen = Object.keys(filters).length + wanted.length + (sort === '' ? 0 : 1)
    summary.textContent = chosen === 0 ? 'Filters' : `Filters (${chosen})`
    for (const one of pickers) one.update()
  }
  const write = ({ filters, kinds: wanted, sort }) => {
    addFields(Object.keys(filters))
    for (const one of pickers) one.choose(filters[one.name] ?? [])
    for (const [name, { input }] of Object.entries(days)) input.value = filters[name]?.[0] ?? ''
    errors.input.checked = filters.errors !== undefined
    for (const [is, { input }] of Object.entries(agents)) input.checked = filters.agent?.[0] === is
    for (const [kind, { input }] of Object.entries(boxes)) input.checked = wanted.includes(kind)
    order.value = sort
    count()
  }
  const offer = (counts, remaining, words) => {
    addFields(Object.keys(counts), words)
    for (const one of pickers) one.offer(counts[one.name] ?? {}, remaining[one.name] ?? {})
    errors.label.hidden = counts.errors === undefined
    for (const { label } of Object.values(agents)) label.hidden = counts.agent?.yes === undefined
    // A standalone page is a single session and needs no days.
    range.hidden = Object.keys(counts).length === 0
    form.removeAttribute('data-waits')
  }
  return { form, read, write, offer }
}

function dayField(word) {
  const input = make('input', { type: 'date' })
  return { input, label: make('label', {}, `${word} `, input) }
}

function box(text, name) {
  const input = make('input', { type: 'checkbox' })
  return { input, label: make('label', { class: name }, input, ` ${text}`) }
}

/** A fold with the values of a filter as a list of checkboxes; `chosen` are those that are checked. */
function picker(name, words) {
  let [word, several] = words
  const summary = make('summary', {})
  const list = make('div', { role: 'group', 'aria-label': word })
  const element = make('details', { class: 'facet', name: 'facet', hidden: true }, summary, list)
  const chosen = new Set()
  const wordFor = (value) => ({ state: stateNames, tag: tagNames })[name]?.[value] ?? value
  const update = () => {
    const [first] = [...chosen].map(wordFor)
    summary.textContent = chosen.size > 1 ? `${chosen.size} ${several}` : (first ?? `Any ${word.toLowerCase()}`)
    summary.toggleAttribute('data-chosen', chosen.size > 0)
    if (chosen.size > 0) element.hidden = false
  }
  const choose = (values) => {
    chosen.clear()
    for (const value of values) chosen.add(value)
    for (const input of list.querySelectorAll('input')) input.checked = chosen.has(input.value)
    update()
  }
  list.addEventListener('change', ({ target }) => {
    if (target.checked) chosen.add(target.value)
    else chosen.delete(target.value)
  })
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !element.open) return
    event.stopPropagation()
    event.preventDefault()
    element.open = false
    summary.focus()
  })
  /** Lists the values, those that would leave the most sessions first; chosen values are always listed. */
  const offer = (counts, remaining) => {
    const focused = document.activeElement?.value
    const count = (value) => remaining[value] ?? 0
    const values = [...new Set([...Object.keys(counts), ...chosen])]
    values.sort((a, b) => count(b) - count(a) || (counts[b] ?? 0) - (counts[a] ?? 0) || (a < b ? -1 : 1))
    const rows = values.map((value) => {
      const input = make('input', { type: 'checkbox', value })
      input.checked = chosen.has(value)
      const attributes = count(value) === 0 ? { class: 'none' } : {}
      return make(
        'label',
        attributes,
        input,
        ` ${wordFor(value)} `,
        make('span', { class: 'count' }, `${count(value)}`),
      )
    })
    const hadFocus = list.contains(document.activeElement)
    list.replaceChildren(...rows)
    if (hadFocus) [...list.querySelectorAll('input')].find(({ value }) => value === focused)?.focus()
    element.hidden = values.length < 2 && chosen.size === 0
    update()
  }
  const rename = (labels) => {
    ;[word, several] = labels
    list.setAttribute('aria-label', word)
    update()
  }
  update()
  return { name, element, chosen, choose, offer, update, rename }
}
