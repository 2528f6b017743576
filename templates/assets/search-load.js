// How files of the index come to the page: over HTTP as they are, from a folder on disk as small scripts, since pages
// that were opened from a file may load scripts and nothing else.

const waiting = new Map()

/** Called by the script of a file of the index: its path below `pagefind/`, and its bytes in base64. */
globalThis.codexSearchFile = (path, base64) => {
  waiting.get(path)?.(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
}

/** Runs a script of the site; rejects where there is none. */
export function runScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${url} could not be loaded`)))
    document.head.append(script)
  }).finally(() => document.querySelector(`script[src="${CSS.escape(url)}"]`)?.remove())
}

/** Makes the function that gives the bytes of a file below `base`, the address of the folder of the index. */
export function fileLoader(base) {
  return new URL(base).protocol === 'file:' ? (path) => fromScript(base, path) : (path) => fromServer(base, path)
}

async function fromServer(base, path) {
  const response = await fetch(new URL(path, base))
  if (!response.ok) throw new Error(`${path} could not be loaded (${response.status})`)
  return new Uint8Array(await response.arrayBuffer())
}

async function fromScript(base, path) {
  const bytes = new Promise((resolve) => {
    waiting.set(path, resolve)
  })
  try {
    await runScript(new URL(`${path}.js`, base).href)
    return await Promise.race([bytes, Promise.reject(new Error(`${path}.js is not a file of the index`))])
  } finally {
    waiting.delete(path)
  }
}
