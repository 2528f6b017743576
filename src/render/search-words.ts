/**
 * Words that a reader looks for and that a text holds only inside longer ones. The index cuts text at blanks, takes a
 * cut word as a whole and by its parts between punctuation, and finds words by their beginnings. It therefore misses
 * `b.ts` in `src/a/b.ts`, `Name` in `userName` and every word of a language that is written without blanks.
 */

/** Stands around the hidden words of a block; it has no letter, so that the index knows it by no word. */
export const hiddenMark = '~^~'

/** Ends of words in one block at most. */
const mostInBlock = 200
/** Ends of one word at most, the shortest ones: the last parts of a path say most. */
const mostEnds = 8
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
    if (word.length <= longestWord && foundEnds.size < mostInBlock) for (const end of ends(word)) foundEnds.add(end)
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
    .slice(-mostEnds)
    .map(({ index }) => plain.slice(index))
    .filter((end) => isTelling(end) && !(isCompound && /^\p{L}\p{Ll}*$/u.test(end)))
}

/** Two characters with a letter among them, or a number of three digits. */
function isTelling(end: string): boolean {
  return end.length > 1 && (/\p{L}/u.test(end) || /\d{3}/.test(end))
}
