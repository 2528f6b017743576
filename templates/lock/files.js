// Loads sealed files. Each is a small script that hands over its text, because scripts load over HTTP and from a folder on disk.
import { joined } from './bytes.js'
import { nameOf } from './keys.js'
import { unseal } from './sealed.js'

/** The functions that receive the text of a file that is being loaded, by its name. */
const waiting = new Map()

/** Called by the script of a file, with its name and its bytes in base64. */
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

/** The sealed text of a file. Simultaneous calls for one name share one request. */
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

/** The header and the body of a part of a file; `again` is a query that bypasses an older cached copy. */
async function readPart({ keys, base }, { path, part, again = '' }) {
  const name = await nameOf(keys, path, part)
  return unseal(keys, name, await load(new URL(`assets/${name}.js${again}`, base).href, name))
}

/** The bodies of all parts of a file after the first. Rejects if they are of another version of the file. */
export function laterParts(site, { path, parts, version }) {
  const read = async (part) => {
    const { header, body } = await readPart(site, { path, part })
    if (header.version !== version) throw new Error('parts of a file come from different builds')
    return body
  }
  return Promise.all(Array.from({ length: parts - 1 }, (_, index) => read(index + 1)))
}

/** The bytes of the file at a path of the site. Rejects if it cannot be loaded or decrypted. */
export async function readFile(site, path, again) {
  const { header, body } = await readPart(site, { path, part: 0, again })
  return joined([body, ...(await laterParts(site, header))])
}

/** Runs a script that was decrypted. */
export async function runBytes(bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }))
  await run(url).finally(() => URL.revokeObjectURL(url))
}
