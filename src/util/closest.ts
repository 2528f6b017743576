/** Finds the word that a misspelt one stands for. */

/**
 * The word closest to a misspelt one, if at most a third of the letters differ. The third is rounded up only if both begin with
 * the same letter: of a short word it is more than half, and the first letter is the one that is rarely wrong.
 */
export function closest(written: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, distance: editDistance(written, word) }))
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance)
  if (best === undefined) return undefined
  const third = Math.max(written.length, best.word.length) / 3
  const limit = written[0] === best.word[0] ? Math.ceil(third) : Math.max(1, Math.floor(third))
  return best.distance <= limit ? best.word : undefined
}

/** The number of letters to add, remove, replace or swap with a neighbour to turn one text into another. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= to.length; column++) {
      const isEqual = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isEqual ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
