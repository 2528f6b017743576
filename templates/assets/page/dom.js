// What is said to the reader without being part of the page, and what keys are for.
import { make } from './make.js'

const status = make('p', { class: 'status', role: 'status' })
let clearing = 0

/** Shows a short message for a moment, also to screen readers. */
export function say(text) {
  clearTimeout(clearing)
  status.textContent = text
  clearing = setTimeout(() => {
    status.textContent = ''
  }, 2500)
}

/** Whether letters that are typed belong to a control or to a dialog. */
export function isTyping(target) {
  if (document.querySelector('dialog[open]')) return true
  const field = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  // A field in a dialog that has just been closed keeps the focus until the next frame.
  return Boolean(field?.checkVisibility()) && !/^(?:radio|checkbox|button|submit|reset)$/.test(field.type)
}

document.body.append(status)
// Style rules show by this what only a script can work.
document.documentElement.dataset.js = ''
