// The controls and results of a search, for an input into which the reader types.
import { address } from '../page/address.js'
import { make } from '../page/make.js'
import { completion, operatorChips } from './complete.js'
import { searchFields } from './fields.js'
import { faultOf, hasOperators, names, fields as textFields, tokensOf } from './grammar.js'
import { addHits } from './hits.js'
import { openSearch } from './load-index.js'
import { markedText } from './marks.js'
import { readQuery } from './query.js'
import { forgetQuestions, recentQuestions, rememberQuestion } from './recent.js'
import { asksNothing, emptyState, readState, writeState } from './state.js'

/** How many sessions are shown at once, and how many are read before any is shown: on a slow line, each text takes its time. */
const chunk = 10
const firstShown = 5
const hint = 'Part of a word is enough. Words in quotes must be next to each other. '
const operators = ['project:', 'model:', 'kind:', 'is:', 'file:', 'after:', '-word']

/** The function that returns the reader's own star and tags of a session, if this browser has any. */
const ownTags = () => globalThis.codexCuration?.wordsOf

/**
 * Makes the `parts` of a search for what is typed into `input`. `href` returns the address of a page, or of an item in it, that
 * marks the words of the question. With each question, `onAsk` receives a function that turns an address into one that asks the
 * same. `ask` asks what an address asks, or what is typed, and shows `count` sessions; `shown` returns how many are shown.
 */
export function searchBox({ input, href, onAsk }) {
  const status = make('p', { class: 'told', role: 'status' })
  const list = make('ol', { class: 'hits', 'aria-label': 'Results' })
  const more = make('button', { type: 'button', class: 'more', hidden: true })
  const fields = searchFields(() => run(box))
  const values = completion(input, async (name) => {
    const engine = await openSearch()
    return textFields.includes(name) ? engine.names() : engine.filters(ownTags())
  })
  const chips = operatorChips(input)
  const recent = make('div', { class: 'recent', hidden: true })
  const parts = { input, status, list, more, fields, chips, recent }
  const box = { ...parts, href, onAsk, asked: 0, answered: undefined, opens: false }

  let timer = 0
  input.addEventListener('input', () => {
    clearTimeout(timer)
    box.opens = false
    timer = setTimeout(() => run(box), 90)
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    // The results that are shown may still be those of an earlier question.
    if (box.answered === input.value.trim()) openFirst(box)
    else {
      clearTimeout(timer)
      box.opens = true
      run(box)
    }
  })
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a')) rememberQuestion(input.value.trim())
  })
  const ask = (asked, count) => {
    const state = asked === undefined ? { ...emptyState(), text: input.value } : readState(asked)
    input.value = state.text
    fields.write(state)
    return run(box, count)
  }
  if (input.closest('.search-page')) addEventListener('popstate', () => ask(address()))
  // The reader changed stars or tags in another tab, or before coming back to this page.
  document.addEventListener('codex-curated', () => askAgain(box))
  return {
    parts: [values, chips.element, fields.form, status, recent, list, more],
    ask,
    shown: () => list.children.length,
  }
}

function openFirst({ list }) {
  const first = list.querySelector('li li a') ?? list.querySelector('a')
  first?.click()
}

/** What the input and the controls ask now. */
function stateOf({ input, fields }) {
  return { text: input.value.trim(), ...fields.read() }
}

/** Offers all values in the controls. */
async function offer(box) {
  const { asked, fields } = box
  const engine = await openSearch()
  const all = await engine.filters(ownTags())
  if (asked === box.asked) fields.offer(all, all, engine.fields)
}

/** Shows the answer to the current question; a newer question replaces one that is still being answered. */
async function run(box, count = chunk) {
  const asked = ++box.asked
  box.answered = undefined
  const state = stateOf(box)
  box.onAsk((from) => writeState(from, state), state.text)
  box.chips.update()
  if (asksNothing(state)) {
    box.opens = false
    const names = operators.flatMap((name) => [make('code', {}, name), ' '])
    clear(box, [hint, make('span', {}, ...names, 'narrow the search.')])
    showRecent(box)
    await offer(box).catch(() => {})
    return
  }
  const refusal = refusalOf(state)
  if (refusal !== undefined) {
    box.opens = false
    clear(box, refusal)
    await offer(box).catch(() => {})
    return
  }
  const isLate = setTimeout(() => {
    if (asked === box.asked) showStatus(box, 'Searching…')
  }, 250)
  try {
    const engine = await openSearch()
    const own = ownTags()
    const [all, found] = await Promise.all([
      engine.filters(own),
      engine.search(state.text, { ...state, ownTags: own, minSessions: firstShown }),
    ])
    const reader = readerOf(found)
    const offerFound = () => box.fields.offer(all, reader.answer().filters, engine.fields)
    const answer = { asked, reader, state, count, offerFound }
    await reader.readTo(firstShown)
    if (asked !== box.asked) return
    clearTimeout(isLate)
    clear(box, summary(reader, state))
    offerFound()
    show(box, answer)
    box.answered = state.text
    if (box.opens) openFirst(box)
    box.opens = false
    await readOn(box, answer)
  } catch (error) {
    if (asked === box.asked) fail(box, error)
  } finally {
    clearTimeout(isLate)
  }
}

