// Replaces `find/pages.js` on a standalone page, which has no other pages to read.
import { itemsHere, kindsOf, textOf } from '../find/text.js'

export const isAlone = true
export const readsAll = true

/** Resolves with the items of this page, in the form of `find/pages.js`. */
export async function readSession() {
  return { items: itemsHere().map((item) => ({ id: item.id, kinds: kindsOf(item), text: textOf(item) })), missing: [] }
}
