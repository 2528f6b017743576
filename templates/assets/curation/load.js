// Loads the script that shows and changes the reader's stars, tags and notes, if this browser has any or on first use.
import { say } from '../page/dom.js'
import { recall } from '../page/keep.js'
import { make } from '../page/make.js'
import { runFile } from '../page/site-file.js'

const thread = document.querySelector('main.session')?.dataset.thread
let loading

async function load() {
  await runFile(document.documentElement.dataset.curation)
  return globalThis.codexCuration
}

/** Resolves with the functions for the reader's stars, tags and notes; with `undefined` if this browser has none. */
export const curation = recall('curation') === null ? Promise.resolve() : load().catch(() => undefined)

if (thread) {
  const title = 'Star, tags and note'
  const button = make('button', { class: 'star', type: 'button', 'aria-label': title, title }, '☆')
  button.addEventListener('click', async () => {
    try {
      loading ??= curation.then((own) => own ?? load())
      const { openPanel } = await loading
      openPanel(button, thread)
    } catch {
      loading = undefined
      say('This could not be loaded')
    }
  })
  document.querySelector('.crumb')?.append(make('li', {}, button))
  curation.then((own) => own?.showDecision(button, thread))
}
const showInRows = () => curation.then((own) => own?.showInRows())
showInRows()
document.addEventListener('codex-fresh', showInRows)
