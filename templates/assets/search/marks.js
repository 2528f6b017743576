// Marks in the page what the reader looked for: the words of `?mark=` in its address. The elements of the page do not change.
import { itemsHere, rangesAt, textOf } from '../find/text.js'
import { keepInView, scrollBoxes, scrollWindow } from '../page/hold.js'
import { make } from '../page/make.js'
import { removeFromAddress } from '../page/question.js'
import { folded, readQuery, spansOf } from './query.js'

/** The maximum number of marks; stepping through more would be of no use. */
const maxMarks = 2000

/** The terms of a query as a text, which the page that marks them reads as a query again. */
export function markedText({ all }) {
  const terms = all.flat().map((term) => ({ ...term, text: term.text.replaceAll('"', ' ').trim() }))
  // Next to other words, `-` would exclude this one.
  const isAlone = terms.every(({ text }) => text.startsWith('-'))
  const texts = terms.map(({ text, isWholeWord, isPhrase }) => {
    if (isWholeWord || isPhrase) return `"${text}"`
    return text.startsWith('-') && !isAlone ? `+${text}` : text
  })
  return [...new Set(texts)].join(' ')
}

/** The ranges of a query's terms in the items of this page, in order; in the item `id`, also of links whose targets have them. */
function rangesFor(query, id) {
  const items = itemsHere()
  // Once for all terms, because a pasted question has many.
  const texts = items.map((item) => textOf(item)).map((text) => [text, folded(text)])
  const startsWord = (term) => texts.some(([text, plain]) => spansOf(text, term, plain).length > 0)
  // A term that begins no word was found inside a word.
  const terms = readQuery(query)
    .all.flat()
    .map((term) => (startsWord(term) ? term : { ...term, isInside: true }))
  const spansIn = (text) => {
    const plain = folded(text)
    return terms.flatMap((term) => spansOf(text, term, plain)).sort(([a], [b]) => a - b)
  }
  const ranges = []
  for (const item of items) {
    const itemRanges = ranges.length < maxMarks ? rangesAt(item, spansIn) : []
    ranges.push(...(itemRanges.length === 0 && item.id === id ? linksTo(item, terms) : itemRanges))
  }
  return ranges
}

/** The texts of links and picked files in an item whose targets have a term: targets are searched, but no text shows them. */
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

/**
 * Marks the words of a query in the page, and goes to the first one in the item `id`; an empty query removes the marks. Folds
 * around a mark are opened by `setFold`.
 */
export function markWords(query, id, setFold) {
  if (!globalThis.CSS?.highlights) return
  for (const name of ['sought', 'found']) CSS.highlights.delete(name)
  bar?.remove()
  const ranges = query === '' ? [] : rangesFor(query, id)
  if (ranges.length === 0) return
  show('sought', ...ranges)
  const item = document.getElementById(id)
  walkMarks(ranges, item ? ranges.findIndex((range) => item.contains(range.startContainer)) : -1, setFold)
}

/** Shows a bar that steps from mark to mark and counts them. */
function walkMarks(ranges, first, setFold) {
  let at = first
  const count = make('span', { role: 'status' })
  const showCount = () =>
    count.replaceChildren(`${at < 0 ? '' : `${at + 1} of `}${ranges.length}${ranges.length < maxMarks ? '' : '+'}`)
  const step = (by) => {
    at = (Math.max(at, by < 0 ? 0 : -1) + by + ranges.length) % ranges.length
    goTo(ranges[at], setFold)
    showCount()
  }
  const button = (label, symbol, act) => {
    const element = make('button', { type: 'button', 'aria-label': label, title: label }, symbol)
    element.addEventListener('click', act)
    return element
  }
  const buttons = [button('Previous mark', '↑', () => step(-1)), button('Next mark', '↓', () => step(1))]
  bar = make(
    'div',
    { class: 'finder marked', role: 'group', 'aria-label': 'Marks' },
    make('div', {}, count, ...buttons, button('Remove the marks', '×', removeMarks)),
  )
  document.body.append(bar)
  showCount()
  if (at >= 0) goTo(ranges[at], setFold)
}

/** Opens the folds around a mark, and scrolls it to the middle of the window if it is out of sight. */
function goTo(range, setFold) {
  const element = range.startContainer.parentElement
  for (
    let fold = element.closest('details:not([open])');
    fold;
    fold = fold.parentElement.closest('details:not([open])')
  )
    setFold(fold, true)
  // The fold of a long prompt comes after the text that it expands.
  const tall = element.closest('.tall')
  if (tall) setFold(tall.nextElementSibling, true)
  show('found', range)
  keepInView(element, () => {
    scrollBoxes(range)
    const { top, bottom } = range.getBoundingClientRect()
    if (top < 100 || bottom > innerHeight - 50) scrollWindow(range)
  })
}

/** Removes the marks on behalf of the reader; the address then no longer asks for them. */
function removeMarks() {
  markWords('')
  removeFromAddress('mark')
}

addEventListener('keydown', ({ key, isComposing, defaultPrevented }) => {
  if (key !== 'Escape' || isComposing || defaultPrevented || document.querySelector('dialog[open]')) return
  // Without the bar, the marks in the page are those of the find.
  if (bar?.isConnected && !bar.hidden) removeMarks()
})
