// Turns what a reader typed into terms as the index has them.
import { fields, kindOf, kinds, operatorIn, readTokens, tokensOf } from './grammar.js'
import { lettersAfterDigits, lettersOf, maxNameLength, partsOf, pictureWords, unspaced } from './parts.js'
import { formsOfSign, literalSource } from './signs.js'

/** Whether a text has letters of a script without spaces between words, which the index has as pairs. */
export function isUnspaced(text) {
  return unspaced.test(text) && /\p{L}/u.test(text)
}

/** The index words for a typed word: pairs or triples of its parts, its parts with their signs, or the word itself. */
export function termsOf(typed) {
  return typed
    .normalize('NFC')
    .split(unspaced)
    .flatMap((part) => (isUnspaced(part) ? pairs(part) : compound(part)))
}

function compound(word) {
  const found = partsOf(word)
  const words = found.flatMap(({ text, signed, pair, triple }, at) => {
    const next = found[at + 1]
    // A pair that is part of a triple is not needed.
    const own = triple ?? (next?.triple === undefined ? pair : undefined)
    const isAlone = pair === undefined && next?.pair === undefined && signed.length === 0
    const isKnown = found.length === 1 || text.length <= maxNameLength
    return [...signed, ...(own ? [own] : []), ...(isAlone && isKnown ? [text] : [])]
  })
  return [...pictureWords(word), ...words]
}

/** Overlapping pairs of characters; a single character stays alone. */
function pairs(run) {
  const letters = lettersOf(run)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter)
}

/** A text without diacritics but of the same length, so that offsets of what is found in it are valid in the text. */
export function folded(text) {
  return text.replace(/[\u0080-\uFFFF]/g, (letter) => {
    const plain = letter.normalize('NFD')
    return plain.length > 1 && /^\p{L}\p{M}+$/u.test(plain) ? plain[0] : letter
  })
}

const anyPathSign = `[${formsOfSign('-')}/\\\\_.:]`
const pathSign = new RegExp(`^${anyPathSign}$`)

/**
 * A pattern that finds a typed text in folded text, with any whitespace between words, and with any path sign for one inside the
 * text, unless it `isExact` or has digits.
 */
function patternOf(text, isExact = false) {
  const loose = folded(text.normalize('NFC')).replace(/\s+/g, ' ')
  const source = [...loose.matchAll(/\s|[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\s]+/gu)].map(({ 0: run, index }) => {
    if (run === ' ') return '\\s+'
    const isInside = index > 0 && index + run.length < loose.length
    if (isInside && !isExact && pathSign.test(run) && !/\d/.test(loose)) return anyPathSign
    // An invisible joiner separates code from letters, and occurs within joined letters too.
    return inWord.test(run) ? [...run].join('\u200D?') : literalSource(run)
  })
  // Variation selectors are optional, and so are Markdown's marks around code and around strong or deleted words.
  const whole = source
    .join('')
    .replaceAll('\uFE0F', '\uFE0F?')
    .replace(/`+/g, '[`\u200D]*')
    .replace(/(?:\\\*){2,3}|~~/g, '(?:$&)?')
  return new RegExp(whole, 'giu')
}

/** Combining marks, and Korean letters outside of syllables: the text of a page may contain them as separate characters. */
const combining = /[\u0300-\u036F\u1100-\u11FF]/

/** The letters that have marks, with these, in order. */
function markedLetters(text) {
  return (
    text
      .normalize('NFD')
      .toLowerCase()
      .match(/\p{L}\p{M}+/gu)
      ?.join() ?? ''
  )
}

/**
 * What `isAsTyped` needs to check that a match has the same signs, and the same marks if any were typed; `undefined` if the
 * pattern finds nothing else.
 */
function exactly(text, pattern) {
  const [{ source }, marks] = [patternOf(text, true), markedLetters(text)]
  return source === pattern.source && marks === '' ? undefined : { whole: new RegExp(`^(?:${source})$`, 'iu'), marks }
}

/** Whether a match of a term is what was typed, except for its letter case. */
export function isAsTyped(found, { exact }) {
  if (exact === undefined) return true
  return (
    (exact.marks === '' || markedLetters(found) === exact.marks) && exact.whole.test(folded(found.normalize('NFC')))
  )
}

/** A pattern that also matches letters whose marks are separate characters. */
function withSeparateMarks(pattern, text) {
  const letters = text
    .normalize('NFD')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\p{L})[\u0300-\u036F]+/gu, '')
  const sources = [...letters].map((letter) => (letter === ' ' ? '\\s+' : `${literalSource(letter)}[\\u0300-\\u036F]*`))
  return new RegExp(`${sources.join('')}|${pattern.source}`, 'giu')
}

