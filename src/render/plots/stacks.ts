/** Which series of many are shown by themselves. */
import { compareText } from '../../util/compare.ts'
import type { Series } from './columns.ts'

/** Series of a stack, the last one the sum of the others. */
const mostSeries = 8

/** Values by name as series, the largest first, beyond a number of them as `other`. Series of nothing are left out. */
export function stackOf(values: ReadonlyMap<string, readonly number[]>): Series[] {
  const sorted = [...values]
    .map(([name, row]) => ({ name, row, total: totalOf(row) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || compareText(a.name, b.name))
  const named = sorted.length > mostSeries ? sorted.slice(0, mostSeries - 1) : sorted
  const rest = sorted.slice(named.length)
  const rows = named.map(({ name, row }) => ({ name, values: row }))
  if (rest.length > 0) {
    const [first] = rest
    const sum = first?.row.map((_, step) => rest.reduce((total, { row }) => total + (row[step] ?? 0), 0)) ?? []
    rows.push({ name: `${rest.length} other`, values: sum })
  }
  return rows.map((row, index) => ({ ...row, tone: `s${index}` }))
}

/** Sum of a row. */
export function totalOf(row: readonly number[]): number {
  return row.reduce((sum, value) => sum + value, 0)
}
