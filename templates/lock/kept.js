// What outlives a page: the key, for as long as the tab is open. The password is kept nowhere.
import { fromBase64, toBase64 } from './bytes.js'

/** Sites on one host share their storage: each is known by its salt. */
const nameOf = (salt) => `codex-export:lock:${toBase64(salt)}`

/** The key that this tab has for a site, or `undefined`. */
export function recallKey(salt) {
  try {
    const text = sessionStorage.getItem(nameOf(salt))
    return text === null ? undefined : fromBase64(text)
  } catch {
    return undefined
  }
}

/** Keeps the key, or forgets it; where storage is forbidden, each page asks again. */
export function keepKey(salt, master) {
  try {
    if (master === undefined) sessionStorage.removeItem(nameOf(salt))
    else sessionStorage.setItem(nameOf(salt), toBase64(master))
  } catch {
    // The page opens all the same.
  }
}

/** The theme that the reader chose on a page. */
export function recallTheme() {
  try {
    return localStorage.getItem('codex-export:theme')
  } catch {
    return null
  }
}
