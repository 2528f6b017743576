// Where a search is asked for: by the link in the bar, by key, or on the search page. Nothing is loaded before.
import { address, written } from './address.js'
import { isTyping } from './dom.js'
import { keysAreOn } from './help.js'
import { make } from './make.js'
import { markAsked, markWords } from './marks.js'
import { loadBox } from './search-call.js'

const root = document.documentElement.dataset.root ?? ''
const opener = document.querySelector('a.find')
const page = document.querySelector('.search-page')
const label = opener?.firstChild.data.trim()

/** Address of a page, or of a place in it, that marks what was asked. */
function href(path, id, text) {
  const mark = text ? `?mark=${encodeURIComponent(text)}` : ''
  return `${path === '' ? '' : root + path + mark}${id ? `#${encodeURIComponent(id)}` : ''}`
}

/** Arrow keys walk from the box through the answers and back. */
function walk(event, place, input) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (by === undefined || event.target.matches('select')) return
  const links = [...place.querySelectorAll('.hits a')].filter((link) => link.checkVisibility())
  const at = links.indexOf(document.activeElement)
  if (links.length === 0 || (at < 0 && by < 0)) return
  event.preventDefault()
  const next = at + by < 0 ? input : links[Math.min(at + by, links.length - 1)]
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

function makeInput() {
  const names = { 'aria-label': label, placeholder: label }
  return make('input', { type: 'search', autocomplete: 'off', spellcheck: 'false', ...names })
}

/** Puts controls and answers for what is typed below the box; letters that came before them are not lost. */
async function fill(place, input, { onAsk, asked }) {
  const told = make('p', { class: 'told', role: 'status' })
  const room = make('div', { class: 'asked' }, told)
  place.append(room)
  try {
    const searchBox = await loadBox()
    const box = searchBox({ input, href, onAsk })
    told.replaceWith(...box.parts)
    box.ask(asked)
    return box
  } catch {
    told.textContent = 'The search could not be loaded. Load this page again to try once more.'
  }
}

/** The search page: what is asked stands in its address. */
function makePage() {
  const input = makeInput()
  const onAsk = (write) => {
    try {
      history.replaceState(null, '', written(write(address())))
    } catch {
      // Some browsers keep the address of a file as it is; the search works all the same.
    }
  }
  input.value = address().searchParams.get('q') ?? ''
  page.append(input)
  page.addEventListener('keydown', (event) => walk(event, page, input))
  fill(page, input, { onAsk, asked: address() })
  return { input }
}

/** The dialog, made when it is first asked for. */
function makeDialog() {
  const input = makeInput()
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const whole = make('a', { class: 'whole', href: opener.href }, 'Open as a page')
  const dialog = make('dialog', { class: 'seek', 'aria-label': 'Search' }, make('div', {}, input, close))
  const onAsk = (write) => {
    whole.href = written(write(opener.href))
  }
  close.addEventListener('click', () => dialog.close())
  // The padding is inside of the dialog's children: a click on the dialog itself is one beside it.
  dialog.addEventListener('click', ({ target }) => {
    const isInside = target.closest('.hits a[href^="#"]') !== null
    if (target !== dialog && !isInside) return
    dialog.close()
    if (isInside) markWords(input.value)
  })
  dialog.addEventListener('keydown', (event) => {
    walk(event, dialog, input)
    // In a box that searches, the key would only take the words away.
    if (event.key !== 'Escape') return
    event.preventDefault()
    dialog.close()
  })
  document.body.append(dialog)
  // A page that stands alone has no other to open.
  fill(dialog, input, { onAsk }).then((box) => box && opener.hash === '' && dialog.lastElementChild.append(whole))
  return { input, dialog }
}

let made

/** Shows the search and takes what is typed next. */
function openSearch() {
  made ??= page === null ? makeDialog() : makePage()
  const { input, dialog } = made
  if (dialog && !dialog.open) dialog.showModal()
  input.focus()
  input.select()
}

function start() {
  opener.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    openSearch()
  })
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const isChord = key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target) && keysAreOn()
    if (!isChord && !isSlash) return
    event.preventDefault()
    openSearch()
  })
  if (page !== null) openSearch()
}

if (opener) start()
markAsked()
