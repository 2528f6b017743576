// Marks in the page what the reader looked for: the words of `?mark=` in its address. The page itself stays as it is.

import { make } from './make.js'

/** Places that are marked at most; a word that stands everywhere leads nowhere. */
const maxMarks = 2000

/** Letters without marks above and below them, as many as there were. */
const plain = (text) => text.replace(/[\u00C0-\u1EFF]/g, (letter) => letter.normalize('NFD')[0])

/** A pattern for the words and phrases of a query, each to the end of a word. */
function patternOf(query) {
  const words = [...query.matchAll(/"([^"]+)"?|[^\s"]+/gu)]
    .map(([word, phrase]) => (phrase ?? word).trim())
    .filter(Boolean)
  const parts = words.map((word) => {
    const literal = plain(word).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]+$/u.test(word) ? `${literal}[\\p{L}\\p{N}]*` : literal
  })
  return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'giu')
}

/** Whether a word begins at a place, or a part of a compound one; scripts without blanks begin one everywhere. */
function begins(text, at) {
  const [last, first] = [text[at - 1] ?? ' ', text[at]]
  return (
    !/[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]/u.test(last) || (/\p{Lu}/u.test(first) && /\p{Ll}|\p{N}/u.test(last))
  )
}

function rangesIn(root, pattern) {
  const ranges = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null && ranges.length < maxMarks; text = texts.nextNode()) {
    for (const { index, 0: found } of plain(text.data).matchAll(pattern)) {
      if (!begins(text.data, index)) continue
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + found.length)
      ranges.push(range)
    }
  }
  return ranges
}

const show = (name, ...ranges) => CSS.highlights.set(name, new Highlight(...ranges))
let bar

/** Marks the words of a query in the reader's text, and leads to the first in the item `id`; an empty one takes the marks away. */
export function markWords(query, id) {
  if (!globalThis.CSS?.highlights) return
  for (const name of ['sought', 'found']) CSS.highlights.delete(name)
  bar?.remove()
  const pattern = patternOf(query)
  const text = document.querySelector('.flow') ?? document.querySelector('main')
  const ranges = pattern && text ? rangesIn(text, pattern) : []
  if (ranges.length === 0) return
  show('sought', ...ranges)
  const item = document.getElementById(id)
  walkMarks(ranges, item ? ranges.findIndex((range) => item.contains(range.startContainer)) : -1)
}

/** A bar that leads from mark to mark and counts them. */
function walkMarks(ranges, first) {
  let at = first
  const count = make('span', { role: 'status' })
  const tell = () =>
    count.replaceChildren(`${at < 0 ? '' : `${at + 1} of `}${ranges.length}${ranges.length < maxMarks ? '' : '+'}`)
  const step = (by) => {
    at = (Math.max(at, by < 0 ? 0 : -1) + by + ranges.length) % ranges.length
    goTo(ranges[at])
    tell()
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
  tell()
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
  show('found', range)
  const { top, bottom } = range.getBoundingClientRect()
  if (top < 100 || bottom > innerHeight - 50) element.scrollIntoView({ block: 'center', behavior: 'instant' })
}

addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && !document.querySelector('dialog[open]')) markWords('')
})
