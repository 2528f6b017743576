/** How a text is written into the pruned page: its weight, the element before it, and its hidden words. */

import type { Element, ElementContent } from 'hast'
import type { TextKind } from '../../templates/assets/search/grammar.js'
import {
  lettersAfterDigits,
  lettersOf,
  maxNameLength,
  partsOf,
  pictureWords,
  unspaced,
  type WordPart,
} from '../../templates/assets/search/parts.js'
import { h } from '../render/hast.ts'
import type { Engine } from '../render/transcript/prose/engine.ts'
import { walk } from '../render/transcript/prose/marks.ts'
import { isProse, readProse } from '../render/transcript/prose/read.ts'
import { readTyped, typedPieces, type WordPiece } from '../render/transcript/prose/typed.ts'
import { detached } from '../util/json.ts'

/** The weight of a word by the kind of text that contains it. The title is a separate field and outweighs them all. */
const weights: Readonly<Partial<Record<EntryKind, number>>> = { prompt: 5, answer: 3, command: 2, edit: 2, error: 2 }

/** Kinds of text, by the names that a query uses (docs/cli.md); `mcp` is a tool of a server. */
export type EntryKind = TextKind | 'mcp'

/**
 * An empty element named after the kind, by which a hit leads to the item, followed by the text with its hidden words. No element
 * is used that ends a sentence, because the index would add a full stop. Nothing if there is no text.
 */
export function entry(kind: EntryKind, id: string, text: string): ElementContent[] {
  const body = more(kind, text)
  return body.length === 0 ? [] : [h(`x-${kind}`, { id }), ...body]
}

/** More text of the preceding item. */
export function more(kind: EntryKind, text: string): ElementContent[] {
  const line = squeeze(text)
  if (line === '') return []
  const words = hiddenWords(line)
  const hidden = words.length === 0 ? '' : ` ${hiddenBlock(words)}`
  return [{ type: 'text', value: ' ' }, span(kind, line + hidden)]
}

/** Words for the index only, between marks that let the page with the hits leave them out. */
export function indexOnlyWords(words: readonly string[]): string {
  const texts = words.map(squeeze).flatMap((text) => [text, ...hiddenWords(text)])
  return hiddenBlock([besideMark, ...texts])
}

/** Words between marks, which let the page with the hits leave them out, and the site as well once the index has them. */
export function hiddenBlock(words: readonly string[]): string {
  return [hiddenMark, ...words, hiddenMark].join(' ')
}

/** The hidden words that some texts need and that others do not already provide. */
export function wordsBeyond(texts: readonly string[], others: readonly string[]): string[] {
  const hidden = (text: string): string[] => hiddenWords(squeeze(text))
  const known = new Set(others.flatMap(hidden))
  return [...new Set(texts.flatMap(hidden).filter((word) => !known.has(word)))]
}

function span(kind: EntryKind, text: string): Element {
  const weight = weights[kind]
  return h('span', weight === undefined ? {} : { dataPagefindWeight: weight }, ` ${text} `)
}

// Prose as plain text, for the search index.

/** Indexed UTF-16 units of an output. */
export const maxOutputLength = 32_000

/** Nodes at which a word ends. */
const blocks = new Set(['paragraph', 'heading', 'code', 'listItem', 'tableCell', 'blockquote', 'break', 'definition'])

/** The words of a Markdown body without its markup, followed by the targets of its links. */
export function searchText(value: string, engine: Engine): string {
  return squeeze(isProse(value) ? markdownText(value, engine) : value)
}

/** The words that a person typed, with the names of things that were picked from a list, followed by their targets. */
export function typedSearchText(value: string): string {
  const targets: string[] = []
  const pieces = typedPieces(readTyped(value), (part) => {
    if (part.kind === 'mention') targets.push(part.target)
    return part.value
  })
  return squeeze(withTargets(withBorders(pieces), targets))
}

