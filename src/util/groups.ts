/** Items grouped by key in the order in which keys first appear, counts, sums, and lists that grow. */

import { compareText } from './compare.ts'

/** The items of each key. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) addTo(groups, keyOf(item), item)
  return groups
}

/** Adds an item to the list of a key. */
export function addTo<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}

/** Finds by each word the key under which a table lists it; the words of a key are separated by spaces. */
export function byWord<K extends string>(table: Readonly<Record<K, string>>): ReadonlyMap<string, K> {
  // The keys of a table are those of its type.
  const keys = Object.keys(table) as K[]
  return new Map(keys.flatMap((key) => table[key].split(' ').map((word): [string, K] => [word, key])))
}

/** The number of items of each key. */
export function countBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>()
  for (const item of items) {
    const key = keyOf(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** The items that have no equal among `others`; each of those cancels out one item. */
export function withoutEqual<T>(items: readonly T[], others: Iterable<T>, keyOf: (item: T) => string): T[] {
  const remaining = countBy(others, keyOf)
  return items.filter((item) => {
    const key = keyOf(item)
    const count = remaining.get(key) ?? 0
    remaining.set(key, count - 1)
    return count <= 0
  })
}

/** The sum of an amount over all items. */
export function sumBy<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0)
}

/** The sum of all counts in a record. */
export function sumOfCounts(counts: Readonly<Record<string, number>>): number {
  return sumBy(Object.values(counts), (count) => count)
}

/** Counts that are not zero, largest first, then by name. */
export function byCount(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([nameA, a], [nameB, b]) => b - a || compareText(nameA, nameB))
}

/**
 * Adds any number of items to the end of a list: `push(...items)` takes only some 100,000 arguments, and a record may hold more
 * items.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item)
}
