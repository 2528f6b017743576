/** How a text stands in the pruned page: what it counts, where its heading ends, and its hidden words. */

import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { Nodes } from 'mdast'
import { visit } from 'unist-util-visit'
import type { Engine } from '../render/transcript/prose/engine.ts'
import { isProse, readProse } from '../render/transcript/prose/read.ts'
import { readTyped, typedWords } from '../render/transcript/prose/typed.ts'

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

// Prose as plain text, for the search index.

/** UTF-16 units of a body that are indexed: nearly all of every answer, the beginning of pasted logs. */
export const longest = 4000

/** Nodes behind which a word ends. */
const blocks = new Set(['paragraph', 'heading', 'code', 'listItem', 'tableCell', 'blockquote', 'break', 'definition'])

/** The words of a Markdown body without its marks, cut to 4,000 characters. Link targets are left out. */
export function searchText(value: string, engine: Engine): string {
  const body = value.slice(0, 2 * longest)
  return squeeze(isProse(body) ? markdownText(body, engine) : body).slice(0, longest)
}

/** The words of what a person typed, cut to 4,000 characters. */
export function typedSearchText(value: string): string {
  return squeeze(typedWords(readTyped(value.slice(0, 2 * longest)))).slice(0, longest)
}

function markdownText(value: string, engine: Engine): string {
  const parts: string[] = []
  visit(readProse(value, engine), (node: Nodes) => {
    if (blocks.has(node.type)) parts.push(' ')
    if (node.type === 'html') parts.push(node.value.replace(/<[^<>]*>/g, ' '))
    else if (node.type === 'mathematics') parts.push(node.tex)
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

// Words that a reader looks for and that a text holds only inside longer ones. The index cuts text at blanks, takes a
// cut word as a whole and by its parts between punctuation, and finds words by their beginnings. It therefore misses
// `b.ts` in `src/a/b.ts`, `Name` in `userName` and every word of a language that is written without blanks.

/** Stands around the hidden words of a block; it has no letter, so that the index knows it by no word. */
const hiddenMark = '~^~'

/** Ends of words in one block at most. */
const maxEndsInBlock = 200
/** Ends of one word at most, the shortest ones: the last parts of a path say most. */
const maxEnds = 8
/** Words above this length are hashes, encoded data and the like. */
const longestWord = 160

/** Runs of scripts that are written without blanks between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** Where a part of a word begins: behind punctuation, at a capital behind a small letter, at the last of capitals. */
const partStart = /(?<=[^\p{L}\p{M}\p{N}])(?=[\p{L}\p{N}])|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** The hidden words of a text, each once: ends of compound words, and pairs of unspaced characters. */
export function hiddenWords(text: string): string[] {
  const foundEnds = new Set<string>()
  const foundPairs = new Set<string>()
  for (const word of text.normalize('NFC').split(/\s+/)) {
    for (const run of word.match(unspaced) ?? []) for (const pair of pairs(run)) foundPairs.add(pair)
    if (word.length <= longestWord && foundEnds.size < maxEndsInBlock) for (const end of ends(word)) foundEnds.add(end)
  }
  return [...foundEnds, ...foundPairs]
}

/** Overlapping pairs of characters, and the last one alone: any run of two or more is found by its pairs. */
function pairs(run: string): string[] {
  // The index leaves out marks above and below letters.
  const letters = [...run.replace(/[^\p{L}\p{N}]/gu, '')]
  return letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`)
}

/** Ends of a word that begin at a part and that the index would not know by itself. */
function ends(word: string): string[] {
  const plain = word.replace(/[^\p{L}\p{N}]+$/u, '')
  const isCompound = /[^\p{L}\p{N}]/u.test(word)
  return [...plain.matchAll(partStart)]
    .filter(({ index }) => index > 0)
    .slice(-maxEnds)
    .map(({ index }) => plain.slice(index))
    .filter((end) => isTelling(end) && !(isCompound && /^\p{L}\p{Ll}*$/u.test(end)))
}

/** Two characters with a letter among them, or a number of three digits. */
function isTelling(end: string): boolean {
  return end.length > 1 && (/\p{L}/u.test(end) || /\d{3}/.test(end))
}
