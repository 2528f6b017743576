// Marks in the page what the reader looked for: the words of `?mark=` in its address. The page itself stays as it is.
import { itemsHere, rangesAt, textOf } from '../find/text.js'
import { holdPlace, scrollBoxes, scrollWindow } from '../page/hold.js'
import { make } from '../page/make.js'
import { readQuery, spansOf } from './query.js'

/** Places that are marked at most; a word that stands everywhere leads nowhere. */
const maxMarks = 2000

/** What a page marks of a query: its terms, as a text that is read as a query again. */
export function markedText({ all }) {
  const terms = all.flat().map((term) => ({ ...term, text: term.text.replaceAll('"', ' ').trim() }))
  // Beside other words, `-` would leave this one out.
  const isAlone = terms.every(({ text }) => text.startsWith('-'))
  const texts = terms.map(({ text, isWhole, isPhrase }) => {
    if (isWhole || isPhrase) return `"${text}"`
    return text.startsWith('-') && !isAlone ? `+${text}` : text
  })
  return [...new Set(texts)].join(' ')
}

/** Where the terms of a query stand in the items of this page, in their order; in the item `id` also the links to them. */
function rangesFor(query, id) {
  const items = itemsHere()
  const stands = (term) => items.some((item) => spansOf(textOf(item), term).length > 0)
  // What begins no word was found inside of one.
  const terms = readQuery(query)
    .all.flat()
    .map((term) => (stands(term) ? term : { ...term, isInside: true }))
  const spansIn = (text) => terms.flatMap((term) => spansOf(text, term)).sort(([a], [b]) => a - b)
  const ranges = []
  for (const item of items) {
    const own = ranges.length < maxMarks ? rangesAt(item, spansIn) : []
    ranges.push(...(own.length === 0 && item.id === id ? linksTo(item, terms) : own))
  }
  return ranges
}

/** The words of links, and of files that were picked, in an item whose targets hold a term: they are searched, and no text shows them. */
function linksTo(item, terms) {
  const links = [...item.querySelectorAll('a[href*=":"], .nolink, code[title]')]
  const target = (link) => link.getAttribute('href') ?? link.title
  return links.flatMap((link) => {
    if (!terms.some((term) => spansOf(target(link), term).length > 0)) return []
    const range = document.createRange()
    range.selectNodeContents(link)
    return [range]
  })
}

const show = (name, ...ranges) => CSS.highlights.set(name, new Highlight(...ranges))
let bar

/** Marks the words of a query in the reader's text, and leads to the first in the item `id`; an empty one takes the marks away. */
export function markWords(query, id) {
  if (!globalThis.CSS?.highlights) return
  for (const name of ['sought', 'found']) CSS.highlights.delete(name)
  bar?.remove()
  const ranges = query === '' ? [] : rangesFor(query, id)
  if (ranges.length === 0) return
  show('sought', ...ranges)
  const item = document.getElementById(id)
  walkMarks(ranges, item ? ranges.findIndex((range) => item.contains(range.startContainer)) : -1)
}

/** A bar that leads from mark to mark and counts them. */
function walkMarks(ranges, first) {
  let at = first
  const count = make('span', { role: 'status' })
  const showCount = () =>
    count.replaceChildren(`${at < 0 ? '' : `${at + 1} of `}${ranges.length}${ranges.length < maxMarks ? '' : '+'}`)
  const step = (by) => {
    at = (Math.max(at, by < 0 ? 0 : -1) + by + ranges.length) % ranges.length
    goTo(ranges[at])
    showCount()
  }
  const button = (label, sign, act) => {
    const made = make('button', { type: 'button', 'aria-label': label, title: label }, sign)
    made.addEventListener('click', act)
    return made
  }
  const buttons = [button('Previous mark', '↑', () => step(-1)), button('Next mark', '↓', () => step(1))]
  bar = make(
    'div',
    { class: 'finder marked', role: 'group', 'aria-label': 'Marks' },
    make(
      'div',
      {},
      count,
      ...buttons,
      button('Remove the marks', '×', () => markWords('')),
    ),
  )
  document.body.append(bar)
  showCount()
  if (at >= 0) goTo(ranges[at])
}

/** Shows a mark in the middle of the window where it is out of sight, whatever fold holds it. */
function goTo(range) {
  const element = range.startContainer.parentElement
  for (
    let fold = element.closest('details:not([open])');
    fold;
    fold = fold.parentElement.closest('details:not([open])')
  )
    fold.open = true
  // The fold of a long prompt stands behind the text that it shows.
  element.closest('.tall')?.nextElementSibling.setAttribute('open', '')
  show('found', range)
  holdPlace(element, () => {
    scrollBoxes(range)
    const { top, bottom } = range.getBoundingClientRect()
    if (top < 100 || bottom > innerHeight - 50) scrollWindow(range)
  })
}

addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && !document.querySelector('dialog[open]')) markWords('')
})
