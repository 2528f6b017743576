// Links between pages. As built they name paths; here each leads to the file whose name is the keyed hash of its path.
// What is asked of a page goes behind the `?` of the fragment: a host reads queries, but no fragment.
import { nameOf } from './keys.js'

/** Stands for the root of the site while links are read. */
const root = 'https://site.invalid/'

/** What links said as they were built. */
const built = new WeakMap()

/** Path in the site that a link on the page at `from` leads to; `undefined` where it leads elsewhere or nowhere. */
export function pathOf(from, href) {
  try {
    const url = new URL(href, root + from)
    if (!url.href.startsWith(root)) return undefined
    const path = decodeURIComponent(url.pathname.slice(1))
    return path === '' || path.endsWith('/') ? `${path}index.html` : path
  } catch {
    return undefined
  }
}

/** An address with its query, written so that no host reads the query. */
export function write(from) {
  const url = new URL(from)
  if (url.search === '') return url.href
  const { search, hash } = url
  url.search = ''
  url.hash = `${hash || '#'}${search}`
  return url.href
}

/** An address that was written so, with its query in its place. */
export function read(address) {
  const url = new URL(address)
  const [, hash, query] = /^#?([^?]*)\??(.*)$/s.exec(url.hash)
  url.hash = hash
  if (query !== '') url.search = query
  return url
}

/** The address that a link leads to; `undefined` for one that leads elsewhere. */
export async function resolve({ path: from, keys, base }, href) {
  const path = pathOf(from, href)
  if (path === undefined) return undefined
  const url = new URL(path === 'index.html' ? path : `pages/${await nameOf(keys, path)}.html`, base)
  const { search, hash } = new URL(href, root)
  url.search = search
  url.hash = hash
  return write(url)
}

/** What a link said as it was built. */
export function hrefOf(link) {
  return built.get(link) ?? link.getAttribute('href')
}

async function turn(site, link) {
  const href = link.getAttribute('href')
  // Places in this page stay, and whatever has a scheme is turned already or leads elsewhere.
  if (href.startsWith('#') || /^[a-z][a-z\d+.-]*:/i.test(href)) return
  const address = await resolve(site, href)
  if (address === undefined || link.getAttribute('href') !== href) return
  built.set(link, href)
  link.setAttribute('href', address)
}

/** Turns all links below an element. */
export function turnLinks(site, element) {
  return Promise.all([...element.querySelectorAll('a[href]')].map((link) => turn(site, link)))
}

/** Turns links that a script of the page made or changed. */
function onChange(site, { type, target, addedNodes }) {
  if (type === 'attributes') {
    if (target.matches('a[href]')) turn(site, target)
    return
  }
  for (const node of addedNodes) {
    if (!(node instanceof Element)) continue
    if (node.matches('a[href]')) turn(site, node)
    turnLinks(site, node)
  }
}

/** Turns links as scripts of the page make or change them. */
export function watchLinks(site) {
  const what = { subtree: true, childList: true, attributes: true, attributeFilter: ['href'] }
  new MutationObserver((records) => {
    for (const record of records) onChange(site, record)
  }).observe(document.documentElement, what)
}
