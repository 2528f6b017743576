// How much of a session is shown: its story, the work with each call as a row, or everything, with each call open. Pages are
// built with all work folded; style rules hide thoughts and context.

import { address, go, hrefOf } from './address.js'
import { restoreFolds, setFold } from './folds.js'
import { keep, recall } from './keep.js'
import { make } from './make.js'
import { removeFromAddress } from './question.js'
import { firstBelow, flow } from './walk.js'

const views = { story: 'Story', work: 'Work', all: 'Everything' }
const html = document.documentElement
const main = document.querySelector('main.session')

/** The first item of the story that the reader sees: it keeps its position when other items appear or disappear. */
function anchorItem() {
  if (flow.getBoundingClientRect().top > 0) return undefined
  return firstBelow('.item:is(.prompt, .request, .answer, .note)', 'bottom')
}

/** The file with the story of this page of work and its neighbours; `undefined` if this page has its own story. */
const story = main?.dataset.story
/** Whether this page is a story whose work is on other pages. */
const isStoryOnly = main?.dataset.whole !== undefined

const query = address().searchParams.get('view') ?? ''
/** The view that the address asks for; `undefined` if its word is not a view. */
const inAddress = Object.hasOwn(views, query) ? query : undefined

/** Whether another page of the session shows the requested view: a long session has its story and its work on separate pages. */
export const isElsewhere = isStoryOnly
  ? (inAddress ?? 'story') !== 'story'
  : story !== undefined && inAddress === 'story'

/** The address of a view that another page shows, at the reader's turn; `undefined` if this page shows the view itself. */
function elsewhere(view) {
  if (isStoryOnly && view !== 'story') {
    const next = firstBelow('a.did') ?? flow.querySelector('a.did')
    return next ? hrefOf(next) : '1.html'
  }
  if (story === undefined || view !== 'story') return undefined
  const turn = firstBelow('.turn[id]')
  return turn ? `${story}#${turn.id}` : story
}

/** Shows a view, without moving what the reader is looking at. */
export function setView(view) {
  if (!flow || view === currentView()) return
  const href = elsewhere(view)
  if (href !== undefined) {
    keep('view', view === 'story' ? null : view)
    keep('view', null, 'session')
    go(href)
    return
  }
  const anchor = anchorItem()
  const before = anchor?.getBoundingClientRect().top ?? 0
  apply(view)
  keep('view', view === 'story' ? null : view)
  keep('view', null, 'session')
  removeFromAddress('view')
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Shows the next view and returns its name. */
export function nextView() {
  const keys = Object.keys(views)
  const next = keys[(keys.indexOf(currentView()) + 1) % keys.length]
  setView(next)
  return views[next]
}

function currentView() {
  return html.dataset.view
}

function apply(view) {
  showName(view)
  setFolds(flow, view)
}

/** Thoughts, calls, their output and changes; but not what a plugin closed, and not the script around a call. */
const details = `:is(.thought, .command, .tool, .search, .patch, .planned, .card, .group)
  details.work:not(.script, [data-collapsed], .context *)`
/** Folds that Everything opened: the other views close these, but none that the reader opened. */
const opened = new WeakSet()

/** Opens and closes the folds in an element, including the element itself, as a view has them. */
function setFolds(root, view) {
  for (const fold of [root, ...root.querySelectorAll(`.did, ${details}`)]) {
    if (fold.matches('.did')) setFold(fold, view !== 'story')
    else if (view !== 'all') opened.delete(fold) && setFold(fold, false)
    else if (!fold.open && fold.matches('details')) {
      setFold(fold, true)
      opened.add(fold)
    }
  }
}

/** Sets the view for style rules, and selects its radio button. */
function showName(view) {
  html.dataset.view = view
  const radio = document.querySelector(`.views [value="${view}"]`)
  if (radio) radio.checked = true
}

function addChoice() {
  const labels = Object.entries(views).map(([value, text]) =>
    make('label', {}, make('input', { type: 'radio', name: 'view', value }), make('span', {}, text)),
  )
  const choice = make('fieldset', { class: 'views' }, make('legend', { class: 'hide' }, 'Show'), ...labels)
  choice.addEventListener('change', ({ target }) => setView(target.value))
  // The find puts its button into the same box, so that both wrap together.
  document.querySelector('.line')?.append(make('div', { class: 'ways' }, choice))
}

if (flow) {
  addChoice()
  // A view that a link asks for also applies to the next pages that the reader opens.
  if (inAddress !== undefined) keep('view', inAddress, 'session')
  const asked = [recall('view', 'session'), recall('view')].find((name) => Object.hasOwn(views, name ?? ''))
  // Pages are built as stories, so only another view has folds to open. A page with only work is shown in the view Work.
  const first = story === undefined || (asked ?? 'story') !== 'story' ? (asked ?? 'story') : 'work'
  if (isStoryOnly || first === 'story') showName('story')
  else apply(first)
  // After Back, the button may be selected with which the reader went to another page.
  addEventListener('pageshow', ({ persisted }) => persisted && showName(currentView()))
  flow.addEventListener('codex-fresh', ({ target }) => setFolds(target, currentView()))
}
restoreFolds()
