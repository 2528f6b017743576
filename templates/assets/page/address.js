// Where this page stands, as every other part sees it. In a locked site `locked/address.js` takes the place of this part.

/** The folder of this page, by which it is remembered, and the name of its file. */
export const folder = location.pathname.replace(/[^/]*$/, '')
export const file = location.pathname.replace(/.*\//, '') || 'index.html'

/** The address of this page, with what is asked of the page as its query and a place in it as its fragment. */
export function address() {
  return new URL(location.href)
}

/** An address as links and the history have it. */
export function written(url) {
  return url.href
}

/** What a link says, as the build wrote it. */
export function hrefOf(link) {
  return link.getAttribute('href')
}

/** Goes to another page; `href` is relative to this page. */
export function go(href) {
  location.assign(href)
}

/** Goes to another page, which takes the place of this one in the history; `href` is relative to this page. */
export function goInstead(href) {
  location.replace(href)
}
