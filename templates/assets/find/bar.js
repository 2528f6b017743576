// The find of a session: a field, steps through its matches on all pages, and filters that show only some kinds of items.
import { address, go } from '../page/address.js'
import { make } from '../page/make.js'
import { askInAddress, removeFromAddress } from '../page/question.js'
import { isAlone, readSession, readsAll } from './pages.js'
import { coverMarks, leaveMatch, markAll, showKinds, showMatch, uncoverMarks } from './shown.js'
import { patternOf } from './text.js'

const kindWords = {
  prompts: 'Prompts',
  answers: 'Answers',
  commands: 'Commands',
  edits: 'Edits',
  failures: 'Failures',
  thoughts: 'Thoughts',
  tools: 'Tools',
}
const count = (number) => number.toLocaleString('en')
const whole = isAlone ? 'this session' : 'all pages'
const where = readsAll ? whole : 'this page'
const unread = readsAll ? '' : ' The other pages are not searched: this site was built without a search.'
const hint = `Finds in ${where}.${unread}`

const input = make('input', {
  type: 'search',
  'aria-label': 'Find in this session',
  placeholder: 'Find in this session',
  autocomplete: 'off',
  spellcheck: 'false',
})
const status = make('p', { class: 'told', role: 'status' })
const button = (label, symbol) => make('button', { type: 'button', 'aria-label': label, title: label }, symbol)
const [previous, next, close] = [button('Previous', '↑'), button('Next', '↓'), button('Close', '×')]
const chips = Object.entries(kindWords).map(([kind, word]) => {
  const box = make('input', { type: 'checkbox', value: kind })
  const number = make('span', { class: 'count' })
  return { box, number, label: make('label', { class: 'chip' }, box, `${word} `, number) }
})
const bar = make(
  'form',
  { class: 'finder', role: 'search', 'aria-label': 'Find in this session', hidden: true },
  make('div', {}, input, previous, next, close),
  make('div', { class: 'kinds', role: 'group', 'aria-label': 'Show only' }, ...chips.map(({ label }) => label)),
  status,
)

/** Functions of the page: `setFold`; `here`, which returns the item at which the reader is; `goTo`, which focuses an item. */
let lent
/** The items with matches, each with the number of matches before it; `at` is the match at which the reader is. */
let groups = []
let total = 0
let at = -1
/** Where the reader is: the first match is looked for from there on. Set when the bar opens, and by each step. */
let origin
/** What had the focus before the bar opened. */
let before
let asked = 0
/** The words that the matches are of. */
let answered

function typed() {
  return input.value.trim()
}

function chosen() {
  return chips.filter(({ box }) => box.checked).map(({ box }) => box.value)
}

/** Whether an item is of one of the wanted kinds. */
function isOf(kinds, item) {
  return kinds.length === 0 || item.kinds.some((kind) => kinds.includes(kind))
}

/** Finds the matches in some items, and shows for each kind how many it would leave. */
function find(items, pattern, kinds) {
  const counts = {}
  groups = []
  total = 0
  for (const item of items) {
    const matches = pattern ? [...item.text.matchAll(pattern)].length : 1
    if (matches === 0) continue
    for (const kind of item.kinds) counts[kind] = (counts[kind] ?? 0) + matches
    if ((pattern === undefined && kinds.length === 0) || !isOf(kinds, item)) continue
    groups.push({ item, first: total })
    total += matches
  }
  for (const { box, number, label } of chips) {
    number.textContent = count(counts[box.value] ?? 0)
    label.hidden = counts[box.value] === undefined && !box.checked
  }
}

/** The element of an item, if it is on this page. */
function elementOf({ id }) {
  return document.getElementById(id)
}

