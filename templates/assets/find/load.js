// Loads the find of a session on first use.
import { runFile } from '../page/site-file.js'

let loading

async function load() {
  await runFile(document.querySelector('main.session').dataset.find)
  return globalThis.codexFindBar
}

/** Resolves with the function that opens the find. */
export function loadFind() {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}
