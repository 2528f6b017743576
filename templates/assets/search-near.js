// Controls and answers of the search where they are in the page already.
import { searchBox } from './search-box.js'

/** Resolves with the function that makes them. */
export async function loadBox() {
  return searchBox
}
