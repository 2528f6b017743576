// Opens pictures over the page. A click with a modifier key works as on any link.
import { make } from './make.js'

let dialog

function lightbox() {
  if (dialog) return dialog
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close the picture' }, '×')
  dialog = make('dialog', { class: 'shown', 'aria-label': 'Picture' }, close, make('img', { alt: '' }))
  close.addEventListener('click', () => dialog.close())
  // The dialog fills the window, so a click on the dialog itself is outside of the picture.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  return dialog
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a.shot')
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const [small, picture] = [link.querySelector('img'), lightbox().querySelector('img')]
  // The file that the link leads to; on a standalone page only the picture contains it.
  picture.src = small?.src ?? link.href
  picture.alt = small?.alt ?? ''
  dialog.showModal()
})
