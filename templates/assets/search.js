// Where a search is asked for: by the link in the bar, by key, or on the search page. Nothing is loaded before.
import { isTyping, make } from './dom.js'
import { keysAreOn } from './help.js'
import { markWords } from './marks.js'
import { searchBox } from './search-box.js'
import { emptyState, readState, writeState } from './search-state.js'

const root = document.documentElement.dataset.root ?? ''
const opener = document.querySelector('a.find')
const place = document.querySelector('.search-page')
const label = opener?.firstChild.data.trim()

/** Address of a page, or of a place in it, that marks what was asked. */
function href(path, id, text) {
  const mark = text ? `?mark=${encodeURIComponent(text)}` : ''
  return `${path === '' ? '' : root + path + mark}${id ? `#${encodeURIComponent(id)}` : ''}`
}

/** Arrow keys walk from the box through the answers and back. */
function walk(event, { input, list }) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined || event.target.matches('select')) return
  const links = [...list.querySelectorAll('a')].filter((link) => link.checkVisibility())
  const at = links.indexOf(document.activeElement)
  if (links.length === 0 || (at < 0 && by < 0)) return
  event.preventDefault()
  const next = at + by < 0 ? input : links[Math.min(at + by, links.length - 1)]
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** The search page: what is asked stands in its address. */
function startPage() {
  const onState = (state) => {
    try {
      history.replaceState(null, '', writeState(location.href, state))
    } catch {
      // Some browsers keep the address of a file as it is; the search works all the same.
    }
  }
  const box = searchBox({ label, href, onState })
  place.append(box.input, box.element)
  place.addEventListener('keydown', (event) => walk(event, box))
  addEventListener('popstate', () => box.ask(readState(location.href)))
  box.ask(readState(location.href))
  box.input.focus()
  return () => {
    box.input.focus()
    box.input.select()
  }
}

/** The dialog, made when it is first asked for. */
function makeDialog() {
  const whole = make('a', { class: 'whole', href: opener.href }, 'Open as a page')
  const onState = (state) => {
    whole.href = writeState(opener.href, state)
  }
  const box = searchBox({ label, href, onState })
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const dialog = make(
    'dialog',
    { class: 'seek', 'aria-label': 'Search' },
    make('div', {}, box.input, close),
    box.element,
  )
  // A page that stands alone has no other to open.
  if (opener.hash === '') box.element.append(whole)
  close.addEventListener('click', () => dialog.close())
  // The padding is inside of the dialog's children: a click on the dialog itself is one beside it.
  dialog.addEventListener('click', ({ target }) => {
    const isInside = target.closest('.hits a[href^="#"]') !== null
    if (target !== dialog && !isInside) return
    dialog.close()
    if (isInside) markWords(box.input.value)
  })
  dialog.addEventListener('keydown', (event) => {
    walk(event, box)
    // In a box that searches, the key would only take the words away.
    if (event.key !== 'Escape') return
    event.preventDefault()
    dialog.close()
  })
  document.body.append(dialog)
  box.ask(emptyState())
  return { dialog, box }
}

let made

function openDialog() {
  made ??= makeDialog()
  if (!made.dialog.open) made.dialog.showModal()
  made.box.input.focus()
  made.box.input.select()
}

function start() {
  const open = place === null ? openDialog : startPage()
  opener.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    open()
  })
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const isChord = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target) && keysAreOn()
    if (!isChord && !isSlash) return
    event.preventDefault()
    open()
  })
}

if (opener) start()
