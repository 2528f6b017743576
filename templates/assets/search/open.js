// Opens the search: by the link in the bar, by a key, or on the search page. Nothing of it is loaded before.
import { address, written } from '../page/address.js'
import { idIn, isTyping } from '../page/dom.js'
import { setFold } from '../page/folds.js'
import { keysAreOn } from '../page/help.js'
import { make } from '../page/make.js'
import { loadBox } from './load-box.js'

const root = document.documentElement.dataset.root ?? ''
const opener = document.querySelector('a.find')
const page = document.querySelector('.search-page')
const label = opener?.firstChild.data.trim()

/** The address of a page, or of an item in it, that marks the words of a question. */
function href(path, id, text) {
  const mark = text ? `?mark=${encodeURIComponent(text)}` : ''
  return `${path === '' ? '' : root + path + mark}${id ? `#${encodeURIComponent(id)}` : ''}`
}

/** What the arrow keys step through. */
const stops = '.hits a, .recent li button'

/** Handles keys: arrows step from the input through the results and back, letters go to the input. */
function walk(event, container, input) {
  // These keys choose among what an input method offers.
  if (event.isComposing) return
  const { key, target, ctrlKey, metaKey, altKey } = event
  // Letters typed in the list belong to the question.
  const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
  if (isLetter && !target.closest('input, select, textarea')) input.focus()
  const by = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (by === undefined || !target.matches(`${stops}, input[type="search"]`)) return
  const links = [...container.querySelectorAll(stops)].filter((link) => link.checkVisibility())
  const at = links.indexOf(document.activeElement)
  if (links.length === 0 || (at < 0 && by < 0)) return
  event.preventDefault()
  const next = at + by < 0 ? input : links[Math.min(at + by, links.length - 1)]
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** Changes the history entry of this page; some browsers do not allow that for the address of a file. */
function note(fields, href) {
  try {
    history.replaceState({ ...history.state, ...fields }, '', href)
  } catch {
    // The search works without it.
  }
}

function makeInput() {
  const names = { 'aria-label': label, placeholder: label }
  const role = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false' }
  return make('input', { type: 'search', autocomplete: 'off', spellcheck: 'false', ...names, ...role })
}

/** Loads the controls and results and adds them below the input; letters typed in the meantime are not lost, nor is Enter. */
async function fill(container, input, { onAsk, asked, count }) {
  const message = make('p', { class: 'told', role: 'status' })
  const panel = make('div', { class: 'asked' }, message)
  container.append(panel)
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

/** Fills the search page. Its address and title contain the question; Back shows as many results, scrolled as before. */
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

/** Makes the dialog of the search. */
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
  // The dialog's children carry its padding, so a click on the dialog itself is outside of its box.
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
    // In a search field, the key would only clear the field.
    if (event.key !== 'Escape' || event.isComposing) return
    event.preventDefault()
    dialog.close()
  })
  document.body.append(dialog)
  dialog.addEventListener('close', () => note({ seek: undefined }))
  const { shown, scroll, ...before } = history.state?.seek ?? {}
  // A standalone page has no search page to open.
  fill(dialog, input, { onAsk, asked: before.asked, count: shown }).then((box) => {
    if (box && opener.hash === '') dialog.lastElementChild.append(whole)
    if (scroll !== undefined) dialog.lastElementChild.scrollTop = scroll
  })
  return { input, dialog }
}

let opened

/** Shows the search and focuses its input. */
function openSearch() {
  opened ??= page === null ? makeDialog() : makePage()
  const { input, dialog } = opened
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
  // Back leads to the results from which the reader left.
  if (page !== null || history.state?.seek) openSearch()
}

/** Marks words, and goes to the first mark in the item that the fragment names. */
async function mark(text, hash) {
  const { markWords } = await loadBox()
  markWords(text, idIn(hash), setFold)
}

if (opener) start()
const { searchParams, hash } = address()
// If marking fails, the page can still be read.
if (searchParams.get('mark')) mark(searchParams.get('mark'), hash).catch(() => {})
