// Loads the filters of the start page when the reader is about to use them, or if the address or the reader's own tags need them.

import { curation } from '../curation/load.js'
import { address } from '../page/address.js'
import { say } from '../page/dom.js'
import { runFile } from '../page/site-file.js'
import { showLocalTimes } from '../page/times.js'

const form = document.querySelector('form.filters[data-parts]')
let isAsked = false

async function load() {
  // The filters also filter by the reader's own stars and tags.
  await Promise.all([runFile(document.documentElement.dataset.filters), curation()])
  globalThis.codexFilters({ showLocalTimes })
}

function start() {
  if (isAsked) return
  isAsked = true
  load().catch(() => {
    isAsked = false
    say('The filters could not be loaded')
  })
}

if (form) {
  for (const type of ['pointerenter', 'focusin', 'input', 'change']) form.addEventListener(type, start)
  form.addEventListener('submit', (event) => event.preventDefault())
  addEventListener('popstate', start)
  if (address().search !== '') start()
  curation().then((own) => own && start())
  document.addEventListener('codex-curated', start)
}
