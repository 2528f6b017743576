// The find where it is in the page already.
import { openFind } from '../find/bar.js'

/** Resolves with the function that opens it. */
export async function loadFind() {
  return openFind
}
