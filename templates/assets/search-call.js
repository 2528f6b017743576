// Loads controls and answers of the search on first use.

import { runFile } from './site-file.js'

let loading

async function load() {
  await runFile(document.querySelector('a.find').dataset.script)
  return globalThis.codexSearchBox
}

/** Resolves with `searchBox`, which makes them, and `markWords`. */
export function loadBox() {
  loading ??= load()
  return loading
}
