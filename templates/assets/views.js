// What of a session is shown: everything, all but the tool work, or the prompts alone. Style rules do the hiding.

import { keep, recall } from './keep.js'
import { make } from './make.js'
import { firstBelow, flow } from './walk.js'

const views = { all: 'Everything', talk: 'Without tool work', prompts: 'Only prompts' }
const html = document.documentElement

/** The first item that the reader sees and goes on to see: it stays in its place while others come and go. */
function anchorItem(view) {
  if (flow.getBoundingClientRect().top > 0) return undefined
  return firstBelow(view === 'prompts' ? '.item.prompt' : '.item:is(.prompt, .answer, .commentary, .note)', 'bottom')
}

/** Shows a view, with the page standing still under the reader's eyes. */
export function setView(view) {
  if (!flow || view === currentView()) return
  const anchor = anchorItem(view)
  const before = anchor?.getBoundingClientRect().top ?? 0
  apply(view)
  keep('view', view === 'all' ? null : view, 'session')
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
  return html.dataset.view ?? 'all'
}

function apply(view) {
  if (view === 'all') delete html.dataset.view
  else html.dataset.view = view
  const radio = flow.querySelector(`.views [value="${view}"]`)
  if (radio) radio.checked = true
}

function addChoice() {
  const labels = Object.entries(views).map(([value, text]) =>
    make('label', {}, make('input', { type: 'radio', name: 'view', value }), make('span', {}, text)),
  )
  const choice = make('fieldset', { class: 'views' }, make('legend', { class: 'hide' }, 'Show'), ...labels)
  choice.addEventListener('change', ({ target }) => setView(target.value))
  flow.prepend(choice)
}

if (flow) {
  addChoice()
  const kept = recall('view', 'session')
  apply(Object.hasOwn(views, kept ?? '') ? kept : 'all')
}
