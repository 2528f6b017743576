// Loads the search on first use. Until then a page asks for nothing but itself.

let opened

/** Resolves with the opened search; rejects with the reason where it cannot be loaded, and the next call tries anew. */
export function openSearch() {
  opened ??= load().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

async function load() {
  const url = new URL(`${document.documentElement.dataset.root ?? ''}pagefind/search.js`, location.href)
  try {
    return await run(url)
  } catch (error) {
    // A copy from before the last build names files that are gone; a new address passes by it.
    if (url.protocol === 'file:') throw error
    url.searchParams.set('again', Date.now())
    return run(url)
  }
}

async function run(url) {
  const script = document.createElement('script')
  const done = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error('`pagefind/search.js` could not be loaded')))
  })
  script.src = url.href
  document.head.append(script)
  await done.finally(() => script.remove())
  return globalThis.codexSearch.open()
}
