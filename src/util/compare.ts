/** Order of two texts by code units: the same on every machine and in every language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

// The first few of many items by an order, whatever the order in which they come.

/** Holds the first ones so far. */
export interface Best<T> {
  add: (item: T) => void
  /** At most `limit` items, in order. */
  items: () => T[]
  /** Items that came. */
  count: () => number
}

/** Keeps the first `limit` items by `compare`; of more, only their number is known. */
export function bestOf<T>(limit: number, compare: (a: T, b: T) => number): Best<T> {
  let kept: T[] = []
  let count = 0
  const settle = (): void => {
    kept.sort(compare)
    kept = kept.slice(0, limit)
  }
  return {
    add(item) {
      count++
      kept.push(item)
      // Sorting only now and then keeps the whole nearly linear.
      if (kept.length >= 2 * limit + 16) settle()
    },
    items() {
      settle()
      return kept
    },
    count: () => count,
  }
}
