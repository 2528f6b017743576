// What a reader typed, as the index knows words.
import { fields, kindOf, kinds, operatorIn, readTokens, tokensOf } from './grammar.js'
import { lettersBehindDigits, lettersOf, maxNameLength, partsOf, pictureWords, unspaced } from './parts.js'
import { formsOfSign, literalSource } from './signs.js'

/** Whether a text has characters of a script that is written without blanks between words: the index holds them as pairs. */
export function isUnspaced(text) {
  return unspaced.test(text) && /\p{L}/u.test(text)
}

/** Words of the index that a word without blanks needs: pairs of its parts, three numbers, the word with its sign, or itself. */
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
    // What is in a triple needs no pair.
    const own = triple ?? (next?.triple === undefined ? pair : undefined)
    const isAlone = pair === undefined && next?.pair === undefined && signed.length === 0
    const isKnown = found.length === 1 || text.length <= maxNameLength
    return [...signed, ...(own ? [own] : []), ...(isAlone && isKnown ? [text] : [])]
  })
  return [...pictureWords(word), ...words]
}

/** Overlapping pairs of characters; a single one stands alone. */
function pairs(run) {
  const letters = lettersOf(run)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter)
}

/** Small letters without marks above and below them, as many as there were: what is found in them stands at its place. */
export function folded(text) {
  return text.replace(/[\u0080-\uFFFF]/g, (letter) => {
    const plain = letter.normalize('NFD')
    return plain.length > 1 && /^\p{L}\p{M}+$/u.test(plain) ? plain[0] : letter
  })
}

const anyPathSign = `[${formsOfSign('-')}/\\\\_.:]`
const pathSign = new RegExp(`^${anyPathSign}$`)

/** A pattern for a text as it was typed, over folded text: blanks are alike, and so are signs within a word unless it `isExact`. */
function patternOf(text, isExact = false) {
  const loose = folded(text.normalize('NFC')).replace(/\s+/g, ' ')
  const source = [...loose.matchAll(/\s|[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\s]+/gu)].map(({ 0: run, index }) => {
    if (run === ' ') return '\\s+'
    const isInside = index > 0 && index + run.length < loose.length
    if (isInside && !isExact && pathSign.test(run) && !/\d/.test(loose)) return anyPathSign
    // Between code and letters stands a sign that nobody sees, as in joined letters.
    return inWord.test(run) ? [...run].join('\u200D?') : literalSource(run)
  })
  // How a sign looks is left to the text, and whether it shows the marks around code and strong or deleted words.
  const whole = source
    .join('')
    .replaceAll('\uFE0F', '\uFE0F?')
    .replace(/`+/g, '[`\u200D]*')
    .replace(/(?:\\\*){2,3}|~~/g, '(?:$&)?')
  return new RegExp(whole, 'giu')
}

/** Marks above and below letters, and Korean letters that are no syllables: what a page shows may have them apart. */
const apart = /[\u0300-\u036F\u1100-\u11FF]/

/** Letters with their marks, in order. */
function markedLetters(text) {
  return (
    text
      .normalize('NFD')
      .toLowerCase()
      .match(/\p{L}\p{M}+/gu)
      ?.join() ?? ''
  )
}

/** What tells whether a text that a pattern found has the same signs, and the same marks where any were typed; nothing where all that it finds has. */
function exactly(text, pattern) {
  const [{ source }, marks] = [patternOf(text, true), markedLetters(text)]
  return source === pattern.source && marks === '' ? undefined : { whole: new RegExp(`^(?:${source})$`, 'iu'), marks }
}

/** Whether what was found for a term is what was typed, but for its letter case. */
export function isAsTyped(found, { exact }) {
  if (exact === undefined) return true
  return (
    (exact.marks === '' || markedLetters(found) === exact.marks) && exact.whole.test(folded(found.normalize('NFC')))
  )
}

/** A pattern that also matches where letters and their marks stand apart. */
function withMarksApart(pattern, text) {
  const letters = text
    .normalize('NFD')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\p{L})[\u0300-\u036F]+/gu, '')
  const sources = [...letters].map((letter) => (letter === ' ' ? '\\s+' : `${literalSource(letter)}[\\u0300-\\u036F]*`))
  return new RegExp(`${sources.join('')}|${pattern.source}`, 'giu')
}

