// Controls and answers of a search, for a box into which the reader types.
import { address } from './address.js'
import { make } from './make.js'
import { searchFields } from './search-fields.js'
import { addHits, folderOf } from './search-hits.js'
import { openSearch } from './search-open.js'
import { asksNothing, emptyState, readState, writeState } from './search-state.js'

/** Pages that are shown at once, and that are read at most to find so many places of the chosen kinds. */
const chunk = 10
const mostRead = 60
const hint = 'Part of a word is enough. Words in quotes must be next to each other.'

/**
 * Makes the `parts` of a search for what is typed into `input`. `href` gives the address of a page or of a place in
 * it, for the words that are asked. With each question `onAsk` is given a function that makes of an address one that
 * asks the same. `ask` asks what an address does, or just what is typed.
 */
export function searchBox({ input, href, onAsk }) {
  const status = make('p', { class: 'told', role: 'status' }, hint)
  const list = make('ol', { class: 'hits', 'aria-label': 'Results' })
  const more = make('button', { type: 'button', class: 'more', hidden: true })
  const fields = searchFields(() => run(box))
  const box = { input, status, list, more, fields, href, onAsk, asked: 0 }

  let timer = 0
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => run(box), 90)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.isComposing) list.querySelector('a')?.click()
  })
  const ask = (asked) => {
    const state = asked === undefined ? { ...emptyState(), text: input.value } : readState(asked)
    input.value = state.text
    fields.write(state)
    run(box)
  }
  if (input.closest('.search-page')) addEventListener('popstate', () => ask(address()))
  return { parts: [fields.form, status, list, more], ask }
}

/** What is asked now. */
function stateOf({ input, fields }) {
  return { text: input.value.trim(), ...fields.read() }
}

/** Tells the controls which values there are. */
async function offer({ fields }) {
  const all = await (await openSearch()).filters()
  fields.offer(all, all)
}

/** Answers what is asked; a newer question wins over one that is still being answered. */
async function run(box) {
  const asked = ++box.asked
  const state = stateOf(box)
  box.onAsk((from) => writeState(from, state))
  if (asksNothing(state)) {
    clear(box, hint)
    await offer(box).catch(() => {})
    return
  }
  const isLate = setTimeout(() => tell(box, 'Searching…'), 250)
  try {
    const engine = await openSearch()
    // Only with these in hand does the index tell how many pages each filter would leave.
    const all = await engine.filters()
    const found = await engine.search(state.text, state)
    const pages = pagesOf(found.results, state.kinds)
    const first = await take(pages, chunk)
    if (asked !== box.asked) return
    clear(box, summary(found, first, state))
    show(box, { pages, first, text: found.instead ?? state.text })
    box.fields.offer(all, found.filters)
  } catch (error) {
    if (asked === box.asked) fail(box, error)
  } finally {
    clearTimeout(isLate)
  }
}

/** Pages with their places, as far as they have some of the chosen kinds. */
async function* pagesOf(results, kinds) {
  const wanted = kinds.length === 0 ? results : results.slice(0, mostRead)
  // Those ahead are loaded while the first is waited for.
  const ahead = []
  for (const result of wanted) {
    ahead.push(result.data())
    if (ahead.length > chunk) yield* fitting(await ahead.shift(), kinds)
  }
  for (const page of ahead) yield* fitting(await page, kinds)
}

function fitting(page, kinds) {
  if (kinds.length === 0) return [page]
  const places = page.places.filter(({ kind }) => kinds.includes(kind))
  return places.length === 0 ? [] : [{ ...page, places }]
}

/** The next pages, those of a session together. */
async function take(pages, count) {
  const taken = []
  while (taken.length < count) {
    const { value, done } = await pages.next()
    if (done) break
    taken.push(value)
  }
  return [...Map.groupBy(taken, folderOf).values()].flat()
}

function summary({ total, unit = 'page', instead, some }, first, { kinds, filters }) {
  if (total === 0 || first.length === 0) {
    const narrowed = kinds.length > 0 || Object.keys(filters).length > 0
    return `Nothing was found. ${narrowed ? 'Remove a filter, or try' : 'Try'} fewer or other words.`
  }
  if (kinds.length > 0) return 'Only the chosen kinds of places are shown.'
  // The search says when it looked for other words than those that were typed, and when no page has all of them.
  const other = instead === undefined ? '' : `Nothing was found. Shown instead: “${instead}”. `
  const apart = some ? 'No page has all of these words. Pages with some of them: ' : ''
  return `${other}${apart}${total === 1 ? `1 ${unit} found.` : `${total.toLocaleString('en')} ${unit}s found.`}`
}

function show(box, { pages, first, text }) {
  const href = (path, id) => box.href(path, id, text)
  addHits(box.list, first, href)
  if (first.length < chunk) return
  box.more.hidden = false
  box.more.textContent = 'Show more'
  box.more.onclick = async () => {
    const count = box.list.querySelectorAll('a').length
    const next = await take(pages, chunk)
    addHits(box.list, next, href)
    box.more.hidden = next.length < chunk
    box.list.querySelectorAll('a')[count]?.focus()
  }
}

function clear(box, text) {
  box.list.replaceChildren()
  box.more.hidden = true
  tell(box, text)
}

function tell({ status }, text) {
  if (status.textContent !== text) status.textContent = text
}

function fail(box, error) {
  const reason = error instanceof Error ? error.message : String(error)
  clear(box, `The search could not be opened: ${reason}. You can still read the pages.`)
  box.more.hidden = false
  box.more.textContent = 'Try again'
  box.more.onclick = () => run(box)
}
