// Comfort for pages that are complete without it: folds open for links into them, the outline follows the reader.

/** Opens every fold around an element, and the fold that the element itself is or begins with. */
function openAround(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
  if (element.matches('.item')) element.querySelector(':scope > details')?.setAttribute('open', '')
}

/** The id that the address names; empty for an address that somebody broke. */
function idInAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ''
  }
}

/** Brings the place that the address names into view, from another page of the session where it stands there. */
function goToHash() {
  const id = idInAddress()
  if (id === '') return
  const element = document.getElementById(id)
  if (element) {
    openAround(element)
    element.scrollIntoView()
    return
  }
  for (const link of document.querySelectorAll('.outline a')) {
    const url = new URL(link.href)
    if (url.hash === `#${id}` && url.pathname !== location.pathname) location.replace(url)
  }
}

/** Marks the prompt that is being read in the outline. */
function followReader() {
  const links = new Map()
  for (const link of document.querySelectorAll('.outline a[href^="#"]')) {
    const element = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (element) links.set(element.closest('.turn') ?? element, link)
  }
  const seen = new Set()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) isIntersecting ? seen.add(target) : seen.delete(target)
      const first = [...links.keys()].find((element) => seen.has(element))
      if (!first) return
      for (const [element, link] of links) {
        if (element === first) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '-10% 0px -60% 0px' },
  )
  for (const element of links.keys()) observer.observe(element)
}

addEventListener('hashchange', goToHash)
goToHash()
followReader()
