// Filters the list of what the model remembers by a text, and sorts it by size.
import { make } from '../page/make.js'

const list = document.querySelector('.remembered.all')

/** The number of tokens that an item shows. */
const tokensOf = (item) => Number(item.lastElementChild.textContent.replace(/\D/g, ''))

function start() {
  const rows = [...list.children]
  const words = make('input', { type: 'search', 'aria-label': 'Filter items', placeholder: 'Filter items' })
  const orders = [new Option('In order', ''), new Option('Largest first', 'size')]
  const order = make('select', { 'aria-label': 'Order' }, ...orders)
  const status = make('span', { role: 'status' })
  const fold = list.closest('details')
  const show = () => {
    const asked = words.value.trim().toLowerCase()
    fold.open = true
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(asked)
    const left = rows.filter((row) => !row.hidden)
    const sum = left.reduce((all, row) => all + tokensOf(row), 0)
    status.textContent = `${left.length} of ${rows.length}, ${sum.toLocaleString('en')} tokens`
    list.append(...(order.value === 'size' ? rows.toSorted((a, b) => tokensOf(b) - tokensOf(a)) : rows))
  }
  words.addEventListener('input', show)
  order.addEventListener('change', show)
  fold.before(make('div', { class: 'sieve' }, words, order, status))
}

if (list) start()