/**
 * One thing that is looked for. `terms`: words of the index that its page must hold, `isWhole` each as it is; `isPhrase`:
 * several words in a row, of which `row` are some; of a path that is all of it as one word. `isInside`: it may stand inside a
 * word; `exact`: it also finds what was not typed so; `isSure`: the index can tell, without a look at the text. Where it cannot, the most selective of its `terms` comes first.
 */
export function termOf(text, { field = 'text', isWhole = false, isOpen = false, isInside = false } = {}) {
  const words = text.split(/\s+/u).filter(Boolean)
  const isPhrase = words.length > 1
  // The end of a path or a name is a word of the index without the sign before it: `file:.md`.
  const asWords = field === 'text' ? words : words.map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
  const terms = asWords.flatMap(termsOf)
  const whole = isWhole || (isPhrase && !isOpen)
  const isPlain = words.every(
    (word) => termsOf(word).length === 1 && /^\p{L}[\p{L}\p{N}]*$/u.test(word) && !isUnspaced(word),
  )
  // Of a script without blanks the index has a single letter as the first of a pair.
  const isBeginning = (term, at) =>
    at === terms.length - 1 && (!isWhole || (isUnspaced(term) && [...term].length === 1))
  const asked = terms.map((term, at) => ({ text: term, isWhole: !isPhrase && !isBeginning(term, at) }))
  // The index knows `1.340` as 1340 too, and of pairs and long parts not whether they follow each other.
  const pattern = patternOf(text)
  const exact = exactly(text, pattern)
  const isShort = terms.length <= maxSure && text.length <= maxNameLength
  const isSure = field === 'text' && !isPhrase && isShort && !/\p{N}/u.test(text) && !(isWhole && exact)
  // Pagefind finds words in a row by itself, where each is one of its words, though not within compound ones.
  const neighbours = isPlain && whole ? longestRow(words.map((word) => word.toLowerCase())).join(' ') : undefined
  return {
    ...{ text, field, isPhrase, isWhole, isInside, isSure },
    ...{ pattern, patternApart: withMarksApart(pattern, text), exact },
    // The text of a page tells of several words whether they stand in a row.
    terms: isSure ? asked : selectiveFirst(asked),
    row: isPhrase ? neighbours : wholeOf(text, terms),
  }
}

/** The same term where capitals cut no word, as a list: what is looked for may be written without them. Empty where they cut none. */
export function inSmallLetters(term) {
  const small = { ...term, terms: termOf(term.text.toLowerCase(), term).terms }
  const wordsOf = ({ terms }) => terms.map(({ text }) => text).join(' ')
  return wordsOf(small) === wordsOf(term) ? [] : [small]
}

/** What several words of the index tell of, such as a path, as the one word that it is to the index where it stands by itself. */
function wholeOf(text, { length }) {
  if (length < 2 || isUnspaced(text)) return undefined
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Pc}]/gu, '') || undefined
}

/** Terms of which the index alone tells; of more, texts tell whether they stand together. */
const maxSure = 3

/**
 * The words of the index from the most selective on: as they are before beginnings, the longest, and of equally long ones, such as
 * pairs of characters, those that lie apart.
 */
function selectiveFirst(terms) {
  const step = Math.max(1, Math.floor((terms.length - 1) / 3))
  return terms
    .map((term, at) => ({ term, rank: (at % step) * terms.length + at }))
    .sort((a, b) => b.term.isWhole - a.term.isWhole || b.term.text.length - a.term.text.length || a.rank - b.rank)
    .map(({ term }) => term)
}

/** Words of a row that the index is asked for at most: nearly each lies in a file of its own. */
const maxRow = 4

/** Of words in a row the neighbours that have most letters. */
function longestRow(words) {
  const rows = words.slice(0, Math.max(1, words.length - maxRow + 1)).map((_, at) => words.slice(at, at + maxRow))
  return rows.reduce((best, row) => (row.join('').length > best.join('').length ? row : best))
}

/** Characters for which texts of the index have a blank. */
const blank = /[\0-\x1F\x7F\u200B]/g

/** Characters that nobody sees; texts of the index are without them. */
const hidden = /[\x80-\x9F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]+/g

