/** Text in XML. */
import { withoutControls } from './literal.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Halves of surrogate pairs and the two characters that XML 1.0 forbids beside the controls. */
const forbidden = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uFFFE\uFFFF]/g

/** Text for an element or a quoted attribute. What XML cannot carry becomes a picture of it, or `U+FFFD`. */
export function xmlText(text: string): string {
  return withoutControls(text)
    .replace(forbidden, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
