// The list of keys, and the switch that turns them off.

import { keep, recall } from './keep.js'
import { make } from './make.js'

let dialog
/** What the reader chose on this page, which applies even if the browser stores nothing. */
let chosen

/** Whether keys are on: single letters get in the way of dictation, so they can be turned off. */
export function keysAreOn() {
  return chosen ?? recall('keys') !== 'off'
}

function row([key, back, text]) {
  const names = [key, back].filter((name) => name !== '').map((name) => make('kbd', {}, name))
  return make('div', {}, make('dt', {}, ...names), make('dd', {}, text))
}

function makeDialog(keys) {
  const box = make('input', { type: 'checkbox' })
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×')
  const heading = make('h2', { id: 'keys' }, 'Keyboard')
  const list = make('dl', {}, ...keys.map(row))
  const choice = make('label', {}, box, ' Use these keys')
  const element = make('dialog', { class: 'help', 'aria-labelledby': 'keys' }, close, heading, list, choice)
  box.checked = keysAreOn()
  box.addEventListener('change', () => {
    chosen = box.checked
    keep('keys', chosen ? null : 'off')
  })
  close.addEventListener('click', () => element.close())
  // The dialog's children carry its padding, so a click on the dialog itself is outside of its box.
  element.addEventListener('click', ({ target }) => target === element && element.close())
  document.body.append(element)
  return element
}

/** Shows the keys of this page, each given as `[key, key for backwards, what it does]`. */
export function showHelp(keys) {
  dialog ??= makeDialog(keys)
  dialog.showModal()
}
