// The service worker of a site that was built with `offline: true`. It caches pages that were visited, and the search index
// once it was used, and answers from the cache if there is no network. The build declares `build` before this text.

/** The address of the site, with a slash at its end. */
const { scope } = self.registration
/** Several sites may share an origin, so the name of a cache contains the path of its site. */
const prefix = `codex-export ${new URL(scope).pathname} `
const cacheName = prefix + build

/** What every visit needs; everything else is cached when it is first requested. */
const first = /^(?:index\.html|favicon\.svg|search\/index\.html|assets\/(?:site|search)\.[0-9a-f]+\.(?:css|js))$/
/** Files whose names change with their content. */
const lasting = /^assets\/|^pagefind\/.*\.(?:pf_\w+|pagefind)$/
/** The files that a search loads. */
const searched = /^pagefind\/(?:search\.js|.*\.(?:pf_\w+|pagefind))$/
/** The maximum number of index files that are cached as a whole; of a larger index, only files that a search requested. */
const maxKept = 4000

/** The path of an address within the site; `undefined` for any other address. */
function pathOf(address) {
  const { origin, pathname } = new URL(address)
  const url = origin + pathname
  if (!url.startsWith(scope)) return undefined
  const path = decoded(url.slice(scope.length))
  if (path === undefined) return undefined
  if (path === '' || path.endsWith('/')) return `${path}index.html`
  // Some hosts lead from `2.html` to `2`.
  return path.replace(/(^|\/)[^./]+$/, '$&.html')
}

/** A path without percent signs; `undefined` if it is malformed. */
function decoded(path) {
  try {
    return decodeURI(path)
  } catch {
    return undefined
  }
}

/** The key of a path in a cache. */
function keyOf(path) {
  return new URL(encodeURI(path), scope).href
}

/** The paths of the site with the hashes of their files, as the manifest lists them. */
async function filesOf(response) {
  return (await response.json()).files
}

async function readManifest(cache) {
  const kept = await cache.match(keyOf('manifest.json'))
  return kept === undefined ? {} : filesOf(kept)
}

/** Fills the cache of this build with what older caches have of it, and with what every visit needs. */
async function begin() {
  const manifest = await fetch(keyOf('manifest.json'), { cache: 'no-store' })
  if (!manifest.ok) throw new Error(`manifest.json could not be loaded (${manifest.status})`)
  const cache = await caches.open(cacheName)
  await cache.put(keyOf('manifest.json'), manifest.clone())
  const files = await filesOf(manifest)
  await takeOver(cache, files)
  await keep(
    cache,
    Object.keys(files).filter((path) => first.test(path)),
  )
}

/** Copies from older caches what the manifest lists with the same hash; the rest of them is deleted later. */
async function takeOver(cache, files) {
  for (const name of await oldCaches()) {
    const old = await caches.open(name)
    const before = await readManifest(old)
    for (const request of await old.keys()) {
      const path = pathOf(request.url)
      if (path === undefined || files[path] === undefined || files[path] !== before[path]) continue
      const response = await old.match(request)
      if (response) await cache.put(request, response)
    }
  }
}

async function oldCaches() {
  return (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
}

/** Loads files that are not in the cache, four at a time; one that fails is loaded when it is requested. */
async function keep(cache, paths) {
  const left = [...paths]
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (await cache.match(keyOf(path))) continue
      await load(cache, path).catch(() => {})
    }
  }
  await Promise.all([work(), work(), work(), work()])
}

/** Loads a file into the cache, past what the browser has of an older build. */
async function load(cache, path) {
  const response = await fetch(keyOf(path), { cache: lasting.test(path) ? 'default' : 'no-cache' })
  // The answer to a navigation must not be a redirected one, but may be a copy of it.
  const whole = response.redirected ? new Response(response.body, response) : response
  if (response.ok) await cache.put(keyOf(path), whole)
}

/** Caches everything that a search may load. */
async function keepIndex() {
  const cache = await caches.open(cacheName)
  const paths = Object.keys(await readManifest(cache)).filter((path) => searched.test(path))
  if (paths.length <= maxKept) await keep(cache, paths)
}

async function answer(event, path) {
  const { request } = event
  const cache = await caches.open(cacheName)
  const kept = () => cache.match(keyOf(path))
  if (lasting.test(path)) {
    const response = await kept()
    if (response) return response
  }
  try {
    const response = await fetch(request)
    // If there is no space in the cache, the page is shown anyway.
    if (response.ok && !response.redirected) event.waitUntil(cache.put(keyOf(path), response.clone()).catch(() => {}))
    return response
  } catch (error) {
    const response = await kept()
    if (response) return response
    if (request.mode !== 'navigate') throw error
    return unvisited(cache)
  }
}

/** The answer for a page that was not visited, with links to the pages that every visit caches. */
async function unvisited(cache) {
  const pages = { 'index.html': 'All sessions', 'search/index.html': 'Search' }
  const links = await Promise.all(
    Object.entries(pages).map(async ([path, name]) => {
      const isKept = (await cache.match(keyOf(path))) !== undefined
      return isKept ? `<li><a href="${keyOf(path).replaceAll('&', '&amp;')}">${name}</a>\n` : ''
    }),
  )
  const text = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>No network</title>
<h1>No network</h1>
<p>There is no network, and this page was not visited while there was one. These pages are here:
<ul>
${links.join('')}</ul>
`
  return new Response(text, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

self.addEventListener('install', (event) => {
  event.waitUntil(begin().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  const drop = async () => {
    for (const name of await oldCaches()) await caches.delete(name)
    await self.clients.claim()
  }
  event.waitUntil(drop())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const path = request.method === 'GET' && !request.headers.has('range') ? pathOf(request.url) : undefined
  if (path === undefined || path === 'sw.js' || path === 'manifest.json') return
  event.respondWith(answer(event, path))
  if (path === 'pagefind/search.js') event.waitUntil(keepIndex().catch(() => {}))
})
