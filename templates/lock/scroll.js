// Keeps the scroll position in the history entry: a page is empty when it is loaded, so the browser cannot restore it.

/** The scroll position in this history entry, if the reader was here before. */
const before = history.state?.lockScroll

let timer = 0

function storePosition() {
  clearTimeout(timer)
  try {
    history.replaceState({ ...history.state, lockScroll: scrollY }, '')
  } catch {
    // Without it, the reader begins at the top.
  }
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/** Scrolls back to where the reader was, and stores the scroll position from now on. */
export async function keepScroll() {
  if (before !== undefined) {
    // The browser scrolls to the target of the address only when it draws, and not at once.
    await nextFrame()
    await nextFrame()
    scrollTo({ top: before, behavior: 'instant' })
  }
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(storePosition, 200)
    },
    { passive: true },
  )
}

/** Goes to the element that the address names, in a way that makes it the `:target` of style rules. */
export function aim({ hash, search }) {
  if (hash === '') return
  const { href } = location
  const { state } = history
  if (search !== '') {
    // The address changes only for a moment, so no other listener is to react to it.
    addEventListener('hashchange', (event) => event.stopImmediatePropagation(), { capture: true, once: true })
  }
  location.replace(hash)
  history.replaceState(state, '', href)
}
