// Links into a session lead to their place, whatever page, fold and view it is in.
import { address, goInstead, file as here, hrefOf } from './address.js'
import { setFold } from './folds.js'
import { holdPlace } from './hold.js'
import { isElsewhere, setView } from './views.js'
import { flow } from './walk.js'

const session = document.querySelector('main.session')

/** Makes an item visible: opens every fold around it and the one it begins with, and leaves a view that hides it. */
export function reveal(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details')) setFold(fold, true)
  const own = element.matches('.item') && element.querySelector(':scope > details')
  if (own) setFold(own, true)
  if (!element.checkVisibility()) setView('all')
}

/** The id that the address names; empty for an address that somebody broke. */
function idInAddress() {
  try {
    return decodeURIComponent(address().hash.slice(1))
  } catch {
    return ''
  }
}

/** File of the page that holds an item, by the first line of each page; nothing for this page or an unknown id. */
function pageOf(id) {
  const [, segment = '', line] = /^(?:([0-9a-f]{8})-)?l(\d+)/.exec(id) ?? []
  const starts = session?.dataset.pages?.split(' ') ?? []
  const page = starts.findLastIndex((places) =>
    places.split(',').some((place) => {
      const [, from = '', first] = /^(?:(\w{8})-)?l(\d+)$/.exec(place) ?? []
      return from === segment && Number(first) <= Number(line)
    }),
  )
  return page < 0 ? undefined : `${page + 1}.html`
}

/** The same by the links of this page: the id of a turn tells no line, but the first page lists turns. */
function linkedPageOf(id) {
  const links = document.querySelectorAll(`main a[href$="#${CSS.escape(id)}"]`)
  return [...links]
    .map(hrefOf)
    .find((href) => /^(?:index|\d+)\.html#/.test(href))
    ?.split('#')[0]
}

/** Where the work of a place in this story stands; of a whole story, where its work begins. */
function workPlace(id) {
  if (id === '' && session.dataset.pages) return '1.html'
  const file = pageOf(id)
  if (file) return `${file}#${encodeURIComponent(id)}`
  const place = document.getElementById(id) ?? flow
  const isBehind = (link) => place.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING
  const next = [...flow.querySelectorAll('a.did')].find(isBehind)
  return next ? hrefOf(next) : '1.html'
}

/** Goes to the page that shows the view that the address asks for, at the same place. */
function goToView() {
  const { search, hash } = address()
  const { story } = session.dataset
  goInstead((story ? story + hash : workPlace(idInAddress())).replace(/(?=#|$)/, () => search))
}

/** Brings the place that the address names into view, from another page of the session where it stands there. */
function goToHash() {
  const id = idInAddress()
  if (id === '') return
  const element = document.getElementById(id)
  if (element) {
    reveal(element)
    holdPlace(element, () => element.scrollIntoView())
    return
  }
  const file = pageOf(id) ?? linkedPageOf(id)
  if (file === undefined || file === here) return
  // What a search marks is marked there; the view that was asked for may be that of this page.
  const mark = address().searchParams.get('mark')
  goInstead(`${file}${mark ? `?mark=${encodeURIComponent(mark)}` : ''}#${encodeURIComponent(id)}`)
}

addEventListener('hashchange', goToHash)
if (isElsewhere) goToView()
else goToHash()
