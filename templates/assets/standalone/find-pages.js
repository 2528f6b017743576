// The items of a page that stands alone: it has no others to read.
import { itemsHere, kindsOf, textOf } from '../find/text.js'

export const isAlone = true
export const readsAll = true

/** Resolves with the items of this page, in the form that those of several pages have. */
export async function readSession() {
  return { items: itemsHere().map((item) => ({ id: item.id, kinds: kindsOf(item), text: textOf(item) })), missing: [] }
}
