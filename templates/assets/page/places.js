// Takes links into a session to their target, whichever page, fold or view it is in.
import { address, goInstead, file as here, hrefOf } from './address.js'
import { idIn } from './dom.js'
import { setFold } from './folds.js'
import { keepInView } from './hold.js'
import { isElsewhere, setView } from './views.js'
import { flow } from './walk.js'

const session = document.querySelector('main.session')

/** Makes an item visible: opens every fold around it and its own, and leaves a view that hides it. */
export function reveal(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details')) setFold(fold, true)
  const itemFold = element.matches('.item') && element.querySelector(':scope > details')
  if (itemFold) setFold(itemFold, true)
  if (!element.checkVisibility()) setView('all')
}

/** The file of the page that contains an item, found by the first lines of pages; `undefined` if the id names no line of one. */
function pageOf(id) {
  const [, segment = '', line] = /^(?:([0-9a-f]{8})-)?l(\d+)/.exec(id) ?? []
  const starts = session?.dataset.pages?.split(' ') ?? []
  const page = starts.findLastIndex((anchors) =>
    anchors.split(',').some((anchor) => {
      const [, from = '', first] = /^(?:(\w{8})-)?l(\d+)$/.exec(anchor) ?? []
      return from === segment && Number(first) <= Number(line)
    }),
  )
  return page < 0 ? undefined : `${page + 1}.html`
}

/** The same, found by the links of this page: the id of a turn contains no line, but the first page lists the turns. */
function linkedPageOf(id) {
  const links = document.querySelectorAll(`main a[href$="#${CSS.escape(id)}"]`)
  return [...links]
    .map(hrefOf)
    .find((href) => /^(?:index|\d+)\.html#/.test(href))
    ?.split('#')[0]
}

/** The address of the work that belongs to an item of this story; without an id, where the work of the whole story begins. */
function workAddress(id) {
  if (id === '' && session.dataset.pages) return '1.html'
  const file = pageOf(id)
  if (file) return `${file}#${encodeURIComponent(id)}`
  const start = document.getElementById(id) ?? flow
  const isAfter = (link) => start.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING
  const next = [...flow.querySelectorAll('a.did')].find(isAfter)
  return next ? hrefOf(next) : '1.html'
}

/** Goes to the page that shows the view that the address asks for, at the same position. */
function goToView() {
  const { search, hash } = address()
  const { story } = session.dataset
  goInstead((story ? story + hash : workAddress(idIn(hash))).replace(/(?=#|$)/, () => search))
}

/** Scrolls to the element that the address names, or goes to the page of the session that has it. */
function goToHash() {
  const id = idIn(address().hash)
  if (id === '') return
  const element = document.getElementById(id)
  if (element) {
    reveal(element)
    keepInView(element, () => element.scrollIntoView())
    return
  }
  const file = pageOf(id) ?? linkedPageOf(id)
  if (file === undefined || file === here) return
  // The words to mark go along. A requested view does not: this page may be the one that shows it.
  const mark = address().searchParams.get('mark')
  goInstead(`${file}${mark ? `?mark=${encodeURIComponent(mark)}` : ''}#${encodeURIComponent(id)}`)
}

addEventListener('hashchange', goToHash)
if (isElsewhere) goToView()
else goToHash()
