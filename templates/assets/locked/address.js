// `page/address.js` of a locked site: a page is known by the keyed hash of its path, and links name such hashes. What is asked
// of a page stands behind the `?` of its fragment, where no host reads it.

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
