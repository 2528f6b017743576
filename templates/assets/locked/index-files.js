// `search/index-files.js` of a locked site: files of the index come the way of all other files.

/** Makes the function that gives the bytes of a file of the index. */
export function fileLoader() {
  return (path) => globalThis.codexLock.bytes(`pagefind/${path}`)
}
