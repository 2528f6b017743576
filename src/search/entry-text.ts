/** How a text stands in the pruned page: what it counts, where its heading ends, and its hidden words. */

import type { Element, ElementContent } from 'hast'
import {
  lettersBehindDigits,
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

/** What a word counts by the kind of text that it stands in; the title, a field of its own, counts more than all. */
const weights: Readonly<Partial<Record<EntryKind, number>>> = { prompt: 5, answer: 3, command: 2, edit: 2, error: 2 }

/** Kinds of places, by the names that a query takes (docs/cli.md); `mcp` is a tool of a server. */
export type EntryKind =
  | 'prompt'
  | 'answer'
  | 'commentary'
  | 'thought'
  | 'command'
  | 'output'
  | 'edit'
  | 'tool'
  | 'mcp'
  | 'plan'
  | 'search'
  | 'agent'
  | 'question'
  | 'notice'
  | 'error'
  | 'context'

/**
 * An empty element by which a hit leads to the item, named by the kind, then the text with its hidden words. No element
 * that ends a sentence: the index would put a full stop behind it. None without a text.
 */
export function entry(kind: EntryKind, id: string, text: string): ElementContent[] {
  const body = more(kind, text)
  return body.length === 0 ? [] : [h(`x-${kind}`, { id }), ...body]
}

/** More text of the item before. */
export function more(kind: EntryKind, text: string): ElementContent[] {
  const line = squeeze(text)
  if (line === '') return []
  const words = hiddenWords(line)
  const hidden = words.length === 0 ? '' : ` ${hiddenBlock(words)}`
  return [{ type: 'text', value: ' ' }, span(kind, line + hidden)]
}

/** Words for the index alone, between marks by which the page that shows a hit leaves them out. */
export function indexOnlyWords(words: readonly string[]): string {
  const texts = words.map(squeeze).flatMap((text) => [text, ...hiddenWords(text)])
  return hiddenBlock([besideMark, ...texts])
}

/** Words between marks, by which the page that shows a hit leaves them out, and the site once the index knows them. */
export function hiddenBlock(words: readonly string[]): string {
  return [hiddenMark, ...words, hiddenMark].join(' ')
}

/** Words for the index alone that some texts need and others do not bring along. */
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

/** UTF-16 units of an output. */
export const maxOutputLength = 32_000

/** Nodes behind which a word ends. */
const blocks = new Set(['paragraph', 'heading', 'code', 'listItem', 'tableCell', 'blockquote', 'break', 'definition'])

/** The words of a Markdown body without its marks; behind them where its links lead. */
export function searchText(value: string, engine: Engine): string {
  return squeeze(isProse(value) ? markdownText(value, engine) : value)
}

/** The words of what a person typed, what was picked from a list by its name; behind them where that is. */
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

/** Stands between code and a letter beside it, as in `` `main.ts`를 ``: nobody sees it, and a word ends and another begins there. */
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

/** Blanks and controls that are not one space: most blanks are, and need not be written again. */
const unsqueezed = /(?: *(?:[^\S ]|[\0-\x1F\x7F\u200B]))[\s\0-\x1F\x7F\u200B]*| {2,}/g

/**
 * One line with single blanks, without controls, letters with their marks as one. What the index takes for a sign of its own, or
 * the page that shows its hits for the border of hidden words, is taken apart: a transcript may hold anything.
 */
export function squeeze(text: string): string {
  return text
    .replace(unsqueezed, ' ')
    .replace(/___(?=(?:END_)?PAGEFIND_)/g, '__ ')
    .replaceAll(hiddenMark, '~ ^ ~')
    .normalize()
    .trim()
}

// Words that a reader looks for and that a text holds only inside longer ones. The index cuts text at blanks, and takes
// a word as a whole and by its parts: `userName.ts` as `usernamets`, `user`, `name` and `ts`. What is made of several
// parts, such as `b.ts` in `src/a/b.ts`, is found by two or three parts that stand beside each other: `src‿a‿b a‿b‿ts b‿ts`.
// They are short and come again in other words, unlike all ends of all paths.

/** Stands around the hidden words of a block; it has no letter, so that the index knows it by no word. */
const hiddenMark = '~^~'

/** Behind the first mark where such words say what no text does: the id of a session, its tags. */
const besideMark = '~^^~'

/**
 * A text of the index without hidden words, once the index knows them: they are a third of its bytes. A sign stays for each, because
 * places are counted in words.
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

/** Parts of one word that are paired: what has more is encoded data. */
const maxParts = 256

/** A word without parts, which most are. */
const plain = /^["'(]?\p{Lu}?\p{Ll}+["').,;:!?]*$/u

/** Has neither runs without blanks nor pictures. */
const ascii = /^[\0-\x7F]*$/

/** The hidden words of a line with single blanks, each once: two and three parts in a row, words with their signs, and pairs of unspaced characters. */
export function hiddenWords(line: string): string[] {
  const found = new Set<string>()
  for (const word of new Set(line.normalize('NFC').split(' '))) {
    if (plain.test(word)) continue
    for (const hidden of hiddenIn(word)) found.add(hidden)
    // As it looks, too.
    if (word.includes(codeBorder)) for (const hidden of hiddenIn(word.replaceAll(codeBorder, ''))) found.add(hidden)
  }
  return [...found]
}

/** Hidden words of those that were read last: names and paths come again in text after text. */
const known = new Map<string, readonly string[]>()
const maxKnown = 8192
/** UTF-16 units of a word that is remembered. */
const maxKnownLength = 80

function hiddenIn(word: string): readonly string[] {
  const before = known.get(word)
  if (before !== undefined) return before
  if (word.length > maxKnownLength) return wordsBehind(word)
  // Without the text that it was cut from.
  const own = detached(word)
  const words = wordsBehind(own)
  if (known.size >= maxKnown) known.clear()
  known.set(own, words)
  return words
}

function wordsBehind(word: string): readonly string[] {
  const pieces = ascii.test(word) ? [word] : word.split(unspaced)
  // Every other one is a run; what stands beside one is no word to the index.
  const isBeside = pieces.length > 1
  return pieces.flatMap((piece, at) => (at % 2 === 1 ? pairs(piece) : compoundWords(piece, isBeside)))
}

/** The index cuts words at ASCII signs but for this one, and at no others: `left—right`, `“a/b`, `“so”` behind a word. */
const uncut = /[^\0-\x7F\p{L}\p{M}\p{N}]|`/u

/** Pairs of characters that overlap, and the last one alone: any run of two or more is found by its pairs. */
function pairs(run: string): string[] {
  const letters = lettersOf(run)
  return letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`)
}

