// On paper nothing is folded. Browsers that can do so by a style rule need no help; this is for the others.
import { setFold } from './folds.js'

let opened = []

addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('.flow .item details:not([open])')]
  for (const fold of opened) setFold(fold, true)
})

addEventListener('afterprint', () => {
  for (const fold of opened) setFold(fold, false)
  opened = []
})
