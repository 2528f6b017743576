// Loads the script that shows and changes the reader's stars, tags and notes, if this browser has any or on first use.
import { say } from '../page/dom.js'
import { onKept, recall } from '../page/keep.js'
import { make } from '../page/make.js'
import { runFile } from '../page/site-file.js'

const thread = document.querySelector('main.session')?.dataset.thread
const title = 'Star, tags and note'
const button = thread && make('button', { class: 'star', type: 'button', 'aria-label': title, title }, '☆')
let loading

/** Loads the script once; after a failure, the next call tries again. */
function load() {
  loading ??= runFile(document.documentElement.dataset.curation).then(
    () => globalThis.codexCuration,
    (error) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Resolves with the functions for the reader's stars, tags and notes; with `undefined` if this browser has none. */
export async function curation() {
  if (loading === undefined && recall('curation') === null) return
  return load().catch(() => undefined)
}

async function show() {
  const own = await curation()
  own?.showInRows()
  if (button) own?.showDecision(button, thread)
}

let shown = recall('curation')

/** Shows what the reader decided on another page since. */
async function update() {
  const kept = recall('curation')
  if (kept === shown) return
  shown = kept
  const own = await curation()
  own?.readAgain()
  await show()
  if (own) document.dispatchEvent(new Event('codex-curated'))
}

if (button) {
  button.addEventListener('click', async () => {
    try {
      const { openPanel } = await load()
      openPanel(button, thread)
    } catch {
      say('This could not be loaded')
    }
  })
  document.querySelector('.crumb')?.append(make('li', {}, button))
}
show()
document.addEventListener('codex-fresh', () => curation().then((own) => own?.showInRows()))
onKept('curation', update)
// After Back, a page may be as it was left.
addEventListener('pageshow', ({ persisted }) => persisted && update())
