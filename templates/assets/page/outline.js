// Marks the entry of the outline at which the reader is.

const links = new Map()
const seen = new Set()

/** Watches the turns of all entries again, because `serve` replaces and removes some. */
function follow() {
  observer.disconnect()
  links.clear()
  seen.clear()
  for (const link of document.querySelectorAll('.outline a[href^="#"]')) {
    const element = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    const turn = element?.closest('.turn') ?? element
    if (!turn) continue
    links.set(turn, link)
    observer.observe(turn)
  }
}

/** Scrolls the list of entries, if it scrolls on its own, so that the marked entry is visible. */
function bringIntoList(link) {
  for (let box = link.parentElement; box && !box.matches('main'); box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight) continue
    const [at, view] = [link.getBoundingClientRect(), box.getBoundingClientRect()]
    if (at.top < view.top || at.bottom > view.bottom) box.scrollTop += at.top - view.top - view.height / 2
    return
  }
}

function mark(current) {
  if (current.hasAttribute('aria-current')) return
  for (const link of document.querySelectorAll('.outline [aria-current]')) link.removeAttribute('aria-current')
  current.setAttribute('aria-current', 'true')
  bringIntoList(current)
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) isIntersecting ? seen.add(target) : seen.delete(target)
    const first = [...links.keys()].find((element) => seen.has(element))
    if (first) mark(links.get(first))
  },
  { rootMargin: '-10% 0px -60% 0px' },
)
follow()
// If there is space, the style sheet shows the content of the closed fold; opening it makes that true for assistive technology.
const minWidth = document.querySelector('.page > .outline') ? 78 : 62
const side = document.querySelector('.side > details')
if (side && matchMedia(`(width >= ${minWidth}rem)`).matches) side.open = true

let isStale = false
document.addEventListener('codex-fresh', () => {
  if (isStale) return
  isStale = true
  // Once for all changes of an update.
  queueMicrotask(() => {
    isStale = false
    follow()
  })
})
