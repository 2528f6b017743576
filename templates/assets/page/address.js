// The address of this page, which every other part gets from here. In a locked site, `locked/address.js` replaces this part.

/** The folder of this page, under which its state is stored, and the name of its file. */
export const folder = location.pathname.replace(/[^/]*$/, '')
export const file = location.pathname.replace(/.*\//, '') || 'index.html'

/** The address of this page as a URL: the query says what is asked of the page, the fragment names a location in it. */
export function address() {
  return new URL(location.href)
}

/** The text of an address for links and the browser history. */
export function written(url) {
  return url.href
}

/** The `href` of a link as the build wrote it. */
export function hrefOf(link) {
  return link.getAttribute('href')
}

/** Goes to another page; `href` is relative to this page. */
export function go(href) {
  location.assign(href)
}

/** Goes to another page, which replaces this one in the history; `href` is relative to this page. */
export function goInstead(href) {
  location.replace(href)
}
