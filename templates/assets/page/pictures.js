// Pictures open over the page. A click with a modifier does what it does to any link.
import { make } from './make.js'

let dialog

function lightbox() {
  if (dialog) return dialog
  const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close the picture' }, '×')
  dialog = make('dialog', { class: 'shown', 'aria-label': 'Picture' }, close, make('img', { alt: '' }))
  close.addEventListener('click', () => dialog.close())
  // The dialog fills the window: what is not the picture is beside it.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  return dialog
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a.shot')
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const [small, picture] = [link.querySelector('img'), lightbox().querySelector('img')]
  // The same file as the link's: in a page that stands alone only the picture itself holds it.
  picture.src = small?.src ?? link.href
  picture.alt = small?.alt ?? ''
  dialog.showModal()
})
