// Words of a query that stand nowhere: another spelling that does, or the end of a path that was pasted whole.
import { plain } from './search-query.js'

/** Pages that are read to find how a word is spelt. */
const mostRead = 8
/** Ends of a path that are tried. */
const mostEnds = 8

/**
 * What to look for in place of `word`: a word of the index, or `undefined`. `ask` gives the results of a term, each
 * with `words`, the places of its hits, and `page`, which loads its text.
 */
export async function corrected(word, ask) {
  return (await knownEnd(word, ask)) ?? (await similarWord(plain(word), ask))
}

/** The longest end of a path or another compound word that the index knows. */
async function knownEnd(word, ask) {
  const starts = [...word.matchAll(/[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/gu)].map(({ index, 0: gap }) => index + gap.length)
  for (const start of starts.filter((at) => at > 0).slice(0, mostEnds)) {
    const end = plain(word.slice(start))
    // A single word is no path any more: nearly every archive has a `json`.
    const isPath = /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(word.slice(start))
    const [best] = isPath ? await ask(end) : []
    if (best && (await wordsHit(best)).some((known) => known.startsWith(end))) return end
  }
  return undefined
}

/** The word of the index that differs least, among those that begin like it. */
async function similarWord(word, ask) {
  if (word.length < 4) return undefined
  const most = word.length < 8 ? 1 : 2
  for (const beginning of beginnings(word)) {
    const results = await ask(beginning)
    const known = (await Promise.all(results.slice(0, mostRead).map(wordsHit))).flat()
    const near = known.map((found) => [distance(folded(found), folded(word), most), found])
    const nearest = near.filter(([steps]) => steps <= most).sort((a, b) => a[0] - b[0])[0]
    if (nearest) return nearest[1]
  }
  return undefined
}

/** What the word that was meant may begin with: less and less of what was typed, then two letters of it swapped. */
function beginnings(word) {
  const shorter = Array.from({ length: 6 }, (_, index) => word.slice(0, word.length - 1 - index))
  const swapped = [0, 1, 2].map((at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2, 5))
  return [...shorter, ...swapped].filter((beginning) => beginning.length > 1)
}

/** A word without marks above and below its letters. */
function folded(word) {
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss')
}

/** Words of a page at the places of its hits, as the index has them, with those of its title. */
async function wordsHit({ words, page }) {
  const { content, meta } = await page()
  const tokens = content.split(/[^\S\uFEFF]+/u)
  const found = [...words.map((at) => tokens[at] ?? ''), ...(meta.title ?? '').split(/\s+/u)]
  return [...new Set(found.flatMap((token) => [plain(token), ...token.split(/[^\p{L}\p{N}]+/u).map(plain)]))]
}

/** Letters to change, add, leave out or swap to make one word of another; more than `most` counts as one more. */
export function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1
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
    before = row
    row = next
  }
  return Math.min(row[other.length], most + 1)
}
