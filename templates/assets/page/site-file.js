// Loads files of the site on demand, as scripts, because those also load from a folder on disk. In a locked site,
// `locked/site-file.js` replaces this part.

/** Runs a script of the site; `href` is relative to this page. Rejects if it cannot be loaded. */
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
