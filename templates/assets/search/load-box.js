// Loads the controls and results of the search on first use.

import { curation } from '../curation/load.js'
import { runFile } from '../page/site-file.js'

let loading

async function load() {
  // The search also filters by the reader's own stars and tags.
  await Promise.all([runFile(document.querySelector('a.find').dataset.script), curation()])
  return globalThis.codexSearchBox
}

/** Resolves with `searchBox`, which makes the controls and results, and `markWords`. */
export function loadBox() {
  loading ??= load()
  return loading
}
