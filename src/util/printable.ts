/** Text of unknown origin for a terminal. */

/** Characters that move the cursor, change the order of letters or cannot be seen. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * Text of unknown origin on one line of a terminal: white space is joined to single spaces, control characters
 * become `\x1b`, characters that reorder or hide others `\u{202e}`.
 */
export function printable(text: string): string {
  return text.replace(/[\t\n\v\f\r \u2028\u2029]+/g, ' ').replace(unsafe, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for a text of several lines, which stay lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
