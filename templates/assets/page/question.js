// What the address of this page asks of it, such as a view or words to find.
import { address, written } from './address.js'

/** Sets parameters of this page's address, without a step of the history; an empty value removes one. */
export function askInAddress(fields) {
  const url = address()
  for (const [name, value] of Object.entries(fields)) {
    if (value) url.searchParams.set(name, value)
    else url.searchParams.delete(name)
  }
  try {
    history.replaceState(history.state, '', written(url))
  } catch {
    // Some browsers do not allow changing the address of a file.
  }
}

/** Removes parameters of this page's address, if it has any of them. */
export function removeFromAddress(...names) {
  const { searchParams } = address()
  if (names.some((name) => searchParams.has(name))) askInAddress(Object.fromEntries(names.map((name) => [name, ''])))
}