/** The number of the first match on this page from the reader on, else of the first one; -1 if this page has none. */
function firstHere() {
  const shown = groups.filter(({ item }) => elementOf(item))
  const isAfter = ({ item }) => {
    const element = elementOf(item)
    const order = origin?.compareDocumentPosition(element)
    return order === undefined || element.contains(origin) || (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  }
  return (shown.find(isAfter) ?? shown[0])?.first ?? -1
}

function groupAt(number) {
  return groups.findLast(({ first }) => first <= number)
}

function showStatus(missing = []) {
  const gap = missing.length === 0 ? '' : ` Page ${missing.join(', ')} could not be read.`
  status.replaceChildren(`${summary()}${gap}`)
  const group = at < 0 ? undefined : groupAt(at)
  const pattern = patternOf(typed())
  if (group === undefined || pattern === undefined) return
  // Screen readers announce the text around the match.
  const offset = [...group.item.text.matchAll(pattern)][at - group.first]?.index ?? 0
  const line = group.item.text.slice(Math.max(0, offset - 30), offset + 90)
  status.append(make('span', { class: 'hide' }, `: ${line}`))
}

function summary() {
  if (typed() === '' && chosen().length === 0) return hint
  if (total === 0) return `Nothing found in ${where}.${unread}`
  if (at < 0) return `${count(total)} on other pages`
  const { page } = groupAt(at).item
  const scope = readsAll ? '' : ' on this page'
  return `${count(at + 1)} of ${count(total)}${scope}${page === undefined || isAlone ? '' : `, page ${page}`}`
}

/** Answers the current question; a newer one replaces it. `number` is the match to go to, else the next one after the reader. */
async function run(number) {
  const mine = ++asked
  const isLate = setTimeout(() => status.replaceChildren(`Reading ${where}…`), 250)
  const { items, missing } = await readSession()
  clearTimeout(isLate)
  if (mine !== asked || bar.hidden) return
  const [pattern, kinds] = [patternOf(typed()), chosen()]
  find(items, pattern, kinds)
  answered = typed()
  showKinds(kinds, lent.setFold)
  markAll(
    groups.flatMap(({ item }) => elementOf(item) ?? []),
    pattern,
  )
  at = number === undefined ? firstHere() : Math.min(number, total - 1)
  if (at < 0) {
    leaveMatch()
    follow()
  } else show()
  showStatus(missing)
}

/** The parameters by which an address asks for what is shown. */
function question() {
  return { find: typed(), kinds: chosen().join(' '), hit: at < 0 ? '' : String(at) }
}

const parameters = Object.keys(question())
let following = 0

/** Keeps an address that asks for matches at those that are shown, soon: browsers limit how often it may change. */
function follow() {
  clearTimeout(following)
  following = setTimeout(() => {
    const { searchParams } = address()
    if (parameters.some((name) => searchParams.has(name))) askInAddress(question())
  }, 300)
}

/** Shows the current match, on this page or by going to the page that has it. */
function show() {
  const { item, first } = groupAt(at)
  const element = elementOf(item)
  if (element) {
    showMatch(element, { pattern: patternOf(typed()), nth: at - first, setFold: lent.setFold })
    follow()
    return
  }
  clearTimeout(following)
  const asked = Object.entries(question()).filter(([, value]) => value !== '')
  go(`${item.page}.html?${new URLSearchParams(asked)}`)
}

function step(by) {
  if (total === 0) return
  // If there is no current match, going back begins at the last one.
  at = (at < 0 && by < 0 ? total - 1 : at + by + total) % total
  origin = elementOf(groupAt(at).item) ?? origin
  show()
  showStatus()
}

function end() {
  asked++
  bar.hidden = true
  markAll([], undefined)
  showKinds([], lent.setFold)
  const current = document.querySelector('[data-found]')
  leaveMatch()
  uncoverMarks()
  clearTimeout(following)
  removeFromAddress(...parameters)
  if (before?.isConnected && before !== document.body) before.focus({ preventScroll: true })
  else if (current) lent.goTo(current)
}

/** Shows the bar and focuses its field; `state` is what an address asks for: `text`, `kinds`, `hit`. */
export function openFind(page, state = {}) {
  lent = page
  if (bar.hidden) {
    document.querySelector('.top').after(bar)
    before = document.activeElement
    origin = lent.here()
    bar.hidden = false
    coverMarks()
  }
  if (state.text !== undefined) input.value = state.text
  if (state.kinds !== undefined) for (const { box } of chips) box.checked = state.kinds.includes(box.value)
  input.focus({ preventScroll: true })
  input.select()
  run(state.hit)
}

let timer = 0
input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => run(), 120)
})
bar.addEventListener('change', ({ target }) => target !== input && run())
bar.addEventListener('submit', (event) => event.preventDefault())
bar.addEventListener('keydown', (event) => {
  if (event.isComposing) return
  if (event.key === 'Enter' && event.target === input) {
    event.preventDefault()
    if (answered === typed()) step(event.shiftKey ? -1 : 1)
    else {
      clearTimeout(timer)
      run()
    }
  } else if (event.key === 'Escape') {
    event.preventDefault()
    end()
  }
})
previous.addEventListener('click', () => step(-1))
next.addEventListener('click', () => step(1))
close.addEventListener('click', end)
