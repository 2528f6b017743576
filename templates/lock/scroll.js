// A page is empty when it is loaded, so that the browser finds no place to scroll back to: it is kept with the entry of
// the history.

/** Where the reader was on this page, if he was here. */
const before = history.state?.lockScroll

let timer = 0

function keepPlace() {
  clearTimeout(timer)
  try {
    history.replaceState({ ...history.state, lockScroll: scrollY }, '')
  } catch {
    // The reader begins at the top.
  }
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/** Goes back to where the reader was, and keeps his place from now on. */
export async function keepScroll() {
  if (before !== undefined) {
    // The browser goes to the place that the address names when it draws, and not at once.
    await nextFrame()
    await nextFrame()
    scrollTo({ top: before, behavior: 'instant' })
  }
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer)
      timer = setTimeout(keepPlace, 200)
    },
    { passive: true },
  )
}

/** Goes to the place in the page that the address names, so that style rules know it as the target. */
export function aim({ hash, search }) {
  if (hash === '') return
  const { href } = location
  const { state } = history
  if (search !== '') {
    // The address changes for a moment only, which is nobody's business.
    addEventListener('hashchange', (event) => event.stopImmediatePropagation(), { capture: true, once: true })
  }
  location.replace(hash)
  history.replaceState(state, '', href)
}
