// On paper nothing is folded. Most browsers do so by a style rule; the others need help.
import { setFold } from './folds.js'

let opened = []

if (!CSS.supports('selector(::details-content)')) {
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('main details:not([open])')]
    for (const fold of opened) setFold(fold, true)
  })
  addEventListener('afterprint', () => {
    for (const fold of opened) setFold(fold, false)
    opened = []
  })
}
