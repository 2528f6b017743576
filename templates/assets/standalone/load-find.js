// Replaces `find/load.js` on a standalone page, which already contains the find.
import { openFind } from '../find/bar.js'

/** Resolves with the function that opens the find. */
export async function loadFind() {
  return openFind
}