const isByte = (text: string): boolean => text.length === 1 && text < '\x80'

/** Letters and digits in one part. */
const mixed = /\p{L}\p{N}|\p{N}\p{L}/u

/** The words that stand for a compound word; none for a plain one, unless it stands beside a run without blanks. */
function compoundWords(word: string, isBeside: boolean): string[] {
  const found = partsOf(word, maxParts)
  const isUncut = isBeside || (found.length > 1 && uncut.test(word))
  const parts = isUncut ? found.flatMap(({ text }) => (text.length <= maxNameLength ? [text] : [])) : []
  const pictures = ascii.test(word) ? [] : pictureWords(word)
  return [...pictures, ...parts, ...found.flatMap((part) => wordsOf(part, found.length > 1)), ...runsOf(found)]
}

/** What the index must know of a part beside itself, alone or within a compound word. */
function wordsOf({ text, signed, pair, triple }: WordPart, isCompound: boolean): string[] {
  const isMixed = mixed.test(text) && text.length <= maxNameLength
  const letters = isMixed ? lettersBehindDigits(text) : undefined
  // The index cuts these where digits begin, as part of another word, and leaves out parts of one byte.
  const own = isCompound && (isMixed || isByte(text)) ? [text] : []
  const words = [...signed, ...(letters === undefined ? [] : [letters]), ...own]
  return [...words, ...(pair ? [pair] : []), ...(triple ? [triple] : [])]
}

/** Identifiers of more than three parts as one word: of fewer they are a pair or a triple. */
function runsOf(found: readonly WordPart[]): string[] {
  const runs: string[][] = []
  for (const { text, isNext } of found) {
    if (isNext) runs.at(-1)?.push(text)
    else runs.push([text])
  }
  return runs.flatMap((run) => (run.length > 3 && run.length <= maxNameLength ? [run.join('')] : []))
}
