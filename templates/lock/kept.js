// What is stored beyond a page: the key, for as long as the tab is open. The password is stored nowhere.
import { fromBase64, toBase64 } from './bytes.js'

/** The name under which the key of a site is stored. Sites on one host share their storage, so it contains the salt. */
const nameOf = (salt) => `codex-export:lock:${toBase64(salt)}`

/** The key for a site that this tab has stored, or `undefined`. */
export function recallKey(salt) {
  try {
    const text = sessionStorage.getItem(nameOf(salt))
    return text === null ? undefined : fromBase64(text)
  } catch {
    return undefined
  }
}

/** Stores the key, or removes it if it is `undefined`; if storage is forbidden, each page asks for the password again. */
export function keepKey(salt, master) {
  try {
    if (master === undefined) sessionStorage.removeItem(nameOf(salt))
    else sessionStorage.setItem(nameOf(salt), toBase64(master))
  } catch {
    // The page opens without it.
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