function markdownText(value: string, engine: Engine): string {
  const pieces: WordPiece[] = []
  const add = (text: string, isCode = false): void => void pieces.push({ text, isCode })
  const targets: string[] = []
  walk(readProse(value, engine), (node) => {
    if (blocks.has(node.type)) add(' ')
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') targets.push(node.url)
    if (node.type === 'html') add(node.value.replace(/<[^<>]*>/g, ' '))
    else if (node.type === 'mathematics') add(node.tex)
    else if ('value' in node) add(node.value, node.type === 'inlineCode')
    else if (node.type === 'image' || node.type === 'imageReference') add(node.alt ?? '')
  })
  return withTargets(withBorders(pieces), targets)
}

function withTargets(text: string, targets: readonly string[]): string {
  return [text, ...targets.filter((target) => !text.includes(target))].join(' ')
}

/** Put between code and an adjacent letter, as in `` `main.ts`를 ``: it is invisible, and separates two words. */
const codeBorder = '\u200D'
const inWord = /[\p{L}\p{M}\p{N}]/u

function withBorders(pieces: readonly WordPiece[]): string {
  let text = ''
  let [last, wasCode] = ['', false]
  for (const { text: piece, isCode } of pieces) {
    if (piece === '') continue
    if ((isCode || wasCode) && inWord.test(last) && inWord.test(piece.charAt(0))) text += codeBorder
    text += piece
    ;[last, wasCode] = [piece.charAt(piece.length - 1), isCode]
  }
  return text
}

/** Whitespace and control characters other than one space; most whitespace is a single space and need not be rewritten. */
const unsqueezed = /(?: *(?:[^\S ]|[\0-\x1F\x7F\u200B]))[\s\0-\x1F\x7F\u200B]*| {2,}/g

/**
 * Text on one line with single spaces, without control characters, and with letters and their marks composed. Anything that the
 * index or the page with the hits would take for one of its own marks is broken up, because a transcript may contain anything.
 */
export function squeeze(text: string): string {
  return text
    .replace(unsqueezed, ' ')
    .replace(/___(?=(?:END_)?PAGEFIND_)/g, '__ ')
    .replaceAll(hiddenMark, '~ ^ ~')
    .normalize()
    .trim()
}

// Words that a reader searches for and that a text contains only inside longer ones. The index splits text at whitespace, and
// knows a word as a whole and by its parts: `userName.ts` as `usernamets`, `user`, `name` and `ts`. A word of several parts, such
// as `b.ts` in `src/a/b.ts`, is found by two or three adjacent parts: `src‿a‿b a‿b‿ts b‿ts`. Unlike all endings of all paths,
// these are short and recur in other words.

/** Put around the hidden words of a block; it contains no letter, so the index does not know it as a word. */
const hiddenMark = '~^~'

/** Follows the first mark if the hidden words say what no text says: the id of a session, its tags. */
const besideMark = '~^^~'

/**
 * A text of the index without its hidden words, which are no longer needed once the index has them, and are a third of its bytes.
 * Each is replaced by one character, because positions are counted in words.
 */
export function withoutHiddenWords(content: string): string {
  let isHidden = false
  let last = ''
  let isBeside = false
  return content.replace(/[\S\uFEFF]+/gu, (token) => {
    if (token === hiddenMark) {
      isHidden = !isHidden
      isBeside = false
    } else if (last === hiddenMark && token === besideMark) isBeside = isHidden
    last = token
    return isHidden && !isBeside && token !== hiddenMark ? '~' : token
  })
}

/** Most parts of one word that are combined; a word with more is encoded data. */
const maxParts = 256

