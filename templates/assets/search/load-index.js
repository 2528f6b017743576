// Loads the search on first use. Until then, a page requests nothing of it.

import { runFile } from '../page/site-file.js'

let opened

/** Resolves with the opened search; rejects with the reason if it cannot be loaded, and the next call tries again. */
export function openSearch() {
  opened ??= load().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

async function load() {
  const script = `${document.documentElement.dataset.root ?? ''}pagefind/search.js`
  try {
    return await run(script)
  } catch (error) {
    // A cached copy from before the last build names files that no longer exist; a new address bypasses the cache.
    if (location.protocol === 'file:') throw error
    return run(`${script}?again=${Date.now()}`)
  }
}

async function run(script) {
  await runFile(script)
  return globalThis.codexSearch.open()
}
