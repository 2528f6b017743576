// Replaces `page/site-file.js` in a locked site: the script of the login page, which has the key, loads and decrypts scripts.

/** Runs a script of the site; `href` is relative to this page. Rejects if it cannot be loaded. */
export function runFile(href) {
  return globalThis.codexLock.run(href)
}
