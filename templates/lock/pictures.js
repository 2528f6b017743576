// Decrypts the pictures of a page after the page is shown.
import { readFile } from './files.js'
import { pathOf } from './links.js'

const types = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', svg: 'image/svg+xml' }

/** How many pictures are decrypted at the same time: one may have megabytes. */
const atOnce = 3

/** Removes the addresses of pictures and of links to them. Returns the elements and attributes by path. */
export function deferPictures(from, page) {
  const deferred = new Map()
  const defer = (element, name) => {
    const path = pathOf(from, element.getAttribute(name))
    if (path === undefined || types[path.replace(/.*\./, '')] === undefined) return
    element.removeAttribute(name)
    deferred.set(path, [...(deferred.get(path) ?? []), [element, name]])
  }
  for (const picture of page.querySelectorAll('img[src]')) defer(picture, 'src')
  for (const link of page.querySelectorAll('a[href]:has(img), a.shot[href]')) defer(link, 'href')
  return deferred
}

/** Shows the pictures. One that cannot be decrypted shows its description. */
export async function showPictures(site, deferred) {
  const queue = [...deferred]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [path, uses] = next
      const bytes = await readFile(site, path).catch(() => undefined)
      if (bytes === undefined) continue
      const url = URL.createObjectURL(new Blob([bytes], { type: types[path.replace(/.*\./, '')] }))
      for (const [element, name] of uses) element.setAttribute(name, url)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
