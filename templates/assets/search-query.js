// What a reader typed, as the index knows words. The same rules made its words: see `search/entry-text.ts`.

/** Runs of scripts that are written without blanks between words: the index holds them as pairs of characters. */
const unspaced = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u

/** Whether a text has characters of such a script. */
export function isUnspaced(text) {
  return unspaced.test(text) && /\p{L}/u.test(text)
}

/** Letters and digits of a text as the index has them: small, and without marks but those that join identifiers. */
export function plain(text) {
  return text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}]/gu, '')
    .toLowerCase()
}

/**
 * A query: `term` for the index, its `words`, and the `phrases` that stand in quotes; the last may still be open.
 * `check`: the index, which knows words and whole phrases, cannot answer that, so that the hits have to be read.
 */
export function readQuery(text) {
  const phrases = [...text.matchAll(/"([^"]*)(?:"|$)/gu)].map(([, quoted]) => quoted.trim()).filter(Boolean)
  const words = [...new Set(text.replaceAll('"', ' ').split(/\s+/u).flatMap(wordsOf))]
  const isPhrase = phrases.length === 1 && words.length > 0 && /^\s*"[^"]*"?\s*$/u.test(text) && !isUnspaced(phrases[0])
  const term = isPhrase ? `"${phrases[0].split(/\s+/u).flatMap(wordsOf).join(' ')}"` : words.join(' ')
  return { term, words, phrases, check: phrases.length > 0 && !isPhrase }
}

function wordsOf(word) {
  return word
    .normalize('NFC')
    .split(unspaced)
    .flatMap((part) => (isUnspaced(part) ? pairs(part) : plain(part)))
    .filter((part) => part !== '')
}

/** Overlapping pairs of characters; a single one stands alone. */
function pairs(run) {
  const letters = [...run.replace(/[^\p{L}\p{N}]/gu, '')]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, index) => letters[index] + letter)
}

/** Whether a word of the index answers a word of a query: it begins like it, but for an ending. */
export function answers(found, asked) {
  const known = plain(found)
  if (known.startsWith(asked)) return true
  if (asked.length < 5) return false
  let same = 0
  while (same < known.length && known[same] === asked[same]) same++
  // `run` answers `running`.
  const doubled = same === known.length && asked[same] === asked[same - 1] ? 1 : 0
  return same >= Math.max(3, asked.length - 3 - doubled)
}
