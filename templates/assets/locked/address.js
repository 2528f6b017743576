// Replaces `page/address.js` in a locked site, where the name of a page is the keyed hash of its path, and links use that hash.
// The query is in the fragment, after a `?`, where no host can read it.

const lock = globalThis.codexLock

export const folder = location.pathname
export const file = lock.path.replace(/.*\//, '')

export function address() {
  return lock.read(location.href)
}

export function written(url) {
  return lock.write(url)
}

export function hrefOf(link) {
  return lock.hrefOf(link)
}

export function go(href) {
  lock.resolve(href).then((url) => location.assign(url))
}

export function goInstead(href) {
  lock.resolve(href).then((url) => location.replace(url))
}
