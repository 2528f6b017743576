// Sealed files. Each is a small script that hands over its text: scripts load over http and from a folder on disk alike.
import { joined } from './bytes.js'
import { nameOf } from './keys.js'
import { unseal } from './sealed.js'

/** Who waits for what, by name. */
const waiting = new Map()

/** Called by the script of a file: its name and its bytes in base64. */
globalThis.codexSealed = (name, base64) => waiting.get(name)?.(base64)

function run(src) {
  const script = document.createElement('script')
  const done = new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error('a file of the site could not be loaded')))
  })
  script.src = src
  document.head.append(script)
  return done.finally(() => script.remove())
}

const loading = new Map()

/** The sealed text under a name. Those who ask at one time get one answer. */
function load(src, name) {
  if (!loading.has(name)) {
    const sealed = new Promise((resolve) => {
      waiting.set(name, resolve)
    })
    const loaded = run(src).then(() =>
      Promise.race([sealed, Promise.reject(new Error('a file of the site is damaged'))]),
    )
    const end = () => {
      waiting.delete(name)
      loading.delete(name)
    }
    loading.set(name, loaded.finally(end))
  }
  return loading.get(name)
}

/** Bytes of a part of a file; `again` is a query that passes by an older copy. */
async function readPart({ keys, base }, { path, part, again = '' }) {
  const name = await nameOf(keys, path, part)
  return unseal(keys, name, await load(new URL(`assets/${name}.js${again}`, base).href, name))
}

/** Bytes of all parts of a file after its first one. Rejects where they are of another version of it. */
export function laterParts(site, { path, parts, version }) {
  const read = async (part) => {
    const { header, body } = await readPart(site, { path, part })
    if (header.version !== version) throw new Error('parts of a file come from different builds')
    return body
  }
  return Promise.all(Array.from({ length: parts - 1 }, (_, index) => read(index + 1)))
}

/** Bytes of the file at a path of the site. Rejects where it cannot be loaded or opened. */
export async function readFile(site, path, again) {
  const { header, body } = await readPart(site, { path, part: 0, again })
  return joined([body, ...(await laterParts(site, header))])
}

/** Runs a script that was opened. */
export async function runBytes(bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }))
  await run(url).finally(() => URL.revokeObjectURL(url))
}
