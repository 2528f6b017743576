// Filters a list that is complete in its page by words, and sorts it by the numbers in the data attributes of its rows.

const form = document.querySelector('form.arrange')
const list = document.querySelector('form.arrange ~ .list')
const status = document.querySelector('form.arrange ~ .matches')

/** Shows the rows whose name has all words, in the chosen order, or else in that of the build. */
function arrange(rows) {
  const { text, sort } = form.elements
  const words = text.value.toLowerCase().split(/\s+/)
  const shown = rows.filter((row) => {
    const name = row.querySelector('.t').textContent.toLowerCase()
    row.hidden = !words.every((word) => name.includes(word))
    return !row.hidden
  })
  const size = (row) => Number(row.dataset[sort.value] ?? 0)
  list.append(...(sort.value ? [...rows].sort((a, b) => size(b) - size(a)) : rows))
  const found = shown.length === 1 ? '1 project' : `${shown.length} projects`
  const some = shown.length === 0 ? 'No project has all of these words in its name.' : `${found} of ${rows.length}`
  status.textContent = shown.length === rows.length ? '' : some
}

if (form) {
  const rows = [...list.children]
  form.addEventListener('input', () => arrange(rows))
  form.addEventListener('submit', (event) => event.preventDefault())
  // The browser may have restored the fields when the reader came back.
  if (form.elements.text.value || form.elements.sort.value) arrange(rows)
}
