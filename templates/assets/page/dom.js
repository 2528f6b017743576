// Short messages to the reader, the element that an address names, and whether a key press is text that the reader types.
import { make } from './make.js'

const status = make('p', { class: 'status', role: 'status' })
let clearing = 0

/** Shows a short message for 2.5 seconds; screen readers announce it. */
export function say(text) {
  clearTimeout(clearing)
  status.textContent = text
  clearing = setTimeout(() => {
    status.textContent = ''
  }, 2500)
}

/** The id that the fragment of an address names, which begins with `#` unless it is empty; empty if it is malformed. */
export function idIn(hash) {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

/** Whether key presses belong to a field or to an open dialog, and so are not shortcuts. */
export function isTyping(target) {
  if (document.querySelector('dialog[open]')) return true
  const field = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  // A field in a dialog that has just been closed keeps the focus until the next frame.
  return Boolean(field?.checkVisibility()) && !/^(?:radio|checkbox|button|submit|reset)$/.test(field.type)
}

document.body.append(status)
// Makes style rules show the controls that need a script.
document.documentElement.dataset.js = ''