/**
 * One term of a query. `terms`: the index words that a page must have, each as a whole word if it `isWholeWord`; `isPhrase`:
 * several words in a row. `row`: some words of the phrase, or a path as a single word. `isInside`: it may be inside a word;
 * `exact`: set if its pattern also finds what was not typed exactly so; `isSure`: the index decides without the texts of pages.
 * If the index cannot decide, the most selective of `terms` comes first.
 */
export function termOf(text, { field = 'text', isWholeWord = false, isOpen = false, isInside = false } = {}) {
  const words = text.split(/\s+/u).filter(Boolean)
  const isPhrase = words.length > 1
  // The index has the end of a path or a name without the sign before it: `file:.md`.
  const asWords = field === 'text' ? words : words.map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
  const terms = asWords.flatMap(termsOf)
  const whole = isWholeWord || (isPhrase && !isOpen)
  const isPlain = words.every(
    (word) => termsOf(word).length === 1 && /^\p{L}[\p{L}\p{N}]*$/u.test(word) && !isUnspaced(word),
  )
  // In a script without spaces, the index has a single letter as the first of a pair.
  const isBeginning = (term, at) =>
    at === terms.length - 1 && (!isWholeWord || (isUnspaced(term) && [...term].length === 1))
  const indexWords = terms.map((term, at) => ({ text: term, isWholeWord: !isPhrase && !isBeginning(term, at) }))
  // To the index, `1.340` is also 1340, and it does not know whether pairs and long parts follow each other.
  const pattern = patternOf(text)
  const exact = exactly(text, pattern)
  const isShort = terms.length <= maxSure && text.length <= maxNameLength
  const isSure = field === 'text' && !isPhrase && isShort && !/\p{N}/u.test(text) && !(isWholeWord && exact)
  // Pagefind itself finds words in a row if each is one of its words, but not within compound words.
  const neighbours = isPlain && whole ? longestRow(words.map((word) => word.toLowerCase())).join(' ') : undefined
  return {
    ...{ text, field, isPhrase, isWholeWord, isInside, isSure },
    ...{ pattern, patternWithMarks: withSeparateMarks(pattern, text), exact },
    // If only the texts of pages can decide, the most selective words leave the fewest to read.
    terms: isSure ? indexWords : selectiveFirst(indexWords),
    row: isPhrase ? neighbours : wholeOf(text, terms),
  }
}

/** The term in lower case, as a list: pages may have it without the capitals that split its words. Empty if none split any. */
export function inSmallLetters(term) {
  const small = { ...term, terms: termOf(term.text.toLowerCase(), term).terms }
  const wordsOf = ({ terms }) => terms.map(({ text }) => text).join(' ')
  return wordsOf(small) === wordsOf(term) ? [] : [small]
}

/** A text that needs several index words, such as a path, as the one word that it is to the index if nothing adjoins it. */
function wholeOf(text, { length }) {
  if (length < 2 || isUnspaced(text)) return undefined
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Pc}]/gu, '') || undefined
}

/** At most so many index words of a term can be left to the index; if there are more, the texts of pages decide. */
const maxSure = 3

/**
 * The index words, the most selective first: whole words before beginnings, then longer ones, and among equally long ones, such
 * as pairs of characters, those that are far from each other.
 */
function selectiveFirst(terms) {
  const step = Math.max(1, Math.floor((terms.length - 1) / 3))
  return terms
    .map((term, at) => ({ term, rank: (at % step) * terms.length + at }))
    .sort(
      (a, b) => b.term.isWholeWord - a.term.isWholeWord || b.term.text.length - a.term.text.length || a.rank - b.rank,
    )
    .map(({ term }) => term)
}

/** The maximum number of words of a phrase that the index is asked for: nearly each of them is in another file. */
const maxRow = 4

/** The `maxRow` neighbouring words of a phrase that have the most letters. */
function longestRow(words) {
  const rows = words.slice(0, Math.max(1, words.length - maxRow + 1)).map((_, at) => words.slice(at, at + maxRow))
  return rows.reduce((best, row) => (row.join('').length > best.join('').length ? row : best))
}

/** Characters that the texts of the index replace by a space. */
const blank = /[\0-\x1F\x7F\u200B]/g

/** Invisible characters, which the texts of the index omit. */
const hidden = /[\x80-\x9F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]+/g

/** A kind that no item has: an empty list asks for all. */
const noKind = 'none'

