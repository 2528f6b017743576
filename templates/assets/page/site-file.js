// Files of the site that a page asks for by itself. Scripts load from a folder on disk too. In a locked site
// `locked/site-file.js` takes the place of this part.

/** Runs a script of the site; `href` is relative to this page. Rejects where it cannot be loaded. */
export function runFile(href) {
  const script = document.createElement('script')
  const done = new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${href} could not be loaded`)))
  })
  script.src = href
  document.head.append(script)
  return done.finally(() => script.remove())
}
