/** Whether a name stands alone, or inside a word. */

const letterOrDigit = /[\p{L}\p{N}]/u
/** Signs that are part of a word, and of the name of a machine. */
export const wordSigns = '_'
export const hostSigns = '_-'

/** Whether a name is not inside a word, of letters, digits and some `signs`. */
export function standsAlone(text: string, start: number, end: number, signs: string): boolean {
  return !isInside(text, start - 1, signs) && !isInside(text, end, signs)
}

/** Whether a letter, a digit or one of some `signs` stands at a place; nothing stands beyond the ends of a text. */
export function isInside(text: string, at: number, signs: string): boolean {
  if (at < 0 || at >= text.length) return false
  const code = text.charCodeAt(at)
  // Engines need big tables for letters of all scripts, and a call for each test.
  if (code >= 128) return letterOrDigit.test(text.charAt(at))
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 90 && (code <= 57 || code >= 65)) ||
    signs.includes(text.charAt(at))
  )
}