/**
 * Reads a query. A page must have at least one term of each list in `all`; turns with a term of `none` do not count. `filters`
 * maps names of operators to lists of `{ value, isExcluded }`, `kinds` are kinds of items, `unindexed` are texts without any
 * index word. `row`: the words in a row as they were typed, which only improves the rank. `chosen` are kinds that were chosen
 * elsewhere: `kind:` adds to them, and `-kind:` removes from them.
 */
export function readQuery(text, chosen = []) {
  const query = { all: [], none: [], filters: {}, kinds: [...chosen], unindexed: [] }
  const sources = tokensOf(text.replace(blank, ' ').replace(hidden, '')).map(({ source }) => source)
  const tokens = readTokens(sources)
  for (const token of tokens) addToken(query, token)
  query.row = rowOf(sources)
  const unwanted = tokens.flatMap(({ field, isExcluded, text: name }) =>
    field === 'kind' && isExcluded ? [kindOf(name)] : [],
  )
  if (unwanted.length > 0) {
    const remaining = (query.kinds.length > 0 ? query.kinds : kinds).filter((kind) => !unwanted.includes(kind))
    query.kinds = remaining.length > 0 ? remaining : [noKind]
  }
  return query
}

/** The words as they were typed, without the list mark of a pasted line; `undefined` for a single word. */
function rowOf(sources) {
  const typed = sources.filter((source) => operatorIn(source) === undefined).join(' ')
  const row = typed.replace(/^(?:\d{1,3}[.)]\s+|[^\p{L}\p{N}]+)+/u, '')
  return /\s/.test(row) ? termOf(row, { isOpen: true }) : undefined
}

function addToken(query, { field, text, isExcluded, isJoined, isQuoted, isWholeWord, isOpen }) {
  if (field === 'text' || fields.includes(field)) {
    const term = termOf(text, { field, isOpen, isWholeWord: isWholeWord || isQuoted })
    if (term.terms.length > 0) addTerm(query, term, { isExcluded, isJoined })
    else query.unindexed.push(text)
  } else if (field !== 'kind') {
    query.filters[field] = [...(query.filters[field] ?? []), { value: text, isExcluded }]
  } else if (!isExcluded) query.kinds.push(kindOf(text) ?? text)
}

function addTerm({ all, none }, term, { isExcluded, isJoined }) {
  if (isExcluded) none.push(term)
  else if (isJoined && all.length > 0) all.at(-1).push(term)
  else all.push([term])
}

/** Where a term matches in a text, as a list of `[from, to]`. */
export function spansOf(text, term, plain = folded(text)) {
  const { pattern, patternWithMarks, isWholeWord, isInside } = term
  const spans = []
  for (const { index, 0: found } of plain.matchAll(combining.test(text) ? patternWithMarks : pattern)) {
    const end = index + found.length
    if (found === '' || (!isInside && !begins(text, index)) || (isWholeWord && !ends(text, end))) continue
    if (isWholeWord && !isAsTyped(text.slice(index, end), term)) continue
    spans.push([index, end])
  }
  return spans
}

/** A character within a word; not a variation selector or the mark of a keycap, after which a word begins. */
const inWord = /[\p{L}\p{N}]|(?![\uFE00-\uFE0F\u20E3])\p{M}/u
/** How many characters before and after an offset decide whether a word begins there. */
const maxHead = 64

/** Whether a word, or a part of a compound word, begins at an offset. */
function begins(text, at) {
  const [last, first] = [text[at - 1] ?? ' ', text[at]]
  if (!inWord.test(first) || !inWord.test(last) || isUnspaced(first)) return true
  // A version after its `v`.
  if (/\d/.test(first) && /v/i.test(last) && !inWord.test(text[at - 2] ?? ' ')) return true
  if (/\p{N}/u.test(last) && lettersAfterDigits(partAt(text, at)) !== undefined) return true
  return /\p{Lu}/u.test(first) && (/[\p{Ll}\p{N}]/u.test(last) || /\p{Ll}/u.test(text[at + 1] ?? ''))
}

/** The part of a word around an offset, up to the end of the letters that begin there, and a digit after them. */
function partAt(text, at) {
  const head = /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, at - maxHead), at))[0]
  return head + /^[\p{L}\p{M}]*?(?:\p{N}|(?=\p{Lu}|[^\p{L}\p{M}]|$))/u.exec(text.slice(at, at + maxHead))[0]
}

function ends(text, at) {
  const [last, next] = [text[at - 1], text[at] ?? ' ']
  return !inWord.test(next) || !inWord.test(last) || isUnspaced(last) || (/\p{Ll}/u.test(last) && /\p{Lu}/u.test(next))
}
