/** JSON in the form of another JSON text. */

/** Spaces and tabs by which JSON is usually indented; without: all on one line. */
const indents: readonly (string | undefined)[] = [undefined, '  ', '    ', '\t']

/**
 * JSON of `replacement` in the form in which `text` was written from `value`: compact, indented, or with a blank behind
 * commas and colons. Any other form gives compact JSON.
 */
export function printLike(text: string, value: unknown, replacement: unknown): string {
  for (const indent of indents) {
    if (text === JSON.stringify(value, undefined, indent)) return JSON.stringify(replacement, undefined, indent)
  }
  return /^[[{]"?[^"]*"?: /.test(text) ? spaced(JSON.stringify(replacement)) : JSON.stringify(replacement)
}

/** A blank behind each comma and colon that stands outside of texts, as other writers have it. */
function spaced(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part))
}
