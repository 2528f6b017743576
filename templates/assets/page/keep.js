// Remembers things between pages and visits; if storage is missing, full or forbidden, it remembers nothing.

const prefix = 'codex-export:'

/** The text that was stored under a name, or `null`. The area `session` lasts as long as the tab. */
export function recall(name, area = 'local') {
  try {
    return window[`${area}Storage`].getItem(prefix + name)
  } catch {
    return null
  }
}

/** Stores a text under a name; `null` removes it. */
export function keep(name, text, area = 'local') {
  try {
    const storage = window[`${area}Storage`]
    if (text === null) storage.removeItem(prefix + name)
    else storage.setItem(prefix + name, text)
  } catch {
    // The page works without.
  }
}

/** Calls back when another tab changes what is stored under a name. */
export function onKept(name, listener) {
  addEventListener('storage', ({ key, newValue }) => key === prefix + name && listener(newValue))
}
