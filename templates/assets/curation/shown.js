// Shows the reader's stars, tags and notes: in the head of a session, in rows of lists, among the filters.
import { hrefOf } from '../page/address.js'
import { make } from '../page/make.js'
import { allWords, decisionOf, wordsOf } from './store.js'

/** Shows the reader's star, tags and note in the head of a session. */
export function showDecision(button, id) {
  const { star, tags = [], note } = decisionOf(id)
  button.textContent = [star ? '★' : '☆', tags.join(', ')].join(' ').trim()
  button.setAttribute('aria-label', [button.title, ...wordsOf(id)].join(', '))
  document.querySelector('.head > .own')?.remove()
  if (note) document.querySelector('.head > .line').before(make('p', { class: 'own' }, note))
}

/** Adds the star and the tags of each session to its row, unless the build put them there. */
export function showInRows() {
  for (const row of document.querySelectorAll('a.row[href]')) {
    const [, id] = /sessions\/([^/]+)\/index\.html$/.exec(hrefOf(row)) ?? []
    const numbers = row.querySelector('.n')
    for (const old of numbers.querySelectorAll('[data-own]')) old.remove()
    const shown = new Set([...numbers.querySelectorAll('.tag')].map(({ textContent }) => textContent))
    const added = wordsOf(id).filter((word) => !shown.has(word))
    numbers.prepend(...added.map((word) => make('i', { class: 'tag', 'data-own': '' }, word)))
  }
}

/** Adds the filter by tag to a form if the reader has tags and the build had none. */
export function addChoice(form) {
  if (form.elements.tag || allWords().length === 0) return
  const choice = make('select', { id: 'f-tag', name: 'tag' }, new Option('Any tag', ''))
  for (const word of allWords()) choice.append(new Option(word === '★' ? '★ Starred' : word, word))
  const label = make('label', { class: 'hide', for: 'f-tag' }, 'Tag')
  form.querySelector('.pick:has([name="model"])').before(make('span', { class: 'pick' }, label, choice))
}
