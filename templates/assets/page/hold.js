// Scrolls to a position in a long page, most of which is laid out only when it comes near the window.

/** Identifies the scroll that is being corrected, until the reader scrolls, clicks or presses a key. */
let held
for (const type of ['keydown', 'pointerdown', 'touchstart', 'wheel']) {
  addEventListener(type, () => (held = undefined), { capture: true, passive: true })
}

/**
 * Scrolls to an element, and again in the next frames if it has moved: what comes near is laid out only then, and what is
 * above the element gets its true height.
 */
export function keepInView(element, scroll, frames = 8) {
  const position = {}
  held = position
  scroll()
  const { top } = element.getBoundingClientRect()
  const again = () => {
    if (held !== position) return
    if (Math.abs(element.getBoundingClientRect().top - top) > 1) scroll()
    if (--frames > 0) requestAnimationFrame(again)
  }
  requestAnimationFrame(again)
}

/** Scrolls the boxes around a range, so that it is visible in each of them. */
export function scrollBoxes(range) {
  for (let box = range.startContainer.parentElement; box !== document.body; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue
    const [area, view] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
    if (area.top < view.top || area.bottom > view.bottom) box.scrollTop += area.top - view.top - view.height / 2
    if (area.left < view.left || area.right > view.right) box.scrollLeft += area.left - view.left - view.width / 2
  }
}

/** Scrolls a range to the middle of the window. Its element would not do: the range may be far from the element's middle. */
export function scrollWindow(range) {
  const { top } = range.getBoundingClientRect()
  scrollBy({ top: top - innerHeight / 2, behavior: 'instant' })
}
