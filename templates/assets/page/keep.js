// What is remembered between pages and visits. Where storage is missing, full or forbidden, nothing is remembered.

const prefix = 'codex-export:'

/** The text that was kept under a name, or `null`. `session` forgets with the tab. */
export function recall(name, area = 'local') {
  try {
    return window[`${area}Storage`].getItem(prefix + name)
  } catch {
    return null
  }
}

/** Keeps a text under a name; `null` removes it. */
export function keep(name, text, area = 'local') {
  try {
    const storage = window[`${area}Storage`]
    if (text === null) storage.removeItem(prefix + name)
    else storage.setItem(prefix + name, text)
  } catch {
    // The page works without.
  }
}

/** Calls back when another tab keeps something else under a name. */
export function onKept(name, listener) {
  addEventListener('storage', ({ key, newValue }) => key === prefix + name && listener(newValue))
}
