/** Which destinations a link of a transcript may have. */

const allowed = new Set(['http', 'https', 'mailto'])

/**
 * Whether a decoded destination may stay a link: relative, a fragment, or `http`, `https`, `mailto`.
 * `main.ts:12` is a place in a file, not a scheme.
 */
export function isSafeUrl(url: string): boolean {
  // Browsers ignore white space and controls inside a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\0- \x7F-\x9F]/g, ''))?.[1]
  if (scheme === undefined || allowed.has(scheme.toLowerCase())) return true
  return /^[\w-]+\.[\w.-]+:\d+(?::\d+)?$/.test(url)
}

/** Whether an address is one of the web or of mail, complete and without blanks: fit for a link of the frame. */
export function isWebUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i.test(url)
}