/** Asks the same question again; the reader stays at the same place of the results. */
async function askAgain(box) {
  const { list } = box
  const { href } = list.contains(document.activeElement) ? document.activeElement : {}
  const scroller = list.closest('dialog .asked') ?? document.scrollingElement
  const { scrollTop } = scroller
  await run(box, Math.max(list.children.length, chunk))
  if (href) [...list.querySelectorAll('a')].find((link) => link.href === href)?.focus({ preventScroll: true })
  scroller.scrollTo({ top: scrollTop, behavior: 'instant' })
}

/** Shows the last questions below the empty input. */
function showRecent({ recent, input }) {
  const questions = recentQuestions()
  if (questions.length === 0) return
  const button = (text, act) => {
    const button = make('button', { type: 'button' }, text)
    button.addEventListener('click', () => {
      act()
      input.focus()
    })
    return button
  }
  const ask = (text) => () => {
    input.value = text
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const forget = button('Forget these', () => {
    forgetQuestions()
    recent.hidden = true
  })
  const list = make('ul', { 'aria-label': 'Recent questions' })
  list.append(...questions.map((text) => make('li', {}, button(text, ask(text)))))
  recent.replaceChildren(make('p', {}, 'Recent questions ', forget), list)
  recent.hidden = false
}

/**
 * Reads results in their order; `found` are those that were read and that do answer. `complete` replaces a provisional answer by
 * the complete one; results that were read stay in front. `readTo` does so too if it needs more results.
 */
function readerOf(answer) {
  const found = []
  let next = 0
  let completing
  let queue = Promise.resolve()
  // One after the other: reads at the same time would mix up the order of the results.
  const inTurn = (act) => {
    queue = queue.catch(() => {}).then(act)
    return queue
  }
  const isDone = () => answer.rest === undefined && next >= answer.results.length
  const complete = () => {
    completing ??= answer.rest?.().then((whole) => {
      const read = new Set(answer.results.slice(0, next).map(({ id }) => id))
      const byId = new Map(whole.results.map((result) => [result.id, result]))
      const first = [...read].flatMap((id) => byId.get(id) ?? [])
      answer = { ...whole, results: [...first, ...whole.results.filter(({ id }) => !read.has(id))] }
      next = first.length
    })
    return completing
  }
  const readMore = async (count) => {
    while (found.length < count && !isDone()) {
      if (next >= answer.results.length) await complete()
      const { results } = answer
      const batch = results.slice(next, next + (next === 0 ? firstShown : chunk))
      const read = await Promise.all(batch.map((result) => result.data()))
      next += batch.length
      found.push(...read.flatMap((one, at) => (one === undefined ? [] : [{ ...one, rest: batch[at].rest }])))
    }
  }
  const readTo = (count) => inTurn(() => readMore(count))
  const dropped = () => next - found.length
  return { found, readTo, complete: () => inTurn(complete), isDone, answer: () => answer, dropped }
}

/**
 * Shows the rest of the first sessions. If the index alone cannot decide which sessions answer, reads all of them, and the
 * status says so until that is done.
 */
async function readOn(box, answer) {
  const { asked, reader, state, count, offerFound } = answer
  if (reader.answer().rest !== undefined) {
    await reader.complete()
    if (asked !== box.asked) return
    offerFound()
    showStatus(box, ...summary(reader, state))
  }
  while (!reader.isDone() && (reader.found.length < count || !reader.answer().isSure)) {
    await reader.readTo(Math.max(count, reader.found.length + 1))
    if (asked !== box.asked) return
    showTo(box, answer, count)
    showStatus(box, ...summary(reader, state))
  }
}

const amount = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

/** The lines of a status: what was found, and the `notes`, less prominent; each is a text, an element or a list of these. */
const lines = (found, ...notes) => [
  make('b', {}, found),
  ...notes.flatMap((note) => [' ', make('span', {}, ...[note].flat())]),
]

/** The status for an answer, as texts and elements. */
function summary(reader, state) {
  const { total, unit = 'session', isSure } = reader.answer()
  const isComplete = isSure || reader.isDone()
  // Some candidates are dropped, because the index has a word that their text does not show, such as `1340` for `1.340`.
  const count = isSure ? total - reader.dropped() : reader.found.length
  if (count === 0 && isComplete) return nothing(reader.answer(), state)
  const notes = otherWords(reader.answer())
  if (!isComplete) return lines(`${amount(count, unit)} so far…`, ...notes)
  const isCounted = unit === 'session' && reader.isDone() && reader.found.every(({ left }) => left === 0)
  const places = reader.found.reduce((sum, one) => sum + one.places.length, 0)
  const counted = isCounted && places > 0 ? `, ${amount(places, 'place')}` : ''
  return lines(`${amount(count, unit)}${counted} found.`, ...notes)
}

/** Why a question cannot be asked, as texts and elements; `undefined` if it can. */
function refusalOf({ text }) {
  const fault = faultOf(text)
  if (fault !== undefined) return [fault]
  const { all, none, unindexed } = readQuery(text)
  // Quotes alone, and a sign before a word, are the beginning of more.
  const hasSigns = /[^\s"+-]/.test(unindexed.join(' '))
  return hasSigns && all.length + none.length === 0
    ? ['Signs alone are not searched here. In a terminal, this searches for them: ', command(text, true)]
    : undefined
}

/** The status if nothing was found: what to try, and where else to search. */
function nothing({ unsearched }, { text, ...chosen }) {
  // An operator without a value is searched for as text, but most often the reader is about to write one.
  const begun = tokensOf(text).find(({ source }) => names.some((name) => source === `${name}:`))
  if (begun !== undefined) return [`A value is missing after ${begun.source}`]
  const narrowed = [chosen, readQuery(text)].some(
    ({ kinds, filters }) => kinds.length + Object.keys(filters).length > 0,
  )
  const advice = `${narrowed ? 'Remove a filter, or try' : 'Try'} fewer or other words.`
  const elsewhere = unsearched === undefined ? [] : [[`${unsearched} `, command(text)]]
  return lines('Nothing was found.', advice, ...elsewhere)
}

/** Notes that other words than those typed were looked for, or that no page has all of them. */
function otherWords({ instead, some, isPasted }) {
  const notes = isPasted
    ? ['These hold the text exactly as typed. To leave out a word, put it in quotes: -"word".']
    : []
  if (instead === undefined)
    return some ? [...notes, 'No page has all of these words; these have some of them.'] : notes
  return [
    ...notes,
    `Nothing was found for the words as typed. Shown instead: ${some ? 'pages with some of ' : ''}“${instead}”.`,
  ]
}

function command(text, isRow = hasOperators(text)) {
  // In the terminal, words in one argument are a phrase.
  const args = isRow ? [text] : text.split(/\s+/)
  const quoted = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ')
  // A question may be, or contain, something that looks like an option.
  return make('code', {}, `codex-export search ${args.some((arg) => arg.startsWith('-')) ? '-- ' : ''}${quoted}`)
}

/** Shows the sessions of an answer that were read, and a button for more. */
function show(box, answer) {
  const { list, more } = box
  more.textContent = 'Show more'
  showTo(box, answer, answer.count)
  more.onclick = async () => {
    const shown = list.children.length
    try {
      await answer.reader.readTo(shown + chunk)
    } catch (error) {
      if (answer.asked === box.asked) fail(box, error)
      return
    }
    // The list may belong to another question by now.
    if (answer.asked !== box.asked) return
    showTo(box, answer, shown + chunk)
    list.children[shown]?.querySelector('a')?.focus()
  }
}

/** Extends the list to `count` sessions, as far as they were read. */
function showTo({ list, more, href }, { reader }, count) {
  const text = markedText(reader.answer().query)
  addHits(list, reader.found.slice(list.children.length, count), (path, id) => href(path, id, text))
  const isFilling = list.children.length < count
  more.hidden = isFilling || (reader.isDone() && reader.found.length <= list.children.length)
}

function clear(box, texts) {
  box.list.replaceChildren()
  box.recent.hidden = true
  box.more.hidden = true
  box.answered = undefined
  showStatus(box, ...[texts].flat())
}

function showStatus({ status }, ...parts) {
  const text = parts.map((part) => part.textContent ?? part).join('')
  if (status.textContent !== text) status.replaceChildren(...parts)
}

function fail(box, error) {
  box.opens = false
  const reason = error instanceof Error ? error.message : String(error)
  clear(box, `The search could not be opened: ${reason}. You can still read the pages.`)
  box.more.hidden = false
  box.more.textContent = 'Try again'
  box.more.onclick = () => run(box)
}
