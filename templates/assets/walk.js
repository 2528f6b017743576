// Where the reader is, and what stands next to it: items of a session, or rows of a list.

/** Items of a session page; absent on lists. */
export const flow = document.querySelector('.session .flow')

/** What `j` and `k` walk through. */
export const stops = flow ? '.flow .item' : 'main :is(.list a[href], .file > summary)'

/** Elements of a page that are shown. */
export function shown(selector, root = document) {
  return [...root.querySelectorAll(selector)].filter((element) => element.checkVisibility())
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

/** Whether an element begins above the window. Of a turn that is not drawn only its own place is known, not that of its items. */
function isAbove(element, edge) {
  const turn = element.closest('.flow > .turn')?.getBoundingClientRect()
  if (turn && turn.bottom <= edge) return true
  return !(turn && turn.top >= edge) && element.getBoundingClientRect().top < edge
}

/** The first of elements, in the order of the page, that begins in the window or below it. */
function firstBelow(elements) {
  let [low, high] = [0, elements.length]
  const edge = barHeight()
  while (low < high) {
    const middle = (low + high) >> 1
    if (isAbove(elements[middle], edge)) low = middle + 1
    else high = middle
  }
  return elements[low]
}

/** The element that has the focus, if it is in view. */
function focusedStop() {
  const focused = document.activeElement?.closest(stops)
  return focused && isInView(focused) ? focused : undefined
}

/** Where the reader is: at what has the focus, else at the top of the window. */
export function here() {
  return focusedStop() ?? firstBelow(shown(stops))
}

/** The next (`by` 1) or previous (-1) of elements in the order of the page, also of hidden ones. */
export function neighbour(elements, by) {
  const at = here()
  const isNext = (element) => element === at || at?.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
  const found = elements.findIndex(isNext)
  const start = found < 0 ? elements.length : found
  if (by < 0) return elements[start - 1]
  return elements[start + (elements[start] === focusedStop() ? 1 : 0)]
}

/** Focuses an element; scrolls the beginning of it, or of its heading, below the bar unless it stands in the window. */
export function goTo(element, heading = element) {
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
  const { top } = heading.getBoundingClientRect()
  if (top < barHeight() || element.getBoundingClientRect().bottom > innerHeight) {
    heading.scrollIntoView({ block: 'start', behavior: 'instant' })
  }
}
