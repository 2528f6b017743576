// Loads controls and answers of the search on first use.

import { runFile } from './site-file.js'

let loading

async function load() {
  await runFile(document.querySelector('a.find').dataset.script)
  return globalThis.codexSearchBox
}

/** Resolves with the function that makes them. */
export function loadBox() {
  loading ??= load()
  return loading
}
