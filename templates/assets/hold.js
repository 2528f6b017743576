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
