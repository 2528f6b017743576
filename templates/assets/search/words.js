// The words of the index: reads them from its files, and finds replacements for a word that occurs nowhere.
import { folded } from './query.js'

/**
 * The texts with which the innermost lists of an index file begin. A file is CBOR after a signature: lists in a list in a list.
 * From a file of words, these texts are its words; from a table, the ids of its pages and then the first words of its files.
 */
export function firstTexts(bytes) {
  const words = []
  const decoder = new TextDecoder()
  let at = 'pagefind_dcd'.length
  const read = (depth, isFirst) => {
    const [major, short] = [bytes[at] >> 5, bytes[at++] & 31]
    let size = short
    if (short > 23) {
      size = 0
      for (let left = 2 ** (short - 24); left > 0; left--) size = size * 256 + bytes[at++]
    }
    if (major === 4) for (let index = 0; index < size; index++) read(depth + 1, index === 0)
    if (major !== 3) return
    if (depth === 3 && isFirst) words.push(decoder.decode(bytes.subarray(at, at + size)).normalize())
    at += size
  }
  read(0, true)
  return words
}

/** How many letters to change, add, remove or swap to turn one word into another; `max + 1` if there are more than `max`. */
export function distance(one, other, max) {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let before = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (swapped) next[j] = Math.min(next[j], before[j - 2] + 1)
    }
    if (Math.min(...next) > max) return max + 1
    before = row
    row = next
  }
  return Math.min(row[other.length], max + 1)
}

const umlauts = (word) => word.replace(/([aou])e/g, '$1').replaceAll('ß', 'ss')

/** The maximum number of words that are looked for instead of one. */
const maxOthers = 12

/**
 * What to look for instead of a word that occurs nowhere, among all words: those that contain it (`isInside`); else those that
 * begin like it except for `ae`, `oe`, `ue` and `ß`; else those that differ least, by one letter or, in words of eight letters or
 * more, by two. Among these, swapped letters come first: `OpenPAI` was meant to be `OpenAPI`, not `OpenAI`.
 */
export function othersOf(typed, words) {
  const word = folded(typed)
  const plain = words.map(folded)
  const minLetters = /^\p{sc=Hangul}+$/u.test(word) ? 2 : 4
  const holding = [...word].length < minLetters ? [] : words.filter((_, at) => plain[at].includes(word))
  if (holding.length > 0) return { words: shortest(holding), isInside: true }
  const german = words.filter((_, at) => umlauts(plain[at]).startsWith(umlauts(word)))
  if (german.length > 0 && (umlauts(word) !== word || word.includes('ss'))) return { words: shortest(german) }
  if (word.length < 4) return { words: [] }
  const maxDistance = word.length < 8 ? 1 : 2
  const near = plain
    .map((other, at) => [distance(other, word, maxDistance), words[at]])
    .filter(([steps]) => steps <= maxDistance)
  const minDistance = Math.min(...near.map(([steps]) => steps))
  const nearest = near.flatMap(([steps, other]) => (steps === minDistance ? [other] : []))
  const swapped = nearest.filter((other) => lettersOf(folded(other)) === lettersOf(word))
  return { words: shortest(swapped.length > 0 ? swapped : nearest) }
}

const lettersOf = (word) => [...word].sort().join('')

function shortest(words) {
  return words.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, maxOthers)
}

/** A word without its English ending. */
function stem(word) {
  const left = word.replace(/(?:ing|ed|es|s|er|ers|ly|e|y|ies|ied)$/, '')
  return left.length < 3 ? word : left.replace(/([^aeiou])\1$/, '$1')
}

/** Those of some words that are another form of a word. */
export function formsOf(word, words) {
  return word.length < 4 ? [] : words.filter((other) => other !== word && stem(other) === stem(word))
}
