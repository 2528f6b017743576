// Scrolling to a place of a long page, most of which is laid out only when it comes near.

/** The place that is being held; the reader's own way to another one lets go of it. */
let held
for (const type of ['keydown', 'pointerdown', 'touchstart', 'wheel']) {
  addEventListener(type, () => (held = undefined), { capture: true, passive: true })
}

/**
 * Scrolls to an element, and again for some frames where that has moved since: what comes near is laid out then, and
 * what stands above it gets its true height.
 */
export function holdPlace(element, scroll, frames = 8) {
  const place = {}
  held = place
  scroll()
  const { top } = element.getBoundingClientRect()
  const again = () => {
    if (held !== place) return
    if (Math.abs(element.getBoundingClientRect().top - top) > 1) scroll()
    if (--frames > 0) requestAnimationFrame(again)
  }
  requestAnimationFrame(again)
}

/** Scrolls the boxes around words, so that they are seen in each. */
export function scrollBoxes(range) {
  for (let box = range.startContainer.parentElement; box !== document.body; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue
    const [place, view] = [range.getBoundingClientRect(), box.getBoundingClientRect()]
    if (place.top < view.top || place.bottom > view.bottom) box.scrollTop += place.top - view.top - view.height / 2
    if (place.left < view.left || place.right > view.right) box.scrollLeft += place.left - view.left - view.width / 2
  }
}

/** Scrolls the window, so that words stand in its middle. An element is not enough: they may lie far from its own middle. */
export function scrollWindow(range) {
  const { top } = range.getBoundingClientRect()
  scrollBy({ top: top - innerHeight / 2, behavior: 'instant' })
}