/** A word without parts; most words are. */
const plain = /^["'(]?\p{Lu}?\p{Ll}+["').,;:!?]*$/u

/** Text with neither runs of an unspaced script nor emoji. */
const ascii = /^[\0-\x7F]*$/

/**
 * The hidden words of a line with single spaces, without repeats: two and three parts in a row, words with their punctuation, and
 * pairs of unspaced characters.
 */
export function hiddenWords(line: string): string[] {
  const found = new Set<string>()
  for (const word of new Set(line.normalize('NFC').split(' '))) {
    if (plain.test(word)) continue
    for (const hidden of hiddenIn(word)) found.add(hidden)
    // The word as it looks is indexed too.
    if (word.includes(codeBorder)) for (const hidden of hiddenIn(word.replaceAll(codeBorder, ''))) found.add(hidden)
  }
  return [...found]
}

/** Hidden words of recent words, because names and paths recur in text after text. */
const cachedWords = new Map<string, readonly string[]>()
const maxCached = 8192
/** Longest word that is cached, in UTF-16 units. */
const maxCachedLength = 80

function hiddenIn(word: string): readonly string[] {
  const before = cachedWords.get(word)
  if (before !== undefined) return before
  if (word.length > maxCachedLength) return computeWords(word)
  // A copy, so that the text it was cut from is not kept alive.
  const own = detached(word)
  const words = computeWords(own)
  if (cachedWords.size >= maxCached) cachedWords.clear()
  cachedWords.set(own, words)
  return words
}

function computeWords(word: string): readonly string[] {
  const pieces = ascii.test(word) ? [word] : word.split(unspaced)
  // Every other piece is a run. The index does not know the pieces next to one as words.
  const isBeside = pieces.length > 1
  return pieces.flatMap((piece, at) => (at % 2 === 1 ? pairs(piece) : compoundWords(piece, isBeside)))
}

/**
 * Characters at which the index does not split: it splits words at ASCII punctuation except the backtick, and nowhere else.
 * Examples: `left—right`, `“a/b`, `“so”` after a word.
 */
const uncut = /[^\0-\x7F\p{L}\p{M}\p{N}]|`/u

/** Overlapping pairs of characters, and the last one alone: any run of two or more is found by its pairs. */
function pairs(run: string): string[] {
  const letters = lettersOf(run)
  return letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`)
}

const isByte = (text: string): boolean => text.length === 1 && text < '\x80'

/** Letters and digits within one part. */
const mixed = /\p{L}\p{N}|\p{N}\p{L}/u

/** The hidden words of a compound word; none for a plain one, unless it is next to a run of an unspaced script. */
function compoundWords(word: string, isBeside: boolean): string[] {
  const found = partsOf(word, maxParts)
  const isUncut = isBeside || (found.length > 1 && uncut.test(word))
  const parts = isUncut ? found.flatMap(({ text }) => (text.length <= maxNameLength ? [text] : [])) : []
  const pictures = ascii.test(word) ? [] : pictureWords(word)
  return [...pictures, ...parts, ...found.flatMap((part) => wordsOf(part, found.length > 1)), ...runsOf(found)]
}

/** What the index must know about a part besides the part itself, alone or inside a compound word. */
function wordsOf({ text, signed, pair, triple }: WordPart, isCompound: boolean): string[] {
  const isMixed = mixed.test(text) && text.length <= maxNameLength
  const letters = isMixed ? lettersAfterDigits(text) : undefined
  // Inside another word, the index splits these where digits begin, and omits parts of one byte.
  const own = isCompound && (isMixed || isByte(text)) ? [text] : []
  const words = [...signed, ...(letters === undefined ? [] : [letters]), ...own]
  return [...words, ...(pair ? [pair] : []), ...(triple ? [triple] : [])]
}

/** Identifiers of more than three parts as one word; shorter ones are already a pair or a triple. */
function runsOf(found: readonly WordPart[]): string[] {
  const runs: string[][] = []
  for (const { text, isNext } of found) {
    if (isNext) runs.at(-1)?.push(text)
    else runs.push([text])
  }
  return runs.flatMap((run) => (run.length > 3 && run.length <= maxNameLength ? [run.join('')] : []))
}
