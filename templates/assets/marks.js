// Marks in the page what the reader looked for: the words of `?mark=` in its address. The page itself stays as it is.

import { address } from './address.js'

/** Places that are marked at most; a word that stands everywhere leads nowhere. */
const mostMarks = 2000

/** A pattern for the words and phrases of a query: a word begins a word, unless it has other signs or a script without blanks. */
function patternOf(query) {
  const words = [...query.matchAll(/"([^"]+)"?|[^\s"]+/gu)]
    .map(([word, phrase]) => (phrase ?? word).trim())
    .filter(Boolean)
  const parts = words.map((word) => {
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return /^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{N}]+$/u.test(word)
      ? `(?<![\\p{L}\\p{N}])${literal}[\\p{L}\\p{N}]*`
      : literal
  })
  return parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'giu')
}

function rangesIn(root, pattern) {
  const ranges = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null && ranges.length < mostMarks; text = texts.nextNode()) {
    for (const { index, 0: found } of text.data.matchAll(pattern)) {
      const range = new StaticRange({
        startContainer: text,
        startOffset: index,
        endContainer: text,
        endOffset: index + found.length,
      })
      ranges.push(range)
    }
  }
  return ranges
}

/** Marks the words of a query in the reader's text; an empty one takes the marks away. */
export function markWords(query) {
  if (!globalThis.CSS?.highlights) return
  CSS.highlights.delete('sought')
  const pattern = patternOf(query)
  const text = document.querySelector('.flow') ?? document.querySelector('main')
  if (pattern && text) CSS.highlights.set('sought', new Highlight(...rangesIn(text, pattern)))
}

/** Marks what the address asks to; the marks go with Escape. */
export function markAsked() {
  const asked = address().searchParams.get('mark')
  if (asked) markWords(asked)
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !document.querySelector('dialog[open]')) markWords('')
  })
}
