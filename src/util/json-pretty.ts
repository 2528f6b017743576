/** JSON for people. */

/** JSON text indented by two spaces; `undefined` where it is no object or list, or where a reader would lose anything. */
export function prettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    // Large numbers, repeated keys and odd escapes do not survive parsing: such text stays as it was written.
    return JSON.stringify(value) === withoutSpace(text) ? JSON.stringify(value, null, 2) : undefined
  } catch {
    return undefined
  }
}

/** JSON text without white space outside its strings. */
function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}
