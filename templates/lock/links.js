// Links between pages. The build writes paths; here each link is pointed to the file whose name is the keyed hash of its path.
// The query moves into the fragment, after a `?`, because a host can read queries but not fragments.
import { nameOf } from './keys.js'

/** Represents the root of the site while links are resolved. */
const root = 'https://site.invalid/'

/** The `href` of links as the build wrote it. */
const built = new WeakMap()

/** The path in the site to which a link on the page at `from` leads; `undefined` if it leads elsewhere or nowhere. */
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

/** An address with its query moved into the fragment, so that no host reads it. */
export function write(from) {
  const url = new URL(from)
  if (url.search === '') return url.href
  const { search, hash } = url
  url.search = ''
  url.hash = `${hash || '#'}${search}`
  return url.href
}

/** The reverse of `write`: an address as a URL with its query back in place. */
export function read(address) {
  const url = new URL(address)
  const [, hash, query] = /^#?([^?]*)\??(.*)$/s.exec(url.hash)
  url.hash = hash
  if (query !== '') url.search = query
  return url
}

/** The address to which a link leads; `undefined` if it leads out of the site. */
export async function resolve({ path: from, keys, base }, href) {
  const path = pathOf(from, href)
  if (path === undefined) return undefined
  const url = new URL(path === 'index.html' ? path : `pages/${await nameOf(keys, path)}.html`, base)
  const { search, hash } = new URL(href, root)
  url.search = search
  url.hash = hash
  return write(url)
}

/** The `href` of a link as the build wrote it. */
export function hrefOf(link) {
  return built.get(link) ?? link.getAttribute('href')
}

async function turn(site, link) {
  const href = link.getAttribute('href')
  // Links within this page stay, and links with a scheme are already converted or lead out of the site.
  if (href.startsWith('#') || /^[a-z][a-z\d+.-]*:/i.test(href)) return
  const address = await resolve(site, href)
  if (address === undefined || link.getAttribute('href') !== href) return
  built.set(link, href)
  link.setAttribute('href', address)
}

/** Converts all links inside an element. */
export function turnLinks(site, element) {
  return Promise.all([...element.querySelectorAll('a[href]')].map((link) => turn(site, link)))
}

/** Converts links that a script of the page added or changed. */
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

/** Converts links whenever scripts of the page add or change them. */
export function watchLinks(site) {
  const what = { subtree: true, childList: true, attributes: true, attributeFilter: ['href'] }
  new MutationObserver((records) => {
    for (const record of records) onChange(site, record)
  }).observe(document.documentElement, what)
}
