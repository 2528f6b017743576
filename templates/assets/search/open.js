// Where a search is asked for: by the link in the bar, by key, or on the search page. Nothing is loaded before.
import { address, written } from '../page/address.js'
import { isTyping } from '../page/dom.js'
import { keysAreOn } from '../page/help.js'
import { make } from '../page/make.js'
import { loadBox } from './load-box.js'

const root = document.documentElement.dataset.root ?? ''
const opener = document.querySelector('a.find')
const page = document.querySelector('.search-page')
const label = opener?.firstChild.data.trim()

/** Address of a page, or of a place in it, that marks what was asked. */
function href(path, id, text) {
  const mark = text ? `?mark=${encodeURIComponent(text)}` : ''
  return `${path === '' ? '' : root + path + mark}${id ? `#${encodeURIComponent(id)}` : ''}`
}

/** What arrow keys walk through. */
const stops = '.hits a, .recent li button'

/** Arrow keys walk from the box through the answers and back. */
function walk(event, place, input) {
  const { key, target, ctrlKey, metaKey, altKey } = event
  // Letters that are typed elsewhere in the list belong to the question.
  const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
  if (isLetter && !target.closest('input, select, textarea')) input.focus()
  const by = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (by === undefined || !target.matches(`${stops}, input[type="search"]`)) return
  const links = [...place.querySelectorAll(stops)].filter((link) => link.checkVisibility())
  const at = links.indexOf(document.activeElement)
  if (links.length === 0 || (at < 0 && by < 0)) return
  event.preventDefault()
  const next = at + by < 0 ? input : links[Math.min(at + by, links.length - 1)]
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** Changes what the history has of this page; some browsers keep the address of a file as it is. */
function note(fields, href) {
  try {
    history.replaceState({ ...history.state, ...fields }, '', href)
  } catch {
    // The search works all the same.
  }
}

function makeInput() {
  const names = { 'aria-label': label, placeholder: label }
  const role = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false' }
  return make('input', { type: 'search', autocomplete: 'off', spellcheck: 'false', ...names, ...role })
}

/** Puts controls and answers for what is typed below the box; letters that came before them are not lost, nor is Enter. */
async function fill(place, input, { onAsk, asked, count }) {
  const message = make('p', { class: 'told', role: 'status' })
  const panel = make('div', { class: 'asked' }, message)
  place.append(panel)
  let isEntered = false
  const hear = ({ key, isComposing }) => {
    isEntered ||= key === 'Enter' && !isComposing
  }
  input.addEventListener('keydown', hear)
  try {
    const { searchBox } = await loadBox()
    input.removeEventListener('keydown', hear)
    const box = searchBox({ input, href, onAsk })
    message.replaceWith(...box.parts)
    await box.ask(asked, count)
    if (isEntered) input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
    return box
  } catch {
    message.textContent = 'The search could not be loaded. Load this page again to try once more.'
  }
}

/** The search page: what is asked stands in its address and its title; Back shows as many answers at the same place. */
function makePage() {
  const input = makeInput()
  const { title } = document
  const onAsk = (write, text) => {
    note({}, written(write(address())))
    document.title = text === '' ? title : `${text} · ${title}`
  }
  input.value = address().searchParams.get('q') ?? ''
  page.append(input)
  page.addEventListener('keydown', (event) => walk(event, page, input))
  const { shown, scroll } = history.state?.found ?? {}
  fill(page, input, { onAsk, asked: address(), count: shown }).then((box) => {
    if (scroll !== undefined) scrollTo({ top: scroll, behavior: 'instant' })
    page.addEventListener('click', ({ target }) => {
      if (target.closest('.hits a')) note({ found: { shown: Math.max(box.shown(), 10), scroll: scrollY } })
    })
  })
  return { input }
}

/** The dialog, made when it is first asked for. */
function makeDialog() {
  const input = makeInput()
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const whole = make('a', { class: 'whole', href: opener.href }, 'Open as a page')
  const dialog = make('dialog', { class: 'seek', 'aria-label': 'Search' }, make('div', {}, input, close))
  let asked
  const onAsk = (write) => {
    asked = write(opener.href).href
    whole.href = written(write(opener.href))
  }
  close.addEventListener('click', () => dialog.close())
  // The padding is inside of the dialog's children: a click on the dialog itself is one beside it.
  dialog.addEventListener('click', ({ target }) => {
    const isInside = target.closest('.hits a[href^="#"]') !== null
    if (target.closest('.hits a') && !isInside)
      note({
        seek: {
          asked,
          shown: Math.max(dialog.querySelector('.hits').children.length, 10),
          scroll: dialog.querySelector('.asked').scrollTop,
        },
      })
    if (target !== dialog && !isInside) return
    dialog.close()
    if (isInside) mark(input.value, target.closest('a').hash)
  })
  dialog.addEventListener('keydown', (event) => {
    walk(event, dialog, input)
    // In a box that searches, the key would only take the words away.
    if (event.key !== 'Escape') return
    event.preventDefault()
    dialog.close()
  })
  document.body.append(dialog)
  dialog.addEventListener('close', () => note({ seek: undefined }))
  const { shown, scroll, ...before } = history.state?.seek ?? {}
  // A page that stands alone has no other to open.
  fill(dialog, input, { onAsk, asked: before.asked, count: shown }).then((box) => {
    if (box && opener.hash === '') dialog.lastElementChild.append(whole)
    if (scroll !== undefined) dialog.lastElementChild.scrollTop = scroll
  })
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
  // Back leads to the answers from which the reader went.
  if (page !== null || history.state?.seek) openSearch()
}

/** Marks words, and leads to the first mark in the item that a fragment names. */
async function mark(text, hash) {
  const { markWords } = await loadBox()
  markWords(text, decodeURIComponent(hash.slice(1)))
}

if (opener) start()
const { searchParams, hash } = address()
// A page without its marks can be read as well.
if (searchParams.get('mark')) mark(searchParams.get('mark'), hash).catch(() => {})
