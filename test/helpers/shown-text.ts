/** The text that a reader of HTML sees. */
import { SAXParser } from 'parse5-sax-parser'

/**
 * All text of some HTML, and its lines that are not blank; breaks and blocks end a line, spaces at its ends are
 * removed.
 */
export async function shownText(html: string): Promise<{ text: string; lines: string[]; tags: Set<string> }> {
  const parser = new SAXParser()
  const tags = new Set<string>()
  let [text, shown, pre] = ['', '', 0]
  parser.on('startTag', ({ tagName }) => {
    tags.add(tagName)
    if (tagName === 'pre') pre++
    if (/^(?:br|p|pre|li|td|h\d)$/.test(tagName)) shown += '\n'
  })
  parser.on('endTag', ({ tagName }) => {
    if (tagName === 'pre') pre--
    if (/^(?:p|pre|li|td|h\d)$/.test(tagName)) shown += '\n'
  })
  parser.on('text', ({ text: part }) => {
    text += part
    shown += pre > 0 ? part : part.replace(/\n/g, ' ')
  })
  await new Promise((resolve) => parser.end(html, () => resolve(undefined)))
  return { text, lines: linesOf(shown), tags }
}

/** Lines of a text that are not blank, as a reader sees them. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}
