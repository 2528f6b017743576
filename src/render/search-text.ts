/** Prose as plain text, for the search index. */
import type { Nodes } from 'mdast'
import { visit } from 'unist-util-visit'
import { type Engine, parseMarkdown } from './prose/engine.ts'
import { isProse } from './prose/prose.ts'
import { hiddenMark } from './search-words.ts'

/** UTF-16 units of a body that are indexed: nearly all of every answer, the beginning of pasted logs. */
export const longest = 4000

/** Nodes behind which a word ends. */
const blocks = new Set(['paragraph', 'heading', 'code', 'listItem', 'tableCell', 'blockquote', 'break', 'definition'])

/** The words of a Markdown body without its marks, cut to 4,000 characters. Link targets are left out. */
export function searchText(value: string, engine: Engine): string {
  const body = value.slice(0, 2 * longest)
  return squeeze(isProse(body) ? markdownText(body, engine) : body).slice(0, longest)
}

function markdownText(value: string, engine: Engine): string {
  const parts: string[] = []
  visit(parseMarkdown(value, engine), (node: Nodes) => {
    if (blocks.has(node.type)) parts.push(' ')
    if (node.type === 'html') parts.push(node.value.replace(/<[^<>]*>/g, ' '))
    else if ('value' in node) parts.push(node.value)
    else if (node.type === 'image' || node.type === 'imageReference') parts.push(node.alt ?? '')
  })
  return parts.join('')
}

/**
 * One line with single blanks, without controls. What the index takes for a sign of its own, or the page that shows
 * its hits for the border of hidden words, is taken apart: a transcript may hold anything.
 */
export function squeeze(text: string): string {
  return text
    .replace(/[\s\0-\x1F\x7F\u200B]+/g, ' ')
    .replace(/___(?=(?:END_)?PAGEFIND_)/g, '__ ')
    .replaceAll(hiddenMark, '~ ^ ~')
    .trim()
}
