// How much of a session is shown: its story, each call of the work as a row, or everything, where each call is open. The
// page is built with all of it folded; style rules hide thoughts and context.

import { address, go, hrefOf } from './address.js'
import { restoreFolds, setFold } from './folds.js'
import { keep, recall } from './keep.js'
import { make } from './make.js'
import { firstBelow, flow } from './walk.js'

const views = { story: 'Story', work: 'Work', all: 'Everything' }
const html = document.documentElement
const main = document.querySelector('main.session')

/** The first item of the story that the reader sees: it stays in its place while others come and go. */
function anchorItem() {
  if (flow.getBoundingClientRect().top > 0) return undefined
  return firstBelow('.item:is(.prompt, .request, .answer, .note)', 'bottom')
}

/** Where the story stands: on this page, or on another one with those of the pages around this one. */
const story = main?.dataset.story
/** Whether this page tells a story of which the work is on other pages. */
const isWhole = main?.dataset.whole !== undefined

const query = address().searchParams.get('view') ?? ''
/** The view that the address asks for; nothing for a word that is none. */
const inAddress = Object.hasOwn(views, query) ? query : undefined

/** Whether other pages of the session show what the address asks for: a long story and its work are apart. */
export const isElsewhere = isWhole ? (inAddress ?? 'story') !== 'story' : story !== undefined && inAddress === 'story'

/** Goes to the page that shows a view, at the turn that the reader is in; nothing for a view that this page shows. */
function elsewhere(view) {
  if (isWhole && view !== 'story') {
    const next = firstBelow('a.did') ?? flow.querySelector('a.did')
    return next ? hrefOf(next) : '1.html'
  }
  if (story === undefined || view !== 'story') return undefined
  const turn = firstBelow('.turn[id]')
  return turn ? `${story}#${turn.id}` : story
}

/** Shows a view, with the page standing still under the reader's eyes. */
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
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Goes on to the next view; gives its name. */
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

/** Thoughts, calls, what they printed and changed; not what a plugin closed, nor the script around a call. */
const details = `:is(.thought, .command, .tool, .search, .patch, .planned, .card, .group)
  details.work:not(.script, [data-collapsed], .context *)`
/** Folds that Everything opened: the other views close these, and none that the reader opened. */
const opened = new WeakSet()

/** Opens and closes the folds of an element, itself among them. */
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

/** Tells style rules and the reader which view it is. */
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
  // The find puts its button beside it: both wrap as one.
  document.querySelector('.line')?.append(make('div', { class: 'ways' }, choice))
}

if (flow) {
  addChoice()
  // What a link asks for holds for the pages that the reader goes on to.
  if (inAddress !== undefined) keep('view', inAddress, 'session')
  const asked = [recall('view', 'session'), recall('view')].find((name) => Object.hasOwn(views, name ?? ''))
  // Pages are built as stories: only another view has anything to open. Pages of work alone are read as such.
  const first = story === undefined || (asked ?? 'story') !== 'story' ? (asked ?? 'story') : 'work'
  if (isWhole || first === 'story') showName('story')
  else apply(first)
  flow.addEventListener('codex-fresh', ({ target }) => setFolds(target, currentView()))
}
restoreFolds()
