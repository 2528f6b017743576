// Controls and answers of the search where they are in the page already.
import { markWords } from './marks.js'
import { searchBox } from './search-box.js'

/** Resolves with `searchBox`, which makes them, and `markWords`. */
export async function loadBox() {
  return { searchBox, markWords }
}
