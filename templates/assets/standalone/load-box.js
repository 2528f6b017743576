// Controls and answers of the search where they are in the page already.

import { searchBox } from '../search/box.js'
import { markWords } from '../search/marks.js'

/** Resolves with `searchBox`, which makes them, and `markWords`. */
export async function loadBox() {
  return { searchBox, markWords }
}
