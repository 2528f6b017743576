// Loads controls and answers of the search on first use.

import { curation } from '../curation/load.js'
import { runFile } from '../page/site-file.js'

let loading

async function load() {
  // The search filters by what the reader keeps of sessions too.
  await Promise.all([runFile(document.querySelector('a.find').dataset.script), curation])
  return globalThis.codexSearchBox
}

/** Resolves with `searchBox`, which makes them, and `markWords`. */
export function loadBox() {
  loading ??= load()
  return loading
}
