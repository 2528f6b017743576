// Makes rows of sessions from the catalog, as the build writes them (partials/days.eta). All content is set as text.

import { make } from '../page/make.js'

const count = (number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
const mark = (text, tone) => make(tone ? 'b' : 'i', tone ? { class: tone } : {}, text)

function numbers({ shown, tags, badge, state, added, removed, left, errors }) {
  const fields = shown.map(([title, text]) => make('i', { class: 'tag', title }, text))
  const parts = [...fields, ...tags.map((tag) => make('i', { class: 'tag' }, tag))]
  if (badge) parts.push(make('i', { class: 'state' }, badge))
  if (state) parts.push(make('i', { class: 'state bad' }, state))
  if (added || removed) {
    const edits = []
    if (added) edits.push(mark(`+${count(added)}`, 'good'), ' ')
    if (removed) edits.push(mark(`\u2212${count(removed)}`, 'bad'))
    parts.push(make('i', {}, ...edits))
  }
  if (left) {
    const commands = left === 1 ? '1 failed command' : `${count(left)} failed commands`
    parts.push(make('i', { class: 'bad' }, `${commands} not fixed`))
  }
  if (errors) parts.push(make('i', { class: 'bad' }, errors === 1 ? '1 error' : `${count(errors)} errors`))
  return parts
}

/** A number of tokens as pages write it: `812`, `9.4k`, `1.2M`. */
function compact(count) {
  const digits = count >= 9950 && count < 999_500 ? 0 : 1
  const format = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: digits })
  return format.format(count).replace('K', 'k')
}

/** A path that may break after its slashes, as `partials/path.eta` writes it. */
const path = (text) =>
  text.split(/(?<=[/\\])(?!$)/).flatMap((part, index) => (index > 0 ? [make('wbr'), part] : [part]))

function item(row, root, sort) {
  const title = row.gist ? [`${row.title} `, make('span', { class: 'g' }, row.gist)] : [row.title]
  const time = row.at ? [make('time', { datetime: new Date(row.at).toISOString() }, sort ? row.day : row.time)] : []
  const link = make(
    'a',
    { class: 'row', href: `${root}sessions/${row.id}/index.html` },
    ...time,
    make('span', row.lang ? { class: 't', lang: row.lang } : { class: 't' }, ...title),
    make('span', { class: 'p' }, ...path([row.name, row.branch].filter(Boolean).join('\u00A0· '))),
    ...(row.person ? [make('span', { class: 'w' }, row.person)] : []),
    make('span', { class: 'n' }, ...numbers(row)),
    make('span', { class: 'd' }, sort === 'tokens' ? `${compact(row.tokens)} tokens` : row.duration),
  )
  return make('li', {}, link)
}

/** The heading of a day, in the pieces in which the build writes it: the end of the month's name is a `<span>`. */
function pieces(title) {
  const parts = title.split(/(?<=\b[A-Z][a-z]{2})([a-z]*)(?=, | \d{4})/)
  return parts.map((part, index) => (index % 2 ? make('span', {}, part) : part))
}

/**
 * Appends rows to `list`, with a section for each day; if the last section there has the same day, it is continued. Rows that
 * are sorted by something else (`sort`) form one section, and each shows its day.
 */
export function appendRows(list, rows, root, sort = '') {
  for (const row of rows) {
    const day = sort || row.day
    let section = list.lastElementChild
    if (section?.dataset.day !== day) {
      section = make('section', { 'data-day': day })
      const heading = make('h2', { class: sort ? 'hide' : 'day' }, ...(sort ? ['Sessions'] : pieces(row.heading)))
      section.append(heading, make('ul', { class: sort ? 'list sorted' : 'list' }))
      list.append(section)
    }
    section.lastElementChild.append(item(row, root, sort))
  }
}
