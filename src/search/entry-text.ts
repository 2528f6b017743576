/** How a text stands in the pruned page: what it counts, where its heading ends, and its hidden words. */

import type { Element, ElementContent } from 'hast'
import { h } from '../render/hast.ts'
import type { Engine } from '../render/transcript/prose/engine.ts'
import { walk } from '../render/transcript/prose/marks.ts'
import { isProse, readProse } from '../render/transcript/prose/read.ts'
import { readTyped, typedWords } from '../render/transcript/prose/typed.ts'

/** What a word counts by the kind of text that it stands in; the title, a field of its own, counts more than all. */
const weights: Readonly<Partial<Record<EntryKind, number>>> = { prompt: 5, answer: 3, command: 2, edit: 2, error: 2 }

/** Kinds of places, by the names that a query takes (docs/cli.md); `mcp` is a tool of a server. */
export type EntryKind =
  | 'prompt'
  | 'answer'
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
  const hidden = words.length === 0 ? [] : [span(kind, [hiddenMark, ...words, hiddenMark].join(' '))]
  return [{ type: 'text', value: ' ' }, span(kind, line), ...hidden]
}

/** Words for the index alone, between marks by which the page that shows a hit leaves them out. */
export function beside(words: readonly string[]): string {
  const texts = words.flatMap((text) => [text, ...hiddenWords(text)])
  return [hiddenMark, ...texts.map(squeeze), hiddenMark].join(' ')
}

function span(kind: EntryKind, text: string): Element {
  const weight = weights[kind]
  return h('span', weight === undefined ? {} : { dataPagefindWeight: weight }, ` ${text} `)
}

// Prose as plain text, for the search index.

/** UTF-16 units of what no person and no model said: an argument, a diff, an output. */
export const longest = 32_000

/** Nodes behind which a word ends. */
const blocks = new Set(['paragraph', 'heading', 'code', 'listItem', 'tableCell', 'blockquote', 'break', 'definition'])

/** The words of a Markdown body without its marks; behind them where its links lead. */
export function searchText(value: string, engine: Engine): string {
  return squeeze(isProse(value) ? markdownText(value, engine) : value)
}

/** The words of what a person typed. */
export function typedSearchText(value: string): string {
  return squeeze(typedWords(readTyped(value)))
}

