// The items of a session with their words: those of a single page from what it shows, those of several pages from the scripts
// that the build wrote next to them, because those also load from a folder on disk.

import { runFile } from '../page/site-file.js'
import { itemsHere, kindsOf, textOf } from './text.js'

const { whole, story, texts } = document.querySelector('main.session').dataset

/** `isAlone`: this page is the only one of its session. `readsAll`: the find reads all pages of the session. */
export const isAlone = whole === undefined && story === undefined
export const readsAll = isAlone || texts !== undefined

function here() {
  return itemsHere().map((item) => ({ id: item.id, kinds: kindsOf(item), text: textOf(item) }))
}

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text())
}

/** The items of a page; the script of the first one also has the number of `pages`. */
async function wordsOf(page) {
  await runFile(`find-${page}.js`)
  // No other script runs between the end of this one and here.
  const { items, pages } = await unpacked(globalThis.codexFind.pop())
  return { items: items.map(([id, kinds, text]) => ({ id, kinds, text, page })), pages }
}

let read
// The words of a page that `serve` updates.
document.addEventListener('codex-fresh', () => {
  read = undefined
})

/** Resolves with the `items` in their order, each `{ id, kinds, text, page }`, and the pages that are `missing`. */
export function readSession() {
  read ??= readAll()
  return read
}

async function readAll() {
  if (isAlone || !readsAll) return { items: here(), missing: [] }
  // A page does not contain the number of pages, or it would change whenever its session gets another one.
  const first = await wordsOf(1).catch(() => undefined)
  const missing = []
  const others = await Promise.all(
    Array.from({ length: (first?.pages ?? 1) - 1 }, (_, index) =>
      wordsOf(index + 2).catch(() => {
        missing.push(index + 2)
        return { items: [] }
      }),
    ),
  )
  // Missing pages are read again by the next question.
  if (first === undefined || missing.length > 0) read = undefined
  if (first === undefined) return { items: here(), missing: ['1 and all that follow'] }
  return { items: [first, ...others].flatMap(({ items }) => items), missing: missing.sort((a, b) => a - b) }
}
