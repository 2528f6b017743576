// `page/site-file.js` of a locked site: a script is read and opened by the login page's script, which holds the key.

/** Runs a script of the site; `href` is relative to this page. Rejects where it cannot be loaded. */
export function runFile(href) {
  return globalThis.codexLock.run(href)
}