/**
 * A query: a page holds at least one of each list of `all`, and no turn that counts one of `none`. `filters` pairs names of
 * operators with lists of `{ value, isExcluded }`, `kinds` are those of places, `signs` are texts of which the index knows nothing. `row`: several words as they were typed, which need not
 * stand so.
 */
export function readQuery(text) {
  const query = { all: [], none: [], filters: {}, kinds: [], signs: [] }
  const sources = tokensOf(text.replace(blank, ' ').replace(hidden, '')).map(({ source }) => source)
  const tokens = readTokens(sources)
  for (const token of tokens) addToken(query, token)
  query.row = rowOf(sources)
  const unwanted = tokens.flatMap(({ field, isExcluded, text: name }) =>
    field === 'kind' && isExcluded ? [kindOf(name)] : [],
  )
  if (unwanted.length > 0 && query.kinds.length === 0) query.kinds = kinds.filter((kind) => !unwanted.includes(kind))
  return query
}

/** Several words as they were typed, without the mark of a line that was pasted; nothing for one word. */
function rowOf(sources) {
  const typed = sources.filter((source) => operatorIn(source) === undefined).join(' ')
  const row = typed.replace(/^(?:\d{1,3}[.)]\s+|[^\p{L}\p{N}]+)+/u, '')
  return /\s/.test(row) ? termOf(row, { isOpen: true }) : undefined
}

function addToken(query, { field, text, isExcluded, isJoined, isQuoted, isWhole, isOpen }) {
  if (field === 'text' || fields.includes(field)) {
    const term = termOf(text, { field, isOpen, isWhole: isWhole || isQuoted })
    if (term.terms.length > 0) addTerm(query, term, { isExcluded, isJoined })
    else query.signs.push(text)
  } else if (field !== 'kind') {
    query.filters[field] = [...(query.filters[field] ?? []), { value: text, isExcluded }]
  } else if (!isExcluded) query.kinds.push(kindOf(text) ?? text)
}

function addTerm({ all, none }, term, { isExcluded, isJoined }) {
  if (isExcluded) none.push(term)
  else if (isJoined && all.length > 0) all.at(-1).push(term)
  else all.push([term])
}

/** Where a text holds what a term looks for, as `[from, to]`. */
export function spansOf(text, term, plain = folded(text)) {
  const { pattern, patternApart, isWhole, isInside } = term
  const spans = []
  for (const { index, 0: found } of plain.matchAll(apart.test(text) ? patternApart : pattern)) {
    const end = index + found.length
    if (found === '' || (!isInside && !begins(text, index)) || (isWhole && !ends(text, end))) continue
    if (isWhole && !isAsTyped(text.slice(index, end), term)) continue
    spans.push([index, end])
  }
  return spans
}

/** Says how a sign looks, or puts a key around it: a word begins behind it. */
const inWord = /[\p{L}\p{N}]|(?![\uFE00-\uFE0F\u20E3])\p{M}/u
/** Letters around a place that tell whether a word begins there. */
const maxHead = 64

/** Whether a word begins at a place, or a part of a compound one. */
function begins(text, at) {
  const [last, first] = [text[at - 1] ?? ' ', text[at]]
  if (!inWord.test(first) || !inWord.test(last) || isUnspaced(first)) return true
  // A version behind its `v`.
  if (/\d/.test(first) && /v/i.test(last) && !inWord.test(text[at - 2] ?? ' ')) return true
  if (/\p{N}/u.test(last) && lettersBehindDigits(partAt(text, at)) !== undefined) return true
  return /\p{Lu}/u.test(first) && (/[\p{Ll}\p{N}]/u.test(last) || /\p{Ll}/u.test(text[at + 1] ?? ''))
}

/** The part of a word that letters at a place end, and a digit behind them. */
function partAt(text, at) {
  const head = /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, at - maxHead), at))[0]
  return head + /^[\p{L}\p{M}]*?(?:\p{N}|(?=\p{Lu}|[^\p{L}\p{M}]|$))/u.exec(text.slice(at, at + maxHead))[0]
}

function ends(text, at) {
  const [last, next] = [text[at - 1], text[at] ?? ' ']
  return !inWord.test(next) || !inWord.test(last) || isUnspaced(last) || (/\p{Ll}/u.test(last) && /\p{Lu}/u.test(next))
}
