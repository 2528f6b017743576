// Opens the change of a file below its row in the list of a turn's changes, as a copy of the diff in the work.
import { hrefOf } from './address.js'
import { make } from './make.js'
import { flow } from './walk.js'

/** The link that a click is going to follow in this tab, if it matches the selector. */
export function followed(event, selector) {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
  const isOurs = button === 0 && !(ctrlKey || metaKey || shiftKey || altKey || defaultPrevented)
  return isOurs ? target.closest(selector) : null
}

/** Selects the links to changes in the lists of what a turn changed. */
export const changeLinks = '.changed .files > li:not(.change) > a'

/** Shows or hides the diff that a link leads to, which is in the `fold` of a change. Returns whether there is a diff. */
export function toggleChange(link, fold) {
  const diff = fold?.querySelector('.diff')
  if (!diff) return false
  const row = link.closest('li')
  const open = row.querySelector('[aria-expanded="true"]')
  if (open) {
    row.nextElementSibling.remove()
    open.setAttribute('aria-expanded', 'false')
  }
  if (open === link) return true
  const there = make('a', { href: hrefOf(link) }, 'Show in the work')
  row.after(make('li', { class: 'change' }, diff.cloneNode(true), there))
  link.setAttribute('aria-expanded', 'true')
  return true
}

flow?.addEventListener('click', (event) => {
  const link = followed(event, changeLinks)
  if (link && toggleChange(link, document.getElementById(hrefOf(link).split('#')[1]))) event.preventDefault()
})
