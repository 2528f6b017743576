// The items of a session with their words: of this page alone from what it shows, of several pages from the scripts that
// the build wrote beside them, because those load from a folder on disk too.
import { itemsHere, kindsOf, textOf } from './find-text.js'
import { runFile } from './site-file.js'

const { total = '1', texts } = document.querySelector('main.session').dataset

/** Pages that the session has, and whether the find reads all of them. */
export const pages = Number(total)
export const readsAll = pages === 1 || texts !== undefined

function here() {
  return itemsHere().map((item) => ({ id: item.id, kinds: kindsOf(item), text: textOf(item) }))
}

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()).items
}

async function itemsOf(page) {
  await runFile(`find-${page}.js`)
  // No other script runs between the end of this one and here.
  const items = await unpacked(globalThis.codexFind.pop())
  return items.map(([id, kinds, text]) => ({ id, kinds, text, page }))
}

let read

/** Resolves with the `items` in their order, each `{ id, kinds, text, page }`, and the numbers of pages that are `missing`. */
export function readSession() {
  read ??= readAll()
  return read
}

async function readAll() {
  if (pages === 1 || !readsAll) return { items: here(), missing: [] }
  const missing = []
  const found = await Promise.all(
    Array.from({ length: pages }, (_, index) =>
      itemsOf(index + 1).catch(() => {
        missing.push(index + 1)
        return []
      }),
    ),
  )
  // What could not be read may be read when somebody asks again.
  if (missing.length > 0) read = undefined
  return { items: missing.length === pages ? here() : found.flat(), missing: missing.sort((a, b) => a - b) }
}
