// Loads files of the index: over HTTP as they are, from a folder on disk as small scripts, because pages that were opened
// from a file may load nothing but scripts. In a locked site, `locked/index-files.js` replaces this part.

import { runFile } from '../page/site-file.js'

/** The folder of the index, which contains this script. */
const base = new URL('.', document.currentScript.src).href

const waiting = new Map()

/** Called by the script of an index file, with its path below `pagefind/` and its bytes in base64. */
globalThis.codexSearchFile = (path, base64) => {
  waiting.get(path)?.(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
}

/** Returns the function that loads the bytes of an index file. */
export function fileLoader() {
  return location.protocol === 'file:' ? fromScript : fromServer
}

async function fromServer(path) {
  const response = await fetch(new URL(path, base))
  if (!response.ok) throw new Error(`${path} could not be loaded (${response.status})`)
  return new Uint8Array(await response.arrayBuffer())
}

async function fromScript(path) {
  const bytes = new Promise((resolve) => {
    waiting.set(path, resolve)
  })
  try {
    await runFile(new URL(`${path}.js`, base).href)
    return await Promise.race([bytes, Promise.reject(new Error(`${path}.js is not a file of the index`))])
  } finally {
    waiting.delete(path)
  }
}
