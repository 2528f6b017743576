/** Compares two texts by code units, so the order is the same on every machine and in every language. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

// The first few of many items in some order, whatever the order in which they arrive.

/** Collects items and keeps the first ones. */
export interface Best<T> {
  add: (item: T) => void
  /** At most `limit` items, in order. */
  items: () => T[]
  /** Number of items added. */
  count: () => number
}

/** Keeps the first `limit` items by `compare`; the others are only counted. */
export function bestOf<T>(limit: number, compare: (a: T, b: T) => number): Best<T> {
  let kept: T[] = []
  let count = 0
  const trim = (): void => {
    kept.sort(compare)
    kept = kept.slice(0, limit)
  }
  return {
    add(item) {
      count++
      kept.push(item)
      // Sorting only now and then keeps the total cost nearly linear.
      if (kept.length >= 2 * limit + 16) trim()
    },
    items() {
      trim()
      return kept
    },
    count: () => count,
  }
}
