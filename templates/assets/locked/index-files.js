// Replaces `search/index-files.js` in a locked site: index files are loaded like all other files of the site.

/** Returns the function that loads the bytes of an index file. */
export function fileLoader() {
  return (path) => globalThis.codexLock.bytes(`pagefind/${path}`)
}
