// Rows of sessions as the build writes them (partials/days.eta), made from the catalog: all of it text nodes.

import { make } from './make.js'

const count = (number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
const mark = (text, tone) => make(tone ? 'b' : 'i', tone ? { class: tone } : {}, text)

function numbers({ badge, state, added, removed, failed, errors }) {
  const parts = []
  if (badge) parts.push(make('i', { class: 'state' }, badge))
  if (state) parts.push(make('i', { class: 'state bad' }, state))
  if (added || removed) {
    const edits = []
    if (added) edits.push(mark(`+${count(added)}`, 'good'), ' ')
    if (removed) edits.push(mark(`\u2212${count(removed)}`, 'bad'))
    parts.push(make('i', {}, ...edits))
  }
  if (failed) parts.push(make('i', { class: 'bad' }, `${count(failed)} failed`))
  if (errors) parts.push(make('i', { class: 'bad' }, errors === 1 ? '1 error' : `${count(errors)} errors`))
  return parts
}

function item(row, root) {
  const title = row.gist ? [`${row.title} `, make('span', { class: 'g' }, row.gist)] : [row.title]
  const time = row.at ? [make('time', { datetime: new Date(row.at).toISOString() }, row.time)] : []
  const link = make(
    'a',
    { class: 'row', href: `${root}sessions/${row.id}/index.html` },
    ...time,
    make('span', { class: 't' }, ...title),
    make('span', { class: 'p' }, [row.name, row.branch].filter(Boolean).join(' · ')),
    make('span', { class: 'n' }, ...numbers(row)),
    make('span', { class: 'd' }, row.duration ?? ''),
  )
  return make('li', {}, link)
}

/** Appends rows to `list`, a section a day; a day that is already the last one there goes on. */
export function appendRows(list, rows, root) {
  for (const row of rows) {
    let section = list.lastElementChild
    if (section?.dataset.day !== row.day) {
      const id = `r-${row.day}`
      section = make('section', { 'aria-labelledby': id, 'data-day': row.day })
      section.append(make('h2', { class: 'day', id }, row.heading), make('ul', { class: 'list' }))
      list.append(section)
    }
    section.lastElementChild.append(item(row, root))
  }
}
