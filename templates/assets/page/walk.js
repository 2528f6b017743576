// Where the reader is, and what stands next to it: items of a session, or rows of a list. What is not drawn is measured
// only where a reader goes: to ask thousands of items whether they are shown would hold the page up.

import { holdPlace } from './hold.js'

/** Items of a session page; absent on lists. */
export const flow = document.querySelector('.session .flow')

/** What `j` and `k` walk through. */
export const stops = flow ? '.flow :is(.item, .did)' : 'main :is(.list a[href], .file > summary)'

/** Whether no fold, view or filter hides an element. */
export function isShown(element) {
  return element.checkVisibility()
}

/** Height that the bar takes at the top. */
function barHeight() {
  const bar = document.querySelector('.top')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > barHeight() && top < innerHeight
}

/** The first shown element of a kind that begins (`edge` `top`) or ends (`bottom`) in the window or below it. */
export function firstBelow(selector, edge = 'top') {
  const bar = barHeight()
  const boxes = flow ? flow.children : document.querySelectorAll('main :is(.list li, .file)')
  for (const box of boxes) {
    if (box.getBoundingClientRect().bottom <= bar) continue
    const inside = box.matches(selector) ? [box] : box.querySelectorAll(selector)
    for (const element of inside) {
      if (isShown(element) && element.getBoundingClientRect()[edge] >= bar) return element
    }
  }
  return undefined
}

/** The element that has the focus, if it is in view. */
function focusedStop() {
  const focused = document.activeElement?.closest(stops)
  return focused && isInView(focused) ? focused : undefined
}

/** Where the reader is: at what has the focus, else at the top of the window. */
export function here() {
  return focusedStop() ?? firstBelow(stops)
}

/** The next (`by` 1) or previous (-1) of elements in the order of the page that `isWanted`. */
export function neighbour(elements, by, isWanted = isShown) {
  const at = here()
  const isNext = (element) => element === at || at?.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
  const found = elements.findIndex(isNext)
  const next = found < 0 ? elements.length : found
  let index = by < 0 || elements[next] === focusedStop() ? next + by : next
  while (elements[index] && !isWanted(elements[index])) index += by
  return elements[index]
}

/** Focuses an element; scrolls the beginning of it, or of its heading, below the bar unless it stands in the window. */
export function goTo(element, heading = element) {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
  const { top } = heading.getBoundingClientRect()
  if (top < barHeight() || element.getBoundingClientRect().bottom > innerHeight) {
    holdPlace(heading, () => heading.scrollIntoView({ block: 'start', behavior: 'instant' }))
  }
}
