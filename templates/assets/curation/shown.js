// Where the reader's stars, tags and notes are seen: in the head of a session, on rows of lists, among the filters.
import { hrefOf } from '../page/address.js'
import { make } from '../page/make.js'
import { allWords, decisionOf, wordsOf } from './store.js'

/** Shows in the head of a session what the reader decided. */
export function showDecision(button, id) {
  const { star, tags = [], note } = decisionOf(id)
  button.textContent = [star ? '★' : '☆', tags.join(', ')].join(' ').trim()
  button.setAttribute('aria-label', [button.title, ...wordsOf(id)].join(', '))
  document.querySelector('.head > .own')?.remove()
  if (note) document.querySelector('.head > .line').before(make('p', { class: 'own' }, note))
}

/** Adds the words of each session to its row, where the build did not put them. */
export function showInRows() {
  for (const row of document.querySelectorAll('a.row[href]')) {
    const [, id] = /sessions\/([^/]+)\/index\.html$/.exec(hrefOf(row)) ?? []
    const numbers = row.querySelector('.n')
    const shown = new Set([...numbers.querySelectorAll('.tag')].map(({ textContent }) => textContent))
    const added = wordsOf(id).filter((word) => !shown.has(word))
    numbers.prepend(...added.map((word) => make('i', { class: 'tag' }, word)))
  }
}

/** Gives a form of filters the choice of a tag, where the build had none to offer. */
export function addChoice(form) {
  if (form.elements.tag || allWords().length === 0) return
  const choice = make('select', { id: 'f-tag', name: 'tag' }, new Option('Any tag', ''))
  for (const word of allWords()) choice.append(new Option(word === '★' ? '★ Starred' : word, word))
  const label = make('label', { class: 'hide', for: 'f-tag' }, 'Tag')
  form.querySelector('.pick:has([name="model"])').before(make('span', { class: 'pick' }, label, choice))
}
