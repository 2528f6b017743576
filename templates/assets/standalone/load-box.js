// Replaces `search/load-box.js` on a standalone page, which already contains the controls and results of the search.

import { searchBox } from '../search/box.js'
import { markWords } from '../search/marks.js'

/** Resolves with `searchBox`, which makes the controls and results, and `markWords`. */
export async function loadBox() {
  return { searchBox, markWords }
}