function markdownText(value: string, engine: Engine): string {
  const parts: string[] = []
  const targets: string[] = []
  walk(readProse(value, engine), (node) => {
    if (blocks.has(node.type)) parts.push(' ')
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') targets.push(node.url)
    if (node.type === 'html') parts.push(node.value.replace(/<[^<>]*>/g, ' '))
    else if (node.type === 'mathematics') parts.push(node.tex)
    else if ('value' in node) parts.push(node.value)
    else if (node.type === 'image' || node.type === 'imageReference') parts.push(node.alt ?? '')
  })
  const text = parts.join('')
  return [text, ...targets.filter((url) => !text.includes(url))].join(' ')
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

// Words that a reader looks for and that a text holds only inside longer ones. The index cuts text at blanks, and takes
// a word as a whole and by its parts: `userName.ts` as `usernamets`, `user`, `name` and `ts`. What is made of several
// parts, such as `b.ts` in `src/a/b.ts`, is found by pairs of parts that stand beside each other: `src‿a a‿b b‿ts`. They
// are short and come again in other words, unlike all ends of all paths.

/** Stands around the hidden words of a block; it has no letter, so that the index knows it by no word. */
const hiddenMark = '~^~'

/** Parts of one word that are paired, and the length of one: what has more, or is longer, is encoded data. */
const maxParts = 256
const longestPart = 64

/** Runs of scripts that are written without blanks between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu

/** A word without parts, which most are. */
const plain = /^["'(]?\p{Lu}?\p{Ll}+["').,;:!?]*$/u

/** The hidden words of a text, each once: pairs of parts, words with their signs, and pairs of unspaced characters. */
export function hiddenWords(text: string): string[] {
  const found = new Set<string>()
  for (const word of text.normalize('NFC').split(/\s+/)) {
    for (const run of word.match(unspaced) ?? []) for (const pair of pairs(run)) found.add(pair)
    if (!plain.test(word)) for (const part of word.split(unspaced).flatMap(compoundWords)) found.add(part)
  }
  return [...found]
}

/** Pairs of characters that overlap, and the last one alone: any run of two or more is found by its pairs. */
function pairs(run: string): string[] {
  // The index leaves out marks above and below letters.
  const letters = [...run.replace(/[^\p{L}\p{N}]/gu, '')]
  return letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`)
}

// The rest of this file has its twin in `templates/assets/search-query.js`, which reads queries by the same rules.

/** A part: a run of letters and digits, cut where a capital follows a small letter or begins the last word of capitals. */
const parts = /[\p{L}\p{M}\p{N}]+?(?=[^\p{L}\p{M}\p{N}]|$|(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}\p{Ll})/gu

/** Signs that make another word of one where they stand in front of it or behind it, and what the index keeps of them. */
const before: Readonly<Record<string, string>> = { '-': '⁀', '--': '⁀⁀', '.': '⁔', '@': '︳', $: '︴', '#': '﹎' }
const behind: Readonly<Record<string, string>> = { '++': '﹍', '#': '﹏' }
const signed = /(?<![\p{L}\p{N}\p{Pc}.$@#-])(--?|[.@$#])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(\+\+|#)(?![\p{L}\p{N}+#])/gu

/** Letters and digits in one part. */
const mixed = /\p{L}\p{N}|\p{N}\p{L}/u

/** Stands between two parts that a sign parts. */
const joint = '‿'

/** A picture sign or the sign of a currency, which the index would drop. */
const pictures = /\p{Extended_Pictographic}|(?!\$)\p{Sc}/gu

/** A part of a word, whether it follows the one before without a sign, and the signs that make another word of it. */
interface WordPart {
  text: string
  isNext: boolean
  sign: string | undefined
  suffix: string | undefined
}

/** The words that stand for a compound word; none for a plain one. */
function compoundWords(word: string): string[] {
  const found = partsOf(word)
  const signs = [...word.matchAll(pictures)].map(([sign]) => `${joint}${sign.codePointAt(0)?.toString(16)}`)
  return [...signs, ...found.flatMap((part, at) => wordsOf(part, found[at - 1])), ...runsOf(found)]
}

function partsOf(word: string): WordPart[] {
  const signs = new Map(
    [...word.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
  const found = [...word.matchAll(parts)].slice(0, maxParts)
  return found.map(({ 0: part, index }, at) => {
    const last = found[at - 1]
    const isNext = last !== undefined && last.index + last[0].length === index
    const sign = isNext ? undefined : before[signs.get(index) ?? '']
    return { text: part.toLowerCase(), isNext, sign, suffix: behind[signs.get(index + part.length) ?? ''] }
  })
}

/** What the index must know of a part beside itself. */
function wordsOf({ text, isNext, sign, suffix }: WordPart, last: WordPart | undefined): string[] {
  const words = [...(sign === undefined ? [] : [sign + text]), ...(suffix === undefined ? [] : [text + suffix])]
  // The index cuts these where digits begin, as part of another word.
  if (last !== undefined && mixed.test(text) && text.length <= longestPart) words.push(text)
  if (last === undefined || last.text.length + text.length > longestPart) return words
  return [...words, isNext ? last.text + text : `${last.text}${joint}${text}`]
}

/** Identifiers of three parts and more as one word: of two they are a pair. */
function runsOf(found: readonly WordPart[]): string[] {
  const runs: string[][] = []
  for (const { text, isNext } of found) {
    if (isNext) runs.at(-1)?.push(text)
    else runs.push([text])
  }
  return runs.flatMap((run) => (run.length > 2 && run.length <= longestPart ? [run.join('')] : []))
}
