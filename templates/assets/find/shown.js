// What the find shows in the page: only items of some kinds, all matches, and the current one.

import { keepInView, scrollBoxes, scrollWindow } from '../page/hold.js'
import { itemsHere, kindsOf, rangesIn } from './text.js'

/** The maximum number of marks; a letter that is everywhere needs no more. */
const maxMarks = 2000

const flow = document.querySelector('.session .flow')
/** The folds that the choice of kinds opened, to be closed again with it. */
let opened = []

/** The marks of the find by their names, which the search uses too. */
const own = new Map()

function putMarks(name, ranges) {
  own.set(name, new Highlight(...ranges))
  CSS.highlights.set(name, own.get(name))
}

function dropMarks(name) {
  if (CSS.highlights.get(name) === own.get(name)) CSS.highlights.delete(name)
}

/** The bar of the search's marks, and these marks by their names, while the find is open. */
let covered

/** Hides the bar of the marks that the search made, and keeps these marks for `uncoverMarks`. */
export function coverMarks() {
  const bar = document.querySelector('.marked')
  if (!bar) return
  bar.hidden = true
  covered = { bar, marks: [...CSS.highlights] }
}

/** Shows again what `coverMarks` hid. */
export function uncoverMarks() {
  if (covered?.bar.isConnected) {
    covered.bar.hidden = false
    for (const [name, marks] of covered.marks) CSS.highlights.set(name, marks)
  }
  covered = undefined
}

/** Shows only items of some kinds, or all items if no kind is chosen. */
export function showKinds(kinds, setFold) {
  for (const fold of opened) setFold(fold, false)
  opened = []
  flow.toggleAttribute('data-only', kinds.length > 0)
  for (const item of itemsHere()) {
    const isWanted = kinds.length > 0 && kindsOf(item).some((kind) => kinds.includes(kind))
    item.toggleAttribute('data-wanted', isWanted)
    if (!isWanted) continue
    for (const fold of foldsAround(item.parentElement)) {
      if (fold.open) continue
      setFold(fold, true)
      opened.push(fold)
    }
  }
}

function* foldsAround(element) {
  // The fold of a long prompt comes after the text that it expands.
  const tall = element.closest('.tall')
  if (tall) yield tall.nextElementSibling
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details')) yield fold
}

/** Marks what a pattern matches in items of this page; without a pattern, removes the marks. */
export function markAll(items, pattern) {
  if (!globalThis.CSS?.highlights) return
  dropMarks('sought')
  if (pattern === undefined) return
  const ranges = []
  for (const item of items) {
    if (ranges.length >= maxMarks) break
    ranges.push(...rangesIn(item, pattern))
  }
  putMarks('sought', ranges.slice(0, maxMarks))
}

/** Removes what `showMatch` marked. */
export function leaveMatch() {
  for (const item of document.querySelectorAll('[data-found]')) item.removeAttribute('data-found')
  if (globalThis.CSS?.highlights) dropMarks('found')
}

/** Shows the `nth` match in an item, whichever fold or view hides it; without a pattern, the item itself. */
export function showMatch(item, { pattern, nth, setFold }) {
  leaveMatch()
  const range = pattern && rangesIn(item, pattern)[nth]
  for (let around = item; around; around = around.parentElement.closest('.item')) {
    around.setAttribute('data-found', '')
  }
  for (const fold of foldsAround(item.parentElement)) setFold(fold, true)
  if (range === undefined) {
    keepInView(item, () => item.scrollIntoView({ block: 'center', behavior: 'instant' }))
    return
  }
  const at = range.startContainer.parentElement
  for (const fold of foldsAround(at)) if (!fold.firstElementChild.contains(at)) setFold(fold, true)
  if (globalThis.CSS?.highlights) putMarks('found', [range])
  keepInView(at, () => {
    // What is out of sight has its true position only after it has been laid out.
    at.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    scrollBoxes(range)
    scrollWindow(range)
  })
}
