// The light or dark theme, or that of the system. The script blocks rendering, so the choice is applied before the first paint.
import { say } from './dom.js'
import { keep, onKept, recall } from './keep.js'

const names = { auto: 'automatic', light: 'light', dark: 'dark' }
const system = matchMedia('(prefers-color-scheme: dark)')
const button = document.querySelector('.theme')
const html = document.documentElement

/** The themes in the order in which the button steps through them: the first step always changes the colours. */
function cycle() {
  return system.matches ? ['auto', 'light', 'dark'] : ['auto', 'dark', 'light']
}

function apply(kept) {
  const theme = Object.hasOwn(names, kept ?? '') ? kept : 'auto'
  if (theme === 'auto') delete html.dataset.theme
  else html.dataset.theme = theme
  const label = `Theme: ${names[theme]}`
  button?.setAttribute('aria-label', label)
  button?.setAttribute('title', label)
}

button?.addEventListener('click', () => {
  const themes = cycle()
  const next = themes[(themes.indexOf(html.dataset.theme ?? 'auto') + 1) % themes.length]
  keep('theme', next === 'auto' ? null : next)
  apply(next)
  say(`Theme: ${names[next]}`)
})
onKept('theme', apply)
// After Back, a page may be as it was left, and another theme may have been chosen since.
addEventListener('pageshow', ({ persisted }) => persisted && apply(recall('theme')))
apply(recall('theme'))
