/** How a text stands in the pruned page: what it counts, where its heading ends, and its hidden words. */
import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import { longest, squeeze } from './search-text.ts'
import { hiddenMark, hiddenWords } from './search-words.ts'

/** UTF-16 units of a heading; the rest follows in a paragraph, so that no word is indexed twice. */
const headingLength = 120

/** What a word counts by the kind of text that it stands in; the title, a field of its own, counts more than all. */
const weights = { h2: 5, h3: 3, h4: 2, h5: 2, h6: 2, p: 1 } as const

/** Levels of headings stand for kinds: prompt, answer, command, edit, error. `p` is the rest. */
type Level = keyof typeof weights

/** A heading with the beginning of a text, up to the end of a sentence or else a word, and a paragraph with the rest. */
export function entry(level: Exclude<Level, 'p'>, id: string, text: string): ElementContent[] {
  const line = squeeze(text.slice(0, longest))
  if (line === '') return []
  const end = headingEnd(line)
  const rest = line.slice(end).trim()
  const heading = h(level, { id, dataPagefindWeight: weights[level] }, line.slice(0, end))
  return [heading, ...plainParagraph(rest, level), ...hidden(line, level)]
}

/** A paragraph that counts as the heading of that level does, with its hidden words; with an `id` a hit leads there. */
export function paragraph(text: string, level: Level, id?: string): Element[] {
  return text === '' ? [] : [...plainParagraph(text, level, id), ...hidden(text, level)]
}

function plainParagraph(text: string, level: Level, id?: string): Element[] {
  if (text === '') return []
  const weight = level === 'p' ? {} : { dataPagefindWeight: weights[level] }
  return [h('p', { ...(id !== undefined && { id }), ...weight }, text)]
}

/** Words for the index alone, between marks by which the page that shows a hit leaves them out. */
function hidden(text: string, level: Level): Element[] {
  const words = hiddenWords(text)
  return words.length === 0 ? [] : plainParagraph([hiddenMark, ...words, hiddenMark].join(' '), level)
}

function headingEnd(line: string): number {
  if (line.length <= headingLength) return line.length
  const head = line.slice(0, headingLength + 1)
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('? '), head.lastIndexOf('! '))
  if (sentence > 20) return sentence + 1
  const word = head.lastIndexOf(' ')
  return word > 0 ? word : line.length
}
