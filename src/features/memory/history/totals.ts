/** Numbers by category. */

import { type CategoryTotals, type MemoryCategory, memoryCategories } from './categories.ts'

/** Items and tokens by category, in the order of the categories. */
export function totalsOf(entries: Iterable<{ category: MemoryCategory; tokens: number }>): CategoryTotals {
  const sums = new Map<MemoryCategory, { items: number; tokens: number }>()
  for (const { category, tokens } of entries) {
    const sum = sums.get(category) ?? { items: 0, tokens: 0 }
    sum.items++
    sum.tokens += tokens
    sums.set(category, sum)
  }
  return Object.fromEntries(
    memoryCategories.flatMap((category) => {
      const sum = sums.get(category)
      return sum === undefined ? [] : [[category, sum]]
    }),
  )
}

/** Both together. */
export function addTotals(left: CategoryTotals, right: CategoryTotals): CategoryTotals {
  const sum = { ...left }
  for (const category of memoryCategories) {
    const [a, b] = [left[category], right[category]]
    if (b !== undefined) sum[category] = { items: (a?.items ?? 0) + b.items, tokens: (a?.tokens ?? 0) + b.tokens }
  }
  return sum
}

/** All categories together. */
export function sumOf(totals: CategoryTotals): { items: number; tokens: number } {
  const sum = { items: 0, tokens: 0 }
  for (const { items, tokens } of Object.values(totals)) {
    sum.items += items
    sum.tokens += tokens
  }
  return sum
}
