// Where the reader is, and what comes next: items of a session, or rows of a list. What is not drawn is measured only where
// a reader goes, because asking thousands of items whether they are visible would block the page.

import { keepInView } from './hold.js'

/** The element around the items of a session page; `null` on other pages. */
export const flow = document.querySelector('.session .flow')

/** What `j` and `k` step through. */
export const stops = flow ? '.flow :is(.item, .did)' : 'main :is(.list a[href], .file > summary)'

/** Whether an element is visible: no fold, view or filter hides it. */
export function isShown(element) {
  return element.checkVisibility()
}

/** The height that the bar covers at the top of the window. */
function barHeight() {
  const bar = document.querySelector('.top')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > barHeight() && top < innerHeight
}

/** The first visible element of a kind whose `edge`, `top` or `bottom`, is in the window or below it. */
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

/** The focused element, if it is in view. */
function focusedStop() {
  const focused = document.activeElement?.closest(stops)
  return focused && isInView(focused) ? focused : undefined
}

/** Where the reader is: at the focused element, else at the first one in the window. */
export function here() {
  return focusedStop() ?? firstBelow(stops)
}

/**
 * The next (`by` 1) or previous (-1) of some elements, given in page order, that `isWanted`. One of them that has the focus is
 * where the reader is, even if `j` and `k` do not stop there.
 */
export function neighbour(elements, by, isWanted = isShown) {
  const active = document.activeElement
  const focused = elements.includes(active) && isInView(active) ? active : focusedStop()
  const at = focused ?? here()
  const isNext = (element) => element === at || at?.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
  const found = elements.findIndex(isNext)
  const next = found < 0 ? elements.length : found
  let index = by < 0 || elements[next] === focused ? next + by : next
  while (elements[index] && !isWanted(elements[index])) index += by
  return elements[index]
}

/** Focuses an element, and scrolls its beginning, or that of its heading, to below the bar unless all of it is in view. */
export function goTo(element, heading = element) {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
  const { top } = heading.getBoundingClientRect()
  if (top < barHeight() || element.getBoundingClientRect().bottom > innerHeight) {
    keepInView(heading, () => heading.scrollIntoView({ block: 'start', behavior: 'instant' }))
  }
}
