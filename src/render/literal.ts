/** Text as it is: characters that hide or reorder what stands beside them are made visible. */
import type { ElementContent } from 'hast'
import { h } from 'hastscript'

/**
 * Controls (but tab and newline), bidirectional and invisible formatting characters.
 * Zero-width joiners inside emoji and the variation selectors stay: they draw something.
 */
const odd =
  /[\0-\x08\x0B-\x1F\x7F-\x9F\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|(?<!\p{Extended_Pictographic}|\uFE0F|\p{Emoji_Modifier})\u200D|\u200D(?!\p{Extended_Pictographic})/gu

/** What nearly every text is made of: ASCII, Latin, Greek, Cyrillic, punctuation, box drawing, CJK. A cheap first test. */
const plain =
  /^[\t\n\x20-\x7E\xA0-\xAC\xAE-\u02FF\u0370-\u0481\u2010-\u2027\u2030-\u205E\u2100-\u27BF\u3001-\u3029\u3040-\u3096\u30A0-\u9FFF\uAC00-\uD7A3]*$/

/** Hast of a literal text: plain text nodes, and a named mark for each character that would not be seen. */
export function literal(text: string): ElementContent[] {
  if (plain.test(text)) return text === '' ? [] : [{ type: 'text', value: text }]
  const result: ElementContent[] = []
  let from = 0
  for (const match of text.matchAll(odd)) {
    if (match.index > from) result.push({ type: 'text', value: text.slice(from, match.index) })
    result.push(h('span', { className: ['ctl'] }, characterName(match[0])))
    from = match.index + match[0].length
  }
  if (from < text.length) result.push({ type: 'text', value: text.slice(from) })
  return result
}

/** `␛` for the C0 controls, `U+202E` for the others. */
function characterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A text without what HTML cannot carry: controls become their pictures. For titles and attributes. */
export function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F]/g, characterName)
}
